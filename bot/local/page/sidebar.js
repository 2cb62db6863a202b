// The channel list and the people to be.
import { $, avatar, el } from "./dom.js";

const TEXT = 0;
const DIRECT = 1;
const FORUM = 15;
const THREADS = [11, 12];
let shownPerson = null;

export function renderPlaces(places, current, open) {
  const sections = [];
  const channels = places.filter((p) => p.kind === TEXT || p.kind === FORUM).sort((a, b) => a.position - b.position);
  const list = el("ul", {});
  for (const channel of channels) {
    const threads = places.filter((p) => THREADS.includes(p.kind) && p.parent === channel.id);
    const entry = el("li", {}, row(channel, current, open, channel.kind === FORUM ? "▤" : "#"));
    if (threads.length) entry.append(el("ul", { class: "threads" }, ...threads.map((t) => el("li", {}, row(t, current, open, "↳")))));
    list.append(entry);
  }
  sections.push(el("section", { "aria-labelledby": "channels-title" }, el("h2", { id: "channels-title" }, "Channels"), list));
  const direct = places.filter((p) => p.kind === DIRECT);
  sections.push(
    el(
      "section",
      { "aria-labelledby": "direct-title" },
      el("h2", { id: "direct-title" }, "Direct messages"),
      el("ul", {}, ...direct.map((d) => el("li", {}, row(d, current, open, "@")))),
    ),
  );
  $("places").replaceChildren(...sections);
}

function row(place, current, open, mark) {
  const unread = place.id !== current && place.unread > 0;
  const label = `${place.name}${unread ? `, ${place.unread} unread` : ""}${place.mentions ? `, ${place.mentions} for you` : ""}`;
  return el(
    "button",
    {
      type: "button",
      class: `place ${unread ? "unread" : ""}`,
      "data-place": place.id,
      "aria-current": place.id === current ? "page" : null,
      "aria-label": label,
      click: () => open(place.id),
    },
    el("span", { class: "place-mark", "aria-hidden": "true" }, mark),
    el("span", { class: "place-name" }, place.name),
    place.id !== current && place.mentions ? el("span", { class: "badge" }, String(place.mentions)) : null,
  );
}

export function renderPeople(people, me, calls, be) {
  const bar = $("people");
  const held = bar.contains(document.activeElement);
  const buttons = people
    .filter((p) => !p.bot)
    .map((person, at) =>
      el(
        "button",
        {
          type: "button",
          role: "radio",
          class: "person",
          "data-person": person.name,
          "aria-checked": String(person.id === me),
          tabindex: person.id === me ? "0" : "-1",
          title: `${person.name}, ${person.title} (Alt+${at + 1})`,
          "aria-label": `${person.name}, ${person.title}${calls[person.id] && person.id !== me ? `, called for ${calls[person.id]} times` : ""}`,
          click: () => be(person.id),
        },
        avatar(person),
        el("span", { class: "person-name" }, person.name),
        person.title === "player" ? null : el("small", {}, person.title),
        calls[person.id] && person.id !== me ? el("span", { class: "badge" }, String(calls[person.id])) : null,
      ),
    );
  bar.replaceChildren(el("span", { class: "people-label", "aria-hidden": "true" }, "You are"), ...buttons);
  const mine = bar.querySelector('[aria-checked="true"]');
  if (held) mine?.focus();
  if (mine && mine.dataset.person !== shownPerson) {
    shownPerson = mine.dataset.person;
    mine.scrollIntoView({ block: "nearest", inline: "center" });
  }
}

/** Arrows move between the people, Alt with a number from anywhere. */
export function setUpPeople() {
  $("people").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...$("people").querySelectorAll('[role="radio"]')];
    const at = all.findIndex((node) => node.getAttribute("aria-checked") === "true");
    all[(at + step + all.length) % all.length].click();
  });
  addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || !/^Digit[1-9]$/.test(event.code)) return;
    const all = [...$("people").querySelectorAll('[role="radio"]')];
    const person = all[Number(event.code.slice(5)) - 1];
    if (!person) return;
    event.preventDefault();
    person.click();
    $("line").focus();
  });
}

/** An entry of the `Try it` list; `mark` is the name of its data attribute. */
export function tryButton(script, start, mark) {
  return el(
    "button",
    { type: "button", class: "try", [`data-${mark}`]: script.id, click: () => start(script.id) },
    el("strong", {}, `▶ ${script.title}`),
    el("span", { class: "dim" }, script.about),
  );
}

export function renderTryIt(scripts, start) {
  $("tryit").replaceChildren(...scripts.map((script) => el("li", {}, tryButton(script, start, "script"))));
}
