"""The actions of the ledger's table: what each needs, takes and does.

Rule: ST-04 to ST-17.
"""

from __future__ import annotations

from rules.core.action import Action
from rules.core.asking.ask import Effect
from rules.core.asking.told import Told
from rules.core.cards import counted
from rules.core.command import Command
from rules.core.offer import Param, Prospect
from rules.core.reach.where_to import ends, where_to
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.systems.stones.by_hand import by_hand_actions
from rules.systems.stones.combat import aims, foretell_attack, require_aim, target_names
from rules.systems.stones.guards import has_acted, has_drawn, is_activated, may_activate, may_claim, own_turn
from rules.systems.stones.movement import GO, move, on_no_board, spaces
from rules.systems.stones.paying import drop_cards
from rules.systems.stones.piles import break_open, discard
from rules.systems.stones.players import (
    StonesStep,
    controlled,
    excess,
    hand,
    limit,
    living,
    player_name,
    player_of,
    stones_words,
)
from rules.systems.stones.spending import (
    StonesAsk,
    fuse,
    may_fuse,
    may_fuse_publicly,
    may_use,
    may_use_publicly,
    taken,
    use,
)
from rules.systems.stones.state import StonesState
from rules.systems.stones.turns import activate, claim, end_turn, is_auto
from rules.systems.stones.verbs import begin_attack


def _begin(step: StonesStep, who: str, command: Command) -> None:
    claim(step, player_of(step.state, who))


def _activate(step: StonesStep, who: str, command: Command) -> None:
    activate(step, who)


# Move (ST-09)


def _may_activate_and_move(state: StonesState, who: str) -> Refusal | None:
    refusal = may_activate(state, who)
    if refusal is not None:
        return refusal
    if state.board is None or state.combatant(who).cell is None:
        return on_no_board(who, instead=f"activate character:{who}, then move; that also works without cells")
    forgone = _unused(state) if state.active not in (None, who) else []
    if forgone:  # to forgo it is a choice of its own
        unused = f"{state.active}'s {shown(forgone)}"
        return Illegal(
            f"{unused} would be lost.", rule="ST-05", instead=f"To lose it, say so with activate character:{who}."
        )
    return _has_way(state, who)


def _may_move(state: StonesState, who: str) -> Refusal | None:
    refusal = is_activated(state, who)
    if refusal is not None:
        return refusal
    if state.moved:
        return Illegal(
            f"{who} has already moved this turn.", rule="ST-09", instead="What was left of that movement is lost."
        )
    return _has_way(state, who)


def _has_way(state: StonesState, who: str) -> Refusal | None:
    if spaces(state, who) == 0:
        return Illegal(f"{who} can move 0 spaces.", rule="ST-09", instead="The GM can, with /gm move.")
    if ends(state, who, spaces(state, who)) == ():
        return Illegal(
            f"There is no free cell that {who} can reach.", rule="ST-09", instead="You lose nothing by staying."
        )
    return None


def _move(ask: StonesAsk) -> Effect[StonesState]:
    state, who = ask.state, ask.who
    ask.take(*where_to(state, who, spaces(state, who), rule="ST-09"))
    return lambda step: move(step, who, ask.text("to"), ask.number("amount"))


# Attack and ability (ST-11, ST-12)


def _may_attack(state: StonesState, who: str) -> Refusal | None:
    refusal = has_acted(state, who, "attack")
    if refusal is None and not aims(state, who, None):
        return Illegal(f"No opponent is in {who}'s range and sight.", rule="ST-10", instead="Use move first, or end.")
    return refusal


def _attack(ask: StonesAsk) -> Effect[StonesState]:
    who = ask.who
    target = ask("target", "", aims(ask.state, who, None), nameable=target_names(ask.state), why=taken, all_lead=True)

    def attack(step: StonesStep) -> None:
        require_aim(step.state, who, target, None)
        step.change(acted="attack")
        begin_attack(step, who, target)

    return attack


# Break, discard, end (ST-15, ST-16)


def _foretell_close(state: StonesState, who: str, command: Command) -> Prospect:
    """Say what ending the activations, or activating another, would forgo, of all characters at once. Rule: ST-15."""
    ends = command.action == "end"
    unused = [] if command.action == "activate" and state.active == who else _unused(state)
    if ends:  # staying put loses nothing (ST-09)
        unused = [word for word in unused if word != "movement"]
    asks = []
    if unused:
        asks.append(f"{state.active}'s {' and '.join(unused)} {'is' if len(unused) == 1 else 'are'} unused.")
    # A break or a discard says beside its choices that it ends the activations.
    idle = () if not ends or state.closed or state.undrawn or state.current is None else _forgone(state)
    if idle:
        asks.append(f"{shown(idle)} {'has' if len(idle) == 1 else 'have'} not been activated this turn.")
    return Prospect(asks=" ".join(asks), rank=bool(asks))


def _unused(state: StonesState) -> list[str]:
    """Return what the active character could still do."""
    active = state.active
    if active is None or state.closed or state.undrawn:
        return []
    unused = [word for word, may in (("movement", _may_move), ("attack", _may_attack)) if may(state, active) is None]
    # Without a board a movement is mere words, and asks for no press.
    return [] if unused == ["movement"] and state.combatant(active).cell is None else unused


def fused_labels(state: StonesState, who: str) -> dict[str, tuple[str, str]]:
    """Return a player's fused abilities by the words that name them, with `who`'s own by their plain names."""
    found: dict[str, tuple[str, str]] = {name: (who, name) for name in state.fused.get(who, {})}
    for other in controlled(state, player_of(state, who)):
        for name in state.fused.get(other, {}) if other != who else ():
            found[name if name not in found else f"{name} ({other})"] = (other, name)
    return found


