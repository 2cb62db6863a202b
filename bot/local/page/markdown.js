// Discord's markdown, as elements.
import { el } from "./dom.js";

const INLINE = new RegExp(
  [
    /\\(?<escaped>[^\w\s]|_)/,
    /(?<ticks>`+)(?<code>.+?)(?<!`)\k<ticks>(?!`)/,
    /<@!?(?<user>\d+)>/,
    /<@&(?<role>\d+)>/,
    /<#(?<channel>\d+)>/,
    /<\/(?<command>[^:>]+):\d+>/,
    /<t:(?<time>-?\d+)(?::(?<style>[tTdDfFsSR]))?>/,
    /<a?:(?<emoji>\w+):\d+>/,
    /\[(?<label>[^\]\n]+)\]\(<?(?<target>https?:\/\/[^\s)>]+)>?\)/,
    /<?(?<url>https?:\/\/[^\s<>]*[^\s<>.,:;"'\])])>?/,
    /\|\|(?<spoiler>[\s\S]+?)\|\|/,
    /\*\*\*(?<both>[\s\S]+?)\*\*\*(?!\*)/,
    /\*\*(?<bold>[\s\S]+?)\*\*(?!\*)/,
    /__(?<under>[\s\S]+?)__(?!_)/,
    /~~(?<strike>[\s\S]+?)~~/,
    /\*(?<star>(?=\S)[\s\S]*?\S)\*(?!\*)/,
    /(?<![\w_])_(?<line>(?=\S)[\s\S]*?\S)_(?![\w_])/,
    /(?<every>@everyone|@here)/,
  ].map((part) => part.source).join("|"),
);

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function relative(seconds) {
  const away = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(away) >= least) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(away / size), unit);
}

function moment(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return el("span", {}, "Invalid date");
  const full = new Intl.DateTimeFormat("en", STYLES.F).format(date);
  const shown = style === "R" ? relative(seconds) : new Intl.DateTimeFormat("en", STYLES[style] ?? STYLES.f).format(date);
  return el("time", { datetime: date.toISOString(), title: full, class: "time", "data-relative": style === "R" ? seconds : null }, shown);
}

/** Keep "in 5 minutes" true. */
export function refreshTimes(root) {
  for (const node of root.querySelectorAll("[data-relative]")) node.textContent = relative(Number(node.dataset.relative));
}

function spoiler(children) {
  const open = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const node = event.currentTarget;
    node.classList.add("open");
    node.removeAttribute("role");
    node.removeAttribute("tabindex");
    node.removeAttribute("aria-label");
  };
  return el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to read", click: open, keydown: open }, el("span", {}, ...children));
}

/** Text between the block marks. `names` resolves mentions. */
export function inline(text, names, depth = 0) {
  const out = [];
  let rest = text;
  while (rest) {
    const match = depth < 12 ? INLINE.exec(rest) : null;
    if (!match) break;
    if (match.index) out.push(...lines(rest.slice(0, match.index)));
    out.push(piece(match, names, depth));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest) out.push(...lines(rest));
  return out;
}

function lines(text) {
  return text.split("\n").flatMap((part, at) => (at ? [el("br"), part] : [part]));
}

function piece(match, names, depth) {
  const g = match.groups;
  const within = (inner) => inline(inner, names, depth + 1);
  if (g.escaped !== undefined) return g.escaped;
  if (g.code !== undefined) return el("code", {}, g.code.trim() || g.code);
  if (g.user) return mention(`@${names.person(g.user) ?? "unknown"}`, names.me === g.user);
  if (g.role) return mention("@role");
  if (g.channel) {
    const name = names.channel(g.channel);
    if (!name) return mention("#unknown");
    return el("button", { type: "button", class: "mention", click: () => names.open(g.channel) }, `#${name}`);
  }
  if (g.command) return mention(`/${g.command}`);
  if (g.time) return moment(Number(g.time), g.style);
  if (g.emoji) return `:${g.emoji}:`;
  if (g.target) return el("a", { href: g.target, target: "_blank", rel: "noopener noreferrer" }, ...within(g.label));
  if (g.url) return el("a", { href: g.url, target: "_blank", rel: "noopener noreferrer" }, g.url);
  if (g.spoiler !== undefined) return spoiler(within(g.spoiler));
  if (g.both !== undefined) return el("em", {}, el("strong", {}, ...within(g.both)));
  if (g.bold !== undefined) return el("strong", {}, ...within(g.bold));
  if (g.under !== undefined) return el("u", {}, ...within(g.under));
  if (g.strike !== undefined) return el("s", {}, ...within(g.strike));
  if (g.every) return mention(g.every);
  return el("em", {}, ...within(g.star ?? g.line));
}

function mention(text, mine = false) {
  return el("span", { class: mine ? "mention mine" : "mention" }, text);
}

/** A whole text: code blocks first, then line by line. */
export function markdown(text, names) {
  const out = document.createDocumentFragment();
  const parts = text.split(/```(?:([\w+-]+)\n)?([\s\S]+?)```/g);
  for (let at = 0; at < parts.length; at += 3) {
    if (parts[at]) out.append(...blocks(parts[at], names));
    if (parts[at + 2] !== undefined) out.append(codeBlock(parts[at + 2], parts[at + 1]));
  }
  return out;
}

function codeBlock(text, language) {
  const code = el("code", {});
  for (const [at, line] of text.replace(/^\n|\n$/g, "").split("\n").entries()) {
    if (at) code.append("\n");
    code.append(language === "ansi" || language === "diff" ? coloured(line, language) : line);
  }
  return el("pre", { tabindex: "0" }, code);
}

function coloured(line, language) {
  if (language === "diff") return el("span", { class: line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : null }, line);
  return line.replace(/\u001b\[[\d;]*m/g, "");
}

function blocks(text, names) {
  const rows = text.replace(/^\n|\n$/g, "").split("\n");
  const out = [];
  let plain = [];
  const flush = () => {
    if (plain.length) out.push(el("p", {}, ...inline(plain.join("\n"), names)));
    plain = [];
  };
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    const heading = /^(#{1,3}) +(.+)$/.exec(row);
    const small = /^-# +(.+)$/.exec(row);
    const item = /^( *)([-*]|\d+\.) +(.+)$/.exec(row);
    const everything = /^>>> ?([\s\S]*)$/.exec(row);
    const quote = /^> (.*)$/.exec(row);
    if (heading) {
      flush();
      out.push(el("p", { class: `h${heading[1].length}` }, ...inline(heading[2], names)));
    } else if (small) {
      flush();
      out.push(el("p", { class: "subtext" }, ...inline(small[1], names)));
    } else if (everything) {
      flush();
      out.push(el("blockquote", {}, ...blocks([everything[1], ...rows.slice(at + 1)].join("\n"), names)));
      break;
    } else if (quote) {
      flush();
      const quoted = [];
      while (at < rows.length && /^> /.test(rows[at])) quoted.push(rows[at++].slice(2));
      at -= 1;
      out.push(el("blockquote", {}, ...blocks(quoted.join("\n"), names)));
    } else if (item) {
      flush();
      const ordered = /\d/.test(item[2]);
      const list = el(ordered ? "ol" : "ul", { start: ordered ? parseInt(item[2], 10) : null });
      for (let next = item; next; next = /^( *)([-*]|\d+\.) +(.+)$/.exec(rows[at + 1] ?? "")) {
        if (next !== item) at += 1;
        list.append(el("li", { class: next[1].length >= 2 ? "deep" : null }, ...inline(next[3], names)));
      }
      out.push(list);
    } else {
      plain.push(row);
    }
  }
  flush();
  return out;
}
