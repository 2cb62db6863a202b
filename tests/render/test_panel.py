"""The private panel, and the way from an action to all that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import custom_ids
from bot.render.flow import Narrow, advanced, next_input, offer_at, read_form, read_selection
from bot.render.nudge import Happened, digest_message
from bot.render.panel import panel, read_action
from bot.render.payload import Form, Payload
from bot.render.words import markdown
from rules.core.offer import Offer, Param
from rules.core.values import Seat
from rules.core.views.view import HandSeen, View, my_actors, offers_for, view_of
from rules.core.views.whole import whole_actions
from tests.render.worst import NAMES, assert_form, assert_sendable, crowd
from tests.rules.table import Game

LONGEST = "enter-conflict"


def view_for(game: Game, seat: Seat) -> View:
    view = view_of(game.table, seat)
    assert view is not None
    return view


@pytest.fixture(scope="module")
def small() -> Game:
    game = Game()
    game.do("Ana", "join", result=15)
    game.do("Bo", "join", result=10)
    game.do("Gwen", "encounter begin")
    return game


def panel_of(game: Game, person: str, **given: Any) -> Payload:
    seat = game.seat(person)
    offers = {who: offers_for(game.table, who, seat) for who in my_actors(game.table, seat)}
    wholes = [whole for who in offers for whole in whole_actions(game.table, who, seat, offers[who])]
    since = [text for line in game.decisions[-1].lines if (text := markdown(line, seat))]
    payload = panel(view_for(game, seat), offers, 7, since, wholes=wholes, **given)
    assert_sendable(payload)
    return payload


def items(payload: Payload) -> list[dict[str, Any]]:
    return [item for row in payload.components for item in row["components"]]


def test_the_panel_says_whose_turn_it_is_what_happened_and_what_one_may_do(small: Game) -> None:
    payload = panel_of(small, "Ana", hand=HandSeen(count=3, cards=("Fire 2", "Earth 1", "Fire 2")))
    assert "It is Ana's turn." in payload.content
    assert "begins" in payload.content
    assert "Earth 1, 2x Fire 2" in payload.content
    assert [item["label"] for item in items(payload)] == ["End turn", "Delay", "Ready", "React"]


def test_out_of_turn_the_panel_offers_what_is_left(small: Game) -> None:
    payload = panel_of(small, "Bo")
    assert "The table waits for Ana." in payload.content
    assert [item["label"] for item in items(payload)] == ["React"]


def test_a_gm_with_a_crowd_gets_selects_and_pages() -> None:
    game = crowd(100)
    menus = [item for item in items(panel_of(game, "Gwen")) if "options" in item]
    assert len(menus) == 3, "one for each of the first who may act"
    assert menus[-1]["options"][-1]["label"] == "More …"
    leading_on = [each["label"] for menu in menus for each in menu["options"] if " …" in each["label"]]
    assert all(label.endswith(" …") for label in leading_on), "whose it is stands before it, as in *Ahead (Imp 7) …*"
    assert any(label.endswith(") …") for label in leading_on)
    first = panel_of(game, "Gwen", page=1)
    assert [each["label"] for each in items(first)[-2:]] == ["‹ Page 1", "Page 3 ›"]
    option = items(first)[0]["options"][0]
    action, who = read_action(option["value"])
    assert action in game.legal(who)
    last = panel_of(game, "Gwen", page=999)
    assert items(last)[-1]["label"].startswith("‹")


def test_tables_that_wait_are_listed_with_links(small: Game) -> None:
    view = view_for(small, Seat())
    payload = digest_message([Happened(view, 0, "", [("Ana", 5.0)], "https://discord.com/channels/1/2/3")] * 40)
    assert_sendable(payload)
    assert "https://discord.com/channels/1/2/3" in payload.content
    assert "Ana (since <t:5:R>)" in payload.content


# The flow


def walk(view: View, offer: Offer, want: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
    """Press and type as a person would until the action is complete; `want` are labels, or words to type."""
    params = {param.name: param for param in offer.params}
    asked = next_input(view, offer, 123456)
    for _ in range(200):
        if isinstance(asked, Form):
            assert_form(asked)
            parts = custom_ids.parse_id(asked.custom_id)
            assert parts is not None
            typed = {field.key: ", ".join(want.get(field.key, ())) for field in asked.fields}
            done = read_form(parts.parts, offer, typed)
            assert done is not None
            return done
        if not isinstance(asked, Payload):
            return asked
        assert_sendable(asked)
        found = items(asked)
        menu = found[0]
        pressed = custom_ids.parse_id(menu["custom_id"])
        assert pressed is not None
        assert pressed.parts[:2] == (offer.action, offer.who)
        before = read_selection(pressed.parts, offer)
        assert before is not None
        name = sorted((param for param in offer.params if param.choices), key=lambda each: each.many)[
            len(before.values)
        ].name
        wanted = list(want.get(name, ()))
        here = []
        for option in menu["options"]:
            label = wanted_label(params[name], option["value"])
            if label in wanted:
                wanted.remove(label)
                here.append(option["value"])
        done_button = next((item for item in found[1:] if item["label"].startswith("Done")), None)
        further = next((item for item in found[1:] if item["label"].endswith("›")), None)
        without = next((item for item in found[1:] if item["label"].startswith("Leave this out")), None)
        marked = [option["value"] for option in menu["options"] if option.get("default")]
        if here and marked != here:
            choice = read_selection(pressed.parts, offer, here)
        else:
            button = without if not want.get(name) else further or done_button
            assert button is not None
            parts = custom_ids.parse_id(button["custom_id"])
            assert parts is not None
            choice = read_selection(parts.parts, offer)
        assert choice is not None
        asked = next_input(view, offer, 123456, choice.values, page=choice.page, places=choice.places)
    raise AssertionError("the flow never ends")


def wanted_label(param: Param, value: str) -> str:
    return (param.choices or ())[int(value.partition(".")[0])]


def offer_of(*params: Param, action: str = LONGEST, who: str = "|" * 32) -> Offer:
    return Offer(action=action, who=who, label="Enter conflict", params=params)


def test_an_action_that_takes_nothing_is_complete(small: Game) -> None:
    assert next_input(view_for(small, Seat()), offer_of(), 1) == {}


def test_targets_weapon_and_words_are_asked_one_after_the_other(small: Game) -> None:
    offer = offer_of(
        Param(name="target", choices=("Ana", "Bo"), many=True),
        Param(name="using", choices=("Sword", "Bow")),
        Param(name="note", label="what you shout", required=False),
        who="Ana",
    )
    done = walk(view_for(small, Seat()), offer, {"target": ("Ana", "Bo"), "using": ("Bow",), "note": ("Ha!",)})
    assert done == {"target": "Ana, Bo", "using": "Bow", "note": "Ha!"}


def test_what_has_one_possible_value_is_not_asked(small: Game) -> None:
    offer = offer_of(Param(name="using", choices=("Sword",)), who="Ana")
    assert next_input(view_for(small, Seat()), offer, 1) == {"using": "Sword"}


def test_what_is_optional_can_be_left_out(small: Game) -> None:
    offer = offer_of(Param(name="using", choices=("Sword", "Bow"), required=False), who="Ana")
    assert walk(view_for(small, Seat()), offer, {}) == {}


def test_copies_of_a_card_can_be_selected_each(small: Game) -> None:
    view = view_for(small, Seat()).evolve(
        hands={small.users["Ana"]: HandSeen(count=3, cards=("Fire 2", "Fire 2", "Wind 1"))}
    )
    offer = offer_of(Param(name="cards", choices=("Fire 2", "Wind 1"), many=True, free=True), who="Ana")
    assert walk(view, offer, {"cards": ("Fire 2", "Fire 2")}) == {"cards": "2x Fire 2"}


def test_more_than_25_choices_are_pages_and_picks_stay(small: Game) -> None:
    names = tuple(f"Goblin {number}" for number in range(60))
    offer = offer_of(Param(name="target", choices=names, many=True), Param(name="note", required=False), who="Ana")
    wanted = ("Goblin 3", "Goblin 30", "Goblin 59")
    assert walk(view_for(small, Seat()), offer, {"target": wanted}) == {"target": ", ".join(wanted)}


def test_a_list_that_has_changed_is_noticed(small: Game) -> None:
    view = view_for(small, Seat())
    params = (Param(name="using", choices=("Sword", "Bow")), Param(name="target", choices=("Bo", "Cai")))
    asked = next_input(view, offer_of(*params, who="Ana"), 1, ("Bow",))
    assert isinstance(asked, Payload)
    parts = custom_ids.parse_id(items(asked)[0]["custom_id"])
    assert parts is not None
    changed = offer_of(Param(name="using", choices=("Axe", "Bow")), params[1], who="Ana")
    assert read_selection(parts.parts, changed, "0") is None
    again = read_selection(parts.parts, offer_of(*params, who="Ana"), "1")
    assert again is not None
    assert again.values == ("Bow", "Cai")


def test_a_number_says_its_bounds(small: Game) -> None:
    offer = offer_of(Param(name="amount", label="spaces", least=1, most=6), who="Ana")
    form = next_input(view_for(small, Seat()), offer, 1)
    assert isinstance(form, Form)
    assert form.fields[0].hint == "from 1 to 6"


CHOICES = st.lists(st.text("abcdefgh", min_size=1, max_size=4), min_size=1, max_size=120, unique=True).map(tuple)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_action_can_be_completed_with_the_longest_ids(small: Game, data: st.DataObject) -> None:
    view = view_for(small, Seat()).evolve(id="9" * 20)
    names = data.draw(st.lists(st.sampled_from(["target", "using", "cards", "to"]), unique=True, max_size=4))
    params = [
        Param(name=name, choices=data.draw(CHOICES), many=data.draw(st.booleans()), required=data.draw(st.booleans()))
        for name in names
    ]
    if data.draw(st.booleans()):
        params.append(Param(name="note", required=data.draw(st.booleans())))
    offer = offer_of(*params, who=data.draw(st.sampled_from([name[:32] for name in NAMES])))
    want: dict[str, tuple[str, ...]] = {}
    for param in params:
        choices = param.choices
        if choices is None:
            want[param.name] = ("words",)
        elif param.required or data.draw(st.booleans()):
            most = min(len(choices), 30) if param.many else 1
            wanted = data.draw(st.sets(st.sampled_from(choices), min_size=1, max_size=most))
            want[param.name] = tuple(choice for choice in choices if choice in wanted)
    done = walk(view, offer, want)
    assert done == {name: ", ".join(values) for name, values in want.items()}


def narrow_of(params: Mapping[str, tuple[Param, ...]]) -> Narrow:
    """Return how the choice of `using` narrows the rest."""
    return lambda given: params[given["using"]] if "using" in given else ()


def test_what_is_selected_narrows_what_is_asked_next(small: Game) -> None:
    view = view_for(small, Seat())
    using = Param(name="using", choices=("Sword", "Bow"))
    offer = offer_of(using, Param(name="target", choices=("Bo", "Cai", "Dee")), who="Ana")
    narrow = narrow_of(
        {
            "Sword": (using, Param(name="target", choices=("Bo",))),
            "Bow": (using, Param(name="target", choices=("Cai", "Dee"))),
        }
    )
    with_sword, selection = advanced(offer, ("Sword",), narrow)
    assert next_input(view, with_sword, 1, selection) == {"using": "Sword", "target": "Bo"}
    with_bow, selection = advanced(offer, ("Bow",), narrow)
    asked = next_input(view, with_bow, 1, selection)
    assert isinstance(asked, Payload)
    (menu,) = items(asked)
    assert [option["label"] for option in menu["options"]] == ["Cai", "Dee"]
    parts = custom_ids.parse_id(menu["custom_id"])
    assert parts is not None
    choice = read_selection(parts.parts, offer_at(offer, parts.parts[2], narrow), "1")
    assert choice is not None
    assert choice.values == ("Bow", "Dee")
    assert read_selection(parts.parts, offer, "1") is None  # another list than was shown


def test_what_would_be_wasted_is_shown_with_a_button_even_if_nothing_else_is_possible(small: Game) -> None:
    offer = offer_of(
        Param(name="cards", label="stones", choices=("Fire inf",), free=True, unsaid="It spends an infinite stone."),
        who="Ana",
    )
    asked = next_input(view_for(small, Seat()), offer, 1)
    assert isinstance(asked, Payload)
    assert "It spends an infinite stone." in asked.content
    (only,) = items(asked)
    assert only["label"] == "Fire inf"
    parts = custom_ids.parse_id(only["custom_id"])
    assert parts is not None
    choice = read_selection(parts.parts, offer)
    assert choice is not None
    assert next_input(view_for(small, Seat()), offer, 1, choice.values) == {"cards": "Fire inf"}


def test_the_only_and_implied_value_is_left_out_without_a_question(small: Game) -> None:
    cards = Param(name="cards", choices=("Fire 3",), required=False, free=True, implied="Fire 3")
    assert next_input(view_for(small, Seat()), offer_of(cards, who="Ana"), 1) == {}
    two = cards.evolve(choices=("Fire 3", "Fire 1, Fire 2"))
    asked = next_input(view_for(small, Seat()), offer_of(two, who="Ana"), 1)
    assert isinstance(asked, Payload)
    assert [item["label"] for item in items(asked)] == ["Fire 3", "Fire 1, Fire 2"]


def test_what_is_the_players_is_once_on_the_panel(small: Game) -> None:
    view = view_for(small, Seat())
    offers = {
        name: (
            Offer(action="activate", who=name, label="Activate"),
            Offer(action="end", who=name, label="End turn", player_wide=True),
        )
        for name in ("Ana", "Bo")
    }
    view = view.evolve(
        combatants={name: each._replace(player="7") for name, each in view.combatants.items() if name in offers}
    )
    payload = panel(view, offers, 1, page=1)
    assert [item["label"] for item in items(payload)] == ["Activate (Ana)", "Activate (Bo)", "End turn"]
