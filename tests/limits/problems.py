"""What is wrong with a body, field by field, in Discord's words."""

from typing import Any

from bot.local.errors import Json, invalid


class Problems:
    """Gather what is wrong with a body, field by field, and refuse it once."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, str]] = []

    def add(self, path: str, code: str, message: str) -> None:
        self.found.append((path, code, message))

    def keys(self, entry: Json, allowed: frozenset[str], path: str) -> None:
        for key in entry:
            if key not in allowed:
                self.add(f"{path}.{key}", "UNKNOWN_FIELD", f"'{key}' is not a field of this object.")

    def length(self, value: Any, most: int, path: str, *, least: int = 0, required: bool = False) -> int:
        """Check a text; return its length, which Discord counts in code points."""
        if value is None:
            if required:
                self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return 0
        if not isinstance(value, str):
            self.add(path, "STRING_TYPE_CONVERT", "Could not interpret the value as string.")
            return 0
        if required and not value:
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif len(value) > most and least == 0:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return len(value)

    def count(self, value: Any, most: int, path: str, *, least: int = 0) -> list[Any]:
        """Check a list; return it, or an empty one if there is none."""
        if value is None:
            value = []
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    def integer(self, value: Any, least: int, most: int, path: str) -> None:
        if value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool):
            self.add(path, "NUMBER_TYPE_COERCE", "Value is not int.")
        elif not least <= value <= most:
            self.add(path, "NUMBER_TYPE_MAX", f"int value should be between {least} and {most}.")

    def boolean(self, value: Any, path: str) -> None:
        if value is not None and not isinstance(value, bool):
            self.add(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")

    def refuse(self) -> None:
        """Raise Discord's refusal if anything was wrong.

        Raises:
            ApiError: 50035 with the fields at fault.

        """
        if self.found:
            raise invalid(*self.found)
