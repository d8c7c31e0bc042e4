// A copy button for a block of text.
export function serveCopy(root) {
  for (const block of root.querySelectorAll("[data-copy]")) {
    if (block.querySelector("[data-copy-button]") || !navigator.clipboard) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-small";
    button.dataset.copyButton = "";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("[data-copy-text]").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  }
}
