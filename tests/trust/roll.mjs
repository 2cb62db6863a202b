// A second reader of what a roll was read as (`read` in its row), written from the promises of the design alone:
// which dice it draws, in which order, which of them count, and what comes out.
//   node roll.mjs < CASES   each line {"text", "faces": [[sides, face], …]}: a line of JSON with what was rolled
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const EDGE = { adv: [6, 8, 10, 12], dis: [12, 10, 8, 6] };
const LEVELS = [["==", ">=", "<=", "!=", "<", ">"], ["+", "-"], ["*", "//", "/", "%"], ["**"]];
const OPERATOR = /^\s*(rr|ro|ra|mi|ma|eo|ep|ec|ss|k|p|e|!(?!=)|s|f|b)\s*([hl<>]?=?)(\d*)/;
const divided = (left, right) => {
  if (right === 0) throw new Error("divided by zero");
  return left / right;
};
const COMPUTE = {
  "==": (a, b) => +(a === b), "!=": (a, b) => +(a !== b), "<": (a, b) => +(a < b), ">": (a, b) => +(a > b),
  "<=": (a, b) => +(a <= b), ">=": (a, b) => +(a >= b), "+": (a, b) => a + b, "-": (a, b) => a - b,
  "*": (a, b) => a * b, "**": (a, b) => a ** b, "/": divided, "//": (a, b) => Math.floor(divided(a, b)), "%": (a, b) => a - b * Math.floor(divided(a, b)),
};
const COUNTS = { s: 1, ss: 1, f: -1, b: 0 };
const CALLS = { floor: Math.floor, ceil: Math.ceil, abs: Math.abs, min: Math.min, max: Math.max };

