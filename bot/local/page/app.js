// The page as a whole: one websocket, what it tells, and where it goes.
import { Composer } from "./composer.js";
import { $, el, toast } from "./dom.js";
import { Editor } from "./editor.js";
import { openForm, setUpForms } from "./forms.js";
import { Guide, setUpAreas } from "./guide.js";
import { refreshTimes } from "./markdown.js";
import { continues, renderMessage } from "./messages.js";
import { renderPeople, renderPlaces, renderTryIt, setUpPeople, tryButton } from "./sidebar.js";

const DIRECT = 1;
const FORUM = 15;
const FIRST_TILES = 6;
const FOLLOWED = new Set(["say", "slash", "press", "select", "submit", "menu"]);
const stored = (key) => localStorage.getItem(`table.${key}`);
const store = (key, value) => localStorage.setItem(`table.${key}`, value);

class Table {
  constructor() {
    this.people_ = [];
    this.places_ = [];
    this.calls = {};
    this.me = null;
    this.place = null;
    this.messages = new Map();
    this.scripts = [];
    this.menus = { message: [], person: [] };
    this.pinned = true;
    this.follows = false;
    const app = this;
    this.names = {
      person: (id) => this.people_.find((p) => p.id === id)?.name,
      channel: (id) => this.places_.find((p) => p.id === id)?.name,
      open: (id) => this.open(id),
      get me() {
        return app.me;
      },
    };
    this.composer = new Composer(this);
    this.guide = new Guide(this);
    this.editor = new Editor(this);
    this.connect();
  }

