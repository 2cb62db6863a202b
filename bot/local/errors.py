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


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def unknown_route() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unknown_channel() -> ApiError:
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    return ApiError(404, 10063, "Unknown application command")


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def too_large() -> ApiError:
    return ApiError(413, 40005, "Request entity too large")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def not_the_author() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def closed_direct_messages() -> ApiError:
    return ApiError(403, 50007, "Cannot send messages to this user")


def wrong_channel_kind() -> ApiError:
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def dead_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def archived_thread() -> ApiError:
    return ApiError(400, 50083, "Thread is archived")


def locked_thread() -> ApiError:
    return ApiError(403, 160005, "Thread is locked")


def invalid_json() -> ApiError:
    return ApiError(400, 50109, "The request body contains invalid JSON.")