// Reads a text into a tree of plain objects.
function parse(text) {
  let rest = text.replace(/#.*$/s, "").trim();
  const take = (pattern) => {
    const found = pattern.exec(rest);
    if (found) rest = rest.slice(found[0].length).trimStart();
    return found;
  };
  const fail = () => {
    throw new Error(`cannot be read from “${rest}” on`);
  };
  const notes = () => {
    while (take(/^\[[^\]]*\]/));
  };
  const operators = (sides) => {
    const found = [];
    for (let next; (next = OPERATOR.exec(rest)); ) {
      const [whole, name, category, digits] = next;
      if (!digits && name !== "!") break;
      rest = rest.slice(whole.length).trimStart();
      const number = digits ? Number(digits) : sides;
      const selector = category.endsWith("=") ? [category[0], number + (category[0] === "<" ? 1 : -1)] : [category, number];
      const last = found.at(-1);
      const own = name === "!" ? "e" : name;
      if (last?.name === own && !/^m/.test(own)) last.selectors.push(selector);
      else found.push({ name: own, selectors: [selector] });
    }
    return found;
  };
  const chain = (level) => {
    if (level === LEVELS.length) return operand();
    let left = chain(level + 1);
    for (let sign; (sign = LEVELS[level].find((each) => rest.startsWith(each) && !(each === "*" && rest.startsWith("**")))); ) {
      rest = rest.slice(sign.length).trimStart();
      left = { sign, left, right: chain(level + 1) };
    }
    return left;
  };
  const size = (written) => {
    const own = written === "F" ? [-1, 0, 1] : written[0] === "{" ? written.slice(1, -1).split(",").map(Number) : null;
    return { own, sides: own ? own.length : Number(written) };
  };
  const operand = () => {
    if (take(/^-/)) return { negated: operand() };
    if (take(/^\+/)) return operand();
    let found = take(/^(floor|ceil|abs|min|max)\(/);
    if (found) {
      const inside = list(")");
      notes();
      return { call: found[1], inside };
    }
    if (take(/^\(/)) {
      const before = rest;
      const inside = list(")");
      const consumed = before.slice(0, before.length - rest.length);
      const isSet = inside.length !== 1 || /,\s*\)\s*$/.test(consumed);
      found = isSet ? null : take(/^d(\d+|F|\{[-\d, ]+\})/);
      if (found) {
        const pool = { count: inside[0], ...size(found[1]) };
        pool.operators = operators(pool.own ? Math.max(...pool.own) : pool.sides);
        notes();
        return pool;
      }
      const own = operators(0);
      notes();
      return { inside, isSet, operators: own };
    }
    found = take(/^(\d*)d(\d+|F|\{[-\d, ]+\})/);
    if (found) {
      const term = { count: found[1] === "" ? 1 : Number(found[1]), ...size(found[2]) };
      const { sides } = term;
      const edge = take(/^(adv|dis) (\d)/);
      if (edge) term.edge = [edge[1], EDGE[edge[1]][Math.min(Number(edge[2]), 4) - 1]];
      term.operators = edge ? [] : operators(term.own ? Math.max(...term.own) : sides);
      notes();
      return term;
    }
    found = take(/^(\d+\.?\d*|\.\d+)/) ?? fail();
    notes();
    return { value: Number(found[1]) };
  };
  const list = (end) => {
    const inside = [];
    while (!rest.startsWith(end)) {
      inside.push(chain(0));
      if (!take(/^,/)) break;
    }
    if (!rest.startsWith(end)) fail();
    rest = rest.slice(end.length).trimStart();
    return inside;
  };
  const repeats = take(/^(\d+)x\s*/);
  const root = chain(0);
  if (rest) fail();
  return { repeats: repeats ? Number(repeats[1]) : 1, root };
}

// The places that selectors take among those that still count, each once, in the selectors' order.
function select(things, selectors) {
  const alive = things.filter((each) => each.alive);
  const ranked = (way) => alive.map((each, at) => [each, at]).sort(([a, i], [b, j]) => way * (b.value - a.value) || i - j).map(([each]) => each);
  const taken = selectors.flatMap(([category, number]) => {
    if (category === "h") return ranked(1).slice(0, number);
    if (category === "l") return ranked(-1).slice(0, number);
    return alive.filter(({ value }) => (category === "<" ? value < number : category === ">" ? value > number : value === number));
  });
  return [...new Set(taken)];
}

function keepOrDrop(things, { name, selectors }) {
  const taken = select(things, selectors);
  for (const each of things) each.alive = name === "k" ? taken.includes(each) : each.alive && !taken.includes(each);
}

// Rolls a text with a source of faces; `drawn` are the dice in drawing order, with what became of them.
export function roll(text, face) {
  const drawn = [];
  const draw = (sides, own) => {
    const die = { sides, face: face(sides), kept: true };
    drawn.push(die);
    return { die, value: own ? own[die.face - 1] : die.face, alive: true, counts: 0 };
  };
  const dice = (term, more) => {
    const { sides, own: faces, edge } = term;
    const own = [...term.operators, ...more];
    const things = Array.from({ length: typeof term.count === "object" ? Math.trunc(value(term.count)) : term.count }, () => draw(sides, faces));
    if (edge) {
      things.push(draw(edge[1], null));
      keepOrDrop(things, { name: "k", selectors: [[edge[0] === "adv" ? "h" : "l", term.count]] });
    }
    const again = (each) => {
      const next = draw(sides, faces);
      each.die.kept = false;
      Object.assign(each, { die: next.die, value: next.value });
    };
    const takes = (face, selectors) => selectors.some(([category, number]) => (category === "<" ? face < number : category === ">" ? face > number : face === number));
    for (const operator of own) {
      const { name, selectors } = operator;
      if (name === "eo") select(things, selectors).forEach(() => things.push(draw(sides, faces)));
      if (name === "ep")
        for (let taken = select(things, selectors).length; taken; ) {
          const added = Array.from({ length: taken }, () => draw(sides, faces));
          taken = added.filter((each) => takes(each.value, selectors)).length;
          for (const each of added) things.push({ ...each, value: each.value - 1 });
        }
      if (name === "ec")
        for (let taken = select(things, selectors); taken.length; ) {
          const added = taken.map((each) => [each, draw(sides, faces)]);
          for (const [each, more] of added) {
            each.value += more.value;
            (each.more ??= []).push(more.die);
          }
          taken = added.filter(([, more]) => takes(more.value, selectors)).map(([each]) => each);
        }
      if (name === "k" || name === "p") keepOrDrop(things, operator);
      const inOrder = () => things.filter((each) => select(things, selectors).includes(each));
      if (name === "rr") for (let taken; (taken = inOrder()).length; ) taken.forEach(again);
      if (name === "ro") inOrder().forEach(again);
      if (name === "ra" && select(things, selectors).length) things.push(draw(sides, faces));
      if (name === "e") {
        const done = new Set();
        for (let taken; (taken = select(things, selectors).filter((each) => !done.has(each))).length; ) {
          taken.forEach((each) => done.add(each));
          taken.forEach(() => things.push(draw(sides, faces)));
        }
      }
      const bound = selectors.at(-1)[1];
      if (name === "mi" || name === "ma")
        for (const each of things) if (each.alive) each.value = name === "mi" ? Math.max(each.value, bound) : Math.min(each.value, bound);
      if (name in COUNTS) for (const each of select(things, selectors)) each.counts += COUNTS[name];
    }
    for (const each of things) for (const die of [each.die, ...(each.more ?? [])]) die.kept &&= each.alive;
    const isCount = own.at(-1)?.name in COUNTS;
    return things.filter(({ alive }) => alive).reduce((sum, { value, counts }) => sum + (isCount ? counts : value), 0);
  };
  const value = (node, more = []) => {
    if ("value" in node) return node.value;
    if ("count" in node) return dice(node, more);
    if (node.negated) return -value(node.negated);
    if (node.call) return CALLS[node.call](...node.inside.map((each) => value(each)));
    if (node.sign) {
      const left = value(node.left);
      return COMPUTE[node.sign](left, value(node.right));
    }
    const own = [...node.operators, ...more];
    const [only] = node.inside;
    if (!node.isSet && (!own.length || "count" in only || "isSet" in only)) return value(only, own);
    const things = node.inside.map((each) => {
      const from = drawn.length;
      return { value: value(each), alive: true, from, to: drawn.length };
    });
    own.forEach((operator) => keepOrDrop(things, operator));
    for (const { alive, from, to } of things) if (!alive) drawn.slice(from, to).forEach((die) => (die.kept = false));
    return things.filter(({ alive }) => alive).reduce((sum, each) => sum + each.value, 0);
  };
  const { repeats, root } = parse(text);
  return { values: Array.from({ length: repeats }, () => value(root)), drawn };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { text, faces } = JSON.parse(line);
    const left = [...faces];
    const next = (sides) => {
      const [size, shown] = left.shift() ?? [];
      if (size !== sides) throw new Error(`a d${sides} is drawn, and the case has a d${size}`);
      return shown;
    };
    try {
      console.log(JSON.stringify({ ...roll(text, next), left }));
    } catch (error) {
      console.log(JSON.stringify({ fault: error.message }));
    }
  }
