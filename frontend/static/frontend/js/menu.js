// Menus close on Escape and when something else is clicked.
export function serveMenus(root) {
  root.addEventListener("click", (event) => {
    for (const menu of root.querySelectorAll("[data-menu][open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of root.querySelectorAll("[data-menu][open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}
