"""A kit's file: how it is read, handed out and replaced."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue

from rules.core.rulings import OwnTables
from rules.core.step import Step
from rules.errors import Malformed
from rules.kits.compiled import Kit
from rules.kits.document import digest_of
from rules.kits.library import kit_of, library
from rules.kits.mistakes import MistakenKit
from rules.systems.kit.changing import FOLLOWING, change_kit, newest
from rules.systems.kit.state import KitState


class KitFile(OwnTables[KitState]):
    """The file of a kit, with its `source` as it was typed and its digest; without phases it is any kit's."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    def shipped(self) -> Mapping[str, str]:
        """Return the kits of the library that this program plays whole."""
        kits = () if self.kit.phases else (kit_of(document.content) for document in library().values())
        return {kit.id: f"{kit.title} (kit)" for kit in kits}

    def of_shipped(self, started: str) -> Mapping[str, JsonValue]:
        document = library()[started]
        return {"file": dict(document.content), "source": document.source, "digest": digest_of(document.content)}

    def read(self, content: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Read a kit's file, as `file` and `source`. Raises: Malformed with its mistakes."""
        file, source = content.get("file"), content.get("source")
        if not isinstance(file, Mapping):
            raise Malformed("A kit is a file of keys.", instead="Get one to begin with from /kit get.")
        try:
            kit_of(file)
        except MistakenKit as mistaken:
            raise Malformed(str(mistaken)) from None
        return {"file": dict(file), "source": source if isinstance(source, str) else "", "digest": digest_of(file)}

    def replaced(self, step: Step[KitState], before: Mapping[str, JsonValue]) -> None:
        change_kit(step, before)

    def in_force(self, state: KitState) -> tuple[str, str] | None:
        tables = newest(state)
        source = tables.get("source")
        if not isinstance(source, str) or not source:
            source = json.dumps(tables.get("file"), ensure_ascii=False, indent=2)
        ending = "json" if source.lstrip().startswith("{") else "toml"
        return f"{self.kit.id}.{ending}", source

    def note(self, state: KitState) -> str:
        waits = "" if newest(state) is state.tables else " It starts with the next round."
        return f"This is the kit that is played here.{waits} Change it, and hand it back with /encounter options file:."

    def exported(self, state: KitState) -> Mapping[str, JsonValue]:
        if self.kit.mistake:
            return {"kit": {"file": state.tables.get("file"), "digest": state.tables.get("digest")}}
        own = {"id": self.kit.id, "version": self.kit.version, "digest": self.kit.digest}
        following = state.tables.get(FOLLOWING)
        more = {"next_round": following.get("file")} if isinstance(following, Mapping) else {}
        return {"kit": {**own, "file": state.tables.get("file"), **more}}
