"""What Discord may do to a turn that is one message: the edit, the follow-up, the prompt that people press.

A press is answered by an edit of its own prompt, a follow-up is the next one; a typed command's answer is
the next one itself. Each may be refused, lost, or carried out and not confirmed.
"""

from __future__ import annotations

import time

from bot.local.call import Exchange
from bot.local.interactions import TOKEN_SECONDS
from tests.e2e.referee import prompts
from tests.trust.stage.scene import ANY_EDIT, CALLBACK, CHANGE, EDIT, FOLLOW_UP, MESSAGE, Scene, case

PAUSE_SECONDS = 4.0
AT_ONCE_SECONDS = PAUSE_SECONDS - 0.5
EVERYWHERE = {"X-RateLimit-Global": "true"}


# The press, and the edit that answers it


@case("a press is answered, and the answer refused", "the bot posts the next prompt by itself; the old one closes")
async def press_refused(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=400, code=50035)
    scene.ana.begin_press(scene.prompt, "End turn")
    await scene.turn_is("Goblin")
    await _is_record(scene)


@case("a press is answered, and its reply cut off", "the next prompt comes once")
async def press_halved(scene: Scene) -> None:
    scene.spoil(CALLBACK, halved=True)
    scene.ana.begin_press(scene.prompt, "End turn")
    await scene.turn_is("Goblin")
    await _is_record(scene)


@case("502 after a press was answered", "the next prompt comes once")
async def press_broken_after(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=502, after=True)
    scene.ana.begin_press(scene.prompt, "End turn")
    await scene.turn_is("Goblin")
    await _is_record(scene)


@case("an old prompt takes no edit, by token or by the bot", "it is deleted: no old message keeps buttons")
async def edit_refused(scene: Scene) -> None:
    if scene.holds_token():
        scene.spoil(CHANGE, status=400, code=30046)
    scene.spoil(EDIT, status=400, code=30046)
    await scene.ana.slash("/init next")
    await scene.turn_is("Goblin")


# The follow-up that is the next prompt


@case("a follow-up is posted and its reply cut off", "it is found in the channel; one prompt")
async def follow_up_halved(scene: Scene) -> None:
    scene.spoil(FOLLOW_UP, halved=True)
    await scene.goes_on()
    _came_once(scene)


@case("502 after a follow-up was posted", "it is not sent again but looked for; one prompt")
async def follow_up_broken_after(scene: Scene) -> None:
    scene.spoil(FOLLOW_UP, status=502, after=True)
    await scene.goes_on()
    _came_once(scene)


@case("a follow-up is lost", "the bot posts the prompt by itself")
async def follow_up_lost(scene: Scene) -> None:
    scene.spoil(FOLLOW_UP, cut=True)
    await scene.goes_on()


@case("500 on a follow-up", "the bot looks for it and posts the prompt by itself")
async def follow_up_broken(scene: Scene) -> None:
    scene.spoil(FOLLOW_UP, status=500)
    await scene.goes_on()


@case("429 on a follow-up", "it comes after that time, once")
async def follow_up_limited(scene: Scene) -> None:
    scene.spoil(FOLLOW_UP, status=429, times=2)
    await scene.goes_on()


@case("50027 on a follow-up: the token died behind the press", "the bot posts the prompt by itself")
async def follow_up_too_late(scene: Scene) -> None:
    def dies(exchange: Exchange) -> None:
        if exchange.path.endswith("/callback"):
            scene.world.discord.observers.remove(dies)
            scene.world.discord.advance(TOKEN_SECONDS + 1)

    scene.world.discord.observers.append(dies)
    await scene.goes_on()
    await _is_record(scene)


# The token of the live message


@case("a quarter of an hour later", "the live prompt is edited by the bot's own request, and pressed as before")
async def token_ended(scene: Scene) -> None:
    await scene.goes_on()
    scene.world.discord.advance(TOKEN_SECONDS + 1)
    asked = scene.to_channel()
    await scene.gwen.slash("/gm set target:Ana pool:HP value:7")
    await scene.world.until(lambda: scene.to_channel() > asked)
    await scene.quiet()
    await scene.gwen.press(prompts(scene.gwen)[0], "End turn")
    await scene.turn_is("Ana")


