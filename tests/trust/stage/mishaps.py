"""What Discord may do to the referee, one case each: the game goes on, nothing is done twice, people learn what to do.

A case sets one thing going wrong, plays on, and looks. What holds after every case is in `scene.played`.
"""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

from bot.discord import responses
from bot.local.interactions import TOKEN_SECONDS
from bot.requests import pace
from rules.errors import StoreFailure
from tests.e2e.days import Later
from tests.e2e.referee import duel, export, prompts
from tests.trust.stage.scene import CALLBACK, CHANGE, EDIT, FOLLOW_UP, MESSAGE, Scene, case

# Limits


@case("429 with a time to wait", "the prompt comes after that time, once")
async def limited(scene: Scene) -> None:
    scene.spoil(MESSAGE, status=429, times=2)
    await scene.goes_on_by_itself()


@case("429 for everything", "all routes wait, then all goes on")
async def limited_everywhere(scene: Scene) -> None:
    scene.spoil(MESSAGE, status=429, more={"retry_after": 0.5, "global": True}, headers={"X-RateLimit-Global": "true"})
    await scene.goes_on_by_itself()


@case("429 without retry_after", "the prompt comes all the same, once")
async def limited_without_a_time(scene: Scene) -> None:
    scene.spoil(MESSAGE, status=429, more={}, times=2)
    await scene.goes_on_by_itself()


@case("429 from before Discord, as text", "nothing is sent for the time that the header names")
async def limited_before_discord(scene: Scene) -> None:
    scene.spoil(MESSAGE, status=429, text="You are being blocked.", headers={"Via": None, "Retry-After": "1"})
    await scene.goes_on_by_itself()


@case("429 without retry_after on an answer", "the answer comes, and the step is done once")
async def answer_limited(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=429, more={})
    rolled = await scene.ana.slash("/roll dice:1d20 reason:luck")
    assert "luck" in rolled.text
    await scene.goes_on()


@case("429 again and again", "the game waits; a handful of requests, then one for each later try")
async def limited_on_and_on(scene: Scene) -> None:
    mishap = scene.spoil(MESSAGE, status=429, more={}, times=40)
    scene.press_in_vain()
    await asyncio.sleep(4)
    assert len(mishap.met) <= 15
    mishap.left = 0
    await scene.gwen.slash("/gm note target:Goblin text:limps")  # any step shows that Discord answers again
    await scene.turn_is("Goblin")


# A server that fails


@case("500 on a prompt", "discord.py tries again; one prompt")
async def broken(scene: Scene) -> None:
    scene.spoil(MESSAGE, status=500)
    await scene.goes_on_by_itself()


@case("502 after a prompt was posted", "the second try brings the first one's message; one prompt")
async def broken_after(scene: Scene) -> None:
    scene.spoil(MESSAGE, status=502, after=True)
    await scene.goes_on_by_itself()


@case("502 after an answer was taken", "the step stands once, and is shown once")
async def answer_broken_after(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=502, after=True)
    await scene.ana.slash("/roll dice:1d20 reason:luck")
    await scene.quiet()
    assert len(scene.said("luck")) == 1
    await scene.goes_on()


# Replies that do not come


@case("a prompt's request hangs", "it is given up, looked for, and sent once")
async def hangs(scene: Scene) -> None:
    scene.patch.setattr(pace, "PATIENCE", _short())
    scene.spoil(MESSAGE, hang=True)
    await scene.goes_on_by_itself()


@case("an answer's request hangs", "the step stands; the channel reads its outcome as a message, once")
async def answer_hangs(scene: Scene) -> None:
    scene.patch.setattr(pace, "PATIENCE", _short())
    scene.spoil(CALLBACK, hang=True)
    scene.ana.begin("/roll dice:1d20 reason:luck")
    await scene.world.until(lambda: scene.said("luck"))
    await scene.quiet()
    assert len(scene.said("luck")) == 1
    await scene.goes_on()


@case("an answer is taken and its reply cut off in the middle", "it is found in the channel; nothing comes twice")
async def answer_halved(scene: Scene) -> None:
    scene.spoil(CALLBACK, halved=True)
    await scene.ana.slash("/roll dice:1d20 reason:luck")
    await scene.quiet()
    assert len(scene.said("luck")) == 1
    await scene.goes_on()


