// While a question is typed, a list offers ways to go on: arrows choose, Enter or Tab takes, Escape closes.
const PAUSE = 120;
const served = new WeakSet();

export function serveCompletions(root) {
  for (const input of root.querySelectorAll("[data-complete]")) {
    if (!served.has(input)) serve(input);
    served.add(input);
  }
}

function line(completion, place) {
  const item = document.createElement("li");
  item.id = `completion-${place + 1}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  item.dataset.completion = completion.question;
  const words = document.createElement("span");
  words.textContent = completion.words;
  const note = document.createElement("small");
  note.textContent = completion.note;
  item.append(words, note);
  return item;
}

function serve(input) {
  const form = input.form;
  const list = form.querySelector("[data-completions]");
  let timer = 0;
  let asked = 0;

  async function refresh() {
    const number = ++asked;
    if (input.selectionStart !== input.value.length || !input.value.trim()) return close();
    let response;
    try {
      response = await fetch(input.dataset.complete, { method: "POST", body: new FormData(form), redirect: "error" });
    } catch {
      return close();
    }
    const items = response.ok ? await response.json() : { completions: [] };
    if (number !== asked || document.activeElement !== input) return;
    list.replaceChildren(...items.completions.map(line));
    if (list.children.length) open();
    else close();
  }

  function open() {
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(null);
  }

  function close() {
    asked += 1;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function chosen() {
    return list.hidden ? null : list.querySelector("[aria-selected='true']");
  }

  function choose(item) {
    chosen()?.setAttribute("aria-selected", "false");
    if (!item) return input.removeAttribute("aria-activedescendant");
    item.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  }

  function take(item) {
    input.value = `${item.dataset.completion} `;
    close();
    input.focus();
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    const item = chosen();
    if (event.key === "ArrowDown") choose(item?.nextElementSibling ?? list.firstElementChild);
    else if (event.key === "ArrowUp") choose(item?.previousElementSibling ?? list.lastElementChild);
    else if (event.key === "Escape") close();
    else if ((event.key === "Enter" || event.key === "Tab") && item) take(item);
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    close();
  });
  // a press must not take the focus from the question
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[data-completion]");
    if (item) take(item);
  });
}
