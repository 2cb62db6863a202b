"""Every kind of message, from encounters that are really played: typed, pressed, selected and filled in.

Each system's own *Try it* script sets the table; then people press their way through turns. What the channel and the
people are shown is kept, one of each kind (a roll, a step, a question …) or a few if they differ.
"""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.discord.client import RefereeClient
from bot.discord_numbers import Component
from bot.local.tryit import scripts
from rules.core.encounter import Encounter
from rules.core.registry import system_of, systems
from tests.e2e.loopback import Answer, CannotSend, Seat, Shown, Table
from tests.e2e.referee import prompts, put_forward, quiet

GENERAL = "everywhere"
MOST_OF_A_KIND = 4
PROMPTS_KEPT = 5
TURNS = 14
CROWD = 10  # of each of three names
TAVERN = "tavern"

# As hard on a renderer as names can be: 32 characters, markdown, wide letters, pictures, letters from the right.
WORST = (
    "**__~~||Rhea||~~__** @here",
    "竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王竜王",
    "🧝‍♀️🧙‍♂️🧛🧟🐉🐲🦄🐙🦑🐺🐻🐼🐨🐯🦁🐮",
    "محمد بن عبد الله بن المطلب الهاش",
    "_[Ogre](http://a.example) # *_*_",
    "1. - > @here \\\\\\\\ <t:1:R>",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
)
_NAMED = re.compile(r"^/(?:character add|gm add|init add) name:(.+?)(?= (?:sheet|dice|system|count|side|bonus):|$)")


@dataclass
class Kept:
    """One message (or form) as somebody saw it. `note` says what led to it."""

    kind: str
    note: str
    content: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    files: list[tuple[str, bytes, str]] = field(default_factory=list)
    form: dict[str, Any] | None = None
    private: bool = False

    @property
    def json(self) -> dict[str, Any]:
        return {"content": self.content, "embeds": self.embeds, "components": self.components}


class Album:
    """What was seen, by kind; a kind that has been seen often enough is not kept again."""

    def __init__(self) -> None:
        self.kept: list[Kept] = []
        self._shapes: set[tuple[str, ...]] = set()
        self._count: Counter[str] = Counter()

    def keep(self, kind: str, note: str, shown: Shown | Answer | None) -> None:
        if shown is None:
            return
        if isinstance(shown, Answer):
            renewed = shown.original  # the message that carries the button, if a press was answered by its edit
            own = [each for each in shown.messages if renewed is None or each.id != renewed.id]
            for each in [*([] if renewed is None else [renewed]), *own]:
                self.keep(kind, note, each)
            return
        message = shown.message
        files = [(each.filename, each.content, each.description or "") for each in message.attachments]
        kept = Kept(
            kind,
            note,
            message.content,
            copy.deepcopy(list(message.embeds)),
            copy.deepcopy(list(message.components)),
            files,
            private=shown.ephemeral,
        )
        self._add(kept)

    def keep_form(self, note: str, form: dict[str, Any]) -> None:
        self._add(Kept("form", note, form=copy.deepcopy(form), private=True))

    def _add(self, kept: Kept) -> None:
        most = PROMPTS_KEPT if kept.kind in ("prompt", "question") else MOST_OF_A_KIND
        shape = (kept.kind, re.sub(r"\W|\d", "", kept.content)[:60], str(len(kept.components)))
        if shape in self._shapes or self._count[kept.kind] >= most:
            return
        self._shapes.add(shape)
        self._count[kept.kind] += 1
        self.kept.append(kept)

    def kinds(self) -> set[str]:
        return {each.kind for each in self.kept}


