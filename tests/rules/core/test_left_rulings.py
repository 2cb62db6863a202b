"""What a system leaves to the GM is refused with a ruling that it has. Rule: G-01."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.core.registry import systems
from rules.core.rulings import Rulings
from rules.errors import Illegal

STEP: Any = None  # what is refused looks at no step
LEFT: tuple[tuple[str, Callable[[Rulings[Any]], None]], ...] = (
    ("turn", lambda system: system.rule_turn(STEP, "Ana")),
    ("skip", lambda system: system.rule_skip(STEP, "Ana")),
    ("next-phase", lambda system: system.rule_next_phase(STEP)),
    ("order", lambda system: system.rule_order(STEP, ("Ana",))),
)


class Bare(Rulings[Any]):
    title = "Bare"


class Turning(Bare):
    def rule_turn(self, step: Any, who: str, *, extra: bool = False) -> None:
        """Give the turn."""


def advice(system: Rulings[Any], refused: Callable[[Rulings[Any]], None]) -> str | None:
    with pytest.raises(Illegal) as caught:
        refused(system)
    return caught.value.instead


@pytest.mark.parametrize(("verb", "refused"), LEFT, ids=lambda each: each if isinstance(each, str) else "")
def test_no_refused_ruling_sends_the_gm_to_another_that_is_refused(
    verb: str, refused: Callable[[Rulings[Any]], None]
) -> None:
    assert advice(Bare(), refused) == "/gm note can do that."


def test_a_ruling_that_the_system_has_is_named_before_a_note() -> None:
    assert advice(Turning(), lambda system: system.rule_next_phase(STEP)) == "/gm turn can do that."


@pytest.mark.parametrize("id_", sorted(systems()))
def test_every_system_has_the_ruling_that_it_names_instead(id_: str) -> None:
    system = systems()[id_]
    for verb, refused in LEFT:
        own = f"rule_{verb.replace('-', '_')}"
        if getattr(type(system), own) is getattr(Rulings, own):
            named = (advice(system, refused) or "").removeprefix("/gm ").removesuffix(" can do that.")
            own = f"rule_{named.replace('-', '_')}"
            assert getattr(type(system), own) is not getattr(Rulings, own), f"{id_}: {verb} → {named}"
