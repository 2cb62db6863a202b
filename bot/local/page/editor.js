// The editor beside the chat: a kit's file, what the referee says of it as one types, and a fight to try it in.
import { $, el } from "./dom.js";
import { markdown } from "./markdown.js";

const PAUSE_MS = 300;
const stored = () => localStorage.getItem("table.kit");

/** The start and the length of a line, numbered from 1. */
function lineAt(text, number) {
  const lines = text.split("\n");
  const before = lines.slice(0, number - 1);
  return [before.reduce((sum, line) => sum + line.length + 1, 0), lines[number - 1]?.length ?? 0];
}

/** Where a path leads in a text of TOML or JSON: the start and the length of the last key of it that is found. */
function placeOf(path, text) {
  let at = 0;
  let length = 0;
  for (const part of path.split(".")) {
    const [, word, number] = /^([^[]*)(?:\[(\d+)\])?$/.exec(part) ?? [part, part];
    const found = keyIn(text, word, at, !length);
    if (found < 0) break;
    [at, length] = [found, word.length];
    if (word === "phase" && number) at = phaseIn(text, at, Number(number));
  }
  return [at, length];
}

/** The start of a key behind a place: as a table in brackets, or with a value behind it; a table of the file begins a line. */
function keyIn(text, word, from, begins) {
  const key = word.replaceAll(/[^\w-]/g, "\\$&");
  const anywhere = `(?<![\\w-])(${key})(?="?\\s*[=:.\\]])`;
  const first = [`^\\s*\\[+\\s*(${key})(?=\\s*[\\].])`, `^[\\s{]*"?(${key})(?="?\\s*[=:])`];
  const ways = begins ? first : [anywhere];
  for (const way of ways) {
    const pattern = new RegExp(way, "dgm");
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    if (found) return found.indices[1][0];
  }
  return -1;
}

/** The start of a phase by its number: of [[phase]], else of the braces in its list. */
function phaseIn(text, from, number) {
  const tables = [...text.matchAll(/^\s*\[\[\s*phase\s*\]\]/gm)];
  if (tables.length) return tables[number - 1]?.index ?? from;
  let [depth, count] = [0, 0];
  for (let at = text.indexOf("[", from); at >= 0 && at < text.length; at += 1) {
    if (text[at] === "{" && ++depth === 1 && ++count === number) return at;
    if (text[at] === "}") depth -= 1;
  }
  return from;
}

/** How high a text stands in an area: its lines may go on below. */
function heightOf(area, text) {
  const copy = area.cloneNode();
  copy.value = text;
  copy.style.cssText = `position: absolute; visibility: hidden; height: 0; width: ${area.offsetWidth}px`;
  area.after(copy);
  const height = copy.scrollHeight;
  copy.remove();
  return height;
}

export class Editor {
  constructor(table) {
    this.table = table;
    this.asked = 0;
    $("editor-open").addEventListener("click", () => this.show(true));
    $("editor-close").addEventListener("click", () => this.show(false));
    $("editor").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.show(false);
    });
    $("kit-text").addEventListener("input", () => this.changed());
    $("kit-from").addEventListener("change", () => this.begin($("kit-from").value));
    $("kit-try").addEventListener("click", () => {
      table.busy($("kit-try"));
      table.act({ do: "try_kit", text: $("kit-text").value });
    });
  }

  /** What one may begin with. */
  offer(kits) {
    this.kits = kits;
    const first = el("option", { value: "" }, "Begin with …");
    $("kit-from").replaceChildren(first, ...kits.map((kit) => el("option", { value: kit.id }, kit.title)));
  }

  show(open) {
    $("editor").hidden = !open;
    document.body.classList.toggle("editing", open);
    document.body.classList.remove("side-open");
    $("side-open").setAttribute("aria-expanded", "false");
    if (!open) {
      $("line").focus();
      return;
    }
    if (!$("kit-text").value) $("kit-text").value = stored() ?? this.kits?.[0]?.source ?? "";
    this.ask();
    $("kit-text").focus();
    $("kit-text").setSelectionRange(0, 0);
    $("kit-text").scrollTop = 0;
  }

  /** Make way for the table where there is no room for both. */
  tried() {
    if (!$("editor").hidden && matchMedia("(max-width: 1100px)").matches) this.show(false);
  }

  begin(id) {
    const kit = this.kits.find((each) => each.id === id);
    if (!kit) return;
    $("kit-text").value = kit.source;
    $("kit-text").scrollTop = 0;
    $("kit-from").value = "";
    this.changed();
  }

  changed() {
    localStorage.setItem("table.kit", $("kit-text").value);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE_MS);
  }

  ask() {
    if ($("editor").hidden) return;
    this.asked += 1;
    this.table.act({ do: "check_kit", id: this.asked, text: $("kit-text").value });
  }

  /** Show what the referee says, unless something newer was asked. */
  read(data) {
    if (data.id !== this.asked) return;
    const mistakes = data.mistakes.map((line) => el("li", {}, el("button", { type: "button", class: "mistake", click: () => this.find(line) }, line)));
    const said = data.said.map((line) => el("div", { class: "said" }, markdown(line, this.table.names)));
    const count = mistakes.length === 1 ? "One mistake" : `${mistakes.length} mistakes`;
    $("kit-verdict").textContent = mistakes.length ? `${count}:` : "No mistakes. It says:";
    $("kit-verdict").classList.toggle("bad", mistakes.length > 0);
    $("kit-said").replaceChildren(...(mistakes.length ? [el("ul", { class: "mistakes" }, ...mistakes)] : said));
    $("kit-try").disabled = mistakes.length > 0;
  }

  /** Go to the line that a mistake is about: by its number, else by the last word of its path. */
  find(mistake) {
    const text = $("kit-text");
    const numbered = /^Line (\d+)(?:, character (\d+))?/.exec(mistake);
    const [at, length] = numbered ? lineAt(text.value, numbered[1]) : placeOf(mistake.split(":")[0], text.value);
    text.focus();
    text.setSelectionRange(at, at + length);
    text.scrollTop = Math.max(0, heightOf(text, text.value.slice(0, at)) - text.clientHeight / 3);
  }
}
