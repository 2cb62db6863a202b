"""Headless Chromium over the DevTools protocol: enough to open a page, use it, and take its picture."""

import asyncio
import atexit
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE_SECONDS = 180.0
KEYS = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    "ArrowDown": (40, ""),
    "ArrowUp": (38, ""),
    "ArrowLeft": (37, ""),
    "ArrowRight": (39, ""),
    "Home": (36, ""),
    "End": (35, ""),
    "Backspace": (8, ""),
    " ": (32, " "),
}


def find_chromium() -> str | None:
    return os.environ.get("CHROMIUM") or next((p for n in NAMES if (p := shutil.which(n))), None)


# Of every test that opens a page: a machine without a browser tries all else; CI installs one.
IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium found (set CHROMIUM to its program)"),
]

# The page's line to the table, kept for scripts.
KEEP_LINE = """window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); window.line = this; }
};"""
# The table answers in the order in which it is told; what the page puts off till later is done after two turns.
ECHO = """new Promise((done) => {
    const id = `echo ${Math.random()}`, channel = localStorage.getItem('table.place');
    const heard = (event) => {
        const told = JSON.parse(event.data);
        if (told.t !== 'composed' || told.id !== id) return;
        line.removeEventListener('message', heard);
        setTimeout(() => setTimeout(done));
    };
    line.addEventListener('message', heard);
    line.send(JSON.stringify({ do: 'compose', id, channel, text: '', cursor: 0 }));
})"""


class PageError(AssertionError):
    """A script on the page failed, or what was waited for did not come."""


