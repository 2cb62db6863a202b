"""Waits open and close with steps, undo and redo, as if each state had always known who it waits for."""

from __future__ import annotations

import random

from bot.waiting.waits import Armed, Moment, ReminderPlan, Wanted, applied, changed, root
from data.rows import OPEN, PAST, WaitRow
from rules.core.encounter import Encounter

STATE = Encounter(id="e", channel="1", system="classic", name="x")


def arm(_each: Wanted, now: float) -> Armed:
    return Armed(now + 100, ReminderPlan(after=100, every=100, times=3, then="gm"))


class Table:
    """A table that waits for letters: each step names them."""

    def __init__(self) -> None:
        self.rows: tuple[WaitRow, ...] = ()
        self.armings = 0
        self.seq = 0
        self.at = 0.0
        self.steps: list[tuple[int, str]] = []
        self.undone: list[tuple[int, str]] = []

    def _take(self, moment: Moment, letters: str) -> None:
        needs = tuple(Wanted("turn", f"t{letter}", letter) for letter in letters)
        found = changed(self.rows, self.armings, STATE, "1", moment, arm, needs)
        if found is not None:
            self.rows = applied(self.rows, found)
            self.armings = found.armings

    def _moment(self, **where: int) -> Moment:
        self.seq += 1
        self.at += 10
        return Moment(self.seq, self.at, f"{self.seq}", **where)

    def step(self, letters: str) -> None:
        moment = self._moment()
        self.steps.append((moment.seq, letters))
        self.undone.clear()
        self._take(moment, letters)

    def undo(self, count: int) -> None:
        back = [self.steps.pop() for _ in range(count)]
        self.undone = [*reversed(back), *self.undone]
        self._take(self._moment(first=back[-1][0]), self.steps[-1][1] if self.steps else "")

    def redo(self, count: int) -> None:
        again, self.undone = self.undone[:count], self.undone[count:]
        self.steps += again
        self._take(self._moment(last=again[-1][0]), self.steps[-1][1])

    def open(self) -> dict[str, WaitRow]:
        found = [row for row in self.rows if row.place == OPEN]
        assert len({row.who for row in found}) == len(found)
        return {row.who: row for row in found}


def test_somebody_who_stays_waited_for_keeps_their_time() -> None:
    table = Table()
    table.step("AB")
    due = table.open()["B"].due
    table.step("B")
    assert set(table.open()) == {"B"}
    assert table.open()["B"].due == due


def test_undo_opens_a_wait_again_with_its_time_and_a_new_arming() -> None:
    table = Table()
    table.step("A")
    first = table.open()["A"]
    table.step("B")
    table.undo(1)
    again = table.open()["A"]
    assert (again.id, again.since, again.due) == (first.id, first.since, first.due)
    assert again.number > first.number
    table.redo(1)
    assert set(table.open()) == {"B"}


def test_what_fell_due_while_it_was_undone_is_counted_anew() -> None:
    table = Table()
    table.step("A")
    table.step("B")
    table.at += 1000
    table.undo(1)
    due = table.open()["A"].due
    assert due is not None
    assert due > table.at


def test_a_new_step_forgets_the_undone_ones() -> None:
    table = Table()
    table.step("A")
    table.step("B")
    table.undo(1)
    table.step("C")
    assert set(table.open()) == {"C"}
    assert {row.who for row in table.rows} == {"A", "C"}
    assert [row.place for row in table.rows if row.who == "A"] == [PAST]


def test_whatever_is_done_undone_and_redone_the_table_waits_for_those_of_its_state() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        table = Table()
        numbers: set[int] = set()
        for _ in range(40):
            kind = rng.random()
            if kind < 0.5 or not table.steps:
                table.step("".join(sorted(rng.sample("ABCDE", rng.randint(0, 3)))))
            elif kind < 0.8:
                table.undo(rng.randint(1, len(table.steps)))
            elif table.undone:
                table.redo(rng.randint(1, len(table.undone)))
            wanted = table.steps[-1][1] if table.steps else ""
            assert set(table.open()) == set(wanted), f"seed {seed}"
            fresh = {row.number for row in table.open().values()}
            assert all(number <= table.armings for number in fresh)
            numbers |= fresh


def test_timers_are_armed_in_the_name_of_the_person_behind_them() -> None:
    assert root("123") == "123"
    assert root("timer:123:4") == "123"
