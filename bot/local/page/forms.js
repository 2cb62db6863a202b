// A form of the bot: fields, what is required, and the keyboard kept inside until it is closed.
import { $, el } from "./dom.js";
import { choice } from "./choice.js";
import { base64, isTooLarge } from "./files.js";
import { markdown } from "./markdown.js";
import { selectOptions } from "./messages.js";

let current = null;

/** Show a form; `send` gets what was filled in, by custom id. */
export function openForm(form, table, send) {
  const fields = form.components.map((row, at) => field(row, at, table)).filter(Boolean);
  current = { fields, send, table };
  $("form-title").textContent = form.title;
  $("form-fields").replaceChildren(...form.components.map((row, at) => fields.find((f) => f.at === at)?.node ?? note(row, table)));
  $("form-problems").textContent = "";
  $("form").showModal();
  fields[0]?.focus();
}

function note(row, table) {
  return el("div", { class: "text" }, markdown(row.content ?? "", table.names));
}

function field(row, at, table) {
  if (row.type === 10) return null;
  const item = row.type === 18 ? row.component : row.components[0];
  const label = row.label ?? item.label;
  const required = item.required ?? true;
  const id = `form-${at}`;
  const head = el("label", { for: id }, label, required ? el("span", { class: "required", "aria-hidden": "true" }, " *") : null);
  const about = row.description ? el("p", { class: "dim", id: `${id}-about` }, row.description) : null;
  if (item.type === 4) return textField({ item, at, id, head, about, label, required });
  if (item.type === 19) return fileField({ item, at, id, head, about, label, required });
  const select = choice({
    id,
    label,
    placeholder: item.placeholder ?? "Choose…",
    options: selectOptions(item, table),
    least: required ? (item.min_values ?? 1) : 0,
    most: item.max_values ?? 1,
    keep: true,
  });
  return {
    at,
    node: el("div", { class: "form-field" }, head, about, select),
    focus: () => select.querySelector("button").focus(),
    read: () => [item.custom_id, select.values()],
    problem: () => (required && !select.values().length ? `${label} is required.` : null),
  };
}

function textField({ item, at, id, head, about, label, required }) {
  const long = item.style === 2;
  const input = el(long ? "textarea" : "input", {
    id,
    rows: long ? 4 : null,
    type: long ? null : "text",
    placeholder: item.placeholder,
    maxlength: item.max_length ?? 4000,
    "aria-required": required ? "true" : null,
    "aria-describedby": about ? `${id}-about` : null,
  });
  input.value = item.value ?? "";
  return {
    at,
    node: el("div", { class: "form-field" }, head, about, input),
    focus: () => input.focus(),
    read: () => [item.custom_id, input.value],
    problem: () => {
      const text = input.value.trim();
      const wrong = (required && !text && `${label} is required.`) || (text && item.min_length > text.length && `${label} needs at least ${item.min_length} characters.`);
      input.setAttribute("aria-invalid", String(Boolean(wrong)));
      return wrong || null;
    },
  };
}

function fileField({ item, at, id, head, about, label, required }) {
  const input = el("input", { id, type: "file", "aria-required": required ? "true" : null, "aria-describedby": about ? `${id}-about` : null });
  input.addEventListener("change", () => {
    if (input.files[0] && isTooLarge(input.files[0])) input.value = "";
  });
  return {
    at,
    node: el("div", { class: "form-field" }, head, about, input),
    focus: () => input.focus(),
    file: () => (input.files[0] ? [item.custom_id, input.files[0]] : null),
    problem: () => (required && !input.files.length ? `${label} is required.` : null),
  };
}

async function submit(event) {
  event.preventDefault();
  const problems = current.fields.map((f) => f.problem()).filter(Boolean);
  if (problems.length) {
    $("form-problems").textContent = problems.join(" ");
    current.fields.find((f) => f.problem())?.focus();
    return;
  }
  const { fields, send, table } = current;
  const open = table.isOpen();
  $("form-problems").textContent = open ? "" : "The table is closed just now. What you wrote stays here.";
  if (!open) return;
  const values = Object.fromEntries(fields.filter((f) => f.read).map((f) => f.read()));
  const files = fields.map((f) => f.file?.()).filter(Boolean);
  $("form").close();
  send(values, await Promise.all(files.map(async ([key, file]) => [key, file.name, await base64(file)])));
}

export function setUpForms() {
  $("form-body").addEventListener("submit", submit);
  for (const id of ["form-close", "form-cancel"]) $(id).addEventListener("click", () => $("form").close());
}
