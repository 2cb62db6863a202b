"""The base of every value in the rules: frozen, validated, strict about unknown fields."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that never changes; `evolve` makes the next one, validated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def evolve(self, **changes: Any) -> Self:
        """Return a copy with `changes`, validated (`model_copy` would not validate them)."""
        held = self.__dict__
        kept = {name: held[name] for name in type(self).model_fields}  # not what was worked out from them
        return type(self).model_validate({**kept, **changes})
