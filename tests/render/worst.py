"""The worst that people type: names that are allowed and as hard on a renderer as can be; and what Discord checks."""

from __future__ import annotations

import re
from typing import Any

from bot.render.payload import Form, Payload
from tests.limits.components import check_components, check_modal
from tests.limits.messages import check_allowed_mentions, check_embeds
from tests.limits.problems import Problems
from tests.rules.table import Game

NAMES = (
    "**__~~||Bo||~~__** @everyone <@&9>",
    "x@everyone",
    "x @here <@123> <#5> </roll:7>",
    "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\",
    "||||||||||||||||||||||||||||||||",
    "1) # Bo",
    "1. - > Bo",
    "[Bo](http://a.example)",
    "🧝‍♀️🧙‍♂️🧛🧟🐉🐲🦄🐙🦑🐺🐻🐼🐨🐯🦁🐮🐷🐸",
    "<t:1:R> <:a:1> <@!12>",
    "_*_*_*_*_*_*_*_*_*_*_*_*_*_*_*_*",
    "-# small http://evil.example/a_b_",
)
_UNESCAPED_MENTION = re.compile(r"(?<!\\)<(?:@[!&]?\d|#\d|/\w)|@(?:everyone|here)")
_MAY_BE_MENTIONED = re.compile(r"<@(\d+)>")


def crowd(count: int, *, npcs: str = "HP 12/20, NOTE x", options: str = "") -> Game:
    """Return a running classic encounter with the worst names, `count` combatants in all."""
    game = Game(options=options)
    game.do("Ana", "join")
    game.do("Bo", "join")
    for number in range(count - 2):
        name = NAMES[number % len(NAMES)]
        room = 32 - len(str(number)) - 1
        game.do("Gwen", "gm add", name=f"{name[:room].strip()} {number}", sheet=npcs)
    game.do("Gwen", "encounter begin")
    return game


def texts_of(payload: Payload) -> list[str]:
    """Return every text in which Discord reads markdown."""
    found = [payload.content]
    for embed in payload.embeds:
        found += [embed.get("title", ""), embed.get("description", "")]
    return found


def assert_sendable(payload: Payload) -> None:
    """Check a message as Discord would, and that nobody is mentioned who is not meant."""
    problems = Problems()
    body: dict[str, Any] = payload.to_json()
    assert body["content"] or body["embeds"] or body["attachments"], "nothing to send"
    problems.length(body["content"], 2000, "content")
    check_embeds(body["embeds"], problems, "embeds")
    check_components(body, problems, "")
    check_allowed_mentions(body["allowed_mentions"], problems, "allowed_mentions")
    assert problems.found == []
    for file in payload.files:
        assert len(file.alt) <= 1024
    for text in texts_of(payload):
        rest = _MAY_BE_MENTIONED.sub(lambda match: "" if match[1] in payload.mentions else match[0], text)
        assert not _UNESCAPED_MENTION.search(rest), rest


def assert_form(form: Form) -> None:
    problems = Problems()
    check_modal(form.to_json(), problems)
    assert problems.found == []