def _may_break(state: StonesState, who: str) -> Refusal | None:
    refusal = own_turn(state, who)
    if refusal is None and state.hands.get(player_of(state, who)):
        refusal = has_drawn(state, who)
    if refusal is None and not fused_labels(state, who):
        return Illegal("No ability is fused.", rule="ST-15", instead="Fuse one first, with fuse.")
    return refusal


def _last_words(state: StonesState) -> str:
    """Return what a break or discard costs the one who chooses it before the characters are done. Rule: ST-15."""
    return "" if state.closed or state.undrawn or not _forgone(state) else " (it ends your activations)"


def _forgone(state: StonesState) -> list[str]:
    """Return the characters of the one who has the turn that could still be activated."""
    return [name for name in living(state, state.current or "") if name not in state.activated]


def _close(step: StonesStep) -> None:
    if step.state.closed or step.state.undrawn:
        return
    _tell_forgone(step)
    step.change(closed=True, active=None)


def _tell_forgone(step: StonesStep) -> None:
    waiting = _forgone(step.state)
    if waiting:
        step.tell("{who}: not activated this turn.", who=", ".join(waiting))


def _break(ask: StonesAsk) -> Effect[StonesState]:
    labels = fused_labels(ask.state, ask.who)
    label = f"fused ability{_last_words(ask.state)}"
    named = ask("using", label, tuple(labels), rule="ST-15", all_lead=True)

    def open_up(step: StonesStep) -> None:
        _close(step)
        break_open(step, *labels[named])

    return open_up


def _may_discard(state: StonesState, who: str) -> Refusal | None:
    refusal = own_turn(state, who)
    if refusal is None and not state.hands.get(player_of(state, who)):
        return Illegal("The hand is empty.", rule="ST-16", instead="Use end, or break.")
    return refusal


def _discard(ask: StonesAsk) -> Effect[StonesState]:
    who, player = ask.who, player_of(ask.state, ask.who)
    label = f"stones{_last_words(ask.state)}"
    every = tuple(dict.fromkeys(hand(ask.state, player)))
    ask.take(Param(name="cards", label=label, choices=every, many=True, free=True, rule="ST-16"))

    def drop(step: StonesStep) -> None:
        was_forced = excess(step.state, player) > 0 and not step.state.undrawn
        cards = drop_cards(step, player, ask.text("cards") or "")
        _close(step)
        discard(step, player, cards)
        step.tell("{who} discards {cards}.", who=player_name(step.state, player), cards=counted(cards))
        if was_forced and not excess(step.state, player) and is_auto(step):
            _end(step, who)

    return drop


def _may_end(state: StonesState, who: str) -> Refusal | None:
    refusal = own_turn(state, who)
    if refusal is not None:
        return refusal
    player = player_of(state, who)
    over = 0 if state.foreseen else excess(state, player)
    if over and not state.is_absent(who):  # anyone who is absent owes it for the next turn
        return Illegal(
            f"Hand and fused stones are {stones_words(over)} over the limit of {limit(state, player)}.",
            rule="ST-16",
            instead=f"discard {over}, or break a fused ability." if fused_labels(state, who) else f"discard {over}.",
            remedies=("discard", "break"),
        )
    return None


def _end(step: StonesStep, who: str, _command: Command | None = None) -> None:
    if not step.state.closed:
        _tell_forgone(step)
    step.tell("{who} ends the turn.", who=player_name(step.state, player_of(step.state, who)), shown="with-next")
    end_turn(step)


def stones_actions() -> tuple[Action[StonesState], ...]:
    """Return the actions in the ledger's order."""
    return (
        Action(id="begin", label="Begin", may=may_claim, do=_begin, button_rank=1, player_wide=True, claims=True),
        Action(
            id="activate",
            label="Activate",
            may=may_activate,
            do=_activate,
            button_rank=5,
            claims=True,
            prospect=_foretell_close,
        ),
        Told("fuse", "Fuse", fuse, ("using", "cards")).action(
            may_fuse,
            public_may=may_fuse_publicly,
            words="Fuse {cards} on {using}",
            from_hand=True,
        ),
        Told("move", "Move", _move, ("to", "amount")).action(_may_move, button_rank=4, is_open=True),
        Told(GO, "Move", _move, ("to",)).action(_may_activate_and_move, activate, button_rank=4, is_open=True),
        Told("attack", "Attack", _attack, ("target",)).action(
            _may_attack,
            button_rank=2,
            is_open=True,
            harms=True,
            prospect=foretell_attack,
        ),
        Told("ability", "Ability", use, ("using", "cards", "target")).action(
            may_use,
            public_may=may_use_publicly,
            words="{using}[ on {target}][ for {cards}]",
            button_rank=3,
            from_hand=True,
        ),
        Told("break", "Break", _break, ("using",)).action(
            _may_break,
            player_wide=True,
            prospect=_foretell_close,
        ),
        Told("discard", "Discard", _discard, ("cards",)).action(
            _may_discard,
            button_rank=8,
            player_wide=True,
            prospect=_foretell_close,
            from_hand=True,
        ),
        Action(
            id="end",
            label="End turn",
            may=_may_end,
            do=_end,
            button_rank=9,
            player_wide=True,
            ends=True,
            prospect=_foretell_close,
        ),
        *by_hand_actions(),
    )
