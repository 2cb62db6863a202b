"""The application's commands, for everybody or for one server."""

import asyncio

from bot.discord_numbers import CHAT
from bot.local import errors
from bot.local.call import Call, Route
from bot.local.errors import ApiError, Json
from bot.local.world import World

Scope = str | None  # a server's id, or None for everywhere


class CommandRoutes:
    def __init__(self, world: World) -> None:
        self.world = world
        self.commands: dict[Scope, dict[str, Json]] = {None: {}}
        self.registered = asyncio.Event()  # the bot has commands; until then nobody can type one

    def routes(self) -> list[Route]:
        everywhere = "/applications/{application}/commands"
        server = "/applications/{application}/guilds/{guild}/commands"
        return [
            route
            for base in (everywhere, server)
            for route in (Route("GET", base, self.list_commands), Route("PUT", base, self.replace_commands))
        ]

    def scope(self, call: Call) -> Scope:
        """Return which list a request means.

        Raises:
            ApiError: another application's, or an unknown server's.

        """
        if call.params["application"] != self.world.application_id:
            raise ApiError(404, 10002, "Unknown Application")
        guild = call.params.get("guild")
        if guild is not None and guild not in self.world.guilds:
            raise ApiError(*errors.MISSING_ACCESS)
        return guild

    def stored(self, body: Json, scope: Scope, known: Json | None = None) -> Json:
        entry: Json = {
            "id": known["id"] if known else self.world.ids.fresh(),
            "application_id": self.world.application_id,
            "version": self.world.ids.fresh(),
            "type": body.get("type") or 1,
            "name": body["name"],
            "name_localizations": body.get("name_localizations"),
            "description": body.get("description", ""),
            "description_localizations": body.get("description_localizations"),
            "default_member_permissions": body.get("default_member_permissions"),
            "nsfw": bool(body.get("nsfw")),
            "contexts": body.get("contexts"),
            "integration_types": body.get("integration_types") or [0],
            "dm_permission": body.get("dm_permission", True) is not False,
            "options": [stored_option(o) for o in body.get("options") or ()],
        }
        if scope is not None:
            entry["guild_id"] = scope
        return entry

    def written(self, call: Call, entry: Json) -> Json:
        if call.flag("with_localizations"):
            return entry
        return {k: v for k, v in entry.items() if not k.endswith("_localizations")}

    def list_for(self, scope: Scope) -> dict[str, Json]:
        return self.commands.setdefault(scope, {})

    def named(self, scope: Scope, name: str, kind: int = 1) -> Json | None:
        for entry in self.list_for(scope).values():
            if entry["name"] == name and entry["type"] == kind:
                return entry
        return None

    async def list_commands(self, call: Call) -> list[Json]:
        return [self.written(call, c) for c in self.list_for(self.scope(call)).values()]

    async def replace_commands(self, call: Call) -> list[Json]:
        scope, body = self.scope(call), call.body
        entries = [self.stored(c, scope, self.named(scope, c["name"], c.get("type") or 1)) for c in body]
        self.commands[scope] = {c["id"]: c for c in entries}
        self.registered.set()
        return [self.written(call, c) for c in entries]

    def available(self, context: int, installed_for_person: bool, kind: int = CHAT) -> list[Json]:
        """List the commands of a kind that may be used in a context, server's own before everybody's.

        Rule: in a server (0) and in the bot's direct messages (1) the server's installation counts,
        in other people's (2) the person's own.
        """
        if context == 0:
            entries = list(self.list_for(self.world.guild_id).values())
            known = {(c["name"], c["type"]) for c in entries}
            entries += [c for c in self.commands[None].values() if (c["name"], c["type"]) not in known]
        else:
            entries = list(self.commands[None].values())
        return [c for c in entries if c["type"] == kind and fits(c, context, installed_for_person)]


def fits(command: Json, context: int, installed_for_person: bool) -> bool:
    contexts = command["contexts"]
    if contexts is None:
        contexts = [0, 1] if command["dm_permission"] else [0]
    if context not in contexts and "guild_id" not in command:
        return False
    if context == 2:
        return 1 in command["integration_types"] and installed_for_person
    return 0 in command["integration_types"] or installed_for_person


def stored_option(option: Json) -> Json:
    answer = {k: v for k, v in option.items() if v is not None and not (k == "required" and v is False)}
    if "options" in answer:
        answer["options"] = [stored_option(o) for o in answer["options"]]
    return answer
