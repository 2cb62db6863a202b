"""One rule for all labels: the longest names are shortened first; whose it is and the price stay (play 9)."""

from __future__ import annotations

import pytest

from bot.render.components import LABEL
from bot.render.phone import WIDE, button_label, packed, short_name

CULTIST, BOW = "Cultist of the Deep 12", "Bow of the Old Guard"


@pytest.mark.parametrize("who", ["", "Ogre of the Northern Gate 3"])
@pytest.mark.parametrize("price", ["", "1 MP", "your attacks at a disadvantage until the end of round 3"])
def test_a_label_keeps_its_target_whose_it_is_and_its_price(who: str, price: str) -> None:
    label = button_label(f"Attack {CULTIST} with {BOW}", [CULTIST, BOW], who=who, price=price)
    assert len(label) <= LABEL
    assert label.startswith("Attack Cult")
    assert " 12 with Bow" in label
    assert label.endswith(price.partition(" until ")[0])
    assert not who or " 3)" in label
    assert len(label) <= WIDE or who or "until" in price


def test_what_fits_is_left_as_it_is() -> None:
    assert button_label("Fire at Wolf 1", ["Wolf 1"], price="2 Stress") == "Fire at Wolf 1 · 2 Stress"


@pytest.mark.parametrize("most", range(9, 23))
def test_a_short_name_tells_creatures_of_a_kind_apart(most: int) -> None:
    short = [short_name(f"Cultist of the Deep {number}", most) for number in range(8, 13)]
    assert len({*short}) == len(short)
    assert all(len(each) <= max(most, 9) for each in short)


def test_words_without_names_are_cut_before_what_follows_them() -> None:
    label = button_label("x" * 100, who="Ana", end=" …", price="1 MP")
    assert len(label) == LABEL
    assert label.endswith(" (Ana) … · 1 MP")


def rows(*labels: str, beside: tuple[str, ...] = ()) -> list[list[str]]:
    buttons, fillers = ([{"label": label} for label in some] for some in (labels, beside))
    return [[each["label"] for each in row["components"]] for row in packed(buttons, fillers)]


def test_buttons_keep_their_order_on_a_phone_unless_that_costs_a_row() -> None:
    attack, move = "Attack Rhea with Claw, end turn", "Move and wait at the bridge"
    assert rows("My turn", attack, "End turn", beside=("Ahead", "Join")) == [
        ["My turn", "Ahead", "Join"], [attack], ["End turn"],
    ]  # fmt: skip
    assert rows("My turn", attack, "End turn", move, "Delay") == [["My turn", "End turn", "Delay"], [attack], [move]]
