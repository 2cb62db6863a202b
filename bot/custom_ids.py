"""Custom ids of buttons, selects and forms: what was pressed, in which encounter, at which turn.

`KIND|encounter|version|part|part…`, at most 100 characters. They live through restarts, and a stale version
is answered with the present state. A bar inside a part is written as a semicolon, which no name can hold.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST = 100
_DIGITS = 18  # what the store can hold


@dataclass(frozen=True, slots=True)
class Pressed:
    """A parsed custom id."""

    kind: str
    encounter: str
    version: int
    parts: tuple[str, ...] = ()

    def written(self) -> str:
        safe = (part.replace("|", ";") for part in self.parts)
        text = "|".join((self.kind, self.encounter, str(self.version), *safe))
        if len(text) > MOST:
            raise ValueError(f"custom id of {len(text)} characters: {text}")
        return text


def parse_id(text: str) -> Pressed | None:
    """Return the parsed custom id; None if it is not one of ours."""
    parts = text.split("|")
    if len(parts) < 3 or not _is_number(parts[2]) or not parts[0]:
        return None
    own = tuple(part.replace(";", "|") for part in parts[3:])
    if len(own) != _PARTS.get(parts[0], len(own)) or (parts[0] in _NUMBERED and not _is_number(own[0])):
        return None
    if parts[0] in (CARRIED, BACK_TO) and not _is_number(own[1]):
        return None
    return Pressed(parts[0], parts[1], int(parts[2]), own)


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _DIGITS


# The kinds. Each says what its parts are.
PANEL = "p"  # open my private panel: no parts, or NOW
NOW = "now"  # of a PANEL: at whatever turn it is by then
ACT = "a"  # do an action: action, actor ("" if clear), and, of several events that ask, the window that is meant
WHOLE = "e"  # do a whole action: action, actor ("" if evident), digest of what it takes, "y" if that was asked
MENU = "m"  # a menu of whole actions, each its value: which menu of the message
ASK = "k"  # roll what the GM asks for: ask id, combatant
CHOOSE = "c"  # a select's or button's step towards an action: action, actor, selection, page
GOAL = "y"  # go somewhere: action, actor, page ("f": the form's answer); without a value it shows the choices
SPOT = "1"  # a door or an area on the board: what, actor, what else; without a value it shows what there is
TOOLS = "2"  # on a panel: what found no room on it: no parts
REACT = "4"  # show me privately what mine may answer: no parts
FORM = "f"  # a form that completes an action: action, actor, selection
BACK_TO = "7"  # take back all steps after a row of the log: its seq, how many steps these were when it was asked
REVEAL = "s"  # show a hidden roll to those who may see it: seq
HAND = "h"  # show my hand privately: no parts
PICTURE = "g"  # show privately what the system draws: combatant ("": the whole encounter)
EARLIER = "0"  # on a panel: what happened before a row of the log: its seq
BOARD = "i"  # show me privately the board about those the table waits for: no parts
RULE = "r"  # read the rule that refused: its id; if an encounter brought it, it and the mark of its tables then
HELP = "5"  # a page of /help: its topic, none if a menu says it; it belongs to no encounter and no turn
PRIVACY = "x"  # delete my stored data: yes or no; the user's id is in the encounter's place
NOT_ME = "n"  # on a nudge: the table does not wait on me: the nudge's number
CARRIED = "b"  # below an undo: my character as it would be then, whatever I saved since: seq of the end, its number
AWAY = "w"  # the GM goes on without somebody until they act, or waits for them: "away" or "wait", combatant
GO_ON = "j"  # the GM: nobody else reacts, go on: no parts
DROP = "d"  # on a panel: take an order in advance back: # and its number, or an actor for all of theirs
STRIKE = "6"  # a roll of mine was an attack on somebody: seq, who
AGAIN = "o"  # make a roll again: seq, how ("", "adv", "dis"); it belongs to no encounter and no turn
RETYPED = "t"  # do a command with the dice that were offered instead: what, and what that takes, as `remedies` says
CAST = "q"  # a cast: open its form, read the form, or bring it in once it is understood: what, its name
DECIDE = "v"  # the GM decides for somebody else, having been asked: the kind of the press, and what its parts are
MAP = "u"  # a map: read its form, take what was read, or leave it: what, and what else
CHARACTER = "z"  # a character: open its form, read the form, or bring it in: what, the system, and what else

GM = "l"  # the GM's work: its kind and target; it belongs to no turn

ZONE_BEFORE = "3"  # a RETYPED: back to the time zone that one had before, which it takes
CAST_FORM, CAST_READ, CAST_ROLL, CAST_YES = "o", "r", "h", "y"
CHARACTER_FORM, CHARACTER_READ, CHARACTER_BRING, CHARACTER_JOIN, CHARACTER_NAMED = "o", "r", "b", "j", "n"

_PARTS = {
    GM: 2,
    WHOLE: 4,
    MENU: 1,
    CARRIED: 2,
    ASK: 2,
    BOARD: 0,
    EARLIER: 1,
    BACK_TO: 2,
    REVEAL: 1,
    RULE: 1,
    PRIVACY: 1,
    HELP: 1,
    NOT_ME: 1,
    AWAY: 2,
    DROP: 1,
    STRIKE: 2,
    AGAIN: 2,
    CAST: 2,
    GOAL: 3,
    SPOT: 3,
    TOOLS: 0,
    REACT: 0,
    MAP: 2,
    CHARACTER: 3,
}
_NUMBERED = frozenset({CARRIED, BACK_TO, ASK, EARLIER, REVEAL, NOT_ME, STRIKE, AGAIN})  # their first part is a number
