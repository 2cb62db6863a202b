// A select as the chat has it: a button that opens a list; arrows, Enter, Space, Escape and typing work.
import { el } from "./dom.js";

const MOST_HEIGHT = 264;
const LEAST_HEIGHT = 126;
let serial = 0;

/**
 * `options`: [{label, value, description, emoji, default}]. `made` gets the values when the choice is made.
 * With `keep`, the choice stays shown (in a form); without, it is an act.
 */
export function choice({ id: buttonId, label, placeholder, options, least = 1, most = 1, disabled = false, keep = false, made }) {
  serial += 1;
  const id = `choice-${serial}`;
  const selected = new Set(options.filter((o) => o.default).map((o) => o.value));
  const several = most > 1;
  let active = 0;
  let sought = "";
  let soughtAt = 0;
  const shown = el("span", { class: "choice-text" });
  const button = el(
    "button",
    { type: "button", id: buttonId, class: "choice-button", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": id, disabled, role: "combobox", "aria-label": label ?? placeholder },
    shown,
    el("span", { class: "choice-arrow", "aria-hidden": "true" }, "▾"),
  );
  const list = el("ul", { id, role: "listbox", "aria-label": label ?? placeholder, "aria-multiselectable": several ? "true" : null, hidden: true });
  const done = el("button", { type: "button", class: "button primary small", hidden: true, click: () => commit() }, "Choose");
  const wrap = el("div", { class: "choice" }, button, el("div", { class: "choice-list", hidden: true }, list, done));
  const panel = list.parentElement;

  const items = options.map((option, at) =>
    el(
      "li",
      { role: "option", id: `${id}-${at}`, "aria-selected": String(selected.has(option.value)), click: () => select(at), mousemove: () => activate(at) },
      several ? el("span", { class: "tick", "aria-hidden": "true" }) : null,
      option.emoji?.name ? el("span", { class: "emoji" }, option.emoji.name) : null,
      el("span", { class: "option-text" }, el("span", {}, option.label), option.description ? el("small", {}, option.description) : null),
    ),
  );
  list.append(...items);

  function text() {
    const names = options.filter((o) => selected.has(o.value)).map((o) => o.label);
    shown.textContent = names.length ? names.join(", ") : placeholder || "Choose…";
    button.setAttribute("aria-label", `${label ?? placeholder ?? "Choose"}${names.length ? `: ${names.join(", ")}` : ""}`);
    wrap.classList.toggle("empty", !names.length);
  }

  function mark() {
    for (const [at, item] of items.entries()) item.setAttribute("aria-selected", String(selected.has(options[at].value)));
  }

  function activate(next) {
    active = Math.max(0, Math.min(items.length - 1, next));
    for (const [at, item] of items.entries()) item.classList.toggle("active", at === active);
    if (items.length) {
      button.setAttribute("aria-activedescendant", items[active].id);
      items[active].scrollIntoView({ block: "nearest" });
    }
  }

  function open() {
    if (disabled) return;
    panel.hidden = list.hidden = false;
    done.hidden = !several;
    button.setAttribute("aria-expanded", "true");
    wrap.classList.add("open");
    place();
    activate(Math.max(0, options.findIndex((o) => selected.has(o.value))));
    addEventListener("pointerdown", outside);
  }

  /** Open where there is room in what scrolls around it, upwards only if that is more. */
  function place() {
    const frame = (wrap.closest(".log") ?? document.documentElement).getBoundingClientRect();
    const box = button.getBoundingClientRect();
    const below = Math.min(frame.bottom, innerHeight) - box.bottom;
    const above = box.top - Math.max(frame.top, 0);
    const up = below < MOST_HEIGHT && above > below;
    panel.classList.toggle("up", up);
    list.style.maxHeight = `${Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, up ? above : below) - (several ? 70 : 24))}px`;
    panel.scrollIntoView({ block: "nearest" });
  }

  function close() {
    panel.hidden = list.hidden = true;
    button.setAttribute("aria-expanded", "false");
    button.removeAttribute("aria-activedescendant");
    wrap.classList.remove("open");
    removeEventListener("pointerdown", outside);
  }

  function outside(event) {
    if (!wrap.contains(event.target)) close();
  }

  function select(at) {
    const { value } = options[at];
    if (!several) {
      selected.clear();
      selected.add(value);
      commit();
      return;
    }
    if (selected.has(value)) selected.delete(value);
    else if (selected.size < most) selected.add(value);
    mark();
    done.disabled = selected.size < least;
    text();
  }

  function commit() {
    if (selected.size < least) return;
    close();
    text();
    button.focus();
    mark();
    made?.(options.filter((o) => selected.has(o.value)).map((o) => o.value));
    if (!keep) {
      selected.clear();
      for (const option of options.filter((o) => o.default)) selected.add(option.value);
      text();
    }
  }

  function type(letter) {
    const now = Date.now();
    sought = now - soughtAt < 700 ? sought + letter : letter;
    soughtAt = now;
    const at = options.findIndex((o) => o.label.toLowerCase().startsWith(sought.toLowerCase()));
    if (at >= 0) activate(at);
  }

  button.addEventListener("click", () => (list.hidden ? open() : close()));
  wrap.addEventListener("keydown", (event) => {
    if (event.target === done) return;
    const isOpen = !list.hidden;
    const moves = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: items.length - 1 };
    if (!isOpen && ["ArrowDown", "ArrowUp", "Enter", " "].includes(event.key)) open();
    else if (isOpen && event.key in moves) activate(moves[event.key]);
    else if (isOpen && (event.key === " " || (event.key === "Enter" && !several))) select(active);
    else if (isOpen && event.key === "Enter") commit();
    else if (isOpen && event.key === "Escape") close();
    else if (isOpen && event.key === "Tab") return several ? undefined : close();
    else if (isOpen && event.key.length === 1 && !event.ctrlKey && !event.metaKey) type(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  text();
  wrap.values = () => options.filter((o) => selected.has(o.value)).map((o) => o.value);
  return wrap;
}
