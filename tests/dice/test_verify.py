"""Verification finds whatever was changed in an export, and nothing in a true one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice.decks import ELEMENTS, STONE_COUNTS, standard_deck, stones_deck
from rules.dice.roll import roll_expression
from rules.dice.source import (
    ALL,
    CHANNEL,
    DISCARDS,
    ENCOUNTER,
    NEW,
    REST,
    Deck,
    Dice,
    SeededFaces,
    Shuffle,
    commitment,
    records_json,
)
from rules.dice.verify import verify_export

SEED = bytes(range(32))
LATER = bytes(range(1, 33))
STONES = Deck(ENCOUNTER, NEW, "stones", ELEMENTS, STONE_COUNTS)
LIST = Deck(CHANNEL, NEW, "list")
Change = Callable[[dict[str, Any]], None]


class Channel:
    """A channel's log as the referee would write it after the reveal."""

    def __init__(self, seed: bytes = SEED) -> None:
        self.seed = seed
        self.rows: list[dict[str, Any]] = []

    def step(
        self, what: Callable[[Dice], object] | None, *, typed: tuple[int, ...] = (), hidden: bool = False, **row: Any
    ) -> None:
        seq = len(self.rows) + 1
        interaction = row.pop("interaction", str(10**18 + seq))
        dice = Dice(SeededFaces(self.seed, interaction), typed=typed)
        if what is not None:
            what(dice)
        command = row.pop("command", {"action": "roll"})
        before = [list(record.before) for record in dice.records if isinstance(record, Shuffle)]
        if before and row.pop("with_piles", True):
            command = command | {"piles": before}
        discards = [{"at": each.at, "pile": each.pile, "cards": list(each.cards)} for each in dice.discards]
        self.rows.append(
            {
                "seq": seq,
                "at": "2026-01-01T12:00:00Z",
                "by": "7",
                "interaction": interaction,
                "encounter": "1",
                "command": command,
                "dice": records_json(dice.records, may_see=lambda _: not hidden, revealed=True),
                "text": [],
                "undone": False,
                "ruling": False,
            }
            | ({"discards": discards} if discards else {})
            | row
        )

    def export(self) -> dict[str, Any]:
        fairness = [{"commitment": commitment(self.seed), "seed": self.seed.hex(), "from_seq": 1}]
        return {"format": 1, "channel": "5", "log": copy.deepcopy(self.rows), "fairness": fairness}


def a_game() -> dict[str, Any]:
    """A deck shuffled, drawn from, a draw undone and done again, rolls, a timer, a hidden and a physical die."""
    channel = Channel()
    pile: list[tuple[str, ...]] = []

    def shuffle(dice: Dice) -> None:
        pile.append(dice.shuffle(stones_deck(), STONES))
        dice.die(20)

    channel.step(None, command={"action": "begin"})
    channel.step(shuffle, command={"action": "begin"})
    channel.step(lambda dice: dice.drew(pile[0][:5], "7", ENCOUNTER), command={"action": "draw"}, undone=True)
    channel.step(None, command={"undo": [3]})
    channel.step(lambda dice: dice.drew(pile[0][:3], "8", ENCOUNTER), command={"action": "draw"})
    channel.step(lambda dice: roll_expression("4d6kh3 + 1d100", dice, who="Ayla"))
    channel.step(lambda dice: roll_expression("6d1000", dice), hidden=True)
    channel.step(lambda dice: dice.roll(3, 1000), typed=(17, 500))
    channel.step(lambda dice: dice.roll(2, 1000), interaction="timer:123:1", by=None)
    channel.step(lambda dice: dice.drew(pile[0][3:5], "8", ENCOUNTER), command={"action": "draw"})

    def rest(dice: Dice) -> None:
        dice.discarded(pile[0][2:4], ENCOUNTER)
        dice.drew(pile[0][5:], "8", ENCOUNTER)
        dice.discarded(pile[0][:1], ENCOUNTER)
        after = dice.shuffle((*pile[0][2:4], *pile[0][:1]), Deck(ENCOUNTER, DISCARDS))
        dice.drew(after[:2], "7", ENCOUNTER)

    channel.step(rest, command={"action": "draw"})
    return channel.export()


def test_a_true_export_has_no_fault() -> None:
    found = verify_export(a_game())
    assert found.faults == ()
    assert found.is_sound
    assert found.unproven == ()
    assert (found.rows, found.dice, found.physical, found.hidden) == (11, 9, 2, 6)
    assert (found.shuffles, found.draws) == (2, 5)
    assert found.summary.startswith("11 rows: 9 dice, 2 shuffles and 5 draws checked")


def entry(export: dict[str, Any], seq: int, at: int) -> dict[str, Any]:
    found: dict[str, Any] = export["log"][seq - 1]["dice"][at]
    return found


