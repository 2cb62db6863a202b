"""Hold the bot's requests and the stand-in's replies against Discord's own description, if it is at hand.

The description is not part of this repository: `DISCORD_OPENAPI` names its file, or it lies in
`../shared/discord/openapi.json` beside the repository. Without it nothing is checked here.
"""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bot.local.call import Exchange
from tests.local.stand_in import StandIn

Json = dict[str, Any]
ROOT = "urn:discord"
BESIDE = Path(__file__).parents[2].parent / "shared" / "discord" / "openapi.json"


def description_path() -> Path | None:
    """Find the description's file."""
    path = Path(os.environ.get("DISCORD_OPENAPI") or BESIDE)
    return path if path.is_file() else None


class Description:
    """Discord's description, ready to be asked."""

    def __init__(self, path: Path) -> None:
        self.document: Json = json.loads(path.read_text("utf-8"))
        resource = Resource.from_contents(self.document, default_specification=DRAFT202012)
        self.registry: Registry[Any] = Registry().with_resource(ROOT, resource)
        self.paths = [(pattern_of(path), path) for path in self.document["paths"]]

    def operation(self, exchange: Exchange) -> tuple[str, Json] | None:
        """Find what is described for a request: its place in the document, and its text.

        Fixed words go before placeholders, as in `/users/@me`.
        """
        found = [p for pattern, p in self.paths if pattern.fullmatch(exchange.path)]
        for path in sorted(found, key=lambda p: p.count("{")):
            entry = self.document["paths"][path].get(exchange.method.lower())
            if entry is not None:
                return f"/paths/{escape(path)}/{exchange.method.lower()}", entry
        return None

    def validator(self, pointer: str) -> jsonschema.Draft202012Validator:
        return jsonschema.Draft202012Validator({"$ref": f"{ROOT}#{pointer}"}, registry=self.registry)

    def faults(self, exchange: Exchange) -> Iterator[str]:
        """List the places at which a request or its reply leaves the description."""
        found = self.operation(exchange)
        if found is None:
            yield f"{exchange.method} {exchange.path} is not described"
            return
        pointer, operation = found
        if exchange.body is not None and exchange.status < 300:
            yield from self._request(exchange, pointer, operation)
        yield from self._reply(exchange, pointer, operation)

    def _request(self, exchange: Exchange, pointer: str, operation: Json) -> Iterator[str]:
        content = operation.get("requestBody", {}).get("content", {})
        kind = "multipart/form-data" if exchange.files and "multipart/form-data" in content else "application/json"
        if kind not in content:
            yield f"{exchange.method} {exchange.path}: no body is described"
            return
        place = f"{pointer}/requestBody/content/{escape(kind)}/schema"
        yield from self._check(place, with_text_ids(exchange.body), f"{exchange.method} {exchange.path} asks")

    def _reply(self, exchange: Exchange, pointer: str, operation: Json) -> Iterator[str]:
        status = str(exchange.status)
        if status not in operation["responses"]:
            status = f"{status[0]}XX"
        entry = operation["responses"].get(status)
        if entry is None:
            yield f"{exchange.method} {exchange.path}: status {exchange.status} is not described"
            return
        place = f"{pointer}/responses/{status}"
        if "$ref" in entry:
            place = entry["$ref"].removeprefix("#")
            entry = self.document["components"]["responses"][place.rsplit("/", 1)[1]]
        if "application/json" in entry.get("content", {}) and exchange.reply is not None:
            place += f"/content/{escape('application/json')}/schema"
            yield from self._check(
                place, without_field_errors(exchange.reply), f"{exchange.method} {exchange.path} replies"
            )

    def _check(self, pointer: str, instance: Any, where: str) -> Iterator[str]:
        for fault in self.validator(pointer).iter_errors(instance):
            inner = innermost(fault)
            yield f"{where}: {inner.json_path}: {inner.message[:300]}"


def with_text_ids(body: Any) -> Any:
    """Write ids as text: Discord also takes numbers, which discord.py sends, and does not describe it."""
    if isinstance(body, list):
        return [with_text_ids(entry) for entry in body]
    if not isinstance(body, dict):
        return body
    answer = {}
    for key, value in body.items():
        if key == "attachments" and value:
            answer[key] = [entry | {"id": str(entry["id"])} for entry in value]
        elif key == "allowed_mentions" and value:
            answer[key] = value | {k: [str(v) for v in value[k]] for k in ("users", "roles") if value.get(k)}
        else:
            answer[key] = with_text_ids(value)
    return answer


def without_field_errors(reply: Any) -> Any:
    """Leave out the fields at fault: the description has numbers for their codes, the documentation words."""
    return {k: v for k, v in reply.items() if k != "errors"} if isinstance(reply, dict) and "code" in reply else reply


def innermost(fault: ValidationError) -> ValidationError:
    """Go down into alternatives to what most likely was meant: the one that fits furthest."""
    while fault.context:
        by_choice: dict[Any, list[ValidationError]] = {}
        for entry in fault.context:
            by_choice.setdefault(entry.schema_path[0], []).append(entry)
        # An alternative of another type, or with another constant, was not meant.
        meant = [g for g in by_choice.values() if not any(e.validator in ("enum", "const") for e in g)]
        groups = meant or list(by_choice.values())
        fewest = min(len(g) for g in groups)
        nearest = next(g for g in groups if len(g) == fewest)
        fault = max(nearest, key=lambda e: len(e.absolute_path))
    return fault


def pattern_of(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))


def escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


@cache
def description() -> Description | None:
    """Load the description once, or return None if there is none."""
    path = description_path()
    return Description(path) if path else None


def faults_of(local: StandIn) -> list[str]:
    """Check everything that the bot and the stand-in said to each other."""
    known = description()
    if known is None:
        return []
    return [fault for exchange in local.exchanges for fault in known.faults(exchange)]
