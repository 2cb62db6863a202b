// One message as an element: header, text, embeds, pictures, components.
import { avatar, el } from "./dom.js";
import { choice } from "./choice.js";
import { inline, markdown } from "./markdown.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const GROUP_SECONDS = 7 * 60;

/** Whether a message continues the one before, without a header of its own. */
export function continues(message, before) {
  return Boolean(
    before &&
      before.author.id === message.author.id &&
      !message.used &&
      !message.reply &&
      before.private === message.private &&
      message.at - before.at < GROUP_SECONDS,
  );
}

function clock(seconds) {
  const date = new Date(seconds * 1000);
  const today = new Date().toDateString() === date.toDateString();
  const style = today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" };
  return el("time", { datetime: date.toISOString(), class: "at" }, new Intl.DateTimeFormat("en", style).format(date));
}

/** `table` gives names, people, and what a press does. */
export function renderMessage(message, before, table) {
  const joined = continues(message, before);
  const node = el("article", {
    class: ["message", joined && "joined", message.private && "private", message.calls && "calls"].filter(Boolean).join(" "),
    "data-id": message.id,
    "aria-label": `${message.author.name}${message.private ? ", only you can see this" : ""}`,
  });
  if (message.used) node.append(usedLine(message.used, table));
  else if (message.reply) node.append(replyLine(message.reply, table));
  const body = el("div", { class: "body" });
  if (!joined) {
    node.append(avatar(message.author));
    body.append(
      el(
        "div",
        { class: "head" },
        personName(message.author, table, "author"),
        message.author.bot ? el("span", { class: "app-mark" }, "APP") : null,
        clock(message.at),
        message.silent ? el("span", { class: "silent", title: "Sent without a notification" }, "silent") : null,
      ),
    );
  }
  const apps = appsButton(message, table);
  if (apps) (body.querySelector(".head") ?? body.appendChild(el("div", { class: "head" }))).append(apps);
  if (message.thinking) body.append(thinking(message.author));
  else fill(body, message, table);
  if (message.private) body.append(privateMark(message, table));
  node.append(body);
  return node;
}

/** A name; a person's opens the app's entries for people. */
function personName(person, table, kind) {
  if (person.bot || !table.menus.person.length) return el("strong", { class: kind }, person.name);
  const node = el("button", { type: "button", class: `${kind} plain`, "aria-haspopup": "menu", "aria-label": `${person.name}: apps` }, person.name);
  node.addEventListener("click", () => openMenu(node, table.menus.person, (name) => table.menu(name, { person: person.id })));
  return node;
}

/** The app's entries for a message, which a phone shows when it is held. */
function appsButton(message, table) {
  if (!message.author.bot || message.private || !table.menus.message.length) return null;
  const node = el("button", { type: "button", class: "plain apps", "aria-haspopup": "menu", "aria-label": "Apps for this message" }, "⋯");
  node.addEventListener("click", () => openMenu(node, table.menus.message, (name) => table.menu(name, { message: message.id })));
  return node;
}

function openMenu(opener, names, take) {
  const open = document.querySelector(".app-menu");
  open?.remove();
  if (open?.previousElementSibling === opener) return;
  const entries = names.map((name) => el("button", { type: "button", role: "menuitem", class: "button secondary", click: () => close(() => take(name)) }, name));
  const menu = el("span", { class: "app-menu", role: "menu" }, ...entries);
  const close = (then) => {
    menu.remove();
    opener.focus();
    then?.();
  };
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  opener.after(menu);
  entries[0].focus();
}

function usedLine(used, table) {
  return el("div", { class: "context" }, avatar(used.who), personName(used.who, table, "who"), " used ", el("span", { class: "mention" }, used.command));
}

function replyLine(reply, table) {
  if (reply.gone) return el("div", { class: "context" }, el("em", {}, "Original message was deleted"));
  return el(
    "div",
    { class: "context" },
    avatar(reply.who),
    el("strong", {}, reply.who.name),
    " ",
    el("button", { type: "button", class: "snippet", click: () => table.jump(reply.id) }, ...inline(reply.text || "a message", table.names)),
  );
}

