"""The page in headless Chromium, with the real client at the table."""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.local import page_socket
from tests.e2e.loopback import Table, seated
from tests.e2e.page.chromium import IN_A_BROWSER, Page, browser_page
from tests.local.demo_bot import DemoBot

pytestmark = IN_A_BROWSER
SHOTS = os.environ.get("SCREENSHOTS")
NARROW, WIDE = 360, 1280
# Of what lies elsewhere on a wide page.
AT_BOTH_WIDTHS = pytest.mark.parametrize("page", [NARROW, WIDE], indirect=True)


@pytest_asyncio.fixture
async def table() -> AsyncIterator[Table]:
    async with seated(DemoBot()) as world:
        yield world
        assert world.discord.faults == []


@pytest_asyncio.fixture
async def page(table: Table, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    async with browser_page(table.discord.page_url, getattr(request, "param", NARROW), 740) as opened:
        await opened.until("document.querySelector('.welcome')")
        yield opened
        if SHOTS:
            await opened.screenshot(Path(SHOTS) / f"{request.node.name}.png")
        assert opened.complaints == []
        root = table.discord.root
        outside = [u for u in opened.requested if not u.startswith((root, root.replace("http", "ws"), "data:"))]
        assert outside == [], "the page asks nobody else for anything"
        wide = await opened.run("document.documentElement.scrollWidth > innerWidth")
        assert not wide, "nothing sticks out to the right"


async def type_line(page: Page, text: str) -> None:
    """Write a line by keyboard alone and send it."""
    await page.run("document.getElementById('line').focus()")
    await page.type(text)
    await page.press("Enter")


def newest(selector: str = "") -> str:
    return f"[...document.querySelectorAll('.message {selector}')].at(-1)?.innerText"


async def be(page: Page, name: str) -> None:
    await page.click(f"[data-person={name}]")
    await page.until(f"document.querySelector('[data-person={name}]').getAttribute('aria-checked') === 'true'")
    await page.until("document.querySelector('.log-space')")


AT_THE_END = """(() => { const log = document.getElementById('log');
    return log.scrollHeight - log.scrollTop - log.clientHeight < 60; })()"""


@AT_BOTH_WIDTHS
async def test_a_command_is_completed_and_sent_by_keyboard_alone(table: Table, page: Page) -> None:
    await page.run("document.getElementById('line').focus()")
    await page.type("/rol")
    await page.until("document.querySelector('#completions .active')?.innerText.startsWith('/roll')")
    await page.press("Tab")
    await page.until("document.getElementById('line').value === '/roll dice:'")
    await page.type("att")
    await page.until("document.querySelector('#completions .active')?.innerText.startsWith('attack (Ayla)')")
    await page.press("Tab")
    await page.type("show:")
    await page.until("document.getElementById('completions').innerText.includes('only me')")
    await page.press("ArrowDown")
    await page.press("Enter")
    await page.until("document.getElementById('line').value.endsWith('show:only me ')")
    await page.press("Enter")
    await page.until(f"{newest()}?.includes('Only you can see this')")
    assert "Rolled 1d20+5" in await page.run(newest())
    assert table.person("Gwen").last().ephemeral
    await page.click_text("Dismiss message")
    await page.until("document.querySelector('.welcome')")


async def test_what_cannot_be_sent_is_marked_and_stays(table: Table, page: Page) -> None:
    await type_line(page, "/roll")
    await page.until("document.getElementById('line').value === '/roll dice:'")
    await page.type("d6 times:99")
    await page.press("Enter")
    await page.until("document.getElementById('problems').innerText.includes('from 1 to 20')")
    assert table.person("Gwen").sees() == ()
    assert await page.run("document.getElementById('line').value") == "/roll dice:d6 times:99"


@AT_BOTH_WIDTHS
async def test_buttons_selects_and_forms_work_for_the_one_you_are(table: Table, page: Page) -> None:
    await type_line(page, "/panel")
    await page.click_text("Count")
    await page.until(f"{newest('.text')}.startsWith('Counted 1')")
    await be(page, "Bo")
    await page.click_text("A colour", ".choice-button")
    await page.click_text("Blue", "[role=option]")
    await page.until(f"{newest()}?.includes('You chose b')")
    assert table.person("Bo").last().ephemeral
    await page.click_text("Ask me")
    await page.until("document.getElementById('form').open")
    await page.press("Enter")
    await page.until("document.getElementById('form-problems').innerText.includes('Name is required')")
    await page.run("document.querySelector('#form-fields input').focus()")
    await page.type("Ayla")
    await page.click_text("Choose", "#form .choice-button")
    await page.click_text("Foes", "#form [role=option]")
    await page.click_text("Submit", "#form button")
    await page.until(f"{newest()}?.includes('Welcome, Ayla of B!')")
    assert not await page.run("document.getElementById('form').open")


async def test_a_deferred_answer_thinks_and_then_shows_its_picture(table: Table, page: Page) -> None:
    table.discord.sabotage(r"POST /webhooks", delay_seconds=0.5, after=False)
    await type_line(page, "/board")
    await page.until(f"{newest()}?.includes('is thinking')")
    await page.until("document.querySelector('.embed img')?.naturalWidth === 320")
    assert await page.run("document.querySelector('.embed img').alt") == "A blue board"


@AT_BOTH_WIDTHS
async def test_a_layout_has_its_buttons_at_the_right_of_their_lines(table: Table, page: Page) -> None:
    await type_line(page, "/sheet")
    await page.until(f"{newest('.section')}?.includes('Ayla')")
    aside = "document.querySelector('.section > .button').getBoundingClientRect()"
    beside = "document.querySelector('.section > .section-text').getBoundingClientRect()"
    assert await page.run(f"{aside}.left >= {beside}.right && {aside}.right <= innerWidth")
    assert await page.run(f"{beside}.width >= 120 && {beside}.top <= {aside}.bottom && {aside}.top <= {beside}.bottom")
    assert await page.run("[...document.querySelectorAll('.gallery')].map((each) => each.children.length)") == [1, 3]
    await page.until(
        "[...document.querySelectorAll('.message.private img')].every((each) => each.naturalWidth === 320)"
    )
    assert await page.run("fetch(document.querySelector('.file').href).then((file) => file.text())") == "Ayla hits"
    await page.click("[data-custom-id='sheet:heal']")
    await page.until("document.querySelector('.section')?.innerText.includes('healed 1 times')")


async def test_a_private_answer_never_reaches_another_persons_page(table: Table) -> None:
    async with aiohttp.ClientSession() as session:
        root = table.discord.root
        async with session.ws_connect(f"{root}/page", origin=root) as socket:
            await socket.send_json({"do": "hello", "person": "Bo"})
            await socket.send_json({"do": "open", "channel": table.place("tavern").id})
            await table.person("Ana").slash("/roll dice:31337 show:only me")
            table.person("Cai").say("the end")
            heard = ""
            while "the end" not in heard:
                heard += (await socket.receive(timeout=300)).data
    assert "31337" not in heard


async def test_another_sites_page_is_refused(table: Table) -> None:
    root = table.discord.root
    async with aiohttp.ClientSession() as session:
        for headers in ({"Origin": "http://example.org"}, {"Host": "example.org"}, {"Origin": "null"}):
            async with session.get(f"{root}/", headers=headers) as response:
                assert response.status == 403
        async with session.get(f"{root}/page") as response:
            assert response.status == 403, "a websocket without an origin is no page's"
        async with session.get(f"{root}/") as response:
            assert response.status == 200


@AT_BOTH_WIDTHS
async def test_unread_marks_and_calls_lead_to_where_one_is_needed(table: Table, page: Page) -> None:
    await table.person("Ana").slash("/ping who:@Bo where:#dungeon")
    await page.until("document.querySelector('[data-person=Bo] .badge')?.textContent === '1'")
    await be(page, "Bo")
    dungeon = table.place("dungeon").id
    await page.until(f"document.querySelector('[data-place=\"{dungeon}\"] .badge')?.textContent === '1'")
    if await page.run("innerWidth < 760"):
        await page.click("#side-open")
    await page.click(f"[data-place='{dungeon}']")
    await page.until(f"{newest()}?.includes('@Bo, your turn')")
    assert await page.run("document.querySelector('.message').classList.contains('calls')")
    await page.until("!document.querySelector('[data-person=Bo] .badge')")


async def test_markdown_is_shown_and_never_becomes_html(table: Table, page: Page) -> None:
    text = (
        "# Big\n-# small\n**bold** *slanted* __under__ ~~gone~~ `co*de*` ||hidden||\n- one\n- two\n"
        f"> quoted\n<t:0:R> {table.person('Ana').mention} <#{table.place('dungeon').id}>\n"
        "<img src=x onerror=alert(1)> \\*plain\\* snake\\_case\n```\nblock\n```"
    )
    table.person("Ana").say(text)
    await page.until("document.querySelector('.message pre')")
    found = {
        "strong": "bold",
        "em": "slanted",
        "u": "under",
        "s": "gone",
        "p code": "co*de*",
        ".h1": "Big",
        ".subtext": "small",
        "li": "one",
        "blockquote": "quoted",
        "pre": "block",
        "span.mention": "@Ana",
        "button.mention": "#dungeon",
    }
    for selector, shown in found.items():
        assert await page.text_of(f".message .text {selector}") == shown
    assert "years ago" in await page.text_of("time[data-relative]")
    assert "<img src=x onerror=alert(1)> *plain* snake_case" in await page.text_of(".message .text")
    assert await page.run("getComputedStyle(document.querySelector('.spoiler > span')).visibility") == "hidden"
    await page.click(".spoiler")
    assert await page.run("getComputedStyle(document.querySelector('.spoiler > span')).visibility") == "visible"


async def test_a_file_is_chosen_and_read_by_the_bot(table: Table, page: Page) -> None:
    await type_line(page, "/read ")
    await page.until("document.querySelector('#options .wanted')")
    await page.run(
        """(() => { const data = new DataTransfer();
        data.items.add(new File(['3x Fire'], 'my deck.txt'));
        document.querySelector('#options .chip').click();
        const input = document.getElementById('file'); input.files = data.files;
        input.dispatchEvent(new Event('change')); })()"""
    )
    await page.until("document.getElementById('line').value.includes('my_deck.txt')")
    await page.press("Enter")
    await page.until(f"{newest()}?.includes('my_deck.txt: 3x Fire')")


@AT_BOTH_WIDTHS
async def test_a_forum_post_is_opened_with_its_first_message(table: Table, page: Page) -> None:
    if await page.run("innerWidth < 760"):
        await page.click("#side-open")
    await page.click(f"[data-place='{table.place('campaigns').id}']")
    await page.click_text("New post")
    await page.until("document.getElementById('form').open")
    await page.type("The Lost Mine")
    await page.press("Tab")
    await page.type("Who is in?")
    await page.click_text("Submit", "#form button")
    await page.until(f"{newest()}?.includes('Who is in?')")
    assert await page.text_of("#place") == "↳ The Lost Mine"
    assert table.person("Bo").last("The Lost Mine").content == "Who is in?"


async def test_what_is_new_since_one_looked_is_marked(table: Table, page: Page) -> None:
    table.person("Ana").say("seen")
    await page.until(f"{newest()}?.includes('seen')")
    await be(page, "Bo")
    await page.until(f"{newest()}?.includes('seen')")
    table.person("Ana").say("only Bo has seen this")
    await page.until(f"{newest()}?.includes('only Bo')")
    await be(page, "Gwen")
    await page.until("document.querySelector('.fresh + .message')?.innerText.includes('only Bo')")


async def test_two_taps_on_what_waits_for_its_answer_act_once(table: Table, page: Page) -> None:
    await type_line(page, "/panel")
    await page.until(f"{newest()}?.includes('Count')")
    table.discord.sabotage(r"POST /interactions", delay_seconds=0.3, after=False)
    twice = "[...document.querySelectorAll('.button')].find(b => b.innerText.trim() === 'Count')"
    before = len(table.discord.interactions.by_id)
    busy = "document.querySelectorAll('.button.busy').length"
    assert await page.run(f"(() => {{ const b = {twice}; b.click(); b.click(); return {busy}; }})()") == 1
    await page.until(f"{newest('.text')}.startsWith('Counted 1')")
    await page.until("!document.querySelector('.busy')")
    table.discord.sabotage(r"POST /interactions", delay_seconds=0.3, after=False)
    await page.click_text("A colour", ".choice-button")
    await page.click_text("Blue", "[role=option]")
    await page.until("document.querySelector('.choice-button.busy')")
    await page.until(f"{newest()}?.includes('You chose b') && !document.querySelector('.busy')")
    assert len(table.discord.interactions.by_id) == before + 2


async def test_a_live_message_that_changes_is_marked_and_found_from_further_up(table: Table, page: Page) -> None:
    ana, bo = table.person("Ana"), table.person("Bo")
    for number in range(60):
        bo.say(f"number {number}")
    panel = await ana.slash("/panel")
    await page.until(f"{newest('.text')}.startsWith('Counted 0')")
    await page.run("document.getElementById('log').scrollTop = 0")
    await page.run("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
    await ana.press(panel, "Count")
    await page.until("document.querySelector('.message:last-child').classList.contains('flash')")
    await page.until("!document.getElementById('newer').hidden")
    assert await page.run("document.getElementById('log').scrollTop") == 0, "who reads further up stays there"
    await page.click("#newer")
    await page.until("document.getElementById('newer').hidden")
    assert await page.run(AT_THE_END)
    await ana.press(panel, "Count")
    await page.until(f"{newest('.text')}.startsWith('Counted 2')")
    await page.until(AT_THE_END)


async def test_silence_is_told(table: Table, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "ACKNOWLEDGE_SECONDS", 0.5)
    table.discord.sabotage(r"POST /interactions", hang=True)
    await type_line(page, "/panel")
    await page.until("document.getElementById('toasts').innerText.includes('did not respond')")


async def test_five_hundred_messages_come_and_scroll_at_once(table: Table, page: Page) -> None:
    for number in range(500):
        table.person(("Ana", "Bo", "Cai")[number // 7 % 3]).say(f"**Line** {number} of a long evening")
    await page.until(f"{newest()}?.includes('Line 499')")
    assert await page.run("document.querySelectorAll('.message').length") == 500
    await page.run("window.isOld = true; location.reload()")
    await page.until(f"!window.isOld && {newest()}?.includes('Line 499')")
    assert await page.run("document.querySelectorAll('.message').length") == 500
    spent = await page.run(
        """(async () => { const log = document.getElementById('log'); const spent = [];
        for (let at = 0; at < 10; at += 1) { const start = performance.now();
        log.scrollTop = log.scrollHeight * at / 10; await new Promise(requestAnimationFrame);
        spent.push(performance.now() - start); } return Math.min(...spent); })()"""
    )
    assert spent < 150, f"every frame took more than {spent} ms"


@AT_BOTH_WIDTHS
async def test_people_and_channels_can_be_reached_by_keyboard(table: Table, page: Page) -> None:
    await page.press("2", alt=True)
    await page.until("document.querySelector('[data-person=Ana]').getAttribute('aria-checked') === 'true'")
    assert await page.run("document.activeElement.id") == "line"
    await page.run("document.querySelector('[data-person=Ana]').focus()")
    await page.press("ArrowRight")
    await page.until("document.querySelector('[data-person=Bo]').getAttribute('aria-checked') === 'true'")
    unnamed = await page.run(
        """JSON.stringify([...document.querySelectorAll('button, input, textarea, [role=button]')]
        .filter(n => !(n.closest('[hidden]') || n.getAttribute('aria-label') || n.textContent || n.labels?.length))
        .map(n => n.outerHTML))"""
    )
    assert json.loads(unnamed) == []
    assert table.discord.faults == []
