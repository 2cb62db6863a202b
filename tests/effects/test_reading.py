"""Every clause of an ability is done, asked or shown: none is silent, and none is said to be done that is not."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.blow import Left
from rules.core.registry import systems
from rules.core.sheets.abilities import Reading, parse_ability
from rules.core.sheets.reading import reading_of
from rules.systems.beacon.blows import rolled_as
from rules.systems.beacon.sheet import damage, spaces
from rules.systems.stones.abilities import read_ability

SYSTEMS = sorted(systems())
_PIECES = (
    *("kind weapon", "damage 1d6+2", "damage 2d6 unless it is undead", "range 6 in light", "cost 2", "text", "uses 2"),
    *(
        "[Standard Attack], [On 1-50] adds [Burn], [Stun] for 2 turns",
        "[Push 2] the target. Then [Burn].",
        "[Fuse] Hard",
    ),
    *('He shouts "Run, and die!" and pushes 2.', '"For glory!" It burns', "flavor It hums", "On a hit: 7 fire damage"),
    *(
        "7 piercing damage, and if the target is no elf it sleeps",
        "reach 5 ft., one target",
        "type Support",
        "effect X",
    ),
    *("activation reaction", "trigger attacked ally", "(a, b; c", "and, then. But the", "“half", "save", "conflict no"),
)
_HEADS = (
    "",
    "On a hit: ",
    "Hit: ",
    "When it moves, ",
    "Once a round: ",
    "on a miss ",
    "[On 1-50] adds ",
    "While wet, ",
    "text ",
)
_CLAUSES = (
    *("2d6 fire damage", "the target is Prone", "it takes 1d6", "[Burn]", "[Stun] for 2 turns", "you regain 1d8 HP"),
    *("damage 1d6", "range 6", "cost 1", "the curtains burn", "effect X", '"Sss, go!"', "DC 12 DEX save or Prone"),
)
_TAILS = (
    "",
    " unless it is undead",
    " until the end of its next turn",
    " (save ends)",
    " to each ally",
    " at night",
    " twice",
)
_JOINTS = (", and ", " and ", "; ", ". ", "\n", ", then ", ", ", " or ")
_SENTENCES = st.lists(
    st.tuples(*map(st.sampled_from, (_HEADS, _CLAUSES, _TAILS, _JOINTS))).map("".join), min_size=1, max_size=5
).map("".join)
_TEXTS = st.one_of(
    _SENTENCES,
    st.lists(st.sampled_from(_PIECES), max_size=6).flatmap(
        lambda parts: st.sampled_from(("; ", ". ", "\n", ", and ", " ")).map(lambda between: between.join(parts))
    ),
    st.text(alphabet='abc 1.;,:"“”[]()\nand then', max_size=60),
)


def read(system: str, source: str) -> Reading:
    return reading_of(parse_ability("Blow", source), systems()[system].sheet)


def words(texts: list[str]) -> list[str]:
    return [word for text in texts for word in re.findall(r"\w+", text)]


@pytest.mark.parametrize("system", SYSTEMS)
@given(source=_TEXTS)
@settings(max_examples=60, deadline=None)
def test_every_word_of_a_text_is_in_one_list(system: str, source: str) -> None:
    found = read(system, source)
    clauses = [*(each.clause for each in found.does), *found.asks, *found.shows]
    assert sorted(words(clauses)) == sorted(words([found.source]))
    assert all(clause in found.source for clause in clauses)
    for entries in ([each.clause for each in found.does], list(found.asks), list(found.shows)):
        at = 0
        for clause in entries:
            at = found.source.index(clause, at) + len(clause)


class Case(NamedTuple):
    system: str
    source: str
    does: tuple[str, ...]
    asks: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()


CASES = (
    Case("classic", "kind weapon; damage 1d8+2", ("kind weapon", "damage 1d8+2")),
    Case("classic", "hit +5; damage 2d6 unless undead", ("hit +5",), ("damage 2d6 unless undead",)),
    Case(
        "stones",
        "cost 0; [Standard Attack], [On 1-50] adds [Burn]",
        ("cost 0", "[Standard Attack]", "[On 1-50] adds [Burn]"),
    ),
    Case("stones", "cost 0; [Burn] if it is wooden", ("cost 0",), ("[Burn] if it is wooden",)),
    Case("stones", "cost 0; [Push 2]. Then [Burn]; [Stun]", ("cost 0", "[Stun]"), ("[Push 2].", "Then [Burn]")),
    Case("stones", "cost 0; On a hit: [Burn]. [Stun]", ("cost 0",), ("On a hit: [Burn].", "[Stun]")),
    Case("stones", "cost 0; [On 1-50] if wet [Burn], [Stun]", ("cost 0",), ("[On 1-50] if wet [Burn], [Stun]",)),
    Case("stones", "cost 0; On a hit: [Burn], [Stun]", ("cost 0",), ("On a hit: [Burn], [Stun]",)),
    Case("stones", "cost 0; On a hit: [Burn]; [Stun]", ("cost 0",), ("On a hit: [Burn]", "[Stun]")),
    Case("stones", "cost 0; If wet, [Burn] and [Stun]", ("cost 0",), ("If wet, [Burn] and [Stun]",)),
    Case("stones", "cost 0; [Burn] and [Stun] if wet", ("cost 0",), ("[Burn] and [Stun] if wet",)),
    Case("stones", "cost 0; [Burn] and [Stun], if wet", ("cost 0",), ("[Burn] and [Stun], if wet",)),
    Case("classic", "+5 to hit; on a hit: 2d6 damage; prone", ("+5 to hit", "on a hit: 2d6 damage"), ("prone",)),
    # A hit of which attack?
    Case("classic", "On a hit: 2d6 damage; the target is prone", (), ("On a hit: 2d6 damage", "the target is prone")),
    Case("classic", "At night: 2d6 damage; the target is prone", (), ("At night: 2d6 damage", "the target is prone")),
    Case(
        "classic",
        "The target makes a DC 12 DEX save or takes 2d6 damage and is prone",
        ("The target makes a DC 12 DEX save or takes 2d6 damage", "and is prone"),
    ),
    Case(
        "classic",
        "The target makes a DC 12 DEX save and is prone",
        ("The target makes a DC 12 DEX save",),
        ("and is prone",),
    ),
    Case("beacon", "range 8; damage 2d6 unless undead", ("range 8",), ("damage 2d6 unless undead",)),
    Case("beacon", 'range 3 in light; text No roll. "Boo!"', ("text No roll.",), ("range 3 in light",), ('"Boo!"',)),
    Case(
        "beacon",
        "range 3; damage 1d6; activation free; No roll.",
        ("range 3", "damage 1d6", "activation free", "No roll."),
    ),
    Case("tactics", "damage 1d6; damage 2d6; +5 to hit", ("damage 2d6",), ("damage 1d6", "+5 to hit")),
    Case(
        "tactics",
        "kind power; flavor It hums; on a hit 2d6; on a miss half",
        ("kind power", "on a hit 2d6", "on a miss half"),
        (),
        ("flavor It hums",),
    ),
    Case("adventurers", "type Support; damage 2; effect A cry", ("type Support", "damage 2"), ("effect A cry",)),
    Case(
        "soulweaver",
        "kind trick; trigger move; it falls, and it sleeps",
        ("kind trick",),
        ("trigger move", "it falls, and it sleeps"),
    ),
)


@pytest.mark.parametrize("case", CASES)
def test_a_clause_is_done_whole_or_asked_whole(case: Case) -> None:
    found = read(case.system, case.source)
    assert (tuple(each.clause for each in found.does), found.asks, found.shows) == (case.does, case.asks, case.shows)


def test_what_is_asked_is_not_carried_out() -> None:
    blow = parse_ability("Blow", "range 3 in light; damage 2d6 unless undead; activation free")
    assert (damage(blow), spaces(blow, "range")) == (None, None)
    rolled = parse_ability("Blow", "range 3; damage 2d6; activation free; No roll if it is prone")
    assert rolled_as(rolled) == "volley"
    stone = read_ability(parse_ability("Blow", "cost 0; [Push 2]. Then [Burn]; [Stun] if wet, [Any Range] at night"))
    assert all(isinstance(effect, Left) for effect in stone.deed.always)
    assert not stone.any_range


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_example_of_a_template_asks_nothing_it_need_not(system: str) -> None:
    sheet = systems()[system].sheet
    asked = [clause for each in sheet.abilities for clause in reading_of(each, sheet).asks]
    assert asked == []


PLAIN = {
    "classic": "",
    "tactics": "phase battle; ",
    "adventurers": "type Attack; specialty Arm; ",
    "beacon": "activation FIGHT; reach 1; ",
    "soulweaver": "kind spell; ",
}
CHANGED = (
    "damage 2d6; the damage is doubled against undead",
    "damage 2d6; against undead, the damage is doubled",
    "damage 2d6; only if the target is bloodied",
    "On a hit, 2d6 damage. Undead take double damage",
    "On a hit, 2d6 damage. Constructs ignore this",
    "On a hit, 2d6 damage. This damage ignores resistance",
    "On a hit, 5 damage. On a critical hit, it is Stunned instead",
    "On a hit, 5 damage; 10 damage instead if the target is prone",
    "On a hit, the target is Stunned. This ends if it is healed",
    "On a hit, the target is Stunned. A creature can use its action to end it",
    "The target takes 5 damage. Armor does not help",
    "The target takes 5 damage. It bypasses resistance",
    "The target takes 5 damage. Undead are not affected",
    "The target takes 5 damage. A shield stops it",
    "damage 2d6; The target is Marked. Marked targets take half",
    "damage 2d6; roll three dice and keep two",
    "damage 2d6; delayed by one round",
    "damage 2d6; drop the lowest",
    "damage 2d6; count even dice",
    "damage 2d6; no use indoors",
    "damage 2d6; loses 1d6 for each use",
    "damage 2d6; It hurts undead",
    "damage 2d6; it's only an illusion",
    "damage 2d6; every second round",
    "damage 2d6; once the target has moved",
    "damage 2d6; shared among all targets",
    "damage 2d6; useless in water",
    "damage 2d6; jams on doubles",
    "damage 2d6; halved by cover",
    "damage 2d6; your friend takes it for you",
    "2d6 damage. Gone after the throw",
    "2d6 damage; two rolls, take the lower",
    "The target takes 5 damage. Or it is Prone",
    "The target takes 5 damage. Do this twice",
    "You regain 5 HP. If you are above half, you regain nothing",
    "5 damage; 3 if bloodied",
)
GOVERNED = (
    "Works only at night. 5 damage",
    "Usable only while bloodied; damage 2d6",
    "Requires a shield. 2d6 damage",
    "Undead only. 2d6 damage",
    "Choose one. 5 damage. The target is Prone",
    "You must be hidden. 5 damage",
    "You spend a spell slot; 5 damage",
    "The GM rolls secretly. 5 damage",
    "If the target is undead, it takes 5 damage. It is Prone",
    "When it rains for the third time, the target is Stunned. It takes 5 damage",
    "A turn later, the bomb explodes. Each creature within 10 feet takes 2d6 damage",
)
MISTAKEN = (
    "The target hits the ogre, and it takes 5 damage",
    "Your wolf bites. It takes 5 damage",
    "On a hit, a creature regains 1d6 HP",
    "On a hit, a creature takes 1d6 damage",
    "On a hit, one ally regains 5 HP",
    "On a hit, each ally regains 5 HP",
    "On a hit, take 5 damage",
    "Become Invisible",
    "5 damage or",
    "5 bonus damage",
)
_BRINGS = re.compile(r"\d damage|\bHP\b|\b(?:Stunned|Prone|Invisible)\b", re.IGNORECASE)


@pytest.mark.parametrize("system", PLAIN)
@pytest.mark.parametrize("text", [*CHANGED, *GOVERNED, *MISTAKEN])
def test_nothing_is_done_that_an_asked_sentence_changes_or_governs(text: str, system: str) -> None:
    reading = reading_of(parse_ability("Blow", PLAIN[system] + text), systems()[system].sheet)
    assert [done for done in reading.does if _BRINGS.search(done.says)] == []
    assert reading.asks


@pytest.mark.parametrize(
    "text",
    [
        "You glow.",
        "The target can't speak.",
        "The damage increases by 1d6 at 5th level.",
        "It hums in the dark.",
        "+2 against beasts",
        "two hands",
        "breaks on a natural 1",
        "When it is wet it smokes",
        "smoke everywhere",
    ],
)
def test_what_a_sentence_only_adds_to_is_done(text: str) -> None:
    reading = reading_of(parse_ability("Blow", f"The target takes 5 damage. {text}"), systems()["classic"].sheet)
    assert [done.says for done in reading.does] == ["5 damage"]
    assert reading.asks == (text,)


@pytest.mark.parametrize("quote", ['"Ha!"', "“Ha!”", "„Ha!“", '„Ha!"', "”Ha!”", "«Ha!»", "»Ha!«", "「Ha!」"])
def test_what_stands_in_quotes_of_any_language_is_shown(quote: str) -> None:
    reading = reading_of(parse_ability("Blow", f"5 damage. {quote}"), systems()["classic"].sheet)
    assert (reading.asks, reading.shows) == ((), (quote,))


def test_brackets_beside_a_quote_are_not_shown() -> None:
    reading = reading_of(parse_ability("Blow", "card offensive; “Gotcha” [Push 9]"), systems()["stones"].sheet)
    assert (reading.asks, reading.shows) == (("“Gotcha” [Push 9]",), ())
