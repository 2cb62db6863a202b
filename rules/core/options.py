"""House rules as named options of an encounter (design 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules.core.model import Frozen
from rules.core.typed.names import shown
from rules.core.typed.times import duration_words, parse_duration
from rules.errors import Malformed

MOST_SPACES = 100


class Option(Frozen):
    """One house rule. `choices` lists the values; empty means that `check` reads a free value."""

    key: str
    default: str
    meaning: str
    choices: tuple[str, ...] = ()
    check: Callable[[str], str] | None = None

    def parse(self, value: str) -> str:
        """Return the value as it is stored. Raises: Malformed with what would be accepted."""
        cleaned = value.strip()
        if self.choices:
            for choice in self.choices:
                if choice.casefold() == cleaned.casefold():
                    return choice
            raise Malformed(f"{self.key} cannot be {cleaned[:40]}.", instead=f"Possible: {', '.join(self.choices)}.")
        if self.check is None:
            return cleaned
        return self.check(cleaned)


ON_OFF = ("on", "off")


def _spaces(text: str) -> str:
    if not (text.isascii() and text.isdecimal() and int(text[:4]) <= MOST_SPACES and len(text) < 4):
        raise Malformed(f"{text[:20]} is not a number of spaces.", instead=f"From 0 (unlimited) to {MOST_SPACES}.")
    return str(int(text))


_SECONDS = {"s": 1, "m": 60, "h": 3600}
SOONEST_PASS_SECONDS, _LATEST_PASS_SECONDS = 10, 24 * 3600


def pass_seconds(text: str) -> int:
    """Read how long the table goes on waiting beside those who let an event pass: 30s, 2m, 1h. Raises: Malformed."""
    number, unit = text.strip()[:-1].strip(), text.strip()[-1:].casefold()
    seconds = int(number) * _SECONDS.get(unit, 0) if number.isascii() and number.isdecimal() and len(number) < 6 else 0
    if not SOONEST_PASS_SECONDS <= seconds <= _LATEST_PASS_SECONDS:
        raise Malformed(f"pass_within cannot be {text[:20]}.", instead="Choose 10s to 24h, such as 30s, 2m or 1h.")
    return seconds


def _pass_words(text: str) -> str:
    pass_seconds(text)
    return text.strip().casefold().replace(" ", "")


COMMON: tuple[Option, ...] = (
    Option(key="plain", default="off", choices=ON_OFF, meaning="text without embeds"),
    Option(
        key="auto_pass",
        default="on",
        choices=ON_OFF,
        meaning="pass for those who cannot answer",
    ),
    Option(
        key="pass_within",
        default="2m",
        check=_pass_words,
        meaning="by then, silence counts as a pass",
    ),
    Option(
        key="hidden",
        default="pass",
        choices=("pass", "stop"),
        meaning="wait when a hidden creature may act",
    ),
    Option(
        key="gm_word",
        default="dm",
        choices=("dm", "panel"),
        meaning="how GMs get private news",
    ),
    Option(key="gm_sees_hands", default="on", choices=ON_OFF, meaning="the GM sees hands"),
    Option(
        key="npc_pools",
        default="words",
        choices=("exact", "words", "hidden"),
        meaning="what players see of the GM's numbers",
    ),
    Option(key="physical_dice", default="off", choices=ON_OFF, meaning="players type their own dice"),
    Option(
        key="hands",
        default="gm",
        choices=("players", "gm"),
        meaning="who may use damage and heal",
    ),
    Option(key="carry", default="on", choices=ON_OFF, meaning="saved characters keep their pools"),
    Option(key="round_ping", default="off", choices=ON_OFF, meaning="ping all at each new round"),
    Option(
        key="window",
        default="12h",
        check=lambda text: duration_words(parse_duration(text, "window")),
        meaning="how long you may take to react",
    ),
    Option(
        key="corners",
        default="strict",
        choices=("strict", "free"),
        meaning="diagonals past corners",
    ),
    Option(key="doors", default="players", choices=("players", "gm"), meaning="who opens and closes doors"),
    Option(
        key="fog",
        default="off",
        choices=("off", "gm", "sight"),
        meaning="over the board",
    ),
    Option(key="sight_range", default="0", check=_spaces, meaning="spaces; 0: any"),
    Option(
        key="pictures",
        default="prompt",
        choices=("prompt", "ask", "off"),
        meaning="the board with each prompt",
    ),
    Option(key="prompts", default="here", choices=("here",), meaning="where prompts go"),
)


_MOST_COVER = 20
_SIGHT: tuple[Option, ...] = (
    Option(
        key="sight",
        default="on",
        choices=ON_OFF,
        meaning="attacks and threats ask for sight",
    ),
    Option(
        key="cover",
        default="say",
        choices=("say", "count", "off"),
        meaning="is said, or counts",
    ),
    Option(
        key="creatures_cover",
        default="off",
        choices=("off", "on"),
        meaning="others between give cover",
    ),
)


def sight_options(light: str = "-2", heavy: str = "-5", *, words: tuple[str, ...] = ()) -> tuple[Option, ...]:
    """Return the options of a system whose attacks and ranges ask for sight.

    `words` is what cover may do to a roll there besides a whole number.
    """

    def check(text: str) -> str:
        return _cover(text, words)

    return (
        *_SIGHT,
        Option(key="cover_light", default=light, check=check, meaning="added to a roll, when it counts"),
        Option(key="cover_heavy", default=heavy, check=check, meaning="added to a roll, when it counts"),
    )


def _cover(text: str, words: tuple[str, ...]) -> str:
    cleaned = text.strip().casefold()
    if cleaned in words:
        return cleaned
    number = cleaned.removeprefix("-").removeprefix("+")
    if not (number.isascii() and number.isdecimal() and len(number) <= 2 and int(number) <= _MOST_COVER):
        possible = "".join(f", {word}" for word in words)
        raise Malformed(
            f"{text[:20]} is not an effect of cover.",
            instead=f"Choose a whole number from -{_MOST_COVER} to {_MOST_COVER}{possible}.",
        )
    return str(int(cleaned))


# Of systems in which something may be left without a decision in it (play 3)
AUTO: tuple[Option, ...] = (
    Option(
        key="auto",
        default="on",
        choices=ON_OFF,
        meaning="do at once what leaves nothing to decide",
    ),
)
# Of systems that have no movement of their own
FREE_MOVE: tuple[Option, ...] = (
    Option(
        key="free_move",
        default="turn",
        choices=("turn", "always", "off"),
        meaning="when players move their own tokens with /board move",
    ),
)


# What a table may set in every system, though it may count for nothing in some (design 3.3, maps 1)
SHARED: tuple[Option, ...] = (*COMMON, *sight_options(), *AUTO, *FREE_MOVE)


def _parts(text: str) -> list[str]:
    """Part a list at commas and line ends, save the commas of dice in brackets: `die={1d8,1d6}kh1, order=low`."""
    parts, depth = [""], 0
    for letter in text:
        depth = max(0, depth + (letter in "([{") - (letter in ")]}"))
        if letter == "\n" or (letter == "," and not depth):
            depth = 0
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def parse_options(text: str, known: Iterable[Option]) -> dict[str, str]:
    """Read `key=value, key=value`, what counts in other systems alone too.

    Raises: Malformed with the list of keys or values.
    """
    table: Mapping[str, Option] = {option.key: option for option in known}
    shared: Mapping[str, Option] = {option.key: option for option in SHARED}
    found: dict[str, str] = {}
    for part in (piece.strip() for piece in _parts(text)):
        if not part:
            continue
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign:
            raise Malformed(f"{part[:40]} is not an option.", instead="Write key=value, separated by commas.")
        option = table.get(key.casefold()) or shared.get(key.casefold())
        if option is None:
            raise Malformed(f"There is no option {key[:40]}.", instead=f"The options here: {shown(table, 40)}.")
        found[option.key] = option.parse(value)
    return found
