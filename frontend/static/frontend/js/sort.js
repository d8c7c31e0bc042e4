// Sorts a table in place by its exact values; empty values stay last.
export function serveSorting(root) {
  for (const table of root.querySelectorAll("table[data-sortable]")) {
    if (table.dataset.served || table.tBodies[0].rows.length < 2) continue;
    table.dataset.served = "true";
    [...table.tHead.rows[0].cells].forEach((head, index) => makeSortable(table, head, index));
  }
}

function makeSortable(table, head, index) {
  const label = head.querySelector("[data-sort]");
  if (!label) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label.textContent;
  label.replaceWith(button);
  button.addEventListener("click", () => sort(table, head, index));
}

function sort(table, head, index) {
  const first = head.dataset.align === "number" ? "descending" : "ascending";
  const other = first === "ascending" ? "descending" : "ascending";
  const direction = head.getAttribute("aria-sort") === first ? other : first;
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows].map((row) => [key(row.cells[index]), row]);
  rows.sort(([a], [b]) => compare(a, b, sign));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

function key(cell) {
  const exact = cell.dataset.exact ?? cell.textContent.trim();
  if (exact === "") return null;
  return cell.dataset.kind === "number" ? exactNumber(exact) : exact.toLowerCase();
}

// Integers beyond 2^53 keep their order: compare as BigInt first, then the fraction.
function exactNumber(text) {
  const [whole, fraction = ""] = text.split(".");
  const padded = BigInt(whole.replace("-", "") + fraction.padEnd(20, "0").slice(0, 20));
  return text.startsWith("-") ? -padded : padded;
}

function compare(a, b, sign) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "bigint" && typeof b === "bigint") return sign * (a < b ? -1 : a > b ? 1 : 0);
  return sign * String(a).localeCompare(String(b), "en");
}
