"""Carrying out what a kit says: dice, pools, conditions and sentences, within the limits of one command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rules.core.blow import Shove
from rules.core.blows.moving import carry_move
from rules.core.board.fog import look_from, tell_way
from rules.core.conditions import add_condition, drop_condition, end_condition
from rules.core.reach.bumps import halted
from rules.core.reach.free_moves import spare
from rules.core.registry import system_of
from rules.core.seen.lines import Dice as DiceText
from rules.core.seen.lines import Shown
from rules.core.seen.pools import readers_of_pool, readers_of_shared
from rules.core.space.typed_paths import typed_path
from rules.core.step import Step
from rules.core.values import THE_GM, Ability, Combatant, Condition, Pool, Ticks
from rules.errors import Illegal, Refusal
from rules.kits.compiled import Deed, Kit, PoolSpec
from rules.kits.sentences import Sentence
from rules.kits.texts import DiceText as Written
from rules.systems.kit.checks import roll, roll_check
from rules.systems.kit.numbers import Scene, find_number, holds, number_of, people, points_of
from rules.systems.kit.part import founder_of
from rules.systems.kit.state import KitState, Place, put_under_way, seen_now, set_place

MOST_SENTENCES = 200
ANSWERS = ("stopped", "rerolled", "halved", "aimed", "harder", "easier", "less", "more", "helped", "hindered")
SPARED_DICE = 200  # of the thousand of a command: what nobody does leaves them to the one who acts


class Play:
    """One command of an encounter that plays a kit. What a `when` does starts no other, but for a pool at 0."""

    def __init__(self, step: Step[KitState]) -> None:
        self.step = step
        self.rounds = 0  # that have opened by themselves
        self.turns = 0  # that have begun by themselves, or have come to nobody
        self.judged: tuple[Combatant, ...] | None = None  # among whom the sides were counted last
        self.sentences = 0  # carried out: one command has so many at most
        self.ends: set[str] = set()  # of turn, phase and round: what a sentence has ended
        self.by_itself = 0  # sentences that nobody's action brought, since one was last carried out
        self.hurt: dict[str, None] = {}  # who has lost of what puts them out, since somebody was last asked
        self.dealt = 0  # what sentences have taken of pools, for the present target
        self.moved: dict[str, tuple[str, str]] = {}  # from which cell to which
        self._lying: dict[str, int] = {}  # totals of dice, by their text and how often it was thrown
        self._thrown = Counter[str]()
        self._happened: set[tuple[str, str]] = set()
        self._inside = False

    @property
    def state(self) -> KitState:
        return self.step.state

    @property
    def kit(self) -> Kit:
        return self.step.state.kit

    # Dice

    def number(self, text: Written, scene: Scene, purpose: str) -> tuple[int, DiceText | None]:
        """Return what a number comes to, and the roll where dice fell; less than 0 counts as 0."""
        found = None if text.rolls else find_number(seen_now(self.state), text, scene)
        if found is not None:
            return max(0, found), None
        self._thrown[text.source] += 1
        key = f"{text.source} {self._thrown[text.source]}"
        if key in self._lying:
            return self._lying[key], None
        total, words, faces = roll(self.step, text, scene, purpose, is_amount=True)
        self._lying[key] = max(0, total)
        return max(0, total), words if faces else None

    @contextmanager
    def lying(self, saved: Mapping[str, int]) -> Iterator[dict[str, int]]:
        """Let the dice of a strike lie that fell before, and keep those that fall."""
        self._lying = dict(saved)
        self._thrown.clear()
        try:
            yield self._lying
        finally:
            self._lying = {}

    def damage(self, deed: Deed, scene: Scene) -> int:
        """Roll the damage of an action or a reaction, and tell it; 0 if it has none."""
        if deed.damage is None:
            return 0
        total, words = self.number(deed.damage, scene, "damage")
        self.step.tell("{who}, {action}: {roll}.", who=scene.who, action=deed.label.lower(), roll=words or str(total))
        return total

    # Pools

    def refill(self, who: str, moment: str, gives: dict[str, int] | None = None) -> None:
        """Bring the pools that refill at a moment back to their start, or to what the phase gives."""
        for spec in self.kit.pools.values():
            if spec.of != "each" or (spec.refill != moment and spec.name not in (gives or {})):
                continue
            start = (gives or {}).get(spec.name)
            pool = self.state.combatant(who).pools.get(spec.name)
            now = 0 if pool is None else pool.now
            with self.within_limits(f"{who}'s {spec.name}"):
                now = self.number(spec.start, Scene(who), spec.name)[0] if start is None else start
            if pool is None or pool.now != now:
                top = None if pool is None else pool.top
                self.step.put_pool(who, spec.name, Pool(now=now if top is None else min(now, top), top=top))

    def set_pool(self, who: str, name: str, now: int, roll: DiceText | None = None, *, shown: Shown = "line") -> int:
        """Set a combatant's pool, tell it, and let happen what follows; return how much was taken."""
        spec = self.kit.pools[name]
        pool = self.state.combatant(who).pools.get(name)
        if pool is None:
            pool = Pool(now=0, top=top_of(self.state, spec, who))
            self.step.put_pool(who, name, pool)
        before, after = self.step.set_pool(who, name, now)
        self.step.tell(
            "{who}: {change}" + (" ({roll})." if roll is not None else "."),
            who=who,
            change=self.step.pool_fact(who, name, before, after),
            roll=roll,
            seen_by=readers_of_pool(self.state, who, name),
            shown=shown,
        )
        self.changed(who, name, before, after)
        return max(0, before - after)

    def changed(self, who: str, name: str, before: int, after: int) -> None:
        """Let happen what hangs on a pool that has changed."""
        pool = self.state.combatant(who).pools.get(name)
        if after < before and name in self.kit.out_pools:
            self.hurt[who] = None
        if after < before:
            self.when(f"{name}-loss", who, dealt=before - after)
        if after == 0 and before > 0:
            self.when(f"{name}-zero", who)
        if pool is not None and after == pool.top and before < after:
            self.when(f"{name}-full", who)

    def set_shared(self, side: str | None, name: str, now: int, roll: DiceText | None = None) -> None:
        """Set a pool of the table or of a side, and tell it."""
        self.have_shared(side, name)
        before, after = self.step.set_shared_pool(side, name, now)
        if before != after or roll is not None:
            self.step.tell(
                "{whose}: {change}" + (" ({roll})." if roll is not None else "."),
                whose="The table" if side is None else side,
                change=f"{name} {before} → {after}",
                roll=roll,
                seen_by=readers_of_shared(self.state, side, name),
            )
        if after == 0 and before > 0:
            self.when(f"{name}-zero", "")
        if after < before:
            self.when(f"{name}-loss", "")
        if after == self.shared(side)[name].top and before < after:
            self.when(f"{name}-full", "")

    def shared(self, side: str | None) -> Mapping[str, Pool]:
        """Return the pools of the table (None) or of a side."""
        return self.state.table_pools if side is None else self.state.side_pools.get(side, {})

    def take_off(self, who: str, name: str, amount: int) -> None:
        """Let somebody pay points of theirs, of their side or of the table. The button has said so already."""
        of = self.kit.pools[name].of
        if of == "each":
            shown: Shown = "line" if name in self.kit.out_pools else "log"
            self.set_pool(who, name, points_of(self.state, who, name) - amount, shown=shown)
            return
        side = self.state.combatant(who).side if of == "side" else None
        self.set_shared(side, name, self.have_shared(side, name) - amount)

    def have_shared(self, side: str | None, name: str) -> int:
        """Put a pool that there is not yet at its start; return what it holds."""
        if name not in self.shared(side):
            spec = self.kit.pools[name]
            now = 0
            with self.within_limits(name):
                now, _ = self.number(spec.start, Scene(), name)
            self.step.put_shared_pool(side, name, Pool(now=now, top=top_of(self.state, spec, "", now)))
        return self.shared(side)[name].now

    # Moments

    def when(self, moment: str, who: str, dealt: int = 0) -> None:
        """Carry out what a kit says of a moment, once for each it happens to."""
        sentences = self.kit.when.get(moment)
        if not sentences or (moment, who) in self._happened or (self._inside and not moment.endswith("-zero")):
            return
        self._happened.add((moment, who))
        before, self._inside = self._inside, True
        self.happen(sentences, Scene(who, dealt=dealt))
        self._inside = before

    def forget_moments(self) -> None:
        """Begin a new moment: what has happened may happen again."""
        self._happened.clear()

    # Sentences

    def run(self, sentences: tuple[Sentence, ...], scene: Scene) -> None:
        """Carry out sentences in their order."""
        for sentence in sentences:
            self.say_one(sentence, scene._replace(dealt=self.dealt))

    def happen(self, sentences: tuple[Sentence, ...], scene: Scene) -> None:
        """Carry out what nobody does: it may hold no table up, so what is too much is told and left to the GM."""
        for sentence in sentences:
            before = self.sentences
            with self.within_limits(sentence.source):
                self.say_one(sentence, scene)
            self.by_itself += max(1, self.sentences - before)

    @contextmanager
    def within_limits(self, what: str) -> Iterator[None]:
        """Go on if something that happens by itself is refused, and tell it; some dice are spared for what follows."""
        self.step.dice.expression_dice += SPARED_DICE
        try:
            yield
        except Refusal:
            self.step.tell(
                "That is more than I carry out by myself, so the GM decides it: {what}.", what=what.rstrip(".")
            )
        finally:
            self.step.dice.expression_dice -= SPARED_DICE

    def say_one(self, sentence: Sentence, scene: Scene) -> None:
        self._count(1)
        if not all(holds(seen_now(self.state), comparison, scene) for comparison in sentence.only):
            return
        if sentence.unless is not None and self._makes(sentence.unless, scene):
            return
        if sentence.form in ("gains", "loses", "becomes"):
            self._pool(sentence, scene)
        elif sentence.form == "is":
            self._condition(sentence, scene)
        elif sentence.form == "moves":
            self._moves(sentence, scene)
        elif sentence.form == "pushed":
            self._pushed(sentence, scene)
        elif sentence.form == "acts":
            self._acts(sentence, scene)
        elif sentence.form == "ends" and sentence.name == "fight":
            self.step.change(over=sentence.words)
            self.step.tell("The fight ends: {words}.", words=sentence.words.rstrip("."))
        elif sentence.form == "ends":
            self.ends.add(sentence.name)
        elif sentence.form == "goes":
            self._goes_first(sentence, scene)
        elif sentence.form in ANSWERS:
            self._answer(sentence, scene)
        elif sentence.form == "say":
            self.step.tell("{words}", words=sentence.words)
        elif sentence.form == "decides":
            self.step.tell("The GM decides: {words}.", words=sentence.words.rstrip("."))
            self.step.ask(THE_GM, "decides", f"Decide: {sentence.words}", ("done",))

    def _count(self, sentences: int) -> None:
        """Count sentences that are carried out. Raises: Illegal beyond what one command may."""
        if self.sentences + sentences > MOST_SENTENCES:
            raise Illegal(
                f"One command can carry out {MOST_SENTENCES} sentences at most.",
                instead="Nothing has happened; try something smaller.",
            )
        self.sentences += sentences

    def _whom(self, sentence: Sentence, scene: Scene) -> tuple[str, ...]:
        """Return those a sentence is carried out on, in the order of joining: it counts once for each."""
        found = people(self.state, sentence.who, scene)
        self._count(max(0, len(found) - 1))
        return found

    def _answer(self, sentence: Sentence, scene: Scene) -> None:
        """Change what a reaction answers: its check, its edges, its damage, its target."""
        blow, form = self.state.under_way, sentence.form
        now = None if blow is None else blow.now
        if blow is None or now is None:
            return
        amount = 0 if sentence.number is None else self.number(sentence.number, scene, form)[0]
        damage, changes = now.damage or 0, dict[str, int | str]()
        if form in ("stopped", "rerolled"):
            changes |= {f"is_{form}": True, "keeps": sentence.words}
        elif form == "aimed":
            changes["target"] = scene.who
            self.step.tell("It is aimed at {who}.", who=scene.who)
        elif form in ("halved", "less", "more"):
            changed = {"halved": damage // 2, "less": damage - amount, "more": damage + amount}[form]
            changes["damage"] = max(0, changed)
            self.step.tell("{before} becomes {after}.", before=damage, after=max(0, changed))
        elif form in ("helped", "hindered"):
            more = amount if form == "helped" else -amount
            changes["edges"] = now.edges + more
            self.step.tell("Edges: {by}.", by=f"{more:+d}")
        else:
            changes["shift"] = now.shift + (amount if form == "easier" else -amount)
            self.step.tell("It is {how} by {amount}.", how=form, amount=amount)
        put_under_way(self.step, blow.with_strike(blow.at, **changes))

    def _makes(self, unless: tuple[str, str], scene: Scene) -> bool:
        """Roll the check of everybody that `unless` names; it counts as made if all make it."""
        who, check = unless
        named = people(self.state, who, scene)
        rolled = [
            roll_check(self.step, self.kit.checks[check], Scene(name, target=scene.who, source=scene.source)).succeeds
            for name in named
        ]
        return bool(rolled) and all(rolled)

    def _pool(self, sentence: Sentence, scene: Scene) -> None:
        assert sentence.number is not None  # noqa: S101 - the reader gives these forms one
        spec = self.kit.pools.get(sentence.name)
        if spec is not None and spec.of != "each":
            for side in self._sides_of(sentence.who, scene) if spec.of == "side" else (None,):
                amount, rolled = self.number(sentence.number, scene, sentence.name)
                now = self.have_shared(side, spec.name)
                self.set_shared(side, spec.name, _after(sentence.form, now, amount), rolled)
            return
        for who in self._whom(sentence, scene):
            amount, rolled = self.number(sentence.number, scene, sentence.name)
            if spec is None:
                self._special(sentence, who, amount)
                continue
            before = points_of(self.state, who, spec.name)
            if sentence.form != "becomes" and amount == 0 and rolled is None:
                continue
            self.dealt += self.set_pool(who, spec.name, _after(sentence.form, before, amount), rolled)

    def _sides_of(self, who: str, scene: Scene) -> tuple[str, ...]:
        if who == "side":
            own = self.state.find(scene.who)
            return () if own is None else (own.side,)
        return (who,)

    def _special(self, sentence: Sentence, who: str, amount: int) -> None:
        """Change the turns or tokens that somebody is owed, or the key or count of their place."""
        if sentence.name == "TURNS":
            owed = self.state.owed.get(who, 0)
            self.step.change(owed={**self.state.owed, who: _signed(sentence.form, owed, amount)})
            self.step.tell("{who}: turns {change}.", who=who, change=f"{owed:+d} → {self.state.owed[who]:+d}")
        elif sentence.name == "TOKENS":
            founder = founder_of(self.state, who)
            held = self.state.tokens_more.get(founder, 0)
            self.step.change(tokens_more={**self.state.tokens_more, founder: _signed(sentence.form, held, amount)})
            self.step.tell("{who}: tokens {change}.", who=who, change=f"{sentence.form} {amount}")
        elif sentence.name in ("KEY", "TICKS"):
            clocks = {phase.key.source for phase in self.kit.phases if phase.type == "clock"}
            for key, place in self.state.places.get(who, {}).items():
                if sentence.name == "TICKS" and key not in clocks:
                    continue
                after = _signed(sentence.form, place.key, amount)
                set_place(self.step, who, key, place.evolve(key=after))
                self.step.tell("{who}: place {before} → {after}.", who=who, before=place.key, after=after)

    def _condition(self, sentence: Sentence, scene: Scene) -> None:
        spec = self.kit.conditions[sentence.name]
        for who in self._whom(sentence, scene):
            conditions = [
                condition for condition in self.state.combatant(who).conditions if condition.name == spec.label
            ]
            if sentence.negated:
                for each in conditions:
                    end_condition(self.step, who, each)
                continue
            left = spec.lasts
            if sentence.number is not None:
                left = max(1, self.number(sentence.number, scene, spec.label)[0])
            for each in conditions:  # one has it or has it not: it begins anew, no matter who it is from
                drop_condition(self.step, who, each)
            ticks: Ticks | None = spec.ticks if left is not None or spec.save else None  # type: ignore[assignment] # the reader takes the core's five words
            add_condition(
                self.step,
                who,
                Condition(name=spec.label, source=scene.who or None, left=left, ticks=ticks, save=spec.save or None),
            )

    def _moves(self, sentence: Sentence, scene: Scene) -> None:
        """Move a token to the mover's cell; without a board it is told how far."""
        assert sentence.number is not None  # noqa: S101 - the kit was read: a move says how far
        for who in self._whom(sentence, scene):
            spaces, _ = self.number(sentence.number, scene, "moves")
            ground = system_of(self.state).ground(self.state, who)
            if ground is None or not scene.to:
                self.step.tell("{who} moves up to {spaces}.", who=who, spaces=spaces)
                continue
            path = typed_path(who, ground, scene.to, spaces, rule="KI-05")
            wanted = len(path.cells)
            path = halted(self.step, who, ground, path)
            if len(path.cells) < wanted:
                spare(self.step, who, spaces - path.cost)
            if not path.cells:
                continue
            self.moved[who] = (self.state.combatant(who).cell or path.names[-1], path.names[-1])
            tell_way(self.step, who, "{who} moves to {cell}.", path.names, cell=path.names[-1])
            look_from(self.step, who, path.names)
            self.step.change_combatant(who, cell=path.names[-1])

    def _pushed(self, sentence: Sentence, scene: Scene) -> None:
        """Move tokens straight away from the one who acts, or closer; nobody answers that."""
        assert sentence.number is not None  # noqa: S101 - the kit was read: a push says how far
        for who in self._whom(sentence, scene):
            spaces, _ = self.number(sentence.number, scene, "moves")
            effect = Shove(shoves="away" if sentence.name == "away" else "toward", far=str(spaces))
            if who != scene.who:
                carry_move(self.step, scene.who, Ability(name="push"), who, effect)

    def _acts(self, sentence: Sentence, scene: Scene) -> None:
        state = self.state
        if sentence.who in self.kit.sides or sentence.who == "side":
            for side in self._sides_of(sentence.who, scene):
                self.step.change(called_sides=tuple(dict.fromkeys((*state.called_sides, side))))
                self.step.tell("Next to act: {side}.", side=side)
            return
        for who in self._whom(sentence, scene):
            if sentence.name == "again":
                self.step.change(owed={**self.state.owed, who: self.state.owed.get(who, 0) + 1})
                self.step.tell("{who} acts again.", who=who)
            else:
                self.step.change(called=tuple(dict.fromkeys((*self.state.called, who))))
                self.step.tell("{who} acts next.", who=who)

    def _goes_first(self, sentence: Sentence, scene: Scene) -> None:
        """Put somebody before all others in this phase; if another one counts the other way, they are its last."""
        phase = self.kit.phases[self.state.phase_number]
        for who in self._whom(sentence, scene):
            held = [place.key for each in self.state.places.values() if (place := each.get(phase.key.source))]
            if held:
                lowest = (phase.best == "low") is not phase.reverse
                set_place(self.step, who, phase.key.source, Place(key=min(held) - 1 if lowest else max(held) + 1))
                self.step.tell("{who} goes first.", who=who)


def play_of(step: Step[KitState]) -> Play:
    """Return how a command goes on: the same to its end."""
    if step.own is None:
        step.own = Play(step)
    play: Play = step.own
    return play


def top_of(state: KitState, spec: PoolSpec, who: str, start: int = 0) -> int | None:
    """Return a pool's maximum: what the kit says, else its start if that is above 0 and nothing refills it."""
    if spec.most is not None:
        return max(0, number_of(state, spec.most, Scene(who)))
    return start if start > 0 and spec.refill == "no" else None


def _after(form: str, now: int, amount: int) -> int:
    return amount if form == "becomes" else now + amount if form == "gains" else now - amount


def _signed(form: str, now: int, amount: int) -> int:
    return max(-999, min(10**6, _after(form, now, amount)))
