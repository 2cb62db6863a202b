// A second verifier of an export, written from the promises of the design alone and sharing nothing with the bot.
// node verify.mjs EXPORT.json…   one line of JSON for each file: what was checked, what is wrong.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { roll } from "./roll.mjs";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PLAYING = [..."CDHS"].flatMap((suit) => RANKS.map((rank) => rank + suit)).concat("X1", "X2");
const STARS = ["1", "2", "3", "4", "inf"];

// The bytes HMAC-SHA256(S, "I:0"), HMAC-SHA256(S, "I:1"), … joined; four at a time, big-endian.
class Stream {
  constructor(seed, interaction) {
    Object.assign(this, { seed, interaction, block: 0, bytes: Buffer.alloc(0) });
  }
  word() {
    if (this.bytes.length < 4) {
      const more = createHmac("sha256", this.seed).update(`${this.interaction}:${this.block++}`).digest();
      this.bytes = Buffer.concat([this.bytes, more]);
    }
    const word = this.bytes.readUInt32BE(0);
    this.bytes = this.bytes.subarray(4);
    return word;
  }
  die(sides) {
    const ceiling = Math.floor(2 ** 32 / sides) * sides;
    for (;;) {
      const word = this.word();
      if (word < ceiling) return (word % sides) + 1;
    }
  }
  // Fisher–Yates from the last card down: the place that each card came from.
  places(size) {
    const places = [...Array(size).keys()];
    for (let last = size - 1; last > 0; last--) {
      const other = this.die(last + 1) - 1;
      [places[last], places[other]] = [places[other], places[last]];
    }
    return places;
  }
}

const same = (one, other) => one?.length === other?.length && one.every((card, at) => card === other[at]);
const bag = (cards) => [...cards].sort().join("\n");

// How a new deck stands; a list stands as it was given.
function defined(deck, was) {
  if (deck.kind === "standard52") return PLAYING.slice(0, 52);
  if (deck.kind === "standard54") return PLAYING;
  if (deck.kind === "list") return was;
  if (deck.kind !== "stones") return null;
  return deck.elements.flatMap((element) => STARS.flatMap((star, at) => Array(deck.stones[at]).fill(`${element} ${star}`)));
}

// What lies in a pile, in the order of its deck; of two decks in one pile the same cards lie together.
function ordered(definition, cards) {
  const left = new Map();
  for (const card of cards) left.set(card, (left.get(card) ?? 0) + 1);
  const many = new Map();
  for (const card of definition) many.set(card, (many.get(card) ?? 0) + 1);
  if ([...left].some(([card, count]) => count > (many.get(card) ?? 0)))
    return [...cards].sort((one, other) => definition.indexOf(one) - definition.indexOf(other));
  return definition.filter((card) => {
    const count = left.get(card) ?? 0;
    if (count) left.set(card, count - 1);
    return count > 0;
  });
}

