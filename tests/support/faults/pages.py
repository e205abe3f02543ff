"""Pages while the processes that draw them die, stand still or are slow."""

import asyncio
import contextlib
import math
import re
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import cycle

import aiohttp

from tests.site import Site
from tests.waiting import until

# What every complete answer holds, drawn by a worker or not.
EVERY = ("<title>", "<h1")
WHOLE = (*EVERY, '<link rel="canonical"', "application/ld+json")
COURSE_LINK = 'href="/course-details?course='
PLAIN_LINK = re.compile(r'<li><a href="/(?:course|shop)-details')


def flaw(status: int, text: str, is_list: bool = True, is_indexed: bool = True) -> str | None:
    """None for a complete page, else what is wrong with it. A list of courses holds their links."""
    if status != 200:
        return f"status {status}"
    if not text.endswith("</html>\n"):
        return f"breaks off after {len(text)} characters"
    wanted = [*(WHOLE if is_indexed else EVERY), *([COURSE_LINK] if is_list else [])]
    return next((f"no {one}" for one in wanted if one not in text), None)


def is_drawn(text: str) -> bool:
    return '<div id="root">' in text


async def course_path(http: aiohttp.ClientSession) -> str:
    """Address of some course of the running shop."""
    async with http.get("/shop?kind=course") as answer:
        found = re.search(r'href="(/course-details\?course=[^"]+)"', await answer.text())
    assert found is not None, "the shop lists no course"
    return found[1]


@dataclass
class Load:
    """Answers under a steady rate of requests, each with its flaw."""

    answers: int = 0
    plain: int = 0
    flaws: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    async def ask(self, http: aiohttp.ClientSession, path: str) -> None:
        began = time.monotonic()
        try:
            async with http.get(path) as answer:
                text = await answer.text()
                wrong = flaw(answer.status, text, is_list="course=" not in path)
        except (aiohttp.ClientError, TimeoutError) as error:
            text, wrong = "", repr(error)
        self.answers += 1
        self.slowest_s = max(self.slowest_s, time.monotonic() - began)
        if wrong is not None:
            self.flaws.append(f"{path}: {wrong}")
        elif not is_drawn(text):
            self.plain += 1


async def killed_every_second(site: Site, seconds: int, rate: int = 20) -> Load:
    """`rate` requests a second, and once a second kill -9 of the render workers in turn."""
    load = Load()
    timeout = aiohttp.ClientTimeout(total=30)
    async with aiohttp.ClientSession(site.url, timeout=timeout) as http, asyncio.TaskGroup() as group:
        paths = cycle(["/shop?page=2", await course_path(http), "/", "/shop"])
        begin, number = time.monotonic(), 0
        for second in range(seconds):
            for _ in range(rate):
                group.create_task(load.ask(http, next(paths)))
                number += 1
                await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))
            site.signal("ssr", signal.SIGKILL, only=second)
    return load


@dataclass(frozen=True)
class Undrawn:
    """A page asked for while no worker draws, and how long the site took to draw again."""

    took_s: float
    text: str
    again_s: float

    @property
    def links(self) -> int:
        return len(PLAIN_LINK.findall(self.text))


async def without_renderers(site: Site, number: int) -> Undrawn:
    """Signals all render workers (SIGSTOP or SIGKILL), asks for a page at once, waits until pages are drawn again."""
    async with aiohttp.ClientSession(site.url) as http:

        async def shop() -> str:
            async with http.get("/shop?page=2") as answer:
                text = await answer.text()
                assert (wrong := flaw(answer.status, text)) is None, wrong
                return text

        await asyncio.to_thread(site.signal, "ssr", number)
        began = time.monotonic()
        text = await shop()
        took = time.monotonic() - began

        async def drawn() -> bool:
            return is_drawn(await shop())

        await until(drawn, 30)
        return Undrawn(took, text, time.monotonic() - began)


@dataclass(frozen=True)
class Stream:
    """When the pieces of one document arrived, in seconds after the request was written."""

    first_byte_s: float
    shell_s: float
    reviews_s: float
    end_s: float
    text: str

    @property
    def is_whole(self) -> bool:
        """Ends with the document's end and the last chunk of the answer."""
        return self.text.endswith("</html>\n\r\n0\r\n\r\n")


async def stream_of(site: Site, path: str, reviews: str = 'push(["reviews",') -> Stream:
    """One document over a raw socket: no client library holds anything back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    began = time.monotonic()
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    text, first, seen = b"", 0.0, {"</h1>": 0.0, reviews: 0.0}
    while data := await reader.read(65536):
        now = time.monotonic() - began
        first = first or now
        text += data
        seen = {mark: at or (now if mark.encode() in text else 0.0) for mark, at in seen.items()}
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    shell, late = seen.values()
    return Stream(first, shell, late, time.monotonic() - began, text.decode("utf-8", "replace"))


def quantiles(values: Iterable[float]) -> Iterator[float]:
    """Median, 95th percentile and maximum."""
    ordered = sorted(values)
    for share in (0.5, 0.95, 1.0):
        yield ordered[math.ceil(share * len(ordered)) - 1]
