"""Interactions: how they reach the bot, and what it may answer, when, and how often."""

import asyncio
import secrets
from dataclasses import dataclass, field

from bot.discord_numbers import CHAT, ON_MESSAGE, ON_PERSON, Callback
from bot.local import errors, payloads
from bot.local import world as w
from bot.local.call import UPLOAD_LIMIT, Call, Route
from bot.local.errors import ApiError, Json
from bot.local.gateway import Gateway
from bot.local.posting import amend, compose
from bot.local.world import Change, Channel, Message, Person, World

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
ACKNOWLEDGE_SECONDS = 3.0
TOKEN_SECONDS = 15 * 60
FORGET_SECONDS = 2 * 3600

ALLOWED = {
    COMMAND: (Callback.MESSAGE, Callback.DEFER, Callback.FORM),
    COMPONENT: (Callback.MESSAGE, Callback.DEFER, Callback.DEFER_UPDATE, Callback.UPDATE, Callback.FORM),
    AUTOCOMPLETE: (Callback.CHOICES,),
    MODAL: (Callback.MESSAGE, Callback.DEFER, Callback.DEFER_UPDATE, Callback.UPDATE),
}


@dataclass(eq=False)
class Interaction:
    """One act of a person that the bot has to answer."""

    id: str
    token: str
    kind: int
    person: Person
    channel_id: str
    created: float
    payload: Json
    used: str | None = None
    source: Message | None = None
    origin: "Interaction | None" = None
    callback: int | None = None
    original_id: str | None = None
    form: Json | None = None
    choices: list[Json] = field(default_factory=list)
    message_ids: list[str] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    filled: asyncio.Event = field(default_factory=asyncio.Event)

    def metadata(self) -> Json:
        """Return what a message says about the interaction that brought it."""
        answer: Json = {
            "id": self.id,
            "type": self.kind,
            "user": payloads.user(self.person),
            "authorizing_integration_owners": self.payload["authorizing_integration_owners"],
        }
        if self.kind == COMMAND:
            data = self.payload["data"]
            kind = data.get("type", CHAT)
            answer |= {"name": self.used, "command_type": kind}
            if kind == ON_MESSAGE:
                answer["target_message_id"] = data["target_id"]
            elif kind == ON_PERSON:
                answer["target_user"] = data["resolved"]["users"][data["target_id"]]
        if self.kind == COMPONENT and self.source is not None:
            answer["interacted_message_id"] = self.source.id
        if self.kind == MODAL and self.origin is not None:
            answer["triggering_interaction_metadata"] = self.origin.metadata()
        return answer