class Scene:
    """One system's encounter at a local table; `worst` gives everybody the worst names and brings in a crowd."""

    def __init__(self, world: Table, client: RefereeClient, system: str, *, worst: bool, turns: int = TURNS) -> None:
        self.world = world
        self.client = client
        self.system = system
        self.worst = worst
        self.turns = turns
        self.album = Album()
        self.combatants = 0
        self.rng = random.Random(system)
        self.seats = {name: world.person(name) for name in ("Gwen", "Ana", "Bo", "Cai")}

    @property
    def gm(self) -> Seat:
        return self.seats["Gwen"]

    async def play(self) -> Album:
        await self._set_up()
        await self._refusals()
        for number in range(self.turns):
            if not await self._turn():
                break
            if number == 3:
                await self._rulings()
        await self._looks()
        await self._waits()
        await self._closing()
        return self.album

    # Setting up

    async def _set_up(self) -> None:
        script = next(each for each in scripts() if each.id == self.system)
        names = dict(zip(_names(line.text for line in script.lines), WORST, strict=False)) if self.worst else {}
        if self.worst:
            for name, display in (("Ana", "_Ana_ @everyone ||x||"), ("Bo", "بو 🐉 **Bo**")):
                self.seats[name].person.display = display
        for line in script.lines:
            text = line.text
            for name, worst in names.items():
                text = re.sub(rf"\b{name}\b", worst.replace("\\", "\\\\"), text)
            if text.endswith("begin"):
                if self.worst:
                    await self._crowd(script.lines, names)
                self.album.keep("gathering", "`/encounter show`", await self.gm.slash("/encounter show"))
            answer = await self.seats[line.who].slash(text)
            kind = "setting up" if not answer.ephemeral or "Next:" in answer.text else "saved"
            self.album.keep(kind, f"`{_shown(text)}`", answer)
        await quiet(self.world, self.client)
        state = self._state()
        self.combatants = 0 if state is None else len(state.combatants)
        self._keep_prompts("it begins")

    async def _crowd(self, lines: Any, names: dict[str, str]) -> None:
        """Bring in thirty more: copies of the last one that the GM added, else of anybody."""
        adds = [line.text for line in lines if line.text.startswith(("/gm add", "/init add"))]
        pattern = adds[-1] if adds else f"/gm add name:X sheet:{_sheet(lines)} side:North"
        for number in range(3):
            name = WORST[-1 - number]
            found = _NAMED.match(pattern)
            template = found is not None and " sheet:" not in pattern and pattern.startswith("/gm")
            called = names.get(found[1], found[1]) if template and found else name[: 29 - len(str(CROWD))].strip()
            text = re.sub(r"^(/\w+ add) name:.+?(?= \w+:|$)", lambda m: f"{m[1]} name:{called}", pattern)  # noqa: B023 - used at once
            text = re.sub(r" count:\d+", "", text) + f" count:{CROWD}"
            self.album.keep("setting up", "`/gm add … count:10`", await self.gm.slash(text))

    # Playing

    def _state(self) -> Encounter | None:
        room = self.client.tables.loaded(self.world.place(TAVERN).id)
        return None if room is None else room.encounter

    def _next(self) -> tuple[Seat, str] | None:
        """Return who acts next, and their actor."""
        state = self._state()
        if state is None or state.status != "running" or state.over is not None:
            return None
        waiting = system_of(state).waits_for(state)
        if not waiting:
            return None
        who = self.rng.choice(waiting)
        combatant = state.find(who)
        user = combatant.owner if combatant is not None else None
        if combatant is None:
            user = next((user for user, name in state.people.items() if name == who), None)
        seat = next((each for each in self.seats.values() if each.id == user), self.gm)
        return seat, who

    def _keep_prompts(self, note: str, kind: str | None = None) -> None:
        state = self._state()
        kind = kind or ("question" if state is not None and (state.questions or state.asks) else "prompt")
        for prompt in prompts(self.gm):
            self.album.keep(kind, note, prompt)

    async def _turn(self) -> bool:
        """Let somebody do one thing by buttons alone; False if the table waits for nobody."""
        found = self._next()
        alive = prompts(self.gm)
        if found is None or not alive:
            return False
        seat, who = found
        panel = await seat.press(alive[-1], "My turn")
        self.album.keep("my turn", f"*My turn*, pressed by {seat.name} for {who}", panel)
        pressed = await self._select(seat, panel, who)
        if pressed is None:
            command = system_of(state).timeout_action(state, who) if (state := self._state()) is not None else None
            if command is None:
                return False
            pressed = await seat.slash(f"/act action:{command.action} character:{who}")
        await self._go_on(seat, pressed)
        await quiet(self.world, self.client)
        self._keep_prompts("the next prompt")
        return True

    async def _select(self, seat: Seat, panel: Answer, who: str) -> Answer | None:
        """Press one of the panel's actions, or choose it in the select."""
        buttons = [
            each
            for each in panel.components
            if each["type"] == Component.BUTTON and each["custom_id"].partition("|")[0] in "ac"
        ]
        own = [each for each in buttons if each["custom_id"].split("|")[4:5] in ([who], [""], [])] or buttons
        if own:
            return await seat.press(panel, self.rng.choice(own)["custom_id"])
        menus = [each for each in panel.components if each["type"] == Component.SELECT]
        if menus:
            menu = self.rng.choice(menus)
            return await seat.select(panel, self.rng.choice(menu["options"])["value"], menu=menu["custom_id"])
        return None

    async def _go_on(self, seat: Seat, answer: Answer) -> None:
        """Answer selects and forms until the action is done."""
        for _ in range(8):
            if answer.modal is not None:
                self.album.keep_form(f"a form for {seat.name}", answer.modal)
                answer = await seat.submit(answer, {key: _typed(each) for key, each in _inputs(answer.modal)})
                continue
            shown = answer.original
            menus = (
                [] if shown is None else [each for each in shown.components if each.get("custom_id", "")[:2] == "c|"]
            )
            if shown is None or not shown.ephemeral or not menus:
                break
            self.album.keep("choice", f"what {seat.name} chooses next", shown)
            answer = await self._choose(seat, shown, menus)
        if answer.modal is not None:
            return
        shown = answer.original
        if shown is None:
            return
        kind = "refusal" if shown.ephemeral and shown.content.startswith("**") else "roll" if shown.embeds else "step"
        self.album.keep(kind, f"{seat.name} has done it", answer)

    async def _choose(self, seat: Seat, shown: Shown, menus: list[dict[str, Any]]) -> Answer:
        select = next((each for each in menus if each["type"] == Component.SELECT), None)
        if select is not None:
            values = [option["value"] for option in select["options"]]
            return await seat.select(shown, self.rng.choice(values), menu=select["custom_id"])
        return await seat.press(shown, menus[0]["custom_id"])

    # What is looked at

    async def _typed(self, kind: str, who: str, *lines: str) -> None:
        for line in lines:
            try:
                answer = await self.seats[who].slash(line)
            except CannotSend:
                continue
            self.album.keep(kind, f"{who} types `{_shown(line)}`", answer)

    async def _refusals(self) -> None:
        """Try every action as somebody who may not, and rulings by a player."""
        for action in list(systems()[self.system].actions.by_id)[:12]:
            for who in ("Ana", "Bo", "Cai"):
                answer = await self.seats[who].slash(f"/act action:{action}")
                if answer.ephemeral:
                    self.album.keep("refusal", f"{who} types `/act action:{action}`", answer)
                    break
                await quiet(self.world, self.client)
        await self._typed("refusal", "Ana", "/gm next-phase", "/encounter begin", "/rules search:no such rule")

    async def _rulings(self) -> None:
        state = self._state()
        if state is None or not state.names:
            return
        first, health = state.names[0], systems()[self.system].health
        await self._typed(
            "ruling",
            "Gwen",
            f"/gm damage target:{first} amount:1",
            f"/gm set target:{first} pool:{health} value:5/9",
            f"/gm note target:{first} text:Owes the innkeeper show:owner",
            f"/condition add target:{first} name:Slowed duration:2 ticks:bearer-end",
            f"/gm ask who:{first} dice:1d20+2 at_least:12 reason:Stealth",
        )
        await quiet(self.world, self.client)
        self._keep_prompts("a roll is asked for")
        for prompt in prompts(self.gm):
            rolls = [label for label in prompt.buttons if label.startswith("Roll ")]
            if rolls:
                owner = next((each for each in self.seats.values() if each.id == state.combatant(first).owner), self.gm)
                self.album.keep("roll", "what was asked for", await owner.press(prompt, rolls[0]))
        await quiet(self.world, self.client)

    async def _looks(self) -> None:
        await self._typed("list", "Ana", "/init list", "/condition list", "/encounter list", "/encounter options")
        await self._typed("list", "Ana", "/character list")
        await self._typed("my turn", "Ana", "/turn")
        await self._typed("hand", "Ana", "/hand show", "/deck show", "/deck discards")
        state = self._state()
        if state is not None and (state.board is not None or systems()[self.system].drawing.name):
            own = next((each.name for each in state.combatants if each.owner == self.seats["Ana"].id), state.names[0])
            await self._typed("picture", "Ana", "/board show", f"/board show target:{own}", "/board show text:True")
        for file in ("/encounter log", "/encounter log page:2", "/encounter log file:True", "/encounter export"):
            await self._typed("log", "Ana", file)
        await self._typed(
            "undo", "Gwen", "/encounter undo", "/encounter redo", "/encounter undo steps:2 reshuffle:False"
        )
        await quiet(self.world, self.client)

    async def _waits(self) -> None:
        """Let nobody act for some days: nudges, one to the GM, a skip, a digest; then what people set."""
        for then in ("gm", "skip"):
            await self._typed("reminders", "Gwen", f"/remind turns after:1h times:1 then:{then} digest:18:00")
            if not await self._turn():
                break
            await put_forward(self.world, self.client, 1.1)
            self._keep_prompts(f"nobody acted for an hour (then:{then})", kind="nudge")
            await put_forward(self.world, self.client, 1.1)
            self._keep_prompts(f"nor for another (then:{then})", kind="nudge")
        await put_forward(self.world, self.client, 24)
        for shown in self.gm.sees()[-8:]:
            if "the last digest" in shown.content:
                self.album.keep("digest", "once a day", shown)
        await self._typed("reminders", "Ana", "/remind me timezone:Europe/Berlin quiet:22:00-08:00, sat, sun")
        await self._typed("reminders", "Ana", "/remind away until:3d", "/remind list", "/remind back")
        await self._typed("reminders", "Gwen", "/remind turns after:soon", "/encounter list server:True", "/remind off")

    async def _closing(self) -> None:
        await self._typed("setting up", "Gwen", "/encounter options set:plain=on")
        await self.gm.slash("/encounter show")
        await quiet(self.world, self.client)
        for prompt in prompts(self.gm):
            self.album.keep("plain text", "the prompt with `plain=on`", prompt)
        await self._typed("plain text", "Ana", "/init list", "/turn")
        await self._typed("ending", "Gwen", "/encounter pause", "/encounter resume", "/encounter end")
        await self._typed("help", "Ana", f"/help topic:{self.system}", f"/help topic:{self.system} actions")
        await self._typed("help", "Ana", f"/help topic:{self.system} options", "/rules search:turn")


