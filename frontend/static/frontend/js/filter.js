// Filters the rows of a list or table while typing; without a script the form asks the server.
export function serveFilter(root) {
  for (const input of root.querySelectorAll("[data-filter]")) {
    if (input.dataset.served) continue;
    input.dataset.served = "true";
    const list = document.getElementById(input.dataset.filter);
    if (!list) continue;
    const count = document.getElementById(`${input.dataset.filter}-count`);
    input.addEventListener("input", () => filter(list, input.value, count));
  }
}

function filter(list, text, count) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of list.querySelectorAll("[data-text]")) {
    row.hidden = !words.every((word) => row.dataset.text.toLowerCase().includes(word));
    shown += row.hidden ? 0 : 1;
  }
  for (const group of list.querySelectorAll("[data-group]")) {
    group.hidden = !group.querySelector("[data-text]:not([hidden])");
  }
  if (count) count.textContent = `${shown} shown`;
}
