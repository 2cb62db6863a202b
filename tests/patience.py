"""Limits of time that serve people who wait, put off: what a test sees does not hang on how busy its machine is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from bot.discord import responses
from bot.local import interactions, page_socket, people
from bot.posting import prompt_picture, prompts

PATIENT_SECONDS = 600.0
LIMITS = (
    (responses, "DEFER_AFTER_SECONDS"),
    (responses, "CARRIES_WITHIN_SECONDS"),
    (prompts, "CARRIED_WITHIN_SECONDS"),
    (prompt_picture, "DRAWN_WITHIN_SECONDS"),
    (interactions, "ACKNOWLEDGE_SECONDS"),
    (page_socket, "ACKNOWLEDGE_SECONDS"),
    (people, "AUTOCOMPLETE_SECONDS"),
)


@contextmanager
def patient() -> Iterator[None]:
    """Let every answer come in its place, with its picture, and carry what it may carry."""
    with ExitStack() as stack:
        for module, name in LIMITS:
            stack.enter_context(patch.object(module, name, PATIENT_SECONDS))
        yield
