"""A blow's stages here: who can answer is asked before the dice and after; boons and banes, ARMOR, Stress.

Rule: BE-10, BE-15, BE-16, BE-17, BE-24, BE-26.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from rules.core.blow import Blow, Check, Deed, Degree, Save, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows.opened import keep, open_blow
from rules.core.blows.todo import leave_clause
from rules.core.blows.verdicts import veiled
from rules.core.effects.bonuses import held_in, on_saves, sensitive
from rules.core.effects.distances import Distance
from rules.core.encounter import Encounter
from rules.core.model import without
from rules.core.reach import ranges
from rules.core.reach.vision import asks_sight, cover_number, cover_words
from rules.core.seen.lines import Dice, Fact, Veiled
from rules.core.step import GM_ONLY, Step
from rules.core.values import Ability, Combatant, Rolled
from rules.dice.reading import plus
from rules.errors import Illegal
from rules.systems.beacon import sheet
from rules.systems.beacon.attacks import banes, boons, dice_of, number_of, number_reached, numbered, spaces_of
from rules.systems.beacon.blows import IGNORES_ARMOR, IN_STRESS, deed_of, far_of
from rules.systems.beacon.harm import concentrate, harmer, note_limited, pay_fields, rolled, unaffordable
from rules.systems.beacon.reactions.chances import HITS, unavailable
from rules.systems.beacon.reactions.windows import ask
from rules.systems.beacon.sheet import is_weapon, tagged
from rules.systems.beacon.state import BeaconState, Movement, Slip, is_asked, note_event, put_under_way

CRITICAL = 20
_SENSITIVE: Mapping[str, Callable[[int], int]] = MappingProxyType(
    {"Immune": lambda _amount: 0, "Resistant": lambda amount: amount // 2, "Vulnerable": lambda amount: 2 * amount}
)


class BeaconBlows(BlowRules):
    """Rule: BE-10, BE-15, BE-16."""

    limit_rule = "BE-05"
    one_by_one: ClassVar[bool] = True
    adds_to: ClassVar[Mapping[str, str]] = MappingProxyType({IN_STRESS: sheet.STRESS})
    outcomes: ClassVar[Mapping[Degree, str]] = MappingProxyType(
        {"critical": "critical hit", "hit": "hit", "miss": "miss"}
    )

    def deed_of(self, ability: Ability) -> Deed:
        return deed_of(ability)

    def distance_of(self, bearer: Combatant, ability: Ability) -> Distance:
        return Distance(far_of(bearer, ability))

    def no_attack(self, combatant: Combatant) -> str:
        is_able = any(map(sheet.attack_kinds, combatant.abilities))
        return "" if is_able else "No weapon or spell: its Volley and Fight are improvised ones."

    def target_number(self, state: Encounter) -> str:
        return "DODGE"

    def number_of(self, state: Encounter, blow: Blow) -> str:
        return number_reached(_ability(blow), blow.action)

    def bonus(self, source: Combatant, check: Check) -> int:
        return source.number("GRIT")

    def against(self, state: Encounter, target: str) -> int:
        return number_of(state, target, self.target_number(state))

    def reaches(self, state: Encounter, blow: Blow, target: str) -> int:
        return number_of(state, target, self.number_of(state, blow))

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        check, text = super().roll(step, blow, strike, bonus + cover_number(step.state, blow.source, strike.target))
        return check.evolve(counts_apart=True), text

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        return plus(dice_of(edge), bonus)

    def edge_die(self, step: Step[Any], edge: int) -> int:
        return 6 if edge else 0

    def purpose(self, blow: Blow) -> str:
        return "attack"

    def sources(self, state: Any, blow: Blow, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return boons(state, blow.source, blow.action, target), banes(state, blow.source, blow.action, target)

    def circumstances(self, step: Step[Any], blow: Blow, strike: Strike) -> tuple[str, Mapping[str, Fact]]:
        words, facts = super().circumstances(step, blow, strike)
        facts, check = dict(facts), strike.check
        held = held_in(step.state, blow.source, strike.target, self.number_of(step.state, blow), deed_of)
        secret = {name for bearer, name in held if not step.is_open(bearer)}
        if check is not None and check.better:
            words += " Boons: {better}."
            facts["better"] = _listed(check.better, secret)
        if check is not None and check.worse:
            words += " Banes: {worse}."
            facts["worse"] = _listed(check.worse, secret)
        cover = cover_words(step.state, blow.source, strike.target)
        if cover:
            words += " {target} has {cover}."
            facts["cover"] = cover
        return words, facts

    def degree(self, state: Encounter, deed: Deed, check: Rolled, against: int) -> Degree:
        """Rule: BE-10."""
        return "miss" if check.total < against else "critical" if check.total >= CRITICAL else "hit"

    save_dice: ClassVar[str] = "1d20"

    def save_key(self, who: Combatant, key: str) -> str:
        return key if who.number(key) else ""

    def save_bonus(self, who: Combatant, key: str) -> int:
        return who.number(key)

    def roll_save(self, step: Step[Any], who: str, save: Save, bonus: int) -> int:
        """Rule: BE-12."""
        edge, more, names = on_saves(step.state, who, save, deed_of)
        total, roll = rolled(step, who, f"{dice_of(edge)}{more}", bonus, f"{save.key} save")
        shown = f"({', '.join(names)})"
        blow = open_blow(step.state)
        good = total >= int(save.against)
        against = f"SAVE {save.against}"
        is_read = blow is None or step.is_open(blow.source)
        step.tell(
            "{who} saves with {key}: {roll} against {against}, {outcome}." + " {names}" * bool(names),
            who=who,
            key=save.key,
            roll=roll,
            against=against if is_read else Veiled(full=against, public="SAVE"),
            outcome="success" if good else "failure",
            good=good,
            names=veiled(step, who, shown, "") if names else None,
        )
        return total

    def taken(self, step: Step[Any], who: str, amount: int, kind: str) -> int:
        """Halve what somebody resists, double what they are vulnerable to, void what they are immune to."""
        how = next((each for each in _SENSITIVE if sensitive(step.state, who, each, kind, deed_of)), None)
        if how is None or not amount:
            return amount
        words = "{who} is {how} to {kind}: {before} → {after}."
        seen_by = None if step.is_open(who) else GM_ONLY
        after = _SENSITIVE[how](amount)
        step.tell(words, who=who, how=how.lower(), kind=kind, before=amount, after=after, seen_by=seen_by)
        return after

    def less_armor(self, step: Step[Any], blow: Blow, who: str, amount: int, kind: str) -> int:
        """Rule: BE-26."""
        armor = max(0, number_of(step.state, who, "ARMOR"))
        through = max(0, amount - armor)
        if kind == IN_STRESS or not armor or not amount or IGNORES_ARMOR.words in blow.deed.traits:
            return amount
        step.tell(
            "{target}'s {armor} leaves {through} of {amount} damage.",
            shown="line" if step.is_open(who) else "log",  # without the numbers it says nothing
            target=who,
            armor=veiled(step, who, f"ARMOR {armor}", "ARMOR"),
            amount=_amount(step, who, amount),
            through=_amount(step, who, through),
        )
        return through

    def was_hurt(self, step: Step[Any], who: str, amount: int, before: int) -> None:
        """Let damage call for concentration, by the GM as by anybody else. Rule: BE-12."""
        source = harmer(step.state)
        if source != who:
            concentrate(step, source, who)

    def walk(self, step: Step[Any], who: str, way: tuple[str, ...]) -> None:
        """Rule: BE-23. Without a board, those it may have passed can say so until the next event: the blow is one."""
        if way:
            put_under_way(step, Movement(what="movement", who=who, start=way[0], path=way[1:]))
        else:
            step.change(slip=Slip(who=who, since=step.state.events + 1))

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Reload what is empty; which of several, people say. Rule: BE-11."""
        state, own, blow = step.state, step.combatant(who), open_blow(step.state)
        spent = state.spent.get(who, ())
        meant = [name for name in spent if "weapon" not in verb or ((a := own.ability(name)) and is_weapon(a))]
        if len(meant) > 1 and " all" not in verb and blow is not None:
            leave_clause(step, who, blow.ability, f"{who} {verb}", (who,))
            return
        step.change(spent={**state.spent, who: tuple(name for name in spent if name not in meant)})
        step.tell("{who} reloads {names}.", who=who, names=", ".join(meant) or "nothing")

    # What is called

    reaction_rule: ClassVar[str] = "BE-20"

    def has_reaction(self, state: Encounter, who: str) -> bool:
        return not (isinstance(state, BeaconState) and unavailable(state, who))

    def spend_reaction(self, step: Step[Any], who: str) -> None:
        step.change(reacted=(*without(step.state.reacted, who), who))

    def unpaid(self, state: Encounter, who: str, ability: Ability) -> Illegal | None:
        return unaffordable(state, who, ability, "BE-05") if isinstance(state, BeaconState) else None

    def pay(self, step: Step[Any], who: str, ability: Ability, *, back: bool = False) -> None:
        why = None if back else self.unpaid(step.state, who, ability)
        if why is not None:
            raise why
        pay_fields(step, who, ability, back=back)
        if tagged(ability, "1/round") and not back:
            note_limited(step, who, ability.name)

    def numbered(self, state: Encounter, who: str, ability: Ability, deed: Deed) -> Deed:
        return numbered(state, who, ability)

    # Who can answer

    def asks_first(self, step: Step[Any], blow: Blow) -> bool:
        if sheet.is_out(step.combatant(blow.source)):
            keep(step, blow.evolve(strikes=(), stage="done"))
            step.tell("{who} is out of the round and does nothing more.", who=blow.source)
            return False
        if blow.stage == "declared":
            ask(step, keep(step, _in_reach(step, blow).evolve(stage="rolling")))
        return is_asked(step.state, blow)

    def waits_before(self, step: Step[Any], blow: Blow, strike: Strike) -> bool:
        """Rule: BE-20. Who would lessen the damage of a hit is asked before it is rolled."""
        if strike.degree in HITS and not strike.asked:
            blow = keep(step, blow.evolve(stage="amount"), strike.evolve(asked=(strike.target,)))
            ask(step, blow)
        if blow.stage == "amount" and not is_asked(step.state, blow):
            keep(step, blow.evolve(stage="rolling"))
        return is_asked(step.state, blow)

    def waits(self, step: Step[Any], blow: Blow) -> bool:
        if blow.stage == "rolling":
            blow = keep(step, blow.evolve(stage="after"))
            ask(step, blow)
        if is_asked(step.state, blow):
            return True
        if blow.stage == "after":
            keep(step, blow.evolve(stage="done"))
            note_event(step)
        return False


def _listed(names: tuple[str, ...], secret: set[str]) -> Fact:
    """Return names; those of a creature's abilities are its GM's."""
    full = ", ".join(names)
    public = ", ".join("an ability" if name in secret else name for name in names)
    return full if full == public else Veiled(full=full, public=public)


def _ability(blow: Blow) -> Ability | None:
    return blow.ability if blow.ability.name else None


def _amount(step: Step[Any], target: str, amount: int) -> Fact:
    """Return how much reaches somebody; both sides of the armor would tell the armor. Rule: G-08."""
    return amount if step.is_open(target) else Veiled(full=str(amount), public="?")


def _in_reach(step: Step[Any], blow: Blow) -> Blow:
    """Drop those an earlier attack of the same action, or what answered it, has put out of reach."""
    if blow.deed.check is None:
        return blow
    state, ability = step.state, _ability(blow)
    limit = spaces_of(state, blow.source, blow.action, ability)
    kept = []
    for strike in blow.strikes:
        if ranges.within(state, blow.source, strike.target, limit, sight=asks_sight(ability)):
            kept.append(strike)
        else:
            step.tell("{target} is out of reach by now.", target=strike.target)
    return blow.evolve(strikes=tuple(kept))
