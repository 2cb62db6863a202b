// A second verifier of an export, written from the promises of the design alone and sharing nothing with the bot.
// node verify.mjs EXPORT.json…   one line of JSON for each file: what was checked, what is wrong.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PLAYING = [..."CDHS"].flatMap((suit) => RANKS.map((rank) => rank + suit)).concat("X1", "X2");
const STARS = ["1", "2", "3", "4", "inf"];
const ELEMENTS = ["Wind", "Water", "Neutral", "Fire", "Earth", "Darkness", "Light"];

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

const same = (one, other) => one.length === other.length && one.every((card, at) => card === other[at]);
const bag = (cards) => [...cards].sort().join("\n");

// The rank of a card in its deck's definition; null where the deck is a list of somebody's own.
function rank(card, elements) {
  const at = PLAYING.indexOf(card);
  if (at >= 0) return at;
  const cut = card.lastIndexOf(" ");
  const element = elements.indexOf(card.slice(0, cut));
  const stars = STARS.indexOf(card.slice(cut + 1));
  return element < 0 || stars < 0 ? null : element * STARS.length + stars;
}

function verify(data) {
  const faults = [];
  const counts = { dice: 0, hidden: 0, shuffles: 0, draws: 0 };
  const seeds = data.fairness.map(({ commitment, seed, from_seq }) => {
    const bytes = seed === null ? null : Buffer.from(seed, "hex");
    if (bytes && createHash("sha256").update(bytes).digest("hex") !== commitment)
      faults.push(`the seed from row ${from_seq} is not the one committed to`);
    return { bytes, from: from_seq };
  });
  const option = /elements=([^,"]+)/.exec(JSON.stringify(data.log.map((row) => row.command)));
  const elements = option ? option[1].split("+").map((name) => name.trim()) : ELEMENTS;
  let expected = "system" in data ? null : 1;
  const streams = new Map();
  let piles = new Map(); // of the channel's deck, and of each encounter's own
  const before = new Map();
  const after = new Map();
  const seen = new Set();
  for (const row of data.log) {
    if (expected !== null) {
      if (row.seq !== expected) faults.push(`rows ${expected} to ${row.seq - 1} are missing`);
      expected = row.seq + 1;
    }
    before.set(row.seq, new Map(piles));
    const { undo, redo, action } = row.command;
    if (undo) piles = new Map(before.get(Math.min(...undo)) ?? piles);
    if (redo) piles = new Map(after.get(Math.max(...redo)) ?? piles);
    const under = seeds.filter(({ from }) => from <= row.seq).at(-1);
    if (under?.bytes) check(row, under, action ?? "");
    after.set(row.seq, new Map(piles));
  }
  const last = data.fairness.at(-1)?.from_seq ?? 1;
  if (expected !== null && expected < last) faults.push(`rows ${expected} to ${last - 1} are missing`);

  function check(row, under, action) {
    const key = `${under.from}/${row.interaction}`;
    if (!streams.has(key)) streams.set(key, new Stream(under.bytes, row.interaction));
    const stream = streams.get(key);
    const own = /^(deck|hand) /.test(action) || row.encounter === null ? "deck" : row.encounter;
    row.dice.forEach((entry, at) => {
      const name = `row ${row.seq}, entry ${at + 1}`;
      if ("sides" in entry) {
        if (entry.physical) return;
        const face = stream.die(entry.sides);
        if (entry.face === null) counts.hidden++;
        else if (++counts.dice && entry.face !== face) faults.push(`${name}: ${entry.face}, and the seed gives ${face}`);
      } else if ("shuffle" in entry) {
        counts.shuffles++;
        const was = Array(entry.shuffle);
        const places = stream.places(entry.shuffle);
        if (entry.cards?.length !== entry.shuffle) return faults.push(`${name}: the cards are not listed`);
        places.forEach((from, place) => (was[from] = entry.cards[place]));
        const ranks = was.map((card) => rank(card, elements));
        const known = ranks.every((each) => each !== null);
        const defined = known && ranks.every((each, i) => i === 0 || ranks[i - 1] <= each);
        // a reshuffle takes the discards, oldest first: cards that have been drawn before; a list stands as given
        const again = was.every((card) => seen.has(`${own}/${card}`));
        if (known && !defined && !again) faults.push(`${name}: the deck did not stand in its order`);
        const given = row.command.piles?.[0];
        if (given && row.dice.filter((each) => "shuffle" in each).length === 1 && !same(given, was))
          faults.push(`${name}: the pile before it is another`);
        // the shuffle after an undo is of the pile alone: the encounter's own where it holds these cards
        const again_of = action === "deck reshuffle" && [row.encounter, "deck"].find((each) => piles.has(each) && bag(piles.get(each)) === bag(entry.cards));
        piles.set(again_of || own, entry.cards);
      } else {
        counts.draws++;
        const cards = entry.cards ?? [];
        if (cards.length !== entry.draw) return faults.push(`${name}: the cards are not listed`);
        const where = [own, "deck"].find((each) => piles.has(each) && same(piles.get(each).slice(0, cards.length), cards));
        cards.forEach((card) => [own, "deck"].forEach((each) => seen.add(`${each}/${card}`)));
        if (where === undefined) faults.push(`${name}: these cards did not lie on top`);
        else piles.set(where, piles.get(where).slice(cards.length));
      }
    });
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
