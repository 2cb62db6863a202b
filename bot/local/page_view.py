"""What the page shows of the world: built up for one person from what that person may see."""

from bot.discord_numbers import CHAT
from bot.local import payloads
from bot.local import world as w
from bot.local.errors import Json
from bot.local.posting import every_component
from bot.local.world import Channel, Message, Person, World

HISTORY = 500
SNIPPET = 90


def person(entry: Person) -> Json:
    return {"id": entry.id, "name": entry.display, "title": entry.title, "bot": entry.bot}


def people(world: World) -> list[Json]:
    return [person(p) for p in world.people.values() if p.shown]


def written(kind: int, name: str | None) -> str:
    """Return a command as people know it: typed with a slash, or an entry of a menu."""
    return f"/{name}" if kind == CHAT else str(name)


class Reader:
    """One person's view, and how far they have read."""

    def __init__(self, world: World, who: Person) -> None:
        self.world = world
        self.who = who
        self.read_to: dict[str, int] = {}

    def visible(self, place: Channel) -> list[Message]:
        if not self.world.sees(self.who, place):
            return []
        return [m for m in place.messages.values() if m.only_for in (None, self.who.id)]

    def mark_read(self, place: Channel) -> None:
        last = next(reversed(place.messages), None)
        self.read_to[place.id] = int(last) if last else 0

    def first_unread(self, place: Channel) -> str | None:
        fresh = self.fresh(place)
        return fresh[-1].id if fresh else None

    def fresh(self, place: Channel) -> list[Message]:
        """List what others wrote since this person looked, newest first."""
        read_to = self.read_to.get(place.id, 0)
        fresh: list[Message] = []
        if self.world.sees(self.who, place):
            for entry in reversed(place.messages.values()):
                if int(entry.id) <= read_to:
                    break
                if entry.only_for in (None, self.who.id) and entry.author_id != self.who.id:
                    fresh.append(entry)
        return fresh

    def unread(self, place: Channel) -> Json:
        fresh = self.fresh(place)
        calls = [m for m in fresh if self.calls(m)]
        return {"channel": place.id, "unread": len(fresh), "mentions": len(calls)}

    def calls(self, message: Message) -> bool:
        """Tell whether a message notifies this person."""
        if message.is_silent:
            return False
        place = self.world.channels.get(message.channel_id)
        direct = place is not None and place.is_direct and message.author_id != self.who.id
        return self.who.id in message.mentions or message.mentions_everyone or direct

    def places(self) -> list[Json]:
        visible = [c for c in self.world.channels.values() if self.world.sees(self.who, c)]
        return [self.place(c) for c in visible if not c.archived]

    def place(self, entry: Channel) -> Json:
        others = [self.world.people[p] for p in entry.recipients if p != self.who.id]
        needed = "send_messages_in_threads" if entry.is_thread else "send_messages"
        return self.unread(entry) | {
            "id": entry.id,
            "kind": entry.kind,
            "name": ", ".join(p.display for p in others) if entry.is_direct else entry.name,
            "topic": entry.topic,
            "parent": entry.parent_id,
            "position": entry.position,
            "opens": entry.kind in (w.TEXT, w.FORUM) and self.world.may(self.who, entry, "create_public_threads"),
            "writable": entry.kind not in (w.FORUM, w.CATEGORY) and self.world.may(self.who, entry, needed),
        }

    def history(self, place: Channel) -> list[Json]:
        return [self.message(m) for m in self.visible(place)[-HISTORY:]]

    def message(self, entry: Message) -> Json:
        base = self.world.base_url
        return {
            "id": entry.id,
            "channel": entry.channel_id,
            "at": w.sent_at(entry),
            "edited": entry.edited is not None,
            "author": person(self.world.people[entry.author_id]),
            "content": entry.content,
            "embeds": [payloads.embed(e, entry, base) for e in entry.embeds],
            "components": payloads.components(entry, base),
            "files": [payloads.attachment(a, base) for a in payloads.shown_attachments(entry)],
            "alts": {payloads.attachment(a, base)["url"]: a.description for a in entry.attachments},
            "private": entry.only_for is not None,
            "thinking": entry.is_loading,
            "silent": entry.is_silent,
            "calls": self.calls(entry),
            "used": self.used(entry),
            "reply": self.reply(entry),
        }

    def used(self, entry: Message) -> Json | None:
        # A follow-up hangs below the first answer, which already says who used what.
        if entry.interaction is None or entry.interaction["type"] != 2 or entry.reference is not None:
            return None
        who = self.world.people[entry.interaction["user"]["id"]]
        return {"who": person(who), "command": written(entry.interaction["command_type"], entry.used)}

    def reply(self, entry: Message) -> Json | None:
        place = self.world.channels.get(entry.channel_id)
        if entry.reference is None or place is None:
            return None
        meant = place.messages.get(entry.reference)
        if meant is None:
            return {"gone": True}
        if not self.world.can_see(self.who, meant):
            return None  # an answer to what somebody else sees alone
        texts = (
            *(e.get("title") for e in meant.embeds),
            *(e.get("content") for e in every_component(meant.components)),
        )
        text = meant.content or next((str(text) for text in texts if text), "")
        author = person(self.world.people[meant.author_id])
        return {"id": meant.id, "who": author, "text": text.split("\n")[0][:SNIPPET]}