function thinking(author) {
  return el("p", { class: "thinking" }, el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")), `${author.name} is thinking…`);
}

function privateMark(message, table) {
  return el(
    "p",
    { class: "private-mark" },
    el("span", { class: "glyph eye", "aria-hidden": "true" }),
    "Only you can see this · ",
    el("button", { type: "button", class: "plain", click: () => table.act({ do: "dismiss", message: message.id }) }, "Dismiss message"),
  );
}

function fill(body, message, table) {
  if (message.content) {
    const text = el("div", { class: "text" }, markdown(message.content, table.names));
    if (message.edited) text.lastElementChild?.append(el("span", { class: "edited" }, " (edited)"));
    body.append(text);
  }
  for (const file of message.files) body.append(attachment(file, table));
  for (const embed of message.embeds) body.append(renderEmbed(embed, message, table));
  if (message.components.length) body.append(renderComponents(message, table));
}

function attachment(file, table) {
  if (file.content_type?.startsWith("image/")) return picture(file.url, file.description, file, table);
  return fileLink(file.url, file.filename, file.size);
}

function fileLink(url, name, bytes) {
  return el(
    "a",
    { class: "file", href: url, download: name },
    el("span", { "aria-hidden": "true", class: "glyph sheet" }),
    el("span", {}, el("strong", {}, name), el("small", {}, size(bytes))),
  );
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

function picture(url, alt, sizes, table) {
  const image = el("img", { src: url, alt: alt ?? "", width: sizes?.width, height: sizes?.height, loading: "lazy" });
  image.addEventListener("load", () => table.grown());
  return el("button", { type: "button", class: "picture", "aria-label": `Enlarge the picture${alt ? `: ${alt}` : ""}`, click: () => table.zoom(url, alt) }, image);
}

function renderEmbed(embed, message, table) {
  const node = el("div", { class: "embed", role: "group", "aria-label": embed.title ?? "Embed" });
  if (embed.color !== undefined && embed.color !== null) {
    node.style.setProperty("--stripe", `#${embed.color.toString(16).padStart(6, "0")}`);
  }
  const text = el("div", { class: "embed-text" });
  if (embed.title) text.append(el("p", { class: "embed-title" }, ...inline(embed.title, table.names)));
  if (embed.description) text.append(el("div", { class: "text" }, markdown(embed.description, table.names)));
  node.append(text);
  if (embed.image?.url) node.append(picture(embed.image.url, message.alts[embed.image.url], embed.image, table));
  if (embed.footer?.text) node.append(el("p", { class: "embed-footer" }, embed.footer.text));
  return node;
}

function renderComponents(message, table) {
  const node = el("div", { class: "components" });
  for (const row of message.components) node.append(renderLayout(row, message, table));
  return node;
}

function renderLayout(row, message, table) {
  switch (row.type) {
    case 1:
      return el("div", { class: "row" }, ...row.components.map((item) => component(item, message, table)));
    case 9:
      return el("div", { class: "section" }, el("div", { class: "section-text" }, ...row.components.map((child) => renderLayout(child, message, table))), renderLayout(row.accessory, message, table));
    case 10:
      return el("div", { class: "text" }, markdown(row.content, table.names));
    case 12:
      return el("div", { class: row.items.length > 1 ? "gallery several" : "gallery" }, ...row.items.map((item) => picture(item.media.url, item.description, item.media, table)));
    case 13:
      return fileLink(row.file.url, row.name, row.size);
    case 17: {
      const box = el("div", { class: "embed container" }, ...row.components.map((child) => renderLayout(child, message, table)));
      if (row.accent_color !== null) box.style.setProperty("--stripe", `#${row.accent_color.toString(16).padStart(6, "0")}`);
      return box;
    }
    default:
      return component(row, message, table);
  }
}

function component(item, message, table) {
  if (item.type === 2) return button(item, message, table);
  if ([3, 5].includes(item.type)) return select(item, message, table);
  return el("span", {});
}

function button(item, message, table) {
  const content = [item.emoji?.name ? el("span", { class: "emoji" }, item.emoji.name) : null, item.label ? el("span", {}, item.label) : null];
  if (item.style === 5) return el("a", { class: "button link", href: item.url, target: "_blank", rel: "noopener noreferrer" }, ...content, el("span", { "aria-hidden": "true" }, " ↗"));
  const node = el(
    "button",
    { type: "button", class: `button ${STYLES[item.style] ?? "secondary"}`, disabled: item.disabled, "data-custom-id": item.custom_id, "aria-label": item.label ? null : item.emoji?.name },
    ...content,
  );
  node.addEventListener("click", () => {
    if (!table.busy(node)) return;
    table.act({ do: "press", message: message.id, custom_id: item.custom_id });
  });
  return node;
}

/** What a select offers: its own options, or people. */
export function selectOptions(item, table) {
  if (item.type === 3) return item.options;
  return table.people().map((person) => ({ label: person.name, value: person.id, description: person.title }));
}

function select(item, message, table) {
  const node = choice({
    placeholder: item.placeholder ?? "Make a selection",
    options: selectOptions(item, table),
    least: item.min_values ?? 1,
    most: item.max_values ?? 1,
    disabled: item.disabled,
    made: (values) => {
      if (!table.busy(node.querySelector(".choice-button"))) return;
      table.act({ do: "select", message: message.id, custom_id: item.custom_id, values });
    },
  });
  return node;
}
