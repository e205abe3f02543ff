"""Firefox through WebDriver BiDi, which it speaks itself: https://www.w3.org/TR/webdriver-bidi/.
Playwright drives only a Firefox of its own."""

import asyncio
import itertools
import json
import tempfile
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse

from tests.support.waiting import LIMIT_S, until

# Without processes kept ready, a page of its own at the start, and animations: they take processor time.
PREFERENCES = """
user_pref("remote.active-protocols", 1);
user_pref("app.update.enabled", false);
user_pref("browser.startup.page", 0);
user_pref("browser.newtab.preload", false);
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("dom.ipc.processCount", 1);
user_pref("ui.prefersReducedMotion", 1);
"""


class CommandRefused(Exception):
    """The browser's answer to a command that failed."""


class Firefox:
    """One headless browser with one tab, on the site at `base_url`."""

    def __init__(self, process: Process, client: ClientSession, socket: ClientWebSocketResponse, base_url: str):
        self.process, self.client, self.socket, self.base_url = process, client, socket, base_url
        self._ids = itertools.count(1)
        self._tab = ""

    async def send(self, method: str, **params: Any) -> Any:
        """The result of a command. Raises CommandRefused with the browser's message, TimeoutError without an answer
        in time."""
        number = next(self._ids)
        await self.socket.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(LIMIT_S):
            while True:
                answer = json.loads(await self.socket.receive_str())
                if answer.get("id") == number:
                    if answer["type"] != "success":
                        raise CommandRefused(answer)
                    return answer["result"]

    async def begin(self) -> None:
        await self.send("session.new", capabilities={})

    async def open(self, path: str) -> None:
        """A full load in a new tab, until the page is hydrated. A load that still runs in the former tab would abort
        this one in the same tab."""
        former, self._tab = self._tab, (await self.send("browsingContext.create", type="tab"))["context"]
        if former:
            await self.send("browsingContext.close", context=former)
        await self.send("browsingContext.navigate", context=self._tab, url=self.base_url + path, wait="none")
        await self.wait_for("document.documentElement.dataset.hydrated === ''")

    async def evaluate(self, expression: str) -> Any:
        """The result of an expression: a primitive, or the reference of an element."""
        target = {"context": self._tab}
        answer = await self.send("script.evaluate", expression=expression, target=target, awaitPromise=True)
        if answer["type"] != "success":
            raise CommandRefused(answer)
        result = answer["result"]
        return {"sharedId": result["sharedId"]} if result["type"] == "node" else result.get("value")

    async def wait_for(self, condition: str) -> None:
        async def holds() -> bool:
            try:
                return await self.evaluate(f"Boolean({condition})") is True
            except CommandRefused:
                # The document was just replaced by the next one.
                return False

        await until(holds)

    async def click(self, selector: str) -> None:
        """Presses the first such element with the pointer, once there is one."""
        element = f"document.querySelector({json.dumps(selector)})"
        await self.wait_for(element)
        await self.evaluate(f"{element}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        origin = {"type": "element", "element": await self.evaluate(element)}
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        actions = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        await self._act({"type": "pointer", "id": "mouse", "actions": actions})

    async def type(self, text: str) -> None:
        """Types into what has the focus; a line break is the Enter key."""
        keys = text.replace("\n", "\ue007")
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        await self._act({"type": "key", "id": "keyboard", "actions": actions})

    async def _act(self, source: dict[str, Any]) -> None:
        await self.send("input.performActions", context=self._tab, actions=[source])

    async def set_cookie(self, name: str, value: str, *, is_http_only: bool = False) -> None:
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": "localhost", "path": "/"}
        await self.send("storage.setCookie", cookie={**cookie, "httpOnly": is_http_only, "sameSite": "lax"})

    async def forget(self) -> None:
        """Delete what pages have stored: cookies, and the storage of the site whose page is open."""
        await self.send("storage.deleteCookies")
        if self._tab:
            await self.evaluate("localStorage.clear(); sessionStorage.clear()")

    async def go(self, delta: int) -> None:
        await self.send("browsingContext.traverseHistory", context=self._tab, delta=delta)

    async def end(self) -> None:
        self.process.kill()
        await self.process.wait()
        await self.client.close()


async def start_firefox(binary: str, base_url: str) -> Firefox:
    profile = Path(tempfile.mkdtemp(prefix="cf-firefox-"))
    (profile / "user.js").write_text(PREFERENCES)
    # It chooses a port itself and writes it there.
    server = profile / "WebDriverBiDiServer.json"
    arguments = ("--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0")
    process = await asyncio.create_subprocess_exec(binary, *arguments, stdout=DEVNULL, stderr=DEVNULL)
    client = ClientSession()
    sockets: list[ClientWebSocketResponse] = []

    async def connect() -> bool:
        try:
            port = json.loads(server.read_text())["ws_port"]
            sockets.append(await client.ws_connect(f"ws://127.0.0.1:{port}/session", max_msg_size=0))
        except (ClientError, OSError, ValueError):
            return False
        return True

    try:
        await until(connect)
        firefox = Firefox(process, client, sockets[0], base_url)
        await firefox.begin()
    except BaseException:
        process.kill()
        await process.wait()
        await client.close()
        raise
    return firefox
