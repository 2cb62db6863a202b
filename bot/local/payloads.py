"""The world as Discord writes it down."""

import zlib
from collections.abc import Sequence

from bot.discord_numbers import SELECTS, Component
from bot.local import world as w
from bot.local.errors import Json
from bot.local.snowflake import iso, when
from bot.local.world import Attachment, Channel, Message, Person, World

JOINED = "2024-01-01T12:00:00.000000+00:00"
MESSAGE_CONTENT = 1 << 15
# What Discord says of a component that its sender left out.
MEDIA: Json = {"description": None, "spoiler": False}
ADDED: dict[int, Json] = {
    Component.FILE: {"spoiler": False},
    Component.CONTAINER: {"accent_color": None, "spoiler": False},
}


def user(person: Person) -> Json:
    return {
        "id": person.id,
        "username": person.username,
        "discriminator": "0",
        "global_name": None if person.bot else person.display,
        "avatar": None,
        "bot": person.bot,
        "primary_guild": None,
        "public_flags": 0,
        "flags": 0,
    }


def own_user(person: Person) -> Json:
    return user(person) | {"mfa_enabled": False, "locale": person.locale, "verified": True, "email": None}


def bare_member(person: Person) -> Json:
    """Write a member without the user, as messages and resolved options hold it."""
    return {
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": list(person.roles),
        "joined_at": JOINED,
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def member(person: Person) -> Json:
    return bare_member(person) | {"user": user(person)}


def role(entry: Json, world: World) -> Json:
    return {
        "id": entry["id"],
        "name": entry["name"],
        "description": None,
        "permissions": str(entry["permissions"]),
        "position": entry["position"],
        "color": entry["color"],
        "colors": {"primary_color": entry["color"], "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": entry["name"] == world.bot.display,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def thread_state(channel: Channel) -> Json:
    return {
        "archived": channel.archived,
        "locked": channel.locked,
        "auto_archive_duration": 10080,
        "archive_timestamp": iso(channel.archived_at or when(channel.id)),
        "create_timestamp": iso(when(channel.id)),
    }


def channel(place: Channel, world: World, reader: Person | None = None) -> Json:
    last = next(reversed([m.id for m in place.messages.values() if m.only_for is None]), None)
    if place.is_direct:
        reader = reader or world.bot
        others = [world.people[p] for p in place.recipients if p != reader.id]
        return {
            "id": place.id,
            "type": place.kind,
            "flags": 0,
            "last_message_id": last,
            "recipients": [user(p) for p in others],
        }
    answer: Json = {
        "id": place.id,
        "type": place.kind,
        "guild_id": world.guild_of(place),
        "name": place.name,
        "parent_id": place.parent_id,
        "last_message_id": last,
        "rate_limit_per_user": 0,
        "flags": 0,
    }
    if place.is_thread:
        return answer | {
            "owner_id": place.owner_id,
            "thread_metadata": thread_state(place),
            "message_count": len(place.messages),
            "member_count": len(place.thread_members),
            "total_message_sent": len(place.messages),
        }
    answer |= {
        "position": place.position,
        "topic": place.topic,
        "nsfw": False,
        "permission_overwrites": [
            {"id": o.id, "type": o.kind, "allow": str(o.allow), "deny": str(o.deny)} for o in place.overwrites
        ],
    }
    if place.kind == w.FORUM:
        answer |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
        answer |= {"default_forum_layout": 0}
    return answer


def guild(world: World, guild_id: str) -> Json:
    first = guild_id == world.guild_id
    return {
        "id": guild_id,
        "name": world.guilds[guild_id],
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": world.owner_id,
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [
            role(entry, world)
            for entry in world.roles.values()
            if entry["id"] == guild_id or (first and entry["id"] not in world.guilds)
        ],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_create(world: World, guild_id: str, channels: Sequence[Channel]) -> Json:
    """Write a server with its channels as the gateway announces it: without the members list intent, the bot alone."""
    return guild(world, guild_id) | {
        "joined_at": JOINED,
        "large": False,
        "unavailable": False,
        "member_count": len(world.people),
        "members": [member(world.bot)],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "channels": [channel(c, world) for c in channels if not c.is_thread],
        "threads": [
            channel(c, world)
            for c in channels
            if c.is_thread and not c.archived and world.may(world.bot, c, "view_channel") and world.is_inside(c)
        ],
    }


def attachment(entry: Attachment, base_url: str) -> Json:
    url = f"{base_url}/files/{entry.key}/{entry.filename}"
    answer: Json = {
        "id": entry.id,
        "filename": entry.filename,
        "size": len(entry.content),
        "url": url,
        "proxy_url": url,
        "content_type": entry.content_type,
    }
    if entry.width is not None:
        answer |= {"width": entry.width, "height": entry.height}
    if entry.description is not None:
        answer["description"] = entry.description
    return answer


def embed(entry: Json, message: Message, base_url: str) -> Json:
    """Return an embed with its `attachment://` pictures turned into addresses."""
    answer: Json = {"type": "rich"} | entry
    shown = next((a for a in message.attachments if a.filename == picture_of(entry)), None)
    if shown is not None:
        answer["image"] = {"url": attachment(shown, base_url)["url"]}
        if shown.width is not None:
            answer["image"] |= {"width": shown.width, "height": shown.height}
    return answer


def picture_of(embed: Json) -> str | None:
    """Return which of the message's own files an embed shows."""
    url = (embed.get("image") or {}).get("url")
    return url.removeprefix("attachment://") if isinstance(url, str) and url.startswith("attachment://") else None


def shown_attachments(message: Message) -> list[Attachment]:
    """List the files that are by themselves: those an embed shows do not, and beside a layout none does."""
    if message.flags & w.COMPONENTS_V2:
        return []
    used = set(map(picture_of, message.embeds))
    return [a for a in message.attachments if a.filename not in used]


def message(
    entry: Message, world: World, base_url: str, *, intents: int = MESSAGE_CONTENT, is_referred: bool = False
) -> Json:
    """Write a message for the bot; what other people wrote is blank without the message content intent."""
    author = world.people[entry.author_id]
    place = world.channels.get(entry.channel_id)
    readable = (
        author.bot
        or bool(intents & MESSAGE_CONTENT)
        or (place is not None and place.is_direct)
        or world.application_id in entry.mentions
    )
    answer: Json = {
        "id": entry.id,
        "channel_id": entry.channel_id,
        "author": user(author),
        "type": entry.kind,
        "content": entry.content if readable else "",
        "timestamp": iso(w.sent_at(entry)),
        "edited_timestamp": None if entry.edited is None else iso(entry.edited),
        "tts": False,
        "mention_everyone": entry.mentions_everyone,
        "mentions": [user(world.people[p]) for p in entry.mentions],
        "mention_roles": [],
        "attachments": [attachment(a, base_url) for a in shown_attachments(entry)] if readable else [],
        "embeds": [embed(e, entry, base_url) for e in entry.embeds] if readable else [],
        "components": components(entry, base_url) if readable else [],
        "pinned": False,
        "flags": entry.flags,
    }
    if entry.nonce is not None:
        answer["nonce"] = entry.nonce
    if author.bot:
        answer["application_id"] = world.application_id
    if entry.interaction is not None:
        answer |= {"webhook_id": world.application_id, "interaction_metadata": entry.interaction}
    if entry.reference is not None:
        answer["message_reference"] = {
            "type": 0,
            "channel_id": entry.channel_id,
            "message_id": entry.reference,
        }
        referred = place.messages.get(entry.reference) if place and not is_referred else None
        if not is_referred:  # one step back: what that one refers to is named by its id alone
            answer["referenced_message"] = (
                message(referred, world, base_url, intents=intents, is_referred=True) if referred else None
            )
    return answer


def components(message: Message, base_url: str) -> list[Json]:
    """Give every component what Discord adds: its id (its position in the message) and the places of its media."""
    by_name = {a.filename: attachment(a, base_url) for a in message.attachments}
    count = 0

    def media(entry: Json) -> Json:
        url: str = entry["url"]
        stored = by_name.get(url.removeprefix("attachment://"))
        if stored is None:
            return {"id": message.id, "url": url, "proxy_url": url}
        keys = ("url", "proxy_url", "width", "height", "content_type")
        return {"id": stored["id"], "attachment_id": stored["id"]} | {key: stored.get(key) for key in keys}

    def walk(entry: Json) -> Json:
        nonlocal count
        count += 1
        answer: Json = {"id": count} | ADDED.get(entry["type"], {}) | entry
        if "media" in entry:
            answer["media"] = media(entry["media"])
        if "file" in entry:
            stored = by_name[entry["file"]["url"].removeprefix("attachment://")]
            answer |= {"file": media(entry["file"]), "name": stored["filename"], "size": stored["size"]}
        if "items" in entry:
            answer["items"] = [MEDIA | item | {"media": media(item["media"])} for item in entry["items"]]
        if entry.get("type") in (Component.BUTTON, *SELECTS) and "emoji" in entry and entry["emoji"] is None:
            answer.pop("emoji")
        if entry.get("type") in SELECTS:
            answer = {"min_values": 1, "max_values": 1, "disabled": False} | answer
        if "components" in entry:
            answer["components"] = [walk(child) for child in entry["components"]]
        if "accessory" in entry:
            answer["accessory"] = walk(entry["accessory"])
        return answer

    return [walk(entry) for entry in message.components]


def gateway_message(entry: Message, world: World, base_url: str, intents: int) -> Json:
    answer = message(entry, world, base_url, intents=intents)
    place = world.channels[entry.channel_id]
    guild_id = world.guild_of(place)
    if guild_id is not None:
        answer["guild_id"] = guild_id
        answer["member"] = bare_member(world.people[entry.author_id])
    answer["channel_type"] = place.kind
    return answer


def application(world: World) -> Json:
    return {
        "id": world.application_id,
        "name": world.bot.display,
        "icon": None,
        "description": "Referees tabletop games",
        "type": None,
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "integration_types_config": {"0": {}, "1": {}},
        "verify_key": f"{zlib.crc32(b'referee'):08x}" * 8,
        "flags": 0,
        "flags_new": "0",
        "max_participants": None,
        "tags": [],
        "owner": user(world.people[world.owner_id]),
        "team": None,
        "bot": user(world.bot),
        "approximate_guild_count": 1,
        "approximate_user_install_count": len(world.installed_for),
        "approximate_user_authorization_count": len(world.installed_for),
        "eligible_oauth2_scopes": ["applications.commands", "bot"],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "explicit_content_filter": 0,
        "hook": True,
    }
