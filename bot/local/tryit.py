"""The `Try it` list: small encounters that the people at the table set up by really typing.

A rule system brings its own as `rules/systems/<id>/tryit.toml`:

    title = "A goblin ambush"
    about = "Initiative, one turn after the other"
    next = "Be Ana and press My turn."
    be = "Ana"

    [[line]]
    who = "Gwen"
    type = "/init start name:Goblin ambush"

A kit of the library needs no script: two against two begin to play it.
"""

import logging
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.core.typed.names import clean_name
from rules.kits.compiled import Kit
from rules.kits.dry_run import NEEDED
from rules.kits.library import kit_of, library

SYSTEMS = Path(__file__).parents[2] / "rules" / "systems"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Line:
    """What somebody types; `file` goes with it in the option of that name: how it is called, and its bytes."""

    who: str
    text: str
    file: tuple[str, bytes] | None = None


@dataclass(frozen=True)
class Script:
    """What is typed and by which user, and what the newcomer does next."""

    id: str
    title: str
    about: str
    next: str
    be: str
    lines: tuple[Line, ...]


def parse_script(system: str, data: dict[str, Any]) -> Script:
    """Read one system's script.

    Raises:
        KeyError: a key is missing.

    """
    lines = tuple(Line(str(entry["who"]), str(entry["type"])) for entry in data["line"])
    be = str(data.get("be", lines[-1].who))
    return Script(system, str(data["title"]), str(data["about"]), str(data["next"]), be, lines)


def scripts() -> tuple[Script, ...]:
    return scripts_in(SYSTEMS)


def scripts_in(folder: Path) -> tuple[Script, ...]:
    """List what can be tried: the classic encounter first, it is the simplest, then the others by name."""
    read_scripts = []
    for path in sorted(folder.glob("*/tryit.toml"), key=lambda p: (p.parent.name != "classic", p.parent.name)):
        try:
            read_scripts.append(parse_script(path.parent.name, tomllib.loads(path.read_text("utf-8"))))
        except (KeyError, tomllib.TOMLDecodeError) as fault:
            log.warning("%s is left out of the Try it list: %r", path, fault)
    return tuple(read_scripts)


def kit_scripts() -> tuple[Script, ...]:
    """List the kits of the library, each with two players against two foes."""
    return tuple(kit_script(kit_of(document.content)) for document in library().values())


def kit_script(kit: Kit, file: tuple[str, bytes] | None = None) -> Script:
    """Return a small fight by a kit of the library, or by a file of your own."""
    system = f" system:{kit.id}" if file is None else ""
    opening = Line("Gwen", f"/encounter start{system} name:{clean_name(kit.title, 'Kit')}", file)
    asked = " result:10" if any(phase.key.kind == "asked" for phase in kit.phases) else ""
    needed = [key for key, default in kit.sheet.items() if default is None]
    typed = (
        ("Ana", f"/init join name:Ayla{asked}"),
        ("Bo", f"/init join name:Bran{asked}"),
        ("Gwen", f"/init add name:Ogre count:2{asked}"),
        *(("Gwen", f"/gm set target:Ayla, Bran, Ogre* pool:{key} value:{NEEDED}") for key in needed),
        ("Gwen", "/encounter begin"),
    )
    first = "Be Ana and press My turn. If the foes go first, be Gwen and let them act."
    lines = (opening, *(Line(who, text) for who, text in typed))
    return Script(f"kit-{kit.id}", kit.title, kit.about, first, "Ana", lines)


def everything() -> tuple[Script, ...]:
    """List all that can be tried: the systems, then the kits."""
    return (*scripts(), *kit_scripts())
