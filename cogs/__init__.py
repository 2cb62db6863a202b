"""Discord's commands: parameters in, command out, reply sent. No rules and no SQL in here.

Modules whose name begins with an underscore are shared by the features; each other one is a feature.
"""

from __future__ import annotations

import pkgutil

EXTENSIONS: tuple[str, ...] = tuple(
    f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")
)