async def general(world: Table, client: RefereeClient) -> Album:
    """Return the messages that belong to no system: dice, help, what is stored."""
    scene = Scene(world, client, "classic", worst=False)
    await scene.gm.slash("/init start name:Ambush")
    typed = scene._typed
    await typed("roll", "Ana", "/roll dice:2d20kh1+5 reason:hit", "/roll dice:4d6kh3 times:3", "/roll dice:200d6")
    await typed("secret roll", "Ana", "/roll dice:1d20 show:gm reason:Stealth", "/roll dice:1d20 show:blind")
    await typed("secret roll", "Ana", "/roll dice:1d20 show:me")
    await typed("odds", "Ana", "/odds dice:2d6; 1d12; 1d8+2; 3d4 at_least:7", "/odds dice:1d6!")
    await typed("luck", "Gwen", "/luck who:@Ana")
    await typed("fair dice", "Ana", "/fair show", "/fair reveal")
    await typed("own things", "Ana", "/macro list", "/macro save name:Sword dice:1d20+5", "/character list")
    await typed("own things", "Ana", "/privacy export", "/privacy delete")
    for topic in ("newcomer", "player", "gm", "dice", "check"):
        await typed(f"help {topic}", "Ana", f"/help topic:{topic}")
    await typed("refusal", "Ana", "/roll dice:2d6+", "/roll dice:1001d6", "/help topic:weather", "/hand show")
    return scene.album


def _names(texts: Iterator[str] | Any) -> list[str]:
    found = [match[1] for text in texts if (match := _NAMED.match(text))]
    return list(dict.fromkeys(found))


def _sheet(lines: Any) -> str:
    match = next(found for line in lines if (found := re.search(r"sheet:(.+?)(?= system:|$)", line.text)))
    return match[1]


def _shown(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:88]}…"


def _inputs(form: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in form["components"]:
        for each in row.get("components") or [row["component"]]:
            yield each["custom_id"], each


def _typed(each: dict[str, Any]) -> str:
    """Return something that fits a text input: its hint's first choice, a number, a few words."""
    if each["custom_id"] == "amount":
        return "1"
    hint = each.get("placeholder", "").removeprefix("several with commas: ")
    if hint and not hint.startswith("from "):
        return re.split(r", | and | or ", hint)[0][:100]
    return "a few words"
