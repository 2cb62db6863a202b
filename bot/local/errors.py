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
