"""Refusals in Discord's shape: a status, a code, a message, and for bodies the fields at fault."""

from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """A request is refused."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None, **more: Any) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.more = more
        self.text: str | None = None  # what is in place of the JSON, as from a host before Discord's own
        self.headers: dict[str, str | None] = {}  # None takes a header away

    def body(self) -> Json:
        answer: Json = {"message": self.message, "code": self.code} | self.more
        if self.errors:
            answer["errors"] = self.errors
        return answer


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


def invalid(*problems: tuple[str, str, str]) -> ApiError:
    """Return the refusal of a body: of each field at fault its path, Discord's code and its words."""
    tree: Json = {}
    for path, code, message in problems:
        place = tree
        for step in filter(None, path.replace("[", ".").replace("]", "").split(".")):
            place = place.setdefault(step, {})
        place.setdefault("_errors", []).append({"code": code, "message": message})
    return ApiError(400, 50035, "Invalid Form Body", tree)


# What a request is refused with: the status, Discord's code and its words.
UNAUTHORIZED = (401, 0, "401: Unauthorized")
UNKNOWN_ROUTE = (404, 0, "404: Not Found")
UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
UNKNOWN_USER = (404, 10013, "Unknown User")
UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
ALREADY_ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
TOO_LARGE = (413, 40005, "Request entity too large")
MISSING_ACCESS = (403, 50001, "Missing Access")
NOT_THE_AUTHOR = (403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
CLOSED_DIRECT_MESSAGES = (403, 50007, "Cannot send messages to this user")
WRONG_CHANNEL_KIND = (400, 50024, "Cannot execute action on this channel type")
DEAD_TOKEN = (401, 50027, "Invalid Webhook Token")
MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
ARCHIVED_THREAD = (400, 50083, "Thread is archived")
LOCKED_THREAD = (403, 160005, "Thread is locked")
INVALID_JSON = (400, 50109, "The request body contains invalid JSON.")
