// Reads a chart out: under the pointer, and with the arrow keys.
const SVG = "http://www.w3.org/2000/svg";

export function serveCharts(root) {
  for (const figure of root.querySelectorAll("[data-chart]")) {
    if (figure.dataset.served) continue;
    figure.dataset.served = "true";
    const output = figure.querySelector("[data-readout-for]");
    for (const svg of figure.querySelectorAll("svg.chart")) serveChart(svg, output);
  }
}

function serveChart(svg, output) {
  const hits = [...svg.querySelectorAll(".hit")];
  const cursor = document.createElementNS(SVG, "g");
  svg.append(cursor);
  let active = -1;
  const show = (index, spoken) => {
    if (hits[active]) delete hits[active].dataset.state;
    active = index;
    cursor.replaceChildren();
    output.setAttribute("aria-live", spoken ? "polite" : "off");
    output.textContent = hits[index] ? hits[index].dataset.readout : "";
    if (!hits[index]) return;
    if (hits[index].dataset.points) drawCursor(cursor, hits[index]);
    else hits[index].dataset.state = "active";
  };
  svg.addEventListener("pointermove", (event) => show(hits.indexOf(event.target.closest(".hit")), false));
  svg.addEventListener("pointerleave", () => show(-1, false));
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("blur", () => show(-1, false));
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(Math.min(Math.max(active + step, 0), hits.length - 1), true);
  });
}

function drawCursor(cursor, hit) {
  const x = hit.dataset.x;
  const top = Number(hit.getAttribute("y"));
  const line = make("line", { class: "cross", x1: x, x2: x, y1: top, y2: top + Number(hit.getAttribute("height")) });
  cursor.append(line);
  hit.dataset.points.split(" ").forEach((y, index) => {
    if (y) cursor.append(make("circle", { class: `cursor s${index + 1}`, cx: x, cy: y, r: 4.5 }));
  });
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