class Interactions:
    """All interactions of this run, and the two families of routes that answer them."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway
        self.base_url = ""
        self.by_id: dict[str, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}

    def routes(self) -> list[Route]:
        hook, original = (
            "/webhooks/{application}/{token}",
            "/webhooks/{application}/{token}/messages/@original",
        )
        one = "/webhooks/{application}/{token}/messages/{message}"
        return [
            Route("POST", "/interactions/{interaction}/{token}/callback", self.answer, needs_token=False),
            Route("POST", hook, self.follow_up, needs_token=False),
            *(
                route
                for path in (original, one)
                for route in (
                    Route("GET", path, self.get_answer, needs_token=False),
                    Route("PATCH", path, self.edit_answer, needs_token=False),
                    Route("DELETE", path, self.delete_answer, needs_token=False),
                )
            ),
        ]

    # What people do

    def open(
        self,
        kind: int,
        person: Person,
        place: Channel,
        data: Json,
        *,
        used: str | None = None,
        source: Message | None = None,
        origin: Interaction | None = None,
    ) -> Interaction:
        """Send an interaction to the bot; the answer comes over HTTP."""
        context = self.world.context_of(place)
        own_installation = context == 2
        entry = Interaction(
            self.world.ids.fresh(),
            secrets.token_urlsafe(48),
            kind,
            person,
            place.id,
            self.world.now(),
            {},
            used,
            source,
            origin,
        )
        payload: Json = {
            "id": entry.id,
            "application_id": self.world.application_id,
            "type": kind,
            "data": data,
            "token": entry.token,
            "version": 1,
            "channel_id": place.id,
            "channel": payloads.channel(place, self.world, person)
            | ({} if place.is_direct else {"permissions": str(self.world.permissions_of(person, place))}),
            "locale": person.locale,
            "context": context,
            "app_permissions": str(self.world.permissions_of(self.world.bot, place)),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": {"1": person.id} if own_installation else {"0": self.owner(place)},
            "attachment_size_limit": UPLOAD_LIMIT,
        }
        guild = self.world.guild_of(place)
        if guild is None:
            payload["user"] = payloads.user(person)
        else:
            payload |= {
                "guild_id": guild,
                "guild": {"id": guild, "locale": "en-US", "features": []},
                "guild_locale": "en-US",
                "member": payloads.member(person) | {"permissions": str(self.world.permissions_of(person, place))},
            }
        if source is not None:
            payload["message"] = payloads.message(source, self.world, self.base_url)
        entry.payload = payload
        self._forget_old()
        self.by_id[entry.id] = entry
        self.by_token[entry.token] = entry
        self.gateway.dispatch("INTERACTION_CREATE", payload, guild)
        return entry

    def _forget_old(self) -> None:
        """Drop what is long dead, so that a table can run for weeks."""
        while self.by_id:
            first = next(iter(self.by_id.values()))
            if self.world.now() - first.created < FORGET_SECONDS:
                return
            del self.by_id[first.id]
            self.by_token.pop(first.token, None)

    def owner(self, place: Channel) -> str:
        """Return by whose leave the bot is in a place: the server's, or in its direct messages nobody's."""
        return self.world.guild_of(place) or "0"

    # What the bot answers

    def alive(self, call: Call) -> Interaction:
        """Find the interaction of a token.

        Raises:
            ApiError: unknown, not yet acknowledged, or older than fifteen minutes.

        """
        entry = self.by_token.get(call.params["token"])
        if entry is None or call.params["application"] != self.world.application_id:
            raise ApiError(*errors.UNKNOWN_WEBHOOK)
        if self.world.now() - entry.created > TOKEN_SECONDS:
            raise ApiError(*errors.DEAD_TOKEN)
        if entry.callback is None:
            raise ApiError(*errors.UNKNOWN_WEBHOOK)
        return entry

    async def answer(self, call: Call) -> Json | None:
        entry = self.by_id.get(call.params["interaction"])
        if entry is None or entry.token != call.params["token"]:
            raise ApiError(*errors.UNKNOWN_INTERACTION)
        if entry.callback is not None:
            raise ApiError(*errors.ALREADY_ACKNOWLEDGED)
        if self.world.now() - entry.created > ACKNOWLEDGE_SECONDS:
            raise ApiError(*errors.UNKNOWN_INTERACTION)
        body = call.table()
        kind = body.get("type")
        allowed = ALLOWED[entry.kind]
        if kind not in allowed or (kind in (Callback.DEFER_UPDATE, Callback.UPDATE) and entry.source is None):
            words = f"Value must be one of {tuple(map(int, allowed))}."
            raise errors.invalid(("type", "BASE_TYPE_CHOICES", words))
        data = body.get("data") or {}
        message = self._carry_out(entry, int(kind), data, call)
        entry.callback = kind
        if kind in (Callback.MESSAGE, Callback.DEFER) and message is not None:
            entry.original_id = message.id
            entry.message_ids.append(message.id)
            self.world.add(message)
        elif kind == Callback.UPDATE and message is not None:
            entry.original_id = message.id
            self.world.edited(message)
        elif kind == Callback.DEFER_UPDATE and entry.source is not None:
            entry.original_id = entry.source.id
        if kind != Callback.DEFER:
            entry.filled.set()
        entry.answered.set()
        self.world.tell(Change("answered", entry.channel_id, payload=entry))
        return self._callback_reply(entry, int(kind), message) if call.flag("with_response") else None

    def _carry_out(self, entry: Interaction, kind: int, data: Json, call: Call) -> Message | None:
        """Make or change the message of an answer, without telling anybody yet."""
        if kind == Callback.CHOICES:
            entry.choices = list(data.get("choices") or ())
        elif kind == Callback.FORM:
            entry.form = data
        elif kind == Callback.DEFER:
            return self._waiting(entry, int(data.get("flags") or 0))
        elif kind == Callback.MESSAGE:
            return self._compose(entry, data, call)
        elif kind == Callback.UPDATE and entry.source is not None:
            amend(self.world, entry.source, data, call.files)
            return entry.source
        return None

    def _waiting(self, entry: Interaction, flags: int) -> Message:
        ephemeral = flags & w.EPHEMERAL
        return Message(
            self.world.ids.fresh(),
            entry.channel_id,
            self.world.application_id,
            kind=w.COMMAND_ANSWER,
            flags=w.LOADING | ephemeral,
            only_for=entry.person.id if ephemeral else None,
            interaction=entry.metadata(),
            used=entry.used,
            reference=self._replied_to(entry),
        )

    def _replied_to(self, entry: Interaction) -> str | None:
        return entry.source.id if entry.source is not None else None

    def _compose(self, entry: Interaction, data: Json, call: Call) -> Message:
        place = self.world.channels.get(entry.channel_id)
        if place is None:
            raise ApiError(*errors.UNKNOWN_CHANNEL)
        ephemeral = int(data.get("flags") or 0) & w.EPHEMERAL
        message = compose(
            self.world,
            place,
            self.world.bot,
            data,
            call.files,
            kind=w.COMMAND_ANSWER if entry.source is None else w.REPLY,
            only_for=entry.person.id if ephemeral else None,
            interaction=entry.metadata(),
            used=entry.used,
            reference=self._replied_to(entry),
        )
        message.flags |= ephemeral
        return message

    def _callback_reply(self, entry: Interaction, kind: int, message: Message | None) -> Json:
        answer: Json = {"interaction": {"id": entry.id, "type": entry.kind}}
        answer["interaction"] |= {
            "response_message_loading": kind == Callback.DEFER,
            "response_message_ephemeral": bool(message and message.is_ephemeral),
        }
        if message is not None:
            answer["interaction"]["response_message_id"] = message.id
            # The description knows a resource for these two alone, not for a deferral or a form.
            if kind in (Callback.MESSAGE, Callback.UPDATE):
                answer["resource"] = {"type": kind, "message": self._written(message)}
        return answer

    def _written(self, message: Message) -> Json:
        return payloads.message(message, self.world, self.base_url)

    async def follow_up(self, call: Call) -> Json:
        entry, body = self.alive(call), call.table()
        if entry.channel_id not in self.world.channels:
            raise ApiError(*errors.UNKNOWN_CHANNEL)
        waiting = self._original(entry)
        if waiting is not None and waiting.is_loading and entry.callback == Callback.DEFER:
            # The first message after a deferral fills it in; whether it is private was decided then.
            self._fill(entry, waiting, body, call)
            return self._written(waiting)
        message = self._compose(entry, body, call)
        message.kind = w.REPLY if entry.original_id else w.PLAIN
        message.reference = entry.original_id
        entry.message_ids.append(message.id)
        self.world.add(message)
        return self._written(message)

    def _fill(self, entry: Interaction, message: Message, body: Json, call: Call) -> None:
        amend(self.world, message, body, call.files)
        message.flags &= ~w.LOADING
        message.edited = None
        self.world.edited(message)
        entry.filled.set()

    def _original(self, entry: Interaction) -> Message | None:
        place = self.world.channels.get(entry.channel_id)
        return place.messages.get(entry.original_id or "") if place else None

    def _meant(self, call: Call) -> tuple[Interaction, Message]:
        entry = self.alive(call)
        place = self.world.channels.get(entry.channel_id)
        wanted = call.params.get("message", "@original")
        if wanted == "@original":
            wanted = entry.original_id or ""
        elif wanted not in (*entry.message_ids, entry.original_id):
            raise ApiError(*errors.UNKNOWN_MESSAGE)
        message = place.messages.get(wanted) if place else None
        if message is None:
            raise ApiError(*errors.UNKNOWN_MESSAGE)
        return entry, message

    async def get_answer(self, call: Call) -> Json:
        return self._written(self._meant(call)[1])

    async def edit_answer(self, call: Call) -> Json:
        entry, message = self._meant(call)
        body = call.table()
        if message.is_loading:
            self._fill(entry, message, body, call)
        else:
            amend(self.world, message, body, call.files)
            self.world.edited(message)
        return self._written(message)

    async def delete_answer(self, call: Call) -> None:
        entry, message = self._meant(call)
        self.world.remove(message)
        if message.is_loading:
            entry.filled.set()