@case("a prompt is posted and its reply cut off in the middle", "it is found in the channel; one prompt")
async def prompt_halved(scene: Scene) -> None:
    scene.spoil(MESSAGE, halved=True)
    await scene.goes_on_by_itself()


@case("a deferral is taken and its reply cut off", "the answer still takes the deferral's place")
async def deferral_halved(scene: Scene) -> None:
    scene.patch.setattr(responses, "DEFER_AFTER_SECONDS", 0.05)
    _slow(scene, 0.3)
    scene.spoil(CALLBACK, cut=True, after=True)
    answer = await scene.ana.slash("/roll dice:1d20 reason:luck")
    assert not answer.shown.loading
    await scene.world.until(lambda: scene.said("luck"))
    await scene.quiet()
    assert len(scene.said("luck")) == 1
    await scene.goes_on()


@case("a follow-up is taken and answered without a body", "it is found in the channel; one prompt")
async def follow_up_without_body(scene: Scene) -> None:
    spoilt = scene.spoil(FOLLOW_UP, empty=True)
    await scene.ana.press(scene.prompt, "End turn")
    await scene.turn_is("Goblin")
    assert spoilt.met
    assert not scene.said("went wrong", scene.ana)


@case("an answer is taken without a body", "the answer is asked for; one prompt")
async def answer_without_body(scene: Scene) -> None:
    scene.spoil(CALLBACK, empty=True)
    answer = await scene.ana.slash("/init next")
    assert "went wrong" not in answer.text
    await scene.turn_is("Goblin")


# The gateway


@case("op 7, reconnect", "the session goes on; what was pressed meanwhile is answered")
async def reconnects(scene: Scene) -> None:
    scene.world.discord.ask_to_reconnect()
    pressed = scene.ana.begin_press(scene.prompt, "End turn")
    await scene.world.answered(pressed)
    await scene.turn_is("Goblin")


@case("a cut line, resumed with repeated events", "an event that comes twice is done once")
async def resumes(scene: Scene) -> None:
    await scene.ana.press(scene.prompt, "End turn")
    await scene.quiet()
    rows = len((await export(scene.gwen))["log"])
    await scene.world.discord.cut_gateway(repeat=3)
    await scene.world.until(lambda: scene.world.discord.gateway.resumed)
    await scene.quiet()
    assert len((await export(scene.gwen))["log"]) == rows
    await scene.turn_is("Goblin")


@case("op 9, the session is invalid", "the referee identifies anew; buttons from before still work")
async def invalidated(scene: Scene) -> None:
    gateway = scene.world.discord.gateway
    identified = gateway.identified
    scene.world.discord.invalidate_session()
    await scene.world.until(lambda: gateway.identified > identified)
    await scene.goes_on()


# Interactions that expired


@case("10062, the interaction is unknown", "the step stands; the channel reads its outcome as a message")
async def expired(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=404, code=10062)
    scene.ana.begin("/roll dice:1d20 reason:luck")
    await scene.world.until(lambda: scene.said("luck"))
    await scene.quiet()
    assert len(scene.said("luck")) == 1
    await scene.goes_on()


@case("50027, the token has died", "a deferred answer's public part is a message of the channel")
async def token_died(scene: Scene) -> None:
    scene.patch.setattr(responses, "DEFER_AFTER_SECONDS", 0.05)
    _slow(scene, 0.5)
    waiting = scene.ana.begin("/roll dice:1d20 reason:luck")
    await waiting.answered.wait()
    scene.world.discord.advance(TOKEN_SECONDS + 1)
    await scene.world.until(lambda: scene.said("luck"))
    await scene.quiet()
    assert len(scene.said("luck")) == 1
    await scene.goes_on()


# Deleted under us, taken away


@case("10008, the prompt was deleted", "it is posted once more, without a second ping")
async def prompt_deleted(scene: Scene) -> None:
    scene.world.discord.delete_message(scene.prompt.message)
    await scene.gwen.slash("/gm set target:Ana pool:HP value:7")
    await scene.world.until(lambda: prompts(scene.ana))
    assert prompts(scene.ana)[0].silent
    await scene.goes_on()