function verify(data) {
  const faults = [];
  const counts = { dice: 0, hidden: 0, shuffles: 0, draws: 0, unproven: 0 };
  const seeds = data.fairness.map(({ commitment, seed, from_seq }) => {
    const bytes = seed === null ? null : Buffer.from(seed, "hex");
    if (bytes && createHash("sha256").update(bytes).digest("hex") !== commitment)
      faults.push(`the seed from row ${from_seq} is not the one committed to`);
    return { bytes, from: from_seq };
  });
  let expected = "system" in data ? null : 1;
  const streams = new Map();
  let piles = new Map(); // of the channel's deck, and of each encounter's own
  const before = new Map();
  const after = new Map();
  for (const row of data.log) {
    if (expected !== null) {
      if (row.seq !== expected) faults.push(`rows ${expected} to ${row.seq - 1} are missing`);
      expected = row.seq + 1;
    }
    before.set(row.seq, new Map(piles));
    const { undo, redo, action } = row.command;
    if (undo) piles = new Map(before.get(Math.min(...undo)) ?? piles);
    if (redo) piles = new Map(after.get(Math.max(...redo)) ?? piles);
    if (action === "encounter start") piles.set(row.encounter, { cards: [], definition: [], discards: [] });
    const under = seeds.filter(({ from }) => from <= row.seq).at(-1);
    if (under?.bytes) check(row, under, action ?? "");
    after.set(row.seq, new Map(piles));
  }
  const last = data.fairness.at(-1)?.from_seq ?? 1;
  if (expected !== null && expected < last) faults.push(`rows ${expected} to ${last - 1} are missing`);

  // Rolls a /roll again from what it was read as: the same sizes in the same order, and the same ones kept.
  function again({ seq, dice, interaction, command }, { bytes }) {
    if (!Array.isArray(command.read) || dice.some((each) => each.physical)) return;
    const stream = new Stream(bytes, interaction);
    try {
      const texts = command.read.flatMap((text) => Array(command.times ?? 1).fill(text));
      const drawn = texts.flatMap((text) => roll(text, (sides) => stream.die(sides)).drawn);
      if (!same(drawn.map(({ sides }) => sides), dice.map(({ sides }) => sides)))
        faults.push(`row ${seq}: ${texts.join("; ")} does not roll these dice`);
      else if (dice.some(({ face, kept }, at) => face !== null && kept !== drawn[at].kept))
        faults.push(`row ${seq}: ${texts.join("; ")} keeps other dice`);
    } catch (error) {
      faults.push(`row ${seq}: ${error.message}`);
    }
  }

  function check(row, under, action) {
    const key = `${under.from}/${row.interaction}`;
    if (!streams.has(key)) streams.set(key, new Stream(under.bytes, row.interaction));
    const stream = streams.get(key);
    const guess = /^(deck|hand) /.test(action) || row.encounter === null ? "channel" : row.encounter;
    const place = (pile) => (pile === "channel" ? "channel" : pile === "encounter" ? row.encounter : undefined);
    const discard = (at) => {
      for (const { pile, cards } of (row.discards ?? []).filter((each) => each.at === at)) {
        const known = piles.get(place(pile));
        if (known?.discards) piles.set(place(pile), { ...known, discards: [...known.discards, ...cards] });
      }
    };
    if (action === "roll") again(row, under);
    row.dice.forEach((entry, at) => {
      discard(at);
      const name = `row ${row.seq}, entry ${at + 1}`;
      if ("sides" in entry) {
        if (entry.physical) return;
        const face = stream.die(entry.sides);
        if (entry.face === null) counts.hidden++;
        else if (++counts.dice && entry.face !== face) faults.push(`${name}: ${entry.face}, but the seed gives ${face}`);
      } else if ("shuffle" in entry) {
        counts.shuffles++;
        const was = Array(entry.shuffle);
        const places = stream.places(entry.shuffle);
        if (entry.cards?.length !== entry.shuffle) return faults.push(`${name}: the cards are not listed`);
        places.forEach((from, place) => (was[from] = entry.cards[place]));
        const given = row.command.piles?.[0];
        if (given && row.dice.filter((each) => "shuffle" in each).length === 1 && !same(given, was))
          faults.push(`${name}: the pile before it is another`);
        const { cards, deck } = entry;
        if (!deck) {
          // rows of before they said what deck it was: the order after it follows from the seed, and no more is known
          counts.unproven++;
          const again = action === "deck reshuffle" && [row.encounter, "channel"].find((each) => bag(piles.get(each)?.cards ?? []) === bag(cards));
          piles.set(again || guess, { cards });
          return;
        }
        const where = place(deck.pile);
        const known = piles.get(where) ?? {};
        if (deck.order === "new") {
          if (!same(defined(deck, was), was)) faults.push(`${name}: the deck did not stand in its order`);
          piles.set(where, { cards, definition: was, discards: [] });
          return;
        }
        const all = deck.order === "all" ? known.cards && known.discards && [...known.cards, ...known.discards] : known.cards;
        const should = deck.order === "discards" ? known.discards : known.definition && all && ordered(known.definition, all);
        if (!should) counts.unproven++;
        else if (!same(should, was)) faults.push(`${name}: the pile was not like this`);
        piles.set(where, { ...known, cards, discards: deck.order === "rest" ? known.discards : [] });
      } else {
        counts.draws++;
        const cards = entry.cards ?? [];
        if (cards.length !== entry.draw) return faults.push(`${name}: the cards are not listed`);
        const where = place(entry.pile) ?? [guess, "channel"].find((each) => same(piles.get(each)?.cards?.slice(0, cards.length), cards));
        const known = piles.get(where);
        if (!known?.cards || !same(known.cards.slice(0, cards.length), cards))
          return faults.push(`${name}: these cards did not lie on top`);
        piles.set(where, { ...known, cards: known.cards.slice(cards.length) });
      }
    });
    discard(row.dice.length);
  }
  return { faults, ...counts };
}

for (const path of process.argv.slice(2)) {
  let found;
  try {
    found = verify(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    found = { faults: [`it cannot be read: ${error.message}`] };
  }
  console.log(JSON.stringify(found));
}