@case("an edit by token is carried out and its reply cut off", "the prompt shows the step; one prompt")
async def change_halved(scene: Scene) -> None:
    await scene.goes_on()
    scene.spoil(ANY_EDIT, halved=True)
    await scene.gwen.slash("/gm set target:Ana pool:HP value:7")
    await scene.world.until(lambda: scene.said("HP 0 → 7"))
    await scene.quiet()
    assert len(scene.said("HP 0 → 7")) == 1
    await scene.gwen.press(prompts(scene.gwen)[0], "End turn")
    await scene.turn_is("Ana")


# A typed command, whose answer is the next prompt


@case("a typed command's answer is posted and its reply cut off", "it is found in the channel; one prompt")
async def answer_halved(scene: Scene) -> None:
    scene.spoil(CALLBACK, halved=True)
    scene.ana.begin("/init next")
    await scene.turn_is("Goblin")
    _came_once(scene)


@case("502 after a typed command's answer was posted", "the second try is refused (40060); one prompt")
async def answer_broken_after(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=502, after=True)
    scene.ana.begin("/init next")
    await scene.turn_is("Goblin")
    _came_once(scene)


@case("a typed command's answer expired", "the bot posts the prompt by itself")
async def answer_expired(scene: Scene) -> None:
    scene.spoil(CALLBACK, status=404, code=10062)
    scene.ana.begin("/init next")
    await scene.turn_is("Goblin")


# A prompt that somebody deleted


@case("10008, the prompt was deleted, and the turn ends by a typed command", "its answer is the next prompt")
async def deleted_and_typed(scene: Scene) -> None:
    scene.world.discord.delete_message(scene.prompt.message)
    await scene.ana.slash("/init next")
    await scene.turn_is("Goblin")


@case("10008, the prompt is deleted behind a press", "the next one comes all the same")
async def deleted_while_pressed(scene: Scene) -> None:
    def gone(exchange: Exchange) -> None:
        if exchange.path.endswith("/callback"):
            scene.world.discord.observers.remove(gone)
            scene.world.discord.delete_message(scene.prompt.message)

    scene.world.discord.observers.append(gone)
    await scene.goes_on()


# One limit for the bot's own requests alone


@case("429 for everything, while people press and type", "answers and follow-ups do not wait for the pause")
async def limited_apart(scene: Scene) -> None:
    await scene.goes_on_by_itself()  # the live prompt has no token: its next edit is the bot's own request
    more = {"retry_after": PAUSE_SECONDS, "global": True}
    mishap = scene.spoil(EDIT, status=429, more=more, headers=EVERYWHERE)
    await scene.gwen.slash("/gm set target:Goblin pool:HP value:7")
    await scene.world.until(lambda: mishap.met)
    began = time.monotonic()
    assert "luck" in (await scene.ana.slash("/roll dice:1d20 reason:luck")).text
    assert time.monotonic() - began < AT_ONCE_SECONDS, "an answer waited for the limit of the bot's own requests"
    await scene.gwen.press(prompts(scene.gwen)[0], "End turn")
    await scene.turn_is("Ana")


@case("429 for everything, before a press", "the press is answered and followed up at once")
async def limited_before_a_press(scene: Scene) -> None:
    more = {"retry_after": PAUSE_SECONDS, "global": True}
    mishap = scene.spoil(MESSAGE, status=429, more=more, headers=EVERYWHERE)
    scene.spoil(CALLBACK, status=404, code=10062)
    scene.ana.begin_press(scene.prompt, "End turn")
    await scene.world.until(lambda: mishap.met)
    began = time.monotonic()
    assert "Goblin" in (await scene.gwen.slash("/turn")).text
    assert time.monotonic() - began < AT_ONCE_SECONDS
    await scene.turn_is("Goblin")


def _came_once(scene: Scene) -> None:
    """See that no second prompt was posted for the turn, which would have been closed again."""
    told = [each for each in scene.world.person("Bo").sees("tavern") if "Goblin's turn" in each.text]
    assert len(told) == 1


async def _is_record(scene: Scene) -> None:
    """See that the first prompt lost its buttons, and is still there."""
    await scene.quiet()
    kept = [each for each in scene.ana.sees("tavern") if each.id == scene.prompt.id]
    assert [each.buttons for each in kept] == [()]