def swap(items: list[Any], one: int, other: int) -> None:
    items[one], items[other] = items[other], items[one]


def forge_new_deck(export: dict[str, Any]) -> None:
    """Change places of two cards so that the shuffle itself still follows from the seed."""
    forged = list(stones_deck())
    swap(forged, 0, 146)
    export["log"][1]["command"]["piles"] = [forged]
    entry(export, 2, 0)["cards"] = list(
        Dice(SeededFaces(SEED, export["log"][1]["interaction"])).shuffle(forged, STONES)
    )


CHANGES: dict[str, Change] = {
    "a face": lambda e: entry(e, 6, 4).update(face=entry(e, 6, 4)["face"] % 100 + 1),
    "a face that the die does not have": lambda e: entry(e, 6, 0).update(face=7),
    "a size": lambda e: entry(e, 6, 0).update(sides=8),
    "a hidden die's size": lambda e: e["log"][6]["dice"].insert(0, {"sides": 6, "face": 3}),
    "a die left out": lambda e: e["log"][1]["dice"].pop(0),
    "a die more": lambda e: e["log"][5]["dice"].insert(0, {"sides": 100, "face": 1}),
    "the order of dice": lambda e: swap(e["log"][5]["dice"], 0, 4),
    "a physical die made a drawn one": lambda e: entry(e, 8, 0).pop("physical"),
    "a drawn die made a physical one": lambda e: entry(e, 9, 0).update(physical=True),
    "a shuffle's order": lambda e: swap(entry(e, 2, 0)["cards"], 0, 40),
    "the order of discards": lambda e: swap(e["log"][10]["discards"][0]["cards"], 0, 1),
    "discards left out": lambda e: e["log"][10].pop("discards") and None,
    "a deck's elements": lambda e: swap(entry(e, 2, 0)["deck"]["elements"], 0, 1),
    "how many stones a deck has": lambda e: swap(entry(e, 2, 0)["deck"]["stones"], 0, 1),
    "an undone row that says it stands": lambda e: e["log"][2].update(undone=False),
    "a pile before a shuffle": lambda e: swap(e["log"][10]["command"]["piles"][0], 0, 1),
    "a new deck's order, with a pile to match": forge_new_deck,
    "a shuffle's size": lambda e: entry(e, 2, 0).update(shuffle=146),
    "a shuffle's card": lambda e: entry(e, 2, 0)["cards"].__setitem__(3, "Fire 9"),
    "a shuffle's cards left out": lambda e: entry(e, 2, 0).pop("cards") and None,
    "a draw's card": lambda e: entry(e, 5, 0)["cards"].__setitem__(0, "Light inf"),
    "a draw's number": lambda e: entry(e, 5, 0).update(draw=2),
    "a draw left out": lambda e: e["log"][4]["dice"].clear(),
    "a draw's cards left out": lambda e: entry(e, 5, 0).pop("cards") and None,
    "an interaction": lambda e: e["log"][8].update(interaction="timer:123:2"),
    "an interaction of a shuffle": lambda e: e["log"][1].update(interaction="1"),
    "no interaction": lambda e: e["log"][5].update(interaction=None),
    "a timer without its number": lambda e: e["log"][8].update(interaction="timer:123"),
    "the first row": lambda e: e["log"].pop(0) and None,
    "a row in the middle": lambda e: e["log"].pop(5) and None,
    "rows changed round": lambda e: swap(e["log"], 5, 6),
    "a row twice": lambda e: e["log"].insert(5, e["log"][5]),
    "the seed": lambda e: e["fairness"][0].update(seed=LATER.hex()),
    "the commitment": lambda e: e["fairness"][0].update(commitment=commitment(LATER)),
    "a later from_seq": lambda e: e["fairness"][0].update(from_seq=3),
    "the format": lambda e: e.update(format=2),
    "no fairness": lambda e: e.pop("fairness") and None,
    "no log": lambda e: e.pop("log") and None,
    "no dice": lambda e: e["log"][3].pop("dice") and None,
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_found(what: str) -> None:
    export = a_game()
    CHANGES[what](export)
    assert verify_export(export).faults, what


@given(st.data())
def test_any_changed_face_of_a_large_die_is_found(data: st.DataObject) -> None:
    channel = Channel()
    for _ in range(3):
        channel.step(lambda dice: dice.roll(3, 100))
    export = channel.export()
    at = entry(export, data.draw(st.integers(1, 3)), data.draw(st.integers(0, 2)))
    at["face"] = data.draw(st.integers(1, 100).filter(lambda face: face != at["face"]))
    assert len(verify_export(export).faults) == 1


def test_a_row_missing_before_the_next_seed_is_found() -> None:
    channel = Channel()
    for _ in range(3):
        channel.step(lambda dice: dice.roll(1, 6))
    export = channel.export()
    export["fairness"].append({"commitment": commitment(LATER), "seed": None, "from_seq": 4})
    assert verify_export(export).is_sound
    export["log"].pop()
    assert verify_export(export).faults == ("Row 3 is missing.",)


def test_each_row_is_checked_under_the_seed_of_its_time() -> None:
    channel = Channel()
    channel.step(lambda dice: dice.roll(4, 100))
    channel.seed = LATER
    channel.step(lambda dice: dice.roll(4, 100))
    export = channel.export()
    export["fairness"] = [
        {"commitment": commitment(SEED), "seed": SEED.hex(), "from_seq": 1},
        {"commitment": commitment(LATER), "seed": LATER.hex(), "from_seq": 2},
    ]
    assert verify_export(export).dice == 8
    assert verify_export(export).is_sound
    export["fairness"][1]["from_seq"] = 3
    assert not verify_export(export).is_sound


def test_rows_under_a_seed_that_is_not_revealed_are_counted_and_not_checked() -> None:
    export = a_game()
    export["fairness"][0]["seed"] = None
    for row in export["log"]:
        for die in row["dice"]:
            die.pop("cards", None)
    found = verify_export(export)
    assert found.is_sound
    assert found.dice == 0
    assert found.unrevealed_rows == 9
    assert "not public yet" in found.summary


def test_rows_of_one_interaction_share_its_stream() -> None:
    channel = Channel()
    dice = Dice(SeededFaces(SEED, "55"))
    first = [die.face for die in dice.roll(2, 100)]
    second = [die.face for die in dice.roll(2, 100)]
    for faces in (first, [], second):
        channel.step(None, interaction="55")
        channel.rows[-1]["dice"] = [{"sides": 100, "face": face} for face in faces]
    assert verify_export(channel.export()).faults == ()


@pytest.mark.parametrize("change", [{"interaction": "\ud800"}, {"dice": [{"draw": 1, "by": "\ud800", "cards": ["A"]}]}])
def test_half_a_character_is_a_fault_and_no_exception(change: dict[str, Any]) -> None:
    export = a_game()
    row = next(row for row in export["log"] if row["dice"])
    row |= change
    row["command"]["seal"] = "0" * 32
    assert any("half a character" in fault for fault in verify_export(export).faults)


def test_an_encounter_begins_later_and_may_leave_out_what_was_elsewhere() -> None:
    export = a_game() | {"system": "stones"}
    export["log"] = [row for row in export["log"] if row["seq"] in {2, 3, 4, 5, 8, 9, 10}]
    assert verify_export(export).faults == ("Rows 6 to 7 are missing.",)
    export["elsewhere"] = [[6, 7]]
    assert verify_export(export).faults == ()


def _playing(*, jokers: bool) -> Deck:
    return Deck(CHANNEL, NEW, "standard54" if jokers else "standard52")


@pytest.mark.parametrize("jokers", [False, True])
def test_playing_cards_are_known_without_the_pile_before(jokers: bool) -> None:
    channel = Channel()
    channel.step(lambda dice: dice.shuffle(standard_deck(jokers=jokers), _playing(jokers=jokers)), with_piles=False)
    export = channel.export()
    assert "piles" not in export["log"][0]["command"]
    assert verify_export(export).is_sound
    swap(entry(export, 1, 0)["cards"], 0, 1)
    assert verify_export(export).faults


def test_a_list_is_taken_as_its_row_gives_it_and_said_so() -> None:
    channel = Channel()
    channel.step(lambda dice: dice.shuffle(["Wolf", "Bear", "Owl"], LIST))
    found = verify_export(channel.export())
    assert (found.faults, found.unproven, found.own_decks) == ((), (), 1)
    assert "1 decks of the table's own" in found.summary


def test_playing_cards_in_another_order_are_no_fault_if_they_are_an_uploaded_list() -> None:
    for deck, is_sound in ((LIST, True), (_playing(jokers=False), False)):
        channel = Channel()
        turned = standard_deck(jokers=False)[::-1]
        channel.step(partial(Dice.shuffle, cards=turned, deck=deck))
        assert verify_export(channel.export()).is_sound == is_sound


def _without_facts(export: dict[str, Any]) -> dict[str, Any]:
    """Make an export what the bot wrote before rows said what deck was shuffled."""
    for row in export["log"]:
        row.pop("discards", None)
        for each in row["dice"]:
            each.pop("deck", None)
            each.pop("pile", None)
    return export


def _begun(elements: tuple[str, ...] = ELEMENTS, *swapped: int) -> Channel:
    channel = Channel()
    stones = list(stones_deck(elements))
    if swapped:
        swap(stones, *swapped)
    channel.step(None, command={"action": "encounter start", "options": "elements=Nothing+Is+Read+Here"})
    channel.step(lambda dice: dice.shuffle(stones, Deck(ENCOUNTER, NEW, "stones", elements, STONE_COUNTS)))
    return channel


def test_the_rows_own_elements_say_the_order_of_a_new_deck() -> None:
    own = ("Fire", "Wind", "Moss")
    assert verify_export(_begun(own).export()).is_sound
    assert verify_export(_begun(own, 0, 30).export()).faults
    assert verify_export(_begun(ELEMENTS, 0, 146).export()).faults


def test_a_row_without_its_deck_is_proven_as_far_as_that_goes() -> None:
    proven = verify_export(_without_facts(_begun().export()))
    assert (proven.faults, proven.unproven) == ((), ())
    own = verify_export(_without_facts(_begun(("Fire", "Wind", "Moss")).export()))
    assert own.is_sound
    assert len(own.unproven) == 1, "which element comes first, nobody can tell now"
    assert verify_export(_without_facts(_begun(("Fire", "Wind", "Moss"), 0, 30).export())).faults


def test_a_list_of_playing_cards_of_before_is_not_accused() -> None:
    channel = Channel()
    turned = standard_deck(jokers=False)[::-1]
    channel.step(lambda dice: dice.shuffle(turned, LIST), command={"action": "deck new", "count": 52})
    found = verify_export(_without_facts(channel.export()))
    assert (found.faults, found.own_decks) == ((), 1)


def test_a_reshuffle_of_before_is_named_as_not_proven() -> None:
    found = verify_export(_without_facts(a_game()))
    assert found.is_sound
    assert len(found.unproven) == 1
    assert "cannot be checked" in found.summary


def test_a_fact_that_is_taken_away_is_found_if_earlier_rows_have_theirs() -> None:
    export = a_game()
    entry(export, 11, 1).pop("deck")
    assert any("no longer says what deck" in fault for fault in verify_export(export).faults)


@pytest.mark.parametrize(("order", "stands"), [(REST, True), (ALL, True), (REST, False), (ALL, False)])
def test_a_pile_is_shuffled_in_the_order_of_its_deck(order: str, stands: bool) -> None:
    channel = Channel()
    pile: list[str] = []
    channel.step(lambda dice: pile.extend(dice.shuffle(standard_deck(jokers=False), _playing(jokers=False))))
    channel.step(lambda dice: dice.drew(pile[:2], "7", CHANNEL))
    channel.step(lambda dice: dice.discarded(pile[:1], CHANNEL))
    together = pile[2:] if order == REST else [*pile[2:], pile[0]]
    if stands:
        together.sort(key=standard_deck(jokers=False).index)
    channel.step(lambda dice: dice.shuffle(together, Deck(CHANNEL, order)))
    assert verify_export(channel.export()).is_sound == stands


def test_a_redo_brings_the_later_pile_back() -> None:
    channel = Channel()
    pile: list[str] = []
    channel.step(lambda dice: pile.extend(dice.shuffle(standard_deck(jokers=False), _playing(jokers=False))))
    channel.step(lambda dice: dice.drew(pile[:2], "7", CHANNEL))
    channel.step(None, command={"undo": [2]})
    channel.step(None, command={"redo": [2]})
    channel.step(lambda dice: dice.drew(pile[2:4], "7", CHANNEL))
    assert verify_export(channel.export()).faults == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ODD_ENTRY = st.dictionaries(
    st.sampled_from(["sides", "face", "shuffle", "draw", "cards", "physical"]), JSON, max_size=4
)
ODD_ROW = st.fixed_dictionaries(
    {},
    optional={
        "seq": st.integers(-1, 5) | JSON,
        "interaction": JSON,
        "encounter": JSON,
        "command": JSON | st.dictionaries(st.sampled_from(["undo", "redo", "piles", "action"]), JSON, max_size=3),
        "dice": st.lists(ODD_ENTRY, max_size=3) | JSON,
    },
)
ODD_SEED = st.fixed_dictionaries(
    {},
    optional={"commitment": JSON, "seed": JSON | st.just("ab" * 32), "from_seq": st.integers(-1, 4) | JSON},
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "format": st.just(1) | JSON,
            "system": JSON,
            "elsewhere": JSON,
            "log": st.lists(ODD_ROW, max_size=4) | JSON,
            "fairness": st.lists(ODD_SEED, max_size=2) | JSON,
        },
    )
    | JSON
)
def test_whatever_an_export_holds_the_answer_is_faults_and_no_exception(export: Any) -> None:
    found = verify_export(export)
    assert all(isinstance(fault, str) and len(fault) < 400 for fault in found.faults)
