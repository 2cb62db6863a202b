"""The GM's panel: opened, and its buttons by their labels."""

from __future__ import annotations

from tests.wire import Sent, Wire


def labelled(sent: Sent, label: str) -> str:
    return next(str(each["custom_id"]) for each in sent.components if each.get("label") == label)


def labels(sent: Sent) -> list[str]:
    return [str(each.get("label")) for each in sent.components]


async def opened(wire: Wire) -> Sent:
    (panel,) = await wire.type("Gwen", "/turn")
    way = next(label for label in labels(panel) if label.startswith("GM …"))
    (work,) = await wire.press("Gwen", labelled(panel, way))
    return work
