from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

from rules.dice.verify import verify_export

SOUND, FAULTY, UNREADABLE = 0, 1, 2
_GZIP = b"\x1f\x8b"


def verify(path: str | Path) -> int:
    """Check every die, shuffle and draw of an export; print what is wrong, a line each, and a summary.

    0: nothing is wrong. 1: something is. 2: the file cannot be read, or is no export.
    """
    try:
        data = Path(path).read_bytes()
        export = json.loads(gzip.decompress(data) if data.startswith(_GZIP) else data)
    except OSError as error:
        return _say(f"{path} cannot be read: {error.strerror or error}.", UNREADABLE)
    except (ValueError, RecursionError, EOFError, zlib.error):
        return _say(f"{path} is not a JSON file. /fair export gives you one.", UNREADABLE)
    found = verify_export(export)
    for fault in found.faults:
        _say(fault)
    if not found.is_readable:
        return _say(f"{path} is not an export that I can check. /fair export gives you one.", UNREADABLE)
    for name in found.unproven:
        _say(f"Not proven: {name}")
    _say(found.summary)
    if not found.is_sound:
        return _say(
            f"{path} fails the check: {len(found.faults)} fault{'' if len(found.faults) == 1 else 's'}.", FAULTY
        )
    for posted in found.commitments:
        _say(f"Compare this with what the bot posted before the first die: commitment {posted}")
    if found.unrevealed_rows and not found.dice and not found.shuffles:
        return _say(
            f"{path} has no faults, but no seed in it is public yet: type /fair reveal, then export again.", SOUND
        )
    if found.unproven:
        return _say(f"{path} passes as far as it can be checked; {len(found.unproven)} things above cannot.", SOUND)
    return _say(f"{path} holds.", SOUND)


def _say(words: str, code: int = SOUND) -> int:
    print(words)  # noqa: T201 - the command's answer
    return code
