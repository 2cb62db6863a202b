"""What a system leaves to the GM is refused with a ruling that it has. Rule: G-01."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rules.core import rulings
from rules.core.registry import systems
from rules.core.rulings import ByHand, Left, Rulings
from rules.errors import Illegal

STEP: Any = SimpleNamespace(state=None)
LEFT = ("turn", "skip", "next-phase", "order")


class Bare(Rulings[Any]):
    title = "Bare"


class Turning(Bare):
    by_hand = ByHand(turn=lambda _step, _who, _extra: None)


def ruling(system: Rulings[Any], verb: str) -> Any:
    return getattr(system.by_hand, verb.replace("-", "_"))


def advice(system: Rulings[Any], verb: str, monkeypatch: pytest.MonkeyPatch) -> str | None:
    monkeypatch.setattr(rulings, "rulebook", lambda _state: system)
    with pytest.raises(Illegal) as caught:
        ruling(system, verb)(STEP, "Ana")
    return caught.value.instead


@pytest.mark.parametrize("verb", LEFT)
def test_no_refused_ruling_sends_the_gm_to_another_that_is_refused(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert advice(Bare(), verb, monkeypatch) == "/gm note can do that."


def test_a_ruling_that_the_system_has_is_named_before_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    assert advice(Turning(), "next-phase", monkeypatch) == "/gm turn can do that."


@pytest.mark.parametrize("id_", sorted(systems()))
def test_every_system_has_the_ruling_that_it_names_instead(id_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system = systems()[id_]
    for verb in LEFT:
        if isinstance(ruling(system, verb), Left):
            named = (advice(system, verb, monkeypatch) or "").removeprefix("/gm ").removesuffix(" can do that.")
            assert not isinstance(ruling(system, named), Left), f"{id_}: {verb} → {named}"
