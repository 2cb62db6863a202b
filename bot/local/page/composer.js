// The message field: plain text, and slash commands with suggestions, options and marked errors.
import { $, el } from "./dom.js";
import { base64, isTooLarge } from "./files.js";

const NARROW = matchMedia("(max-width: 760px)");

export class Composer {
  constructor(table) {
    this.table = table;
    this.serial = 0;
    this.answered = 0;
    this.completions = [];
    this.readLength = 0;
    this.options = [];
    this.problems = [];
    this.command = null;
    this.description = null;
    this.target = null;
    this.active = -1;
    this.moved = false;
    this.files = new Map();
    this.drafts = new Map();
    this.history = [];
    this.sendWhenRead = false;
    this.line = $("line");
    this.line.addEventListener("input", () => this.changed());
    this.line.addEventListener("keydown", (event) => this.key(event));
    this.line.addEventListener("click", () => this.ask());
    this.line.addEventListener("scroll", () => {
      $("mirror").scrollTop = this.line.scrollTop;
    });
    this.line.addEventListener("blur", () => setTimeout(() => document.activeElement !== this.line && this.closePopup(), 150));
    this.line.addEventListener("focus", () => this.isCommand() && this.ask());
    $("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    $("commands").addEventListener("click", () => {
      if (!this.line.value.startsWith("/")) this.put("/");
      this.line.focus();
    });
    $("file").addEventListener("change", () => this.fileChosen());
    NARROW.addEventListener("change", () => this.place());
  }

  isCommand() {
    return this.line.value.startsWith("/");
  }

  put(text, cursor = text.length) {
    this.line.value = text;
    this.line.setSelectionRange(cursor, cursor);
    this.changed();
  }

  changed() {
    for (const option of this.files.keys()) {
      if (!this.line.value.includes(`${option}:`)) this.files.delete(option);
    }
    this.line.style.height = "auto";
    this.line.style.height = `${Math.min(this.line.scrollHeight, 160)}px`;
    this.ask();
  }

  /** Let the table read the line: it holds the one grammar. */
  ask() {
    if (!this.isCommand() || !this.table.place) {
      this.serial += 1;
      this.reset();
      return;
    }
    this.serial += 1;
    this.table.act({
      do: "compose",
      id: this.serial,
      channel: this.table.place.id,
      text: this.line.value,
      cursor: this.line.selectionStart,
      files: Object.fromEntries([...this.files].map(([option, file]) => [option, file.name])),
    });
  }

  reset() {
    this.completions = [];
    this.options = [];
    this.problems = [];
    this.command = null;
    this.sendWhenRead = false;
    this.show();
  }

  read(data) {
    if (data.id !== this.serial) return;
    this.answered = data.id;
    this.readLength = this.line.value.length;
    this.completions = data.completions;
    this.options = data.options;
    this.problems = data.problems;
    this.command = data.command;
    this.description = data.description;
    this.moved = false;
    this.active = this.completions.length ? 0 : -1;
    this.show();
    if (this.sendWhenRead) {
      this.sendWhenRead = false;
      this.send();
    }
  }

  show() {
    const list = $("completions");
    list.replaceChildren(
      ...this.completions.map((entry, at) =>
        el(
          "li",
          { role: "option", id: `completion-${at}`, "aria-selected": "false", class: entry.kind, pointerdown: (event) => event.preventDefault(), click: () => this.accept(at) },
          el("span", { class: "completion-label" }, entry.label, entry.required ? el("span", { class: "required" }, " required") : null),
          el("span", { class: "completion-detail" }, entry.detail),
        ),
      ),
    );
    const open = this.completions.length > 0 && document.activeElement === this.line;
    $("popup").hidden = !open;
    this.line.setAttribute("aria-expanded", String(open));
    this.mark();
    this.about();
    this.chips();
    this.activate(this.active);
  }

  /** What the command does; at an option's value, what belongs there. */
  about() {
    const names = [...this.line.value.slice(0, this.line.selectionStart).matchAll(/\s([\w-]+):/g)].map((match) => match[1]);
    const option = this.options.find((o) => o.name === names.at(-1));
    $("about").hidden = !this.command;
    $("about").replaceChildren();
    if (option) $("about").append(el("strong", {}, option.name), ` ${option.description} (${option.kind}${option.required ? ", required" : ""})`);
    else if (this.command) $("about").append(el("strong", {}, `/${this.command}`), ` ${this.description ?? ""}`);
  }

  closePopup() {
    $("popup").hidden = true;
    this.line.setAttribute("aria-expanded", "false");
    this.line.removeAttribute("aria-activedescendant");
  }

  activate(at) {
    const items = $("completions").children;
    this.active = at;
    for (const [place, item] of [...items].entries()) {
      item.classList.toggle("active", place === at);
      item.setAttribute("aria-selected", String(place === at));
    }
    if (items[at] && !$("popup").hidden) {
      this.line.setAttribute("aria-activedescendant", items[at].id);
      items[at].scrollIntoView({ block: "nearest" });
    } else this.line.removeAttribute("aria-activedescendant");
  }

  /** The options of the command as chips: given, required, possible. */
  chips() {
    const bar = $("options");
    bar.hidden = !this.options.length;
    bar.replaceChildren(
      ...this.options.map((option) =>
        el(
          "button",
          {
            type: "button",
            class: `chip ${option.given ? "given" : option.required ? "wanted" : ""}`,
            title: `${option.description} (${option.kind})`,
            "aria-label": `${option.name}, ${option.given ? "given" : option.required ? "required" : "optional"}: ${option.description}`,
            click: () => this.addOption(option),
          },
          option.name,
          option.required && !option.given ? el("span", { class: "required" }, " *") : null,
          option.file ? el("span", { class: "dim" }, " file") : null,
        ),
      ),
    );
  }

  addOption(option) {
    if (option.file) {
      this.pickFile(option.name);
      return;
    }
    if (!option.given) this.put(`${this.line.value.trimEnd()} ${option.name}:`);
    this.line.focus();
  }

  /** Underline what cannot be sent, and say why; not yet what is still being typed. */
  mark() {
    const text = this.line.value;
    const cursor = this.line.selectionStart;
    const marked = this.problems.filter((p) => p.end > p.start && (p.end < cursor || document.activeElement !== this.line));
    const mirror = $("mirror");
    mirror.replaceChildren();
    let at = 0;
    for (const problem of [...marked].sort((a, b) => a.start - b.start)) {
      if (problem.start < at) continue;
      mirror.append(text.slice(at, problem.start), el("mark", {}, text.slice(problem.start, problem.end)));
      at = problem.end;
    }
    mirror.append(text.slice(at));
    $("problems").textContent = marked.map((p) => p.message).join(" ");
    this.line.setAttribute("aria-invalid", String(marked.length > 0));
  }

  accept(at) {
    const entry = this.completions[at];
    if (!entry) return;
    const name = entry.insert.trim().replace(/:$/, "");
    const option = entry.kind === "option" && this.options.find((o) => o.name === name);
    if (option?.file) {
      this.pickFile(option.name);
      return;
    }
    const before = this.line.value.slice(0, entry.start) + entry.insert;
    // What was typed since the suggestions came belongs to the word that is completed.
    const typed = Math.max(0, this.line.value.length - this.readLength);
    const after = this.line.value.slice(entry.end + typed);
    this.put(before + (entry.insert.endsWith(" ") ? after.trimStart() : after), before.length);
    this.line.focus();
  }

  key(event) {
    const open = !$("popup").hidden && this.completions.length > 0;
    if (event.isComposing) return;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const count = this.completions.length;
      this.activate((this.active + step + count) % count);
      this.moved = true;
    } else if (open && event.key === "Tab" && !event.shiftKey) {
      this.accept(this.active);
    } else if (open && event.key === "Escape") {
      this.closePopup();
    } else if (event.key === "Enter" && !event.shiftKey) {
      if (open && this.answered === this.serial && (this.moved || !this.command || this.unfinished())) this.accept(this.active);
      else this.send();
    } else if (event.key === "ArrowUp" && !this.line.value && this.history.length) {
      this.put(this.history.at(-1));
    } else {
      if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) setTimeout(() => this.ask());
      return;
    }
    event.preventDefault();
  }

  /** Whether the value at the cursor is none yet, and the first suggestion would make it one. */
  unfinished() {
    const entry = this.completions[this.active];
    return entry?.kind === "value" && this.problems.some((p) => p.start === entry.start);
  }

  async send() {
    const text = this.line.value.trim();
    const { place } = this.table;
    if (!text || !place || !this.table.isOpen()) return;
    if (!this.isCommand()) {
      this.table.act({ do: "say", channel: place.id, text });
      this.sent(text);
      return;
    }
    if (this.answered !== this.serial) {
      this.sendWhenRead = true;
      return;
    }
    if (this.problems.length) {
      $("problems").textContent = this.problems.map((p) => p.message).join(" ");
      const missing = this.options.find((o) => o.required && !o.given);
      if (missing?.file) this.pickFile(missing.name);
      else if (missing) this.put(`${this.line.value.trimEnd()} ${missing.name}:`);
      return;
    }
    const files = await Promise.all([...this.files].map(async ([option, file]) => ({ option, name: file.name, content: await base64(file) })));
    this.table.act({ do: "slash", channel: place.id, text, files });
    this.sent(text);
  }

  sent(text) {
    this.history.push(text);
    this.files.clear();
    this.put("");
    this.line.focus();
  }

  pickFile(option) {
    this.fileFor = option;
    $("file").value = "";
    $("file").click();
  }

  fileChosen() {
    const [file] = $("file").files;
    if (!file || !this.fileFor) return;
    if (isTooLarge(file)) return;
    this.files.set(this.fileFor, file);
    const without = this.line.value.replace(new RegExp(`\\s${this.fileFor}:\\S*`), "").trimEnd();
    this.put(`${without} ${this.fileFor}:${file.name.replace(/\s+/g, "_")} `);
    this.line.focus();
  }

  /** Each channel and person keeps what was half typed. */
  swap(from, to) {
    if (from) this.drafts.set(from, this.line.value);
    this.files.clear();
    this.put(this.drafts.get(to) ?? "");
  }

  enable(writable, name) {
    this.line.disabled = $("send").disabled = $("commands").disabled = !writable;
    this.target = writable ? name : null;
    this.place();
  }

  /** Say in the empty field where it writes to, in as many words as there is room for. */
  place() {
    const message = `Message ${this.target}`;
    this.line.placeholder = !this.target ? "Choose a post or channel to write in" : NARROW.matches ? message : `${message}, or / for commands`;
  }
}