@case(
    "10003, the channel was deleted",
    "the GM is told how to go on; the table moves with all its data",
    channel="dungeon",
)
async def channel_deleted(scene: Scene) -> None:
    before = await export(scene.gwen)
    scene.world.discord.delete_channel("tavern")
    await scene.world.until(lambda: scene.said("/encounter move", scene.gwen, "dm"))
    asked = scene.to_channel()
    listed = await scene.gwen.slash("/encounter list server:True", channel="dungeon")
    assert "deleted" in listed.text
    moved = await scene.gwen.slash("/encounter move", channel="dungeon")
    assert "goes on here" in moved.text
    await scene.world.until(lambda: prompts(scene.ana, "dungeon"))
    after = await export(scene.gwen, "dungeon")
    assert {key: after[key] for key in ("turn", "round", "combatants")} == {
        key: before[key] for key in ("turn", "round", "combatants")
    }
    gone = [each for each in list(scene.world.discord.exchanges)[asked:] if each.reply == {"code": 10003}]
    assert gone == []
    assert len(scene.said("/encounter move", scene.gwen, "dm")) == 1


@case("10003, noticed by a request alone", "two refused requests at most, then none; the GM is told once")
async def channel_gone_unseen(scene: Scene) -> None:
    mishap = scene.spoil(rf" /channels/{scene.prompt.message.channel_id}/", times=99, status=404, code=10003)
    scene.press_in_vain()
    await scene.world.until(lambda: scene.said("/encounter move", scene.gwen, "dm"))
    for _ in range(5):
        await scene.gwen.slash("/init next")
    await scene.quiet()
    assert len(mishap.met) <= 2  # a message, and the edit of the one before it
    assert len(scene.said("/encounter move", scene.gwen, "dm")) == 1


@case("50013, a permission was taken away", "its owner is told once which; given back, the game goes on by itself")
async def forbidden(scene: Scene) -> None:
    host = scene.world.person("Host")
    scene.world.discord.revoke("send_messages", channel="tavern")
    scene.press_in_vain()
    await scene.world.until(lambda: scene.said("Send Messages", host, "dm"))
    for _ in range(6):
        answer = await scene.gwen.slash("/init next")
        assert answer.shown
    refused = [each for each in scene.world.discord.exchanges if each.status == 403]
    assert len(refused) == 1, "a channel that refused is left alone"
    assert len(scene.said("Send Messages", host, "dm")) == 1
    scene.world.discord.restore(channel="tavern")
    await scene.turn_is("Goblin")


@case("50013 and 50001 in turn, though app_permissions allow", "told once, asked again after 30 s to 1 h")
async def forbidden_all_the_same(scene: Scene) -> None:
    host = scene.world.person("Host")
    here = rf"POST /channels/{scene.prompt.message.channel_id}/messages$"
    clock = scene.client.tables.clock = Later()
    began = clock()
    asked_at: list[float] = []
    mishap = scene.spoil(here, status=403, code=50013)
    scene.press_in_vain()
    await scene.world.until(lambda: mishap.met)
    for code in (50013, 50001, 50013, 50001, 50001):
        await scene.world.settle()
        mishap = scene.spoil(here, status=403, code=code)
        for _ in range(200):
            if mishap.met:
                break
            clock.seconds += 10.0
            await scene.gwen.slash("/turn")
            await scene.world.settle()
        asked_at.append(clock() - began)
    told = [each for each in host.sees("dm") if "I lack" in each.text]
    assert len(told) == 1
    pauses = [later - earlier for earlier, later in pairwise(asked_at)]
    assert pauses[0] >= 30
    assert pauses == sorted(pauses)
    assert pauses[-1] > 300
    clock.seconds += 3601.0
    await scene.gwen.slash("/turn")
    await scene.turn_is("Goblin")
    scene.spoil(here, status=403, code=50013)
    scene.press_in_vain(scene.gwen)
    await scene.world.until(lambda: len(scene.said("I lack", host, "dm")) == 2)
    clock.seconds += 31.0
    await scene.gwen.slash("/turn")
    await scene.turn_is("Ana")


@case("50013 and 50007, and nobody can be told", "the GM reads it with the next answer, once")
async def forbidden_and_closed(scene: Scene) -> None:
    for name in ("Host", "Gwen"):
        scene.world.discord.close_direct_messages(name)
    scene.world.discord.revoke("send_messages", channel="tavern")
    scene.press_in_vain()
    await scene.world.until(lambda: sum(each.status == 403 for each in scene.world.discord.exchanges) == 3)
    await scene.quiet()
    told = await scene.gwen.slash("/turn")
    assert "Send Messages" in told.text
    assert "Send Messages" not in (await scene.gwen.slash("/turn")).text
    scene.world.discord.restore(channel="tavern")
    await scene.turn_is("Goblin")


