// Switches light and dark at once; the form does the same without a script.
export function serveTheme(root) {
  const form = root.querySelector("[data-theme-toggle]");
  if (!form) return;
  const button = form.querySelector("button");
  const page = root.documentElement;
  const current = () =>
    page.dataset.theme !== "auto" ? page.dataset.theme : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const tell = () => {
    button.value = current() === "dark" ? "light" : "dark";
    button.setAttribute("aria-label", `Switch to the ${button.value} theme`);
  };
  tell();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.dataset.theme = button.value;
    document.cookie = `theme=${button.value}; path=/; max-age=31536000; samesite=lax`;
    tell();
  });
}