  people() {
    return this.people_.filter((p) => !p.bot);
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/page`);
    this.socket.onopen = () => this.act({ do: "hello", person: stored("person") });
    this.socket.onmessage = (event) => {
      const data = JSON.parse(event.data);
      this[`on_${data.t}`]?.(data);
    };
    this.socket.onclose = () => {
      this.free();
      this.banner("The table is closed. This page comes back by itself when it opens again.");
      setTimeout(() => this.connect(), 1500);
    };
  }

  act(data) {
    // If you do something, you want to see what comes of it.
    if (FOLLOWED.has(data.do)) this.follows = true;
    if (this.isOpen()) this.socket.send(JSON.stringify(data));
  }

  /** True if what you do now arrives. If not, the page says so and keeps what you wrote. */
  isOpen() {
    if (this.socket.readyState === WebSocket.OPEN) return true;
    this.free();
    toast("The table is closed just now.");
    return false;
  }

  /** Take an entry of the app in the menu of a message or a person. */
  menu(name, target) {
    this.act({ do: "menu", channel: this.place.id, name, ...target });
  }

  banner(text) {
    $("banner").textContent = text ?? "";
    $("banner").hidden = !text;
  }

  // What the table tells

  on_world(data) {
    this.people_ = data.people;
    this.scripts = data.tryit;
    $("server").textContent = data.server;
    this.banner(data.connected ? null : "The referee is on its way to the table…");
    this.editor.offer(data.kits);
    renderTryIt(data.tryit, (script) => this.act({ do: "try", script }));
  }

  on_kit(data) {
    this.editor.read(data);
  }

  on_bot() {
    this.banner(null);
    this.composer.ask();
  }

  on_view(data) {
    const before = this.draftKey();
    this.me = data.person;
    store("person", this.people_.find((p) => p.id === data.person)?.name ?? "");
    this.places_ = data.places;
    this.drawPeople();
    const wanted = this.place?.id ?? stored("place");
    const there = this.places_.find((p) => p.id === wanted) ?? this.places_[0];
    this.place = null;
    this.open(there.id, before);
  }

  on_places(data) {
    this.places_ = data.places;
    if (this.place && !this.places_.some((p) => p.id === this.place.id)) this.open(this.places_[0].id);
    this.drawPlaces();
    if (this.wanted && this.places_.some((p) => p.id === this.wanted)) this.on_goto({ channel: this.wanted });
  }

  on_history(data) {
    if (data.channel !== this.place?.id) return;
    this.messages = new Map(data.messages.map((m) => [m.id, m]));
    this.menus = data.menus;
    const rows = [];
    let before = null;
    for (const message of data.messages) {
      if (message.id === data.new_from && before) {
        rows.push(el("p", { class: "fresh" }, el("span", {}, "New")));
        before = null;
      }
      rows.push(renderMessage(message, before, this));
      before = message;
    }
    // What was there before is not read out, what comes from now on is.
    $("log").setAttribute("aria-live", "off");
    $("log").replaceChildren(el("div", { class: "log-space" }), ...(rows.length ? rows : [this.welcome()]));
    setTimeout(() => $("log").setAttribute("aria-live", "polite"), 300);
    this.guide.draw();
    this.toBottom();
  }

  on_message(data) {
    if (data.message.channel !== this.place?.id) return;
    this.put(data.message);
  }

  on_edit(data) {
    if (data.message.channel !== this.place?.id) return;
    if (this.messages.has(data.message.id)) this.put(data.message);
  }

  on_gone(data) {
    const node = this.node(data.id);
    if (!node) return;
    const following = node.nextElementSibling;
    this.messages.delete(data.id);
    node.remove();
    if (following?.dataset.id) this.put(this.messages.get(following.dataset.id));
    if (!this.messages.size) $("log").append(this.welcome());
    this.guide.draw();
  }

  on_unread(data) {
    const place = this.places_.find((p) => p.id === data.channel);
    if (place) Object.assign(place, data);
    this.drawPlaces();
  }

  on_calls(data) {
    this.calls = data.people;
    this.drawPeople();
  }

  on_composed(data) {
    this.composer.read(data);
  }

  on_form(data) {
    openForm(data.form, this, (values, files) => {
      this.busy($("form-submit"));
      this.act({ do: "submit", form: data.interaction, values, files });
    });
  }

  on_sent(data) {
    if (data.custom_id !== null) this.pressed = data.interaction;
  }

  on_answered() {
    this.free();
  }

  on_silence(data) {
    this.free();
    const what = data.command ? `${data.command}: the` : "The";
    toast(`${what} application did not respond.`);
  }

  on_problem(data) {
    this.free();
    toast(data.text);
  }

  on_typing(data) {
    this.typing(`${data.who.name} types ${data.text}`);
  }

  on_hint(data) {
    this.free();
    this.typing("");
    this.guide.tip(data.channel, data.text, data.be);
  }

  on_goto(data) {
    this.editor.tried();
    if (this.places_.some((p) => p.id === data.channel)) {
      this.wanted = null;
      this.open(data.channel);
    } else this.wanted = data.channel;
  }

  // What is drawn

  drawPlaces() {
    renderPlaces(this.places_, this.place?.id, (id) => this.open(id));
    const elsewhere = this.places_.filter((p) => p.id !== this.place?.id).reduce((sum, p) => sum + p.mentions, 0);
    $("elsewhere").textContent = elsewhere;
    $("elsewhere").hidden = !elsewhere;
  }

  drawPeople() {
    renderPeople(this.people_, this.me, this.calls, (id) => this.be(id));
    const me = this.people_.find((p) => p.id === this.me);
    if (me) document.title = `${me.name} · ${this.place?.name ?? "The Table"}`;
  }

  node(id) {
    return $("log").querySelector(`[data-id="${id}"]`);
  }

  put(message) {
    const known = this.node(message.id);
    const previous = known ? known.previousElementSibling : $("log").lastElementChild;
    const before = this.messages.get(previous?.dataset?.id);
    const held = known?.contains(document.activeElement) ? document.activeElement : null;
    const byKeyboard = held?.matches(":focus-visible");
    const old = this.messages.get(message.id);
    this.messages.set(message.id, message);
    const node = renderMessage(message, before, this);
    if (known) {
      known.replaceWith(node);
      const following = node.nextElementSibling;
      const next = this.messages.get(following?.dataset.id);
      if (next && continues(next, message) !== following.classList.contains("joined")) following.replaceWith(renderMessage(next, message, this));
      if (held) {
        const again = held.dataset.customId && node.querySelector(`[data-custom-id="${CSS.escape(held.dataset.customId)}"]:not(:disabled)`);
        if (again) again.focus();
        else if (byKeyboard) $("line").focus();
      }
    } else {
      $("log").querySelector(".welcome")?.remove();
      $("log").append(node);
    }
    if (!known && this.follows) this.pinned = true;
    if (!known) this.follows = false;
    this.grown();
    this.guide.draw();
    // What still asks something and tells more now is news; what has become a mere record is not.
    const isNews = known && old?.content && old.content !== message.content && message.components.length;
    if (isNews) this.flash(node);
    if ((!known || isNews) && !this.pinned) $("newer").hidden = false;
  }

  welcome() {
    const name = this.place?.kind === DIRECT ? this.place.name : `#${this.place?.name ?? ""}`;
    if (this.place?.kind === FORUM) {
      const posts = this.places_.filter((p) => p.parent === this.place.id);
      return el("div", { class: "welcome" }, el("h2", {}, name), el("p", {}, "A forum: every post is a table of its own."), el("ul", {}, ...posts.map((p) => el("li", {}, el("button", { type: "button", class: "mention", click: () => this.open(p.id) }, p.name)))));
    }
    return el(
      "div",
      { class: "welcome" },
      el("h2", {}, `Welcome to ${name}`),
      el("p", { class: "lead" }, "This is a chat on your own computer in which a referee runs tabletop games and you can be every player in turn."),
      ...(this.place?.parent || this.place?.kind === DIRECT ? [] : this.tries()),
      el("p", { class: "dim" }, "Or type ", el("kbd", {}, "/"), " for the referee's commands. Below the messages you choose who you are."),
    );
  }

  tries() {
    const own = { id: "own", title: "Your own fight", about: "Opens one here; then everybody presses Join." };
    const start = () => this.act({ do: "slash", channel: this.place.id, text: "/init start", files: [] });
    const tiles = [el("li", {}, tryButton(own, start, "own")), ...this.scripts.map((script) => el("li", {}, tryButton(script, (id) => this.act({ do: "try", script: id }), "try")))];
    const more = el("details", { class: "more" }, el("summary", {}, "More to try"), el("ul", { class: "tries" }, ...tiles.slice(FIRST_TILES)));
    return [el("p", {}, "Begin your own, or try one: it sets a small fight up, then tells you the next step."), el("ul", { class: "tries" }, ...tiles.slice(0, FIRST_TILES)), ...(tiles.length > FIRST_TILES ? [more] : [])];
  }

