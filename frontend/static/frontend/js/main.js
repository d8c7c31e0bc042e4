// Each behaviour finds its own elements by data-* and also serves what arrives later.
import { serveCharts } from "./chart.js";
import { serveCompletions } from "./complete.js";
import { serveCopy } from "./copy.js";
import { serveFilter } from "./filter.js";
import { serveKeys } from "./keys.js";
import { serveMenus } from "./menu.js";
import { serveSorting } from "./sort.js";
import { serveTheme } from "./theme.js";

function serve(root) {
  serveCharts(root);
  serveCompletions(root);
  serveCopy(root);
  serveFilter(root);
  serveSorting(root);
}

serveKeys(document);
serveMenus(document);
serveTheme(document);
serve(document);
document.body.addEventListener("htmx:load", (event) => serve(event.detail.elt));
