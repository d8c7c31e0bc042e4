// "/" focuses the question, "?" shows the keys.
export function serveKeys(root) {
  const dialog = root.querySelector("[data-keys]");
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "/") {
      const question = root.querySelector("[data-question], [data-filter]");
      if (question) {
        event.preventDefault();
        question.focus();
        question.select();
      }
    }
    if (event.key === "?" && dialog && !dialog.open) dialog.showModal();
  });
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys-open]") && dialog) dialog.showModal();
  });
}

function isTyping(element) {
  return element.closest("input, textarea, select, [contenteditable]") !== null;
}
