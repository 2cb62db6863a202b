"""What Discord would refuse of a request's body, before it is carried out."""

from __future__ import annotations

from bot.discord_numbers import Callback
from bot.local.call import Call
from bot.local.interactions import Interactions
from bot.local.world import Message, World
from tests.limits.commands import check_commands
from tests.limits.components import check_modal
from tests.limits.messages import check_choices, check_message
from tests.limits.problems import Problems


def refuse_beyond_limits(call: Call, world: World, interactions: Interactions) -> None:
    """Refuse a body that Discord would not take. Raises: ApiError."""
    problems = Problems()
    is_written = call.method in ("POST", "PATCH")
    if call.method == "PUT" and call.route.endswith("/commands"):
        check_commands(call.body, problems)
    elif call.route.endswith("/callback"):
        _check_answer(call, interactions, problems)
    elif is_written and (call.route.startswith("/webhooks/") or "/messages" in call.route):
        check_message(call.table(), problems, files=len(call.files), edited=_edited(call, world, interactions))
    elif call.method == "PATCH":
        problems.keys(call.table(), frozenset(["archived"]), "")
    problems.refuse()


def _check_answer(call: Call, interactions: Interactions, problems: Problems) -> None:
    body, entry = call.table(), interactions.by_id.get(call.params["interaction"])
    problems.keys(body, frozenset(("type", "data")), "")
    if entry is None or entry.callback is not None:
        return
    kind, data = body.get("type"), body.get("data") or {}
    if kind == Callback.CHOICES:
        check_choices(data, problems)
    elif kind == Callback.FORM:
        check_modal(data, problems)
    elif kind == Callback.DEFER:
        problems.keys(data, frozenset(("flags", "tts", "allowed_mentions")), "data")
    elif kind in (Callback.MESSAGE, Callback.UPDATE):
        edited = entry.source if kind == Callback.UPDATE else None
        check_message(data, problems, "data", len(call.files), edited)


def _edited(call: Call, world: World, interactions: Interactions) -> Message | None:
    """Find the message that a request changes."""
    wanted, place = call.params.get("message", ""), call.params.get("channel")
    entry = interactions.by_token.get(call.params.get("token", ""))
    if entry is not None and call.method == "PATCH":
        wanted, place = wanted or entry.original_id or "", entry.channel_id
    channel = world.channels.get(place or "")
    return channel.messages.get(wanted) if channel is not None else None
