"""The real discord.py client at the local table."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.local.people import NotPossible
from bot.local.slash import CannotSend
from tests.e2e.loopback import Table, seated
from tests.local.demo_bot import DemoBot


@pytest_asyncio.fixture
async def table() -> AsyncIterator[Table]:
    async with seated(DemoBot()) as world:
        yield world
        assert world.faults() == []


async def test_a_typed_command_reaches_the_bot_and_its_answer_comes_back(table: Table) -> None:
    answer = await table.person("Ana").slash("/roll dice:1d20+3 times:2 reason:to hit: the goblin")
    assert answer.content == "Rolled 1d20+3"
    assert answer.embeds[0]["description"] == "**17** ~~3~~ for to hit: the goblin"
    assert not answer.ephemeral
    assert [m.content for m in table.person("Bo").sees()] == ["Rolled 1d20+3"]


async def test_a_private_answer_is_on_one_screen_only(table: Table) -> None:
    answer = await table.person("Ana").slash("/roll dice:1d4 show:only me")
    assert answer.ephemeral
    assert table.person("Ana").last().content == "Rolled 1d4"
    assert table.person("Bo").sees() == ()


async def test_autocompletion_offers_names_and_sends_their_values(table: Table) -> None:
    ana = table.person("Ana")
    assert await ana.autocomplete("/roll dice:att", focused="dice") == ("attack (Ayla)",)
    assert (await ana.slash("/roll dice:attack (Ayla)")).content == "Rolled 1d20+5"


async def test_buttons_selects_and_forms_work(table: Table) -> None:
    ana, bo = table.person("Ana"), table.person("Bo")
    panel = await ana.slash("/panel")
    assert panel.buttons == ("Count", "Ask me")
    assert (await bo.press(panel, "Count")).content == "Counted 1"
    assert panel.content == "Counted 1"
    assert (await bo.select(panel, "Blue", menu="A colour")).content == "You chose b"
    greeted = await bo.select(panel, "Cai", menu="Somebody")
    await table.settle()
    assert greeted.followups[0].content == f"Hello {table.person('Cai').mention}"
    form = await ana.press(panel, "Ask me")
    assert form.modal is not None
    welcome = await ana.submit(form, {"Name": "Ayla", "Side": "Foes"})
    assert welcome.content == "Welcome, Ayla of B!"
    with pytest.raises(NotPossible, match="switched off"):
        await ana.press(panel, "Off")
    with pytest.raises(NotPossible, match="Name is required"):
        await ana.submit(form, {"Side": "Foes"})


async def test_a_deferred_answer_is_filled_by_the_first_follow_up(table: Table) -> None:
    answer = await table.person("Ana").slash("/board")
    await table.settle()
    assert [m.content for m in answer.messages] == ["", "There it is."]
    assert answer.shown.alt_texts == {"board.png": "A blue board"}
    assert answer.files["board.png"].startswith(b"\x89PNG")


async def test_a_private_deferral_keeps_what_follows_private(table: Table) -> None:
    answer = await table.person("Ana").slash("/board private:True")
    assert answer.ephemeral


async def test_a_ping_notifies_only_whom_it_may(table: Table) -> None:
    await table.person("Ana").slash("/ping who:@Bo where:#dungeon")
    await table.person("Ana").slash("/ping who:Bo where:dungeon")
    sent = table.person("Cai").sees("dungeon")
    assert [m.pings for m in sent] == [("Bo",)], "a repeated nonce gives the first message again"


async def test_an_uploaded_file_is_read_by_the_bot(table: Table) -> None:
    answer = await table.person("Ana").slash("/read", files={"file": ("deck.txt", b"3x Fire")})
    assert answer.content == "deck.txt: 3x Fire"


async def test_subcommands_and_direct_messages_work(table: Table) -> None:
    ana = table.person("Ana")
    assert (await ana.slash("/init join bonus:3")).content == "Ana joined with +3"
    assert (await ana.slash("/roll dice:d6", channel="dm")).content == "Rolled d6"
    assert (await ana.slash("/roll dice:d6", channel="dm:Bo")).content == "Rolled d6"
    assert ana.commands("dm:Bo") == ("roll",)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/rolll dice:d6", "no command /rolll"),
        ("/roll", "dice is required"),
        ("/roll dice:d6 times:many", "a whole number"),
        ("/roll dice:d6 times:99", "from 1 to 20"),
        ("/roll dice:d6 times:2 nice:3", "Not an option"),
        ("/init", "needs one of: join, end"),
        ("/ping who:Zed where:#tavern", "Nobody here"),
        ("/roll dice:d6 show:nobody", "Choose one of: all, only me"),
    ],
)
async def test_the_composer_marks_what_it_cannot_send(table: Table, line: str, complaint: str) -> None:
    with pytest.raises(CannotSend, match=complaint):
        await table.person("Ana").slash(line)


async def test_the_bot_does_not_read_what_people_say_without_the_intent(table: Table) -> None:
    table.person("Ana").say("a secret plan")
    await table.settle()
    assert table.person("Bo").last().content == "a secret plan"


async def test_the_bot_waits_when_it_is_told_to_slow_down(table: Table) -> None:
    mishap = table.discord.sabotage(r"POST /channels/\d+/messages", status=429)
    await table.person("Ana").slash("/ping who:Bo where:dungeon")
    assert [m.pings for m in table.person("Bo").sees("dungeon")] == [("Bo",)]
    assert len(mishap.met) == 1
