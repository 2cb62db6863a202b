// Building elements without ever parsing text as HTML.

export const $ = (id) => document.getElementById(id);

/** Make an element: `el("p", {class: "dim"}, "text", child)`. Functions become listeners. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(key, value);
    else if (key === "text") node.textContent = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const HUES = [210, 340, 145, 30, 270, 185, 0, 60];

/** A person's colour, the same at every start. */
export function hue(person) {
  let sum = 0;
  for (const letter of person.name) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return person.bot ? 235 : HUES[sum % HUES.length];
}

export function avatar(person) {
  const node = el("span", { class: person.bot ? "avatar bot" : "avatar", "aria-hidden": "true" }, person.bot ? "⚄" : person.name.slice(0, 1));
  node.style.setProperty("--hue", hue(person));
  return node;
}

let toastTimer = 0;

/** Say something that went wrong, for a while. */
export function toast(text) {
  const place = $("toasts");
  place.replaceChildren(el("p", { class: "toast" }, text));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.replaceChildren(), 8000);
}