  /** A table of its own: a thread here, or a post in a forum. */
  newThread() {
    const forum = this.place.kind === FORUM;
    const input = (custom_id, label, style, most) => ({ type: 18, label, component: { type: 4, custom_id, style, max_length: most } });
    const form = {
      title: forum ? "New post" : "New thread",
      components: [input("name", "Name", 1, 100), ...(forum ? [input("text", "First message", 2, 2000)] : [])],
    };
    openForm(form, this, (values) => this.act({ do: "thread", channel: this.place.id, ...values }));
  }

  typing(text) {
    $("typing").textContent = text;
    clearTimeout(this.typingTimer);
    if (text) this.typingTimer = setTimeout(() => this.typing(""), 4000);
  }

  zoom(url, alt) {
    $("zoom-picture").src = url;
    $("zoom-picture").alt = alt ?? "";
    $("zoom-alt").textContent = alt ?? "";
    $("zoom").showModal();
  }

  /** Show that a control waits for its answer; false where it does already, so that two taps act once. */
  busy(control) {
    if (control.classList.contains("busy")) return false;
    control.classList.add("busy");
    control.setAttribute("aria-busy", "true");
    return true;
  }

  free() {
    for (const control of document.querySelectorAll(".busy")) {
      control.classList.remove("busy");
      control.removeAttribute("aria-busy");
    }
  }

  jump(id) {
    const node = this.node(id);
    if (!node) return;
    node.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    this.flash(node);
  }

  flash(node) {
    node.classList.add("flash");
    setTimeout(() => node.classList.remove("flash"), 1500);
  }

  /** Stay at the newest message: once a frame, however many have come. */
  grown() {
    if (this.growing) return;
    this.growing = requestAnimationFrame(() => {
      this.growing = 0;
      if (this.pinned) this.toBottom();
    });
  }

  toBottom() {
    const log = $("log");
    log.scrollTop = log.querySelector(".welcome") ? 0 : log.scrollHeight;
    this.pinned = true;
    $("newer").hidden = true;
  }

  // Where it goes

  draftKey() {
    return this.place && this.me ? `${this.me}:${this.place.id}` : null;
  }

  be(id) {
    if (id !== this.me) this.act({ do: "be", person: id });
  }

  open(id, before = this.draftKey()) {
    const place = this.places_.find((p) => p.id === id);
    if (!place) return;
    this.place = place;
    store("place", id);
    const mark = place.kind === DIRECT ? "@" : place.kind === FORUM ? "▤ " : place.parent ? "↳ " : "#";
    $("place").textContent = `${mark}${place.name}`;
    $("topic").textContent = place.topic ?? "";
    $("thread").hidden = !place.opens;
    $("thread").textContent = place.kind === FORUM ? "New post" : "New thread";
    this.composer.swap(before, this.draftKey());
    this.composer.enable(place.writable, place.kind === DIRECT ? place.name : `#${place.name}`);
    $("log").replaceChildren();
    this.drawPlaces();
    this.drawPeople();
    this.act({ do: "open", channel: id });
    document.body.classList.remove("side-open");
    $("side-open").setAttribute("aria-expanded", "false");
  }
}

function setUpSide() {
  const toggle = (open) => {
    document.body.classList.toggle("side-open", open);
    $("side-open").setAttribute("aria-expanded", String(open));
    (open ? $("side-close") : $("side-open")).focus();
  };
  $("side-open").addEventListener("click", () => toggle(true));
  $("side-close").addEventListener("click", () => toggle(false));
  $("veil").addEventListener("click", () => toggle(false));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("side-open")) toggle(false);
  });
}

function setUpTheme() {
  const theme = stored("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  $("theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
    store("theme", document.documentElement.dataset.theme);
  });
}

function setUpTryIt() {
  $("tryit-box").open = stored("tryit") === "open";
  $("tryit-box").addEventListener("toggle", () => store("tryit", $("tryit-box").open ? "open" : "shut"));
}

setUpTheme();
setUpSide();
setUpTryIt();
setUpForms();
const table = new Table();
setUpPeople();
setUpAreas(table.guide);
$("thread").addEventListener("click", () => table.newThread());
$("newer").addEventListener("click", () => table.toBottom());
$("zoom-close").addEventListener("click", () => $("zoom").close());
let scrolled = 0;
$("log").addEventListener("scroll", () => {
  const log = $("log");
  const isUp = log.scrollTop < scrolled;
  scrolled = log.scrollTop;
  // What comes in a burst moves the end away, and that is nobody's scrolling.
  table.pinned = log.scrollHeight - log.scrollTop - log.clientHeight < 60 || (table.pinned && !isUp);
  if (table.pinned) $("newer").hidden = true;
});
new ResizeObserver(() => table.grown()).observe($("log"));
setInterval(() => refreshTimes($("log")), 5000);
