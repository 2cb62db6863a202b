"""What it costs a table to ask allies about a blow: one message, one ping for each of them, one press for an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.client import RefereeClient
from tests.e2e.loopback import Shown, Table
from tests.e2e.referee import export, prompts, quiet, refereed

INTERCEPTION = (
    "When a creature you can see hits a target, other than you, within 5 feet of you with an attack, "
    "you can use your reaction to reduce the damage the target takes by 1d10+2"
)
FLARE = "When a creature attacks an ally within 30 feet of you, you can use your reaction to impose disadvantage on it"


async def fight(world: Table, client: RefereeClient, answer: str) -> None:
    """Let the ogre be on, against Anna and two allies of hers who have an answer."""
    gwen = world.person("Gwen")
    await gwen.slash("/init start")
    for who, name in (("Ana", "Anna"), ("Bo", "Bran"), ("Cai", "Cora")):
        await world.person(who).slash(f"/character add name:{name} sheet:HP 400, AC 1")
        if name != "Anna":
            await world.person(who).slash(f"/character ability name:{name} ability:Answer fields:{answer}")
        await world.person(who).slash(f"/join character:{name}")
    await gwen.slash("/gm add name:Ogre sheet:HP 90, AC 25, Club: +30 to hit; on a hit 2d6 bludgeoning damage")
    await gwen.slash("/gm set target:Ogre pool:initiative value:40")
    await gwen.slash("/init next")
    await quiet(world, client)


async def asked(world: Table, client: RefereeClient) -> set[str]:
    await quiet(world, client)
    return {each["who"] for each in (await export(world.person("Gwen")))["waiting"] if each["for"] == "response"}


def since(world: Table, before: tuple[Shown, ...]) -> list[Shown]:
    known = {each.id for each in before}
    return [each for each in world.person("Mo").sees() if each.id not in known]


@pytest.mark.parametrize("answer", [FLARE, INTERCEPTION], ids=["before the dice", "on a hit"])
async def test_a_question_to_two_allies_is_one_message_with_a_ping_and_a_press_for_each(
    answer: str, tmp_path: Path
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await fight(world, client, answer)
        for _ in range(9):  # a 1 misses
            before = world.person("Mo").sees()
            await world.person("Gwen").slash("/act action:attack target:Anna")
            if waiting := await asked(world, client):
                break
        assert waiting == {"Bran", "Cora"}
        (question,) = since(world, before)
        assert (sorted(question.pings), question.silent) == (["Bo", "Cai"], False)
        await world.person("Bo").press(question, "React")
        assert await asked(world, client) == {"Cora"}
        assert [each.id for each in since(world, before)] == [question.id], "the others are not called again"
        (open_still,) = prompts(world.person("Cai"))
        await world.person("Cai").press(open_still, "React")
        assert await asked(world, client) == set()
        _, turn = since(world, before)
        assert turn.pings == ("Gwen",)
        assert world.faults() == []
