"""Whole rounds as a table plays them, a restart and an undo in the middle of a stack, and random play."""

from __future__ import annotations

import random

import pytest

from rules.core.registry import system_of
from rules.core.turns.fallen import is_out
from tests.rules.soulweaver.scene import Scene, gathering, running
from tests.rules.table import play_randomly

ABILITIES = (
    {"name": "Feint", "kind": "trick"},
    {"name": "Juggle", "kind": "trick"},
    {"name": "Guard", "kind": "stance"},
    {"name": "Crane", "kind": "stance"},
    {"name": "Dodge", "kind": "response"},
    {"name": "Blast", "fields": {"conflict": "yes"}},
)
OPTIONS = ("", "completing=go-on", "auto_pass=off", "npc_pools=hidden, completing=go-on")


def test_a_round_as_a_table_plays_it() -> None:
    scene = running(rounds=1, minor=2, abilities=ABILITIES)
    scene.users["Dee"] = "900"  # who looks on
    story: list[str] = []

    def act(who: str, action: str, **given: object) -> None:
        scene.act(who, action, **given)
        story.extend(scene.lines("Dee"))

    act("Ana", "wait")
    act("Bo", "stance", using="Guard")
    act("Bo", "effect", using="Ember", target="Cai", amount=2, note="minutes")
    act("Bo", "end")
    act("Ana", "act-now")
    act("Ana", "attack", target="Cai", note="Lunge")
    act("Soulweaver", "decline", note="stack")
    act("Cai", "react", using="Dodge")
    act("Ana", "decline", note="unless-me")
    act("Bo", "react", note="Trip", target="Dodge")
    act("Cai", "decline")
    act("Bo", "decline")
    act("Soulweaver", "go-on")
    act("Soulweaver", "go-on")
    act("Soulweaver", "miss")
    act("Ana", "end")
    act("Cai", "end")
    act("Soulweaver", "end")
    act("Bo", "minor", note="look")
    assert story == [
        "Ana waits, and can act after any other turn.",
        "Bo enters Conflict.",
        "Bo has Guard.",
        "Cai has Ember from Bo (2 left).",
        "Bo ends the turn.",
        "Ana acts now; that is the place in Priority from here on.",
        "Ana enters Conflict.",
        "Ana attacks Cai: Lunge.",
        "Cai reacts to Lunge: Dodge (Minor).",
        "Soulweaver does not react.",
        "Bo reacts to Dodge: Trip (Minor).",
        "Ana does not react.",
        "Cai, Bo do not react.",
        "Trip completes (Bo's reaction).",
        "Trip causes nothing more.",
        "Dodge completes (Cai's reaction).",
        "Dodge causes nothing more.",
        "Lunge completes: Ana against Cai; the GM says hit or miss.",
        "Ana against Cai: miss.",
        "Ana ends the turn.",
        "Cai ends the turn.",
        "Soulweaver ends the turn.",
        "Round 3.",
        "Ember on Cai: 1 left.",
        "Bo takes a Minor Action: look.",
    ]


def random_scene(seed: int) -> Scene:
    scene = gathering(
        options=OPTIONS[seed % len(OPTIONS)],
        minor=seed % 3,
        abilities=ABILITIES,
        sheet={"OPINION Bo": 2, "OPINION Ana": 8},
    )
    beast = {"name": "Beast", "owner": "100", "fields": {"POISE": 0}, "abilities": list(ABILITIES)}
    scene.do("Gwen", "gm add", name="Wolf", sheet="ZEAL 1, MINOR 1", document=beast, count=1 + seed % 2)
    scene.do("Gwen", "gm add", name="Lurker", sheet="ZEAL 1d6, MINOR 2", document=beast, hidden=True)
    scene.do("Gwen", "encounter begin")
    rng = random.Random(seed)
    for _ in range(rng.randint(0, 3)):
        who, of = rng.sample(scene.state.names, 2)
        scene.do("Gwen", "gm aware", who=who, of=of, yes=False)
    return scene


@pytest.mark.parametrize("seed", range(12))
def test_random_play_never_hangs_and_offers_agree_with_what_is_accepted(seed: int) -> None:
    scene = random_scene(seed)
    for part in range(4):
        play_randomly(scene, seed=seed * 10 + part, steps=15)
        names = scene.state.names
        if part == 1 and len(names) > 2:
            scene.do("Gwen", "gm remove", target=random.Random(seed).choice(names))
        if part == 2:
            late = {"name": "Late", "owner": "100", "abilities": list(ABILITIES)}
            scene.do("Gwen", "gm add", name="Late", sheet="ZEAL 9, MINOR 1", document=late)
        check(scene)


def check(scene: Scene) -> None:
    """Check what must hold at every moment."""
    state = scene.state
    assert set(state.priority) == set(state.names)
    assert scene.turn() or state.over  # the table always waits for somebody, until one side alone is left
    for question in state.questions:
        legal = scene.legal(question.who)
        assert question.silent or set(question.choices) <= set(legal) or "decline" in legal
        assert not is_out(state, question.who)
    deciding = [each.who for each in state.questions if each.about == "reaction"]
    assert len(deciding) == len(set(deciding))
    assert bool(deciding) is (state.stack.deciding and state.pause is None)
    for creature in state.combatants:
        assert sum(held.data.get("stance") is True for held in creature.conditions) <= 1
        for pool in creature.pools.values():
            assert 0 <= pool.now <= (pool.top or 0)
    for item in state.stack.items:
        assert len(set(item.reacted)) == len(item.reacted)


@pytest.mark.parametrize("seed", range(6))
def test_every_offer_of_others_in_public_terms_covers_what_they_may_do(seed: int) -> None:
    scene = random_scene(seed)
    rng = random.Random(seed)
    system = system_of(scene.state)
    for _ in range(10):
        play_randomly(scene, seed=rng.randrange(10**6), steps=3)
        for who in system.actors(scene.state):
            exact = {offer.action for offer in system.offers(scene.state, who)}
            public = {offer.action for offer in system.offers(scene.state, who, public=True)}
            assert exact <= public, (who, exact - public)
