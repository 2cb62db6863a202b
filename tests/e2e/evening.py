"""A newcomer at the page, who follows what it points out: be the one it waits for, press, choose, answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.hands import Mouse
from tests.e2e.page.chromium import Page, PageError

MOST_PRESSES = 120
ROUND = re.compile(r"\b[Rr]ound (\d+)")
REFUSAL = re.compile(r"^(?:APP \S+ [AP]M\s+)?[A-Z]+-\d+ ")  # with the head of a message whose author was not the last
AHEAD = "Ahead"  # the panel's menu of orders: nobody is asked for one
MENU = "What to do?"  # the panel's menu of whole actions: for what has no button
NAMED = re.compile(r" \((.+)\)$")  # whose button it is, on a prompt for several
# Said of an answer that the prompt still offers, to be changed.
SEALED = ("you can still change it", "you can change it")
DECIDE = "Decide for "  # the one who presses another's button is asked, and presses it no more
LAST = ".message:last-child"
PROMPT = "[data-prompt]"
FORM = "#form-fields :is(input, textarea)"
LOOK = f"""(() => {{
    const labels = (node, kind) =>
        [...node?.querySelectorAll(kind) ?? []].filter((n) => !n.disabled).map((n) => n.innerText.trim());
    const all = [...document.querySelectorAll('.message')];
    const prompt = all.findLast((n) => !n.classList.contains('private') && labels(n, 'button').includes('My turn'));
    document.querySelectorAll('[data-prompt]').forEach((n) => n.removeAttribute('data-prompt'));
    prompt?.setAttribute('data-prompt', '');
    const last = all.at(-1);
    return {{
        me: document.querySelector('.person[aria-checked=true]')?.dataset.person,
        be: labels(document, '#waits [data-be]'),
        mine: Boolean(document.getElementById('waits-show')),
        round: prompt?.innerText ?? '',
        buttons: labels(prompt, '.row .button'),
        last: last?.dataset.id ?? null,
        hidden: last?.classList.contains('private'),
        words: last?.querySelector('.body').innerText.split('\\n').slice(1).join(' ').trim() ?? '',
        panel: labels(last, '.row .button'),
        choice: last?.querySelector('.choice-button:not(:disabled)')?.innerText.split('\\n')[0] ?? '',
        listed: [...last?.querySelectorAll('[role=option] .option-text > span') ?? []].map((n) => n.textContent),
        form: document.getElementById('form').open
            ? [...document.querySelectorAll('{FORM}')].map((n) => n.labels[0].innerText) : null,
        toast: document.getElementById('toasts').innerText,
        count: all.length,
    }}; }})()"""


@dataclass(frozen=True)
class Plan:
    """What a newcomer presses in a system.

    `prefer` are the beginnings of labels, the dearest first; those in `once` are pressed once a round by each person.
    `selected` and `written` say what is selected in a list and written into a field, by the beginning of its label;
    what is not named takes the first choice and stays empty. `own` has each person's combatants. `refusals` is how
    often the rules may say no, since a prompt's buttons know nothing of hands.
    """

    prefer: tuple[str, ...]
    once: frozenset[str] = frozenset()
    selected: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    refusals: int = 0
    own: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def is_own(self, who: str, label: str) -> bool:
        """Tell whether a button is somebody's to press: those that name another one's character are not."""
        name = NAMED.search(label)
        return name is None or who not in self.own or name[1] in self.own[who]


class Evening:
    """`settled` waits until the referee has said everything, and the page shows it."""

    def __init__(self, page: Page, hands: Mouse, plan: Plan, settled: Callable[[], Awaitable[None]]) -> None:
        self.page = page
        self.hands = hands
        self.plan = plan
        self.settled = settled
        self.told: list[str] = []
        self.refused: list[str] = []
        self._done: set[tuple[int, str, str]] = set()
        self._sealed: dict[tuple[str, ...], set[str]] = {}
        self._pressed: tuple[int, str, str] | None = None

    async def until_round(self, wanted: int) -> None:
        """Play until a round begins. Raises: PageError, with what was done, if nothing leads there."""
        seen = await self._look()
        for _ in range(MOST_PRESSES):
            if _round(seen) >= wanted:
                return
            self._pressed = None
            await self._step(seen)
            seen = await self._answered(seen)
        raise self._lost("the round never ends")

    async def _look(self) -> dict[str, Any]:
        seen: dict[str, Any] = await self.page.run(LOOK)
        return seen

    async def _step(self, seen: dict[str, Any]) -> None:
        if seen["form"] is not None:
            await self._fill(seen)
        elif seen["mine"] and seen["hidden"] and seen["choice"] and not seen["choice"].startswith((AHEAD, MENU)):
            await self._choose(seen)
        elif seen["be"] and not self._has_more(seen):
            await self._be(seen["be"][0])
        elif seen["mine"]:
            await self._press(seen)
        elif seen["be"]:
            await self._be(seen["be"][0])
        else:
            raise self._lost("nobody is waited for")

    async def _be(self, who: str) -> None:
        """Act for another one; who has answered meanwhile is waited for no longer, and the next look shows that."""
        with suppress(PageError):
            await self.hands.use("#waits [data-be]", who, seconds=20)

    async def _fill(self, seen: dict[str, Any]) -> None:
        for at, label in enumerate(seen["form"]):
            text = next((text for start, text in self.plan.written.items() if label.startswith(start)), "")
            if text:
                await self.hands.write(f"#form-{at}", text)
        self._tell(seen, f"submits {seen['form']}")
        await self.hands.use("#form .form-foot button", "Submit")

    async def _choose(self, seen: dict[str, Any]) -> None:
        first = seen["listed"][0]
        wanted = next((text for start, text in self.plan.selected.items() if seen["choice"].startswith(start)), first)
        self._tell(seen, f"{seen['choice']}: {wanted} of {seen['listed']}")
        if wanted in seen["panel"]:
            await self.hands.use(f"{LAST} .row .button", wanted)
        else:
            await self.hands.choose(LAST, [wanted], seen["choice"])

    def _has_more(self, seen: dict[str, Any]) -> bool:
        """Tell whether somebody has more to press than the answers that they gave."""
        sealed = self._sealed.get((seen["me"], *seen["buttons"]))
        return sealed is None or any(
            label.startswith(start) and start not in sealed and (_round(seen), seen["me"], start) not in self._done
            for label in seen["buttons"]
            if self.plan.is_own(seen["me"], label)
            for start in self.plan.prefer
        )

    async def _press(self, seen: dict[str, Any]) -> None:
        panel = seen["panel"] if seen["hidden"] else []
        for within, every in ((LAST, panel), (PROMPT, seen["buttons"])):
            there = [label for label in every if self.plan.is_own(seen["me"], label)]
            for label in (*self.plan.prefer, "My turn"):
                found = next((each for each in there if each.startswith(label)), None)
                key = (_round(seen), seen["me"], label)
                if label == "My turn" and seen["hidden"] and seen["choice"].startswith(MENU):
                    await self._choose(seen)
                    return
                is_sealed = label in self._sealed.get((seen["me"], *seen["buttons"]), ())
                if found is not None and key not in self._done and not is_sealed:
                    self._pressed = key
                    if label in self.plan.once:
                        self._done.add(key)
                    self._tell(seen, f"presses {found} of {there}")
                    await self.hands.use(f"{within} .row .button", found)
                    return
        raise self._lost(f"{seen['me']} finds nothing to press among {panel} and {seen['buttons']}")

    async def _answered(self, before: dict[str, Any]) -> dict[str, Any]:
        """Return what the page shows once nothing is under way any more."""
        await self.settled()
        seen = await self._look()
        if seen == before:
            raise self._lost("nothing came of it")
        if seen["toast"]:
            raise self._lost(seen["toast"])
        if seen["last"] != before["last"]:
            self.told.append(f"    {seen['words'][:160]}")
            is_given = any(words in seen["words"] for words in SEALED)
            is_anothers = any(label.startswith(DECIDE) for label in seen["panel"])
            if seen["hidden"] and self._pressed is not None and (is_given or is_anothers):
                self._sealed.setdefault((seen["me"], *seen["buttons"]), set()).add(self._pressed[2])
            if seen["hidden"] and REFUSAL.match(seen["words"]) and self._pressed is not None:
                self.refused.append(seen["words"])
                self._done.add(self._pressed)
        return seen

    def _tell(self, seen: dict[str, Any], what: str) -> None:
        self.told.append(f"{seen['me']} {what}")

    def _lost(self, why: str) -> PageError:
        return PageError(f"{why}, after:\n" + "\n".join(self.told[-24:]))


def _round(seen: dict[str, Any]) -> int:
    found = ROUND.search(seen["round"])
    return int(found[1]) if found else 0
