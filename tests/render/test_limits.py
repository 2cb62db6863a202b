"""Whatever a renderer makes, and whatever is added to it afterwards: what is sent keeps every limit of Discord."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.discord_numbers import Component, Style
from bot.posting.messages import edited
from bot.render.components import button, line_with
from bot.render.payload import Attachment, Field, FileField, Form, Payload, as_text, beside, both, parted, text_of
from tests.limits.components import check_modal
from tests.limits.messages import check_message
from tests.limits.problems import Problems

# Lengths on both sides of each limit; marks, escapes and signs beyond the first plane among them.
WORST = ("x", "*", "\\", "||", "`", "<@1> ", "🧝", "a_b ", " ")
LENGTHS = (0, 1, 5, 44, 46, 79, 81, 99, 101, 149, 151, 255, 257, 1023, 1025, 1999, 2001, 2049, 4095, 4097, 6001)


@dataclass
class Worst:
    """Makes what no renderer makes yet, by chance."""

    rng: random.Random

    def text(self, least: int = 0) -> str:
        length = max(self.rng.choice(LENGTHS), least)
        return (self.rng.choice(WORST) * length)[:length]

    def some(self, *counts: int) -> range:
        return range(self.rng.choice(counts))

    def embed(self) -> dict[str, Any]:
        parts = {
            "title": self.text(),
            "footer": {"text": self.text()},
        }
        return {"description": self.text(1)} | {key: each for key, each in parts.items() if self.rng.random() < 0.5}

    def button(self, name: str) -> dict[str, Any]:
        end = self.rng.choice(("", "x" * 90, "x" * 101))
        return {"type": Component.BUTTON, "style": Style.SECONDARY, "label": self.text(1), "custom_id": f"{name}{end}"}

    def select(self, name: str) -> dict[str, Any]:
        values = [f"{self.rng.randrange(40)}".ljust(self.rng.choice((1, 99, 101)), "v") for _ in self.some(1, 25, 30)]
        options = [{"label": self.text(), "value": value, "description": self.text()} for value in values]
        most = self.rng.randint(1, 30)
        shown = {"placeholder": self.text(), "min_values": 1, "max_values": most}
        return {"type": Component.SELECT, "custom_id": name, "options": options, **shown}

    def row(self, name: str) -> dict[str, Any]:
        if self.rng.random() < 0.3:
            return {"type": Component.ROW, "components": [self.select(name)]}
        return {"type": Component.ROW, "components": [self.button(f"{name}-{place}") for place in self.some(1, 5, 7)]}

    def files(self) -> list[Attachment]:
        return [Attachment(f"{number}.txt", b"x", self.text()) for number in self.some(0, 1, 2, 10, 11, 23)]

    def payload(self, name: str) -> Payload:
        return Payload(
            content=self.text(1),
            embeds=[self.embed() for _ in self.some(0, 1, 3, 12)],
            components=[self.row(f"{name}{number}") for number in self.some(0, 1, 5, 7)],
            files=self.files(),
            mentions=tuple(str(each) for each in self.some(0, 1, 120)),
        )

    def form(self) -> Form:
        asked: list[Field | FileField] = [
            Field(f"k{number}", self.text(1), value=self.text(), hint=self.text()) for number in self.some(1, 5, 7)
        ]
        if self.rng.random() < 0.5:
            asked[0] = FileField("file", self.text(1), self.text())
        return Form("f", self.text(1), tuple(asked))


SEEDS = st.integers(0, 2**32)


def worst_of(seed: int) -> Worst:
    return Worst(random.Random(seed))


def faults(body: dict[str, Any], count: int) -> list[tuple[str, str, str]]:
    problems = Problems()
    check_message(body, problems, files=count)
    return problems.found


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_whatever_is_added_to_a_message_it_is_sent_within_every_limit(seed: int) -> None:
    worst = worst_of(seed)
    first = worst.payload("a")
    whole = both(first, worst.payload("b"))
    whole.files.append(Attachment("board.png", b"x", "x" * 1025))
    whole = beside(whole, [worst.button("more")])
    for each in (first, whole, as_text(whole), *parted(whole)):
        body = each.to_json()
        count = len(body["attachments"])
        assert faults(body, count) == []
        assert faults(text_of(body), count) == []
        assert faults(edited(each), count) == []


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_a_message_of_components_alone_is_sent_within_every_limit(seed: int) -> None:
    worst = worst_of(seed)
    message = worst.payload("a")
    message.files.append(Attachment("board.png", b"x", "x" * 1025))
    lines = [
        line_with(f"{number} " + "x" * 200, button(f"line {number}", worst.text(1)))
        for number in worst.some(0, 1, 5, 20)
    ]
    message.components = [*lines, *message.components]
    body = message.to_json(laid_out=True)
    assert faults(body, len(body["attachments"])) == []
    shown = [row["components"][0]["content"] for row in body["components"] if "accessory" in row]
    assert len(shown) == len(lines) or f" {len(lines) - len(shown)} " in shown[-1], "what finds no room is counted"


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_no_file_is_left_out(seed: int) -> None:
    some = worst_of(seed).files()
    parts = parted(Payload(content="x", files=some))
    assert [file.name for part in parts for file in part.files] == [file.name for file in some]
    assert all(len(part.to_json()["attachments"]) == len(part.files) for part in parts)


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_a_form_is_sent_within_every_limit(seed: int) -> None:
    problems = Problems()
    check_modal(worst_of(seed).form().to_json(), problems)
    assert problems.found == []