class Page:
    """One tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.complaints: list[str] = []
        self.requested: list[str] = []
        self._count = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            data = json.loads(message.data)
            future = self._waiting.pop(data.get("id", 0), None)
            if future is not None and not future.done():
                future.set_result(data)
            elif "method" in data:
                self._notice(data["method"], data["params"])

    def _notice(self, method: str, params: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requested.append(params["request"]["url"])

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[self._count] = future
        await self.socket.send_str(json.dumps({"id": self._count, "method": method, "params": params}))
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await future
        if "error" in answer:
            raise PageError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def run(self, script: str) -> Any:
        """Evaluate a script; a promise is awaited."""
        answer = await self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise PageError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    async def open(self, url: str) -> None:
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self.send(f"{domain}.enable")
        await self.send("Page.addScriptToEvaluateOnNewDocument", source=KEEP_LINE)
        await self.send("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'")

    async def resize(
        self, width: int, height: int, *, dark: bool = True, mobile: bool = False, pixels: int = 1
    ) -> None:
        """Give the page another size; `pixels` are those of a screen for each of the page."""
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=pixels, mobile=mobile
        )
        await self.send("Emulation.setTouchEmulationEnabled", enabled=mobile)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.send("Emulation.setEmulatedMedia", features=[scheme])

    async def until(self, script: str, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until an expression is true."""
        try:
            async with asyncio.timeout(seconds):
                while not await self._is_true(script):  # noqa: ASYNC110 - a page has no events of ours
                    await asyncio.sleep(0.02)
        except TimeoutError:
            text = await self.run("document.body.innerText")
            raise PageError(f"never true: {script}\n{self.complaints}\n{text}") from None

    async def still(self, selector: str) -> None:
        """Wait until an element stands where it stood a moment before: a tap on one that moves meets another."""
        place = f"Math.round(document.querySelector({json.dumps(selector)})?.getBoundingClientRect().y)"
        await self.until(f"(() => {{ const was = window.stood; return was === (window.stood = {place}); }})()", 10)

    async def echo(self) -> None:
        """Wait until the table has heard all that the page said, and the page has drawn all that the table said."""
        await self.run(ECHO)

    async def _is_true(self, script: str) -> bool:
        try:
            return bool(await self.run(f"Boolean({script})"))
        except PageError as error:
            if "navigated" in str(error):
                return False  # it is being loaded anew
            raise

    async def text_of(self, selector: str) -> str:
        return str(await self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    async def click(self, selector: str) -> None:
        """Click in the middle of an element with the mouse, as a person does; it must be there to be hit."""
        spot = await self._spot(selector)
        for kind in ("mousePressed", "mouseReleased"):
            await self.send(
                "Input.dispatchMouseEvent", type=kind, x=spot["x"], y=spot["y"], button="left", clickCount=1
            )

    async def tap(self, selector: str) -> None:
        """Tap on the middle of an element with a finger; it must be there to be hit."""
        spot = await self._spot(selector)
        await self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": spot["x"], "y": spot["y"]}])
        await self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def _spot(self, selector: str) -> dict[str, Any]:
        """Return the middle of an element, once nothing covers it."""
        quoted = json.dumps(selector)
        await self.until(f"document.querySelector({quoted})")
        aim = f"""(() => {{ const node = document.querySelector({quoted});
            if (!node) return {{x: 0, y: 0, hit: false, by: 'nothing: it was drawn anew'}};
            node.scrollIntoView({{block: 'nearest'}});
            const box = node.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            const hit = document.elementFromPoint(x, y);
            return {{x, y, hit: node.contains(hit), by: hit?.outerHTML.slice(0, 120) ?? 'nothing'}}; }})()"""
        spot: dict[str, Any] = await self.run(aim)
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            if spot["hit"]:
                return spot
            # It may still be sliding into its place, or be drawn anew.
            await asyncio.sleep(0.02)
            spot = await self.run(aim)
        raise PageError(f"{selector} is covered by {spot['by']}")

    async def click_text(self, text: str, within: str = "button, a, [role=option]") -> None:
        """Click the last element of a kind whose text begins so."""
        script = (
            f"(() => {{ const all = [...document.querySelectorAll({json.dumps(within)})]"
            f".filter(n => n.innerText.trim().startsWith({json.dumps(text)}) && n.offsetParent && !n.disabled);"
            "document.querySelectorAll('[data-aim]').forEach(n => n.removeAttribute('data-aim'));"
            "const node = all.at(-1); node?.setAttribute('data-aim', ''); return Boolean(node); })()"
        )
        await self.until(script.rstrip(";"))
        await self.click("[data-aim]")

    async def type(self, text: str) -> None:
        await self.send("Input.insertText", text=text)

    async def press(self, key: str, *, shift: bool = False, alt: bool = False) -> None:
        """Press a key by its name, or a letter or digit."""
        code, text = KEYS.get(key, (ord(key[0].upper()), key))
        modifiers = (1 if alt else 0) | (8 if shift else 0)
        named: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        named["code"] = f"Digit{key}" if key.isdigit() else "Space" if key == " " else key
        down = "keyDown" if text and not alt else "rawKeyDown"
        await self.send("Input.dispatchKeyEvent", type=down, **({"text": text} if down == "keyDown" else {}), **named)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **named)

    async def screenshot(self, path: Path, of: str = "body") -> None:
        """Take a picture of what a selector finds."""
        found = json.dumps(of)
        box = await self.run(
            f"(({{x, y, width, height}}) => ({{x, y, width, height}}))"
            f"(document.querySelector({found}).getBoundingClientRect())"
        )
        answer = await self.send("Page.captureScreenshot", format="png", clip={**box, "scale": 1})
        await asyncio.to_thread(write, path, base64.b64decode(answer["data"]))

    async def close(self) -> None:
        await self.socket.close()
        await self._reader


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@asynccontextmanager
async def browser_page(url: str, width: int = 1280, height: int = 800) -> AsyncIterator[Page]:
    """Open an address in a tab that knows nothing of earlier ones, in this process's Chromium.

    Raises:
        PageError: there is no Chromium, or it does not start.
    """
    root = f"127.0.0.1:{await _debugging_port()}"
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://{root}/json/version") as response:
            address = (await response.json())["webSocketDebuggerUrl"]
        async with session.ws_connect(address, max_msg_size=0) as line:
            browser = Page(line)
            profile = await browser.send("Target.createBrowserContext", disposeOnDetach=True)
            tab = await browser.send("Target.createTarget", url="about:blank", **profile)
            async with session.ws_connect(f"ws://{root}/devtools/page/{tab['targetId']}", max_msg_size=0) as socket:
                page = Page(socket)
                await page.resize(width, height)
                await page.open(url)
                try:
                    yield page
                finally:
                    await page.close()
                    await browser.close()


class Browser:
    """A Chromium that runs: starting one costs more than most tests do in it."""

    def __init__(self) -> None:
        program = find_chromium()
        if program is None:
            raise PageError("no Chromium found")
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def port(self) -> int | None:
        """Return the port that Chromium writes into its profile once it listens."""
        told = Path(self._profile.name) / "DevToolsActivePort"
        lines = told.read_text().split() if told.exists() else []
        return int(lines[0]) if len(lines) > 1 else None

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()


_browsers: list[Browser] = []  # this process's one, once a page was opened


@atexit.register
def end_browser() -> None:
    """End what was started; if a process does not end by itself, as in a worker of the tests, a fixture calls it."""
    while _browsers:
        _browsers.pop().end()


async def _debugging_port() -> int:
    """Return on which port this process's Chromium listens; start it if it does not run."""
    if not (_browsers and _browsers[0].is_running):
        end_browser()
        _browsers.append(Browser())
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (port := _browsers[0].port) is None:  # noqa: ASYNC110 - another program has no events of ours
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise PageError("Chromium did not start") from None
    return port