@case("an old prompt cannot be edited (30046)", "the prompt is posted anew")
async def too_old(scene: Scene) -> None:
    if scene.holds_token():
        scene.spoil(CHANGE, status=400, code=30046)
    scene.spoil(EDIT, status=400, code=30046)
    await scene.gwen.slash("/gm set target:Ana pool:HP value:7")
    await scene.world.until(lambda: [each for each in prompts(scene.ana) if each.id != scene.prompt.id])
    await scene.goes_on()


@case("an old message was edited too often (30046, a pause of minutes)", "the prompt is posted anew at once")
async def edited_too_often(scene: Scene) -> None:
    pause: dict[str, Any] = {"retry_after": 240.0, "global": False}
    if scene.holds_token():
        scene.spoil(CHANGE, status=429, code=30046, more=pause)
    scene.spoil(EDIT, status=429, code=30046, more=pause, times=2)
    await scene.gwen.slash("/gm set target:Ana pool:HP value:7")
    await scene.world.until(lambda: [each for each in prompts(scene.ana) if each.id != scene.prompt.id])
    await scene.goes_on()


# Writes whose end nobody learns


@case("a step is written and its end is lost", "what was written is told; the next row follows it")
async def step_lost(scene: Scene) -> None:
    _lose_an_end(scene)
    await scene.ana.press(scene.prompt, "End turn")
    await scene.turn_is("Goblin")
    await scene.gwen.slash("/gm note target:Goblin text:limps")


@case("an undo is written and its end is lost", "the step is taken back once, and can be done again")
async def undo_lost(scene: Scene) -> None:
    await scene.ana.press(scene.prompt, "End turn")
    await scene.turn_is("Goblin")
    _lose_an_end(scene)
    await scene.gwen.slash("/encounter undo")
    await scene.turn_is("Ana")
    assert "limps" in (await scene.gwen.slash("/gm note target:Goblin text:limps")).text
    await scene.goes_on()


@case("a roll is written and its end is lost", "it stands in the log once; the next row follows it")
async def roll_lost(scene: Scene) -> None:
    _lose_an_end(scene)
    await scene.ana.slash("/roll dice:1d20 reason:luck")
    assert "more luck" in (await scene.ana.slash("/roll dice:1d20 reason:more luck")).text
    await scene.goes_on()


@case("a reveal is written and its end is lost", "the next roll is drawn from the next seed")
async def reveal_lost(scene: Scene) -> None:
    await scene.gwen.slash("/encounter end")
    _lose_an_end(scene)
    await scene.gwen.slash("/fair reveal")
    assert "luck" in (await scene.ana.slash("/roll dice:1d20 reason:luck")).text
    first, second = await scene.client.store.seeds(scene.prompt.message.channel_id)
    assert (first.revealed, second.revealed) == (True, False)
    await duel(scene.world, scene.client)
    await scene.goes_on()


@case("a move is written and its end is lost", "the table stands in the other channel alone", channel="dungeon")
async def move_lost(scene: Scene) -> None:
    _lose_an_end(scene)
    await scene.gwen.slash("/encounter move channel:dungeon")
    await scene.world.until(lambda: prompts(scene.ana, "dungeon"))
    await scene.world.until(lambda: not prompts(scene.ana))
    for channel in ("tavern", "dungeon"):
        assert "luck" in (await scene.ana.slash("/roll dice:1d20 reason:luck", channel=channel)).text


def _lose_an_end(scene: Scene) -> None:
    """Let the next write be done, and the program not learn that it was."""
    commit = scene.client.store.commit

    async def lost(step: Any) -> None:
        scene.patch.setattr(scene.client.store, "commit", commit)
        await commit(step)
        raise StoreFailure("the disk went away")

    scene.patch.setattr(scene.client.store, "commit", lost)


def _short() -> Any:
    import aiohttp

    return aiohttp.ClientTimeout(total=5, sock_connect=1, sock_read=0.5)


def _slow(scene: Scene, seconds: float) -> None:
    """Let the store take its time, so that the answer is deferred."""
    commit = scene.client.store.commit

    async def slowly(step: Any) -> Any:
        await asyncio.sleep(seconds)
        return await commit(step)

    scene.patch.setattr(scene.client.store, "commit", slowly)
