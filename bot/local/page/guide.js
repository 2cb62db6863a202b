// The next step: who the table waits for, the tip of what is being tried, and the way there.
import { $, el } from "./dom.js";

const LIVE = "button:not(:disabled)[data-custom-id], .choice-button:not(:disabled)";

const ADDRESS = /^(.+?), (?:your turn:|a question: |a roll: |nobody has the turn:|[^,]+'s turn:)/;

/** Of the messages shown, the newest that asks somebody by name and can still be answered. */
function findPrompt(messages, people) {
  return messages.findLast((m) => m.author.bot && !m.private && isLive(m.components) && called(m, people).length) ?? null;
}

/** Who a message addresses: by a mention, or by name at the head of a line if nobody is to be pinged for it. */
function called(message, people) {
  const heads = message.content.replaceAll("\\", "").split("\n").map((line) => ADDRESS.exec(line)?.[1]);
  const addressed = heads.filter(Boolean).map((head) => `, ${head.replaceAll(/ \(.*?\)/g, "").replaceAll(" and ", ", ")}, `).join("");
  const named = people.filter((p) => message.content.includes(`<@${p.id}>`) || addressed.includes(`, ${p.name}, `));
  return named.map((p) => p.id);
}

/** A refusal has a button, but leads nowhere: one goes on at the prompt. */
function isRefusal(message) {
  return /^\*\*[A-Z]+-\d+\*\* /.test(message.content) && message.components.flatMap((row) => row.components ?? []).every((c) => c.label?.startsWith("Rule "));
}

function isLive(components) {
  return components.some((c) => (c.custom_id && !c.disabled) || isLive(c.components ?? []) || (c.accessory && isLive([c.accessory])));
}

export class Guide {
  constructor(table) {
    this.table = table;
    this.tips = new Map();
    this.shown = "";
    $("tip-close").addEventListener("click", () => {
      this.tips.delete(table.place?.id);
      this.draw();
      $("line").focus();
    });
  }

  /** What is to be tried in a channel, until it is dismissed. */
  tip(channel, text, be) {
    this.tips.set(channel, { text, be });
    this.draw();
  }

  /** Draw once for all that has just come. */
  draw() {
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.drawNow());
  }

  drawNow() {
    const { table } = this;
    const messages = [...table.messages.values()];
    const tip = this.tips.get(table.place?.id);
    const prompt = findPrompt(messages, table.people());
    if (tip && prompt) tip.begun = true;
    // Once it has begun, nobody is waited for where no prompt is: it is decided.
    const waited = prompt ? called(prompt, table.people()) : tip?.be && !tip.begun ? [tip.be] : [];
    const people = table.people().filter((p) => waited.includes(p.id));
    const mine = people.some((p) => p.id === table.me);
    // A private message below the prompt goes on with what was pressed there.
    const last = messages.at(-1);
    const ownOnly = mine && last?.private && isLive(last.components) && !isRefusal(last);
    const key = JSON.stringify([table.place?.id, table.me, tip?.text, people.map((p) => p.id), prompt?.id, ownOnly && last.id]);
    if (key === this.shown) return;
    this.shown = key;
    const held = $("waits").contains(document.activeElement);
    $("tip").hidden = !tip;
    $("tip-text").textContent = tip?.text ?? "";
    $("waits").hidden = !people.length;
    $("guide").hidden = !tip && !people.length;
    $("waits-text").replaceChildren(...this.words(people, mine, prompt, ownOnly));
    $("waits-who").replaceChildren(...this.ways(people, mine, ownOnly ? last : prompt, ownOnly));
    // A player who pressed "Be Ana" by keyboard goes on from here.
    if (held) ($("waits-who").querySelector("button") ?? $("line")).focus();
    table.grown();
  }

  words(people, mine, prompt, ownOnly) {
    const names = new Intl.ListFormat("en").format(people.map((p) => p.name));
    if (!mine) return ["The table waits for ", el("strong", {}, names), "."];
    const me = people.find((p) => p.id === this.table.me);
    const others = people.length > 1 ? ", among others" : "";
    if (ownOnly) return ["Go on in the newest message, ", el("strong", {}, me.name), ": only you see it."];
    if (!prompt) return ["You are ", el("strong", {}, me.name), "."];
    return ["The table waits for you, ", el("strong", {}, me.name), `${others}.`];
  }

  ways(people, mine, message, ownOnly) {
    const { table } = this;
    const show = mine && message ? [el("button", { type: "button", class: "plain", id: "waits-show", click: () => this.show(message.id) }, ownOnly ? "Show it" : "Show the buttons")] : [];
    // A player who has answered under seal is still named; the others are asked all the same.
    const others = people.filter((p) => p.id !== table.me);
    return [...show, ...others.map((p) => el("button", { type: "button", class: "button primary small", "data-be": p.name, click: () => table.be(p.id) }, `Be ${p.name}`))];
  }

  /** Go to a message's first control, or to the newest prompt's. */
  show(id) {
    const node = this.table.node(id ?? findPrompt([...this.table.messages.values()], this.table.people())?.id);
    const control = node?.querySelector(LIVE);
    if (!control) return false;
    node.scrollIntoView({ block: "nearest" });
    control.focus();
    return true;
  }
}

const AREAS = [
  () => ($("side").checkVisibility({ visibilityProperty: true }) ? $("side").querySelector("[aria-current]") ?? $("theme") : null),
  (guide) => (guide.show(null) ? true : $("log")),
  () => $("people").querySelector('[aria-checked="true"]'),
  () => $("line"),
];
const PLACES = ["side", "log", "people", "composer"];

/** F6 goes from area to area: channels, the newest prompt, people, message field; with Shift back. */
export function setUpAreas(guide) {
  addEventListener("keydown", (event) => {
    if (event.key !== "F6" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    const step = event.shiftKey ? -1 : 1;
    let at = PLACES.findIndex((id) => $(id).contains(document.activeElement));
    if (at < 0) at = step > 0 ? 0 : PLACES.length;
    for (let tried = 0; tried < PLACES.length; tried += 1) {
      at = (at + step + PLACES.length) % PLACES.length;
      const target = AREAS[at](guide);
      if (!target) continue;
      if (target !== true) target.focus();
      return;
    }
  });
  $("keys-open").addEventListener("click", () => $("keys").showModal());
  $("keys-close").addEventListener("click", () => $("keys").close());
}
