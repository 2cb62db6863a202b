"""What the people at the table do: type, press, choose, fill in. The page and the tests share it."""

import asyncio
from typing import Any

from bot.discord_numbers import CHAT, ON_MESSAGE, ON_PERSON, Component
from bot.local import world as w
from bot.local.call import Upload
from bot.local.commands import CommandRoutes
from bot.local.completion import Completion, Composed, compose
from bot.local.errors import Json
from bot.local.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction, Interactions
from bot.local.payloads import attachment, bare_member, message, user
from bot.local.posting import every_component, mentioned, mentions_everyone, store_file
from bot.local.slash import CannotSend, Problem, Scene, command_data, read
from bot.local.world import Attachment, Channel, Message, Person, World

AUTOCOMPLETE_SECONDS = 3.0
_OPEN_A_POST = "Nobody can write here: open a post."


class NotPossible(Exception):  # noqa: N818 - the screen's refusal, no error
    """Somebody tried what their screen would not let them do; the message says why."""


def channel_gone() -> NotPossible:
    """Say that nothing is done in a channel any more."""
    return NotPossible("That channel is gone.")


def _required(label: object) -> NotPossible:
    return NotPossible(f"{label} is required.")


class People:
    def __init__(self, world: World, commands: CommandRoutes, interactions: Interactions) -> None:
        self.world = world
        self.commands = commands
        self.interactions = interactions
        # What the bot offered somebody for an option: a name that is shown, and its value.
        self.offered: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}

    def commands_for(self, person: Person, place: Channel, kind: int = CHAT) -> list[Json]:
        """List the commands of a kind that somebody finds in a place."""
        if not self.world.sees(person, place):
            return []
        if not place.is_direct and not self.world.may(person, place, "use_application_commands"):
            return []
        context = self.world.context_of(place)
        allowed = self.world.permissions_of(person, place)
        entries = self.commands.available(context, person.id in self.world.installed_for, kind)
        answer = []
        for entry in entries:
            needed = entry["default_member_permissions"]
            if context != 0 or needed is None or allowed & int(needed) == int(needed):
                answer.append(entry)
        return sorted(answer, key=lambda c: str(c["name"]))

    def scene(self, person: Person, place: Channel, files: dict[str, Attachment] | None = None) -> Scene:
        return Scene(self.world, place, person, files or {}, self.offered.setdefault(person.id, {}))

    def upload(self, filename: str, content: bytes) -> Attachment:
        entry = store_file(self.world, Upload(0, filename, content))
        self.world.attachments[entry.key] = entry
        return entry

    def say(self, person: Person, place: Channel, text: str) -> Message:
        """Write a plain message.

        Raises:
            NotPossible: it is empty, too long, or not allowed there.

        """
        if place.kind in (w.FORUM, w.CATEGORY):
            raise NotPossible(_OPEN_A_POST)
        if not self.world.may_write(person, place):
            raise NotPossible("You may not write here.")
        if not 1 <= len(text.strip()) <= 2000:
            raise NotPossible("A message needs 1 to 2000 characters.")
        message = Message(
            self.world.ids.fresh(),
            place.id,
            person.id,
            text.strip(),
            mentions=mentioned(self.world, text, None),
            mentions_everyone=mentions_everyone(self.world, person, place, text, None),
        )
        self.world.add(message)
        if place.is_thread and self.world.application_id in message.mentions:
            self.world.join_thread(place)
        return message

    def open_thread(self, person: Person, parent: Channel, name: str, text: str = "") -> Channel:
        """Open a thread in a channel, or a post with its first message in a forum.

        Raises:
            NotPossible: not there, or not with that name.

        """
        if parent.kind not in (w.TEXT, w.FORUM) or not self.world.may(person, parent, "create_public_threads"):
            raise NotPossible("You may not open a thread here.")
        if not 1 <= len(name.strip()) <= 100:
            raise NotPossible("A name needs 1 to 100 characters.")
        if parent.kind == w.FORUM and not text.strip():
            raise NotPossible("A post begins with a message.")
        place = self.world.open_thread(parent, name.strip(), person)
        if text.strip():
            self.say(person, place, text)
        return place

    def slash(
        self, person: Person, place: Channel, text: str, files: dict[str, tuple[str, bytes]] | None = None
    ) -> Interaction:
        """Send a slash command as typed; `files` maps an option to a name and its bytes.

        Raises:
            CannotSend: the composer would mark it.

        """
        if place.kind in (w.FORUM, w.CATEGORY):
            raise CannotSend((Problem(0, len(text), _OPEN_A_POST),))
        uploads = {option: self.upload(name, content) for option, (name, content) in (files or {}).items()}
        reading = read(with_files(text, uploads), self.commands_for(person, place))
        data = command_data(reading, self.scene(person, place, uploads))
        return self.interactions.open(COMMAND, person, place, data, used=reading.name)

    def open_menu(self, person: Person, place: Channel, name: str, target: Message | Person) -> Interaction:
        """Choose an entry of the app in the menu of a message or of a person.

        Raises:
            NotPossible: there is no such entry.

        """
        kind = ON_MESSAGE if isinstance(target, Message) else ON_PERSON
        entry = next((c for c in self.commands_for(person, place, kind) if c["name"] == name), None)
        if entry is None:
            raise NotPossible(f"{name} is not in that menu.")
        if isinstance(target, Message):
            resolved: Json = {"messages": {target.id: message(target, self.world, self.interactions.base_url)}}
        else:
            resolved = {"users": {target.id: user(target)}}
            if not place.is_direct:
                resolved["members"] = {target.id: bare_member(target) | {"permissions": "0"}}
        data = {"id": entry["id"], "name": name, "type": kind, "target_id": target.id, "resolved": resolved}
        return self.interactions.open(COMMAND, person, place, data, used=name)

    async def complete(self, person: Person, place: Channel, text: str, focused: str) -> list[Json]:
        """Ask the bot for an option's choices.

        Raises:
            CannotSend: the line or the option is not there.

        """
        reading = read(text, self.commands_for(person, place))
        data = command_data(reading, self.scene(person, place), focused=focused)
        entry = self.interactions.open(AUTOCOMPLETE, person, place, data, used=reading.name)
        try:
            async with asyncio.timeout(AUTOCOMPLETE_SECONDS):
                await entry.answered.wait()
        except TimeoutError:
            return []
        known = self.offered.setdefault(person.id, {}).setdefault((reading.name, focused), {})
        known.update({str(c["name"]): c["value"] for c in entry.choices})
        return entry.choices

    async def compose(
        self, person: Person, place: Channel, text: str, cursor: int, files: dict[str, Attachment]
    ) -> tuple[Composed, list[Completion]]:
        """Read a line for the composer; if the bot completes, it is asked."""
        composed = compose(text, cursor, self.commands_for(person, place), self.scene(person, place, files))
        if composed.asks is None:
            return composed, list(composed.completions)
        typed = next(v for v in composed.reading.values if v.option["name"] == composed.asks)
        choices = await self.complete(person, place, text, composed.asks)
        offered = [Completion(str(c["name"]), "", f"{c['name']} ", typed.start, typed.end, "value") for c in choices]
        return composed, offered + list(composed.completions)

    def seen(self, person: Person, message_id: str) -> Message:
        """Find a message on somebody's screen.

        Raises:
            NotPossible: it is gone, or not for them.

        """
        message = self.world.find_message(message_id)
        if message is None or not self.world.can_see(person, message):
            raise NotPossible("That message is gone.")
        return message

    def press(self, person: Person, message_id: str, custom_id: str) -> Interaction:
        """Press a button.

        Raises:
            NotPossible: it is not there, or disabled.

        """
        message = self.seen(person, message_id)
        component = component_of(message, custom_id)
        if component["type"] != Component.BUTTON:
            raise NotPossible("That is not a button.")
        data = {"custom_id": custom_id, "component_type": 2}
        return self._component(person, message, data)

    def select(self, person: Person, message_id: str, custom_id: str, values: list[str]) -> Interaction:
        """Choose from a select; of people by id or name.

        Raises:
            NotPossible: it is not there, disabled, or does not offer that.

        """
        message = self.seen(person, message_id)
        component = component_of(message, custom_id)
        data: Json = {"custom_id": custom_id, "component_type": component["type"]}
        data |= self.selected(component, values)
        return self._component(person, message, data)

    def selected(self, component: Json, values: list[str]) -> Json:
        least, most = component.get("min_values", 1), component.get("max_values", 1)
        if not least <= len(values) <= most:
            raise NotPossible(f"Choose {least} to {most}." if least != most else f"Choose {least}.")
        if component["type"] == Component.SELECT:
            offered = {o["value"] for o in component["options"]}
            by_label = {o["label"]: o["value"] for o in component["options"]}
            selected = [v if v in offered else by_label.get(v, v) for v in values]
            if not set(selected) <= offered:
                raise NotPossible(f"Not offered: {', '.join(set(selected) - offered)}.")
            return {"values": selected}
        try:
            people = [self.world.named(v) for v in values]
        except KeyError as fault:
            raise NotPossible(str(fault)) from fault
        return {
            "values": [p.id for p in people],
            "resolved": {
                "users": {p.id: user(p) for p in people},
                "members": {p.id: bare_member(p) | {"permissions": "0"} for p in people},
            },
        }

    def _component(self, person: Person, message: Message, data: Json) -> Interaction:
        place = self.world.channels[message.channel_id]
        return self.interactions.open(COMPONENT, person, place, data, used=message.used, source=message)

    def submit(self, person: Person, form: Interaction, values: dict[str, Any]) -> Interaction:
        """Send a form; fields by custom id or label, what is not named keeps its first value.

        A file is its name and its bytes.

        Raises:
            NotPossible: a field is missing, too long, or there is none of that name.

        """
        if form.form is None or form.person is not person:
            raise NotPossible("That form is not open.")
        left = dict(values)
        resolved: dict[str, Json] = {}
        rows = [self._field(row, left, resolved) for row in form.form["components"]]
        if left:
            raise NotPossible(f"The form has no field {', '.join(left)}.")
        data: Json = {"custom_id": form.form["custom_id"], "components": [r for r in rows if r is not None]}
        if resolved:
            data["resolved"] = resolved
        place = self.world.channels.get(form.channel_id)
        if place is None:
            raise channel_gone()
        return self.interactions.open(MODAL, person, place, data, used=form.used, source=form.source, origin=form)

    def _field(self, row: Json, values: dict[str, Any], resolved: dict[str, Json]) -> Json | None:
        if row["type"] == Component.TEXT:
            return None
        item = row["component"] if row["type"] == Component.LABEL else row["components"][0]
        label = row.get("label") or item.get("label")
        name = next((k for k in (item["custom_id"], label) if k in values), None)
        given = values.pop(name) if name is not None else None
        answer: Json = {"type": item["type"], "id": item.get("id", 0), "custom_id": item["custom_id"]}
        if item["type"] == Component.TEXT_INPUT:
            text = str(given if given is not None else item.get("value") or "")
            least, most = item.get("min_length", 0), item.get("max_length", 4000)
            if not text and item.get("required", True):
                raise _required(label)
            if text and not (least or 0) <= len(text) <= (most or 4000):
                raise NotPossible(f"{label} takes {least or 0} to {most or 4000} characters.")
            answer["value"] = text
        elif item["type"] == Component.FILE_UPLOAD:
            if given is None and item.get("required", True):
                raise _required(label)
            files = [] if given is None else [self.upload(*given)]
            sent = {each.id: attachment(each, self.world.base_url) for each in files}
            resolved["attachments"] = resolved.get("attachments", {}) | sent
            answer["values"] = [each.id for each in files]
        else:
            selected = [given] if isinstance(given, str) else list(given or first_values(item))
            if not selected and item.get("required", True):
                raise _required(label)
            chosen = self.selected(item | ({} if selected else {"min_values": 0}), selected)
            for kind, entries in chosen.pop("resolved", {}).items():
                resolved[kind] = resolved.get(kind, {}) | entries
            answer |= chosen
        wrapped = {"id": row.get("id", 0), "type": row["type"]}
        return wrapped | ({"component": answer} if row["type"] == Component.LABEL else {"components": [answer]})

    def dismiss(self, person: Person, message_id: str) -> None:
        """Put a private answer away.

        Raises:
            NotPossible: it is no private answer of theirs.

        """
        message = self.seen(person, message_id)
        if message.only_for != person.id:
            raise NotPossible("Only a private answer can be dismissed.")
        self.world.remove(message)


def first_values(item: Json) -> list[str]:
    return [o["value"] for o in item.get("options") or () if o.get("default")]


def with_files(text: str, uploads: dict[str, Attachment]) -> str:
    """Name each uploaded file in the line, as the page does when one is selected."""
    for option, entry in uploads.items():
        if f" {option}:" not in text:
            text += f" {option}:{entry.filename}"
    return text


def walk(components: list[Json]) -> list[Json]:
    """List the buttons and selects of a message, wherever they are nested."""
    inside = every_component(components)
    return [entry for entry in inside if "custom_id" in entry or entry["type"] == Component.BUTTON]


def component_of(message: Message, custom_id: str) -> Json:
    for component in walk(message.components):
        if component.get("custom_id") == custom_id:
            if component.get("disabled"):
                raise NotPossible("That is switched off.")
            return component
    raise NotPossible("That is no longer offered.")
