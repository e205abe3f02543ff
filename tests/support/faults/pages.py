"""Pages while the render workers are killed, frozen or slow."""

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

from tests.support.site import Site
from tests.support.waiting import until

# Text of every complete page, rendered by a worker or not.
EVERY = ("<title>", "<h1")
WHOLE = (*EVERY, '<link rel="canonical"', "application/ld+json")
COURSE_LINK = 'href="/course-details?course='
PLAIN_LINK = re.compile(r'<li><a href="/(?:course|shop)-details')


def flaw(status: int, text: str, is_list: bool = True, is_indexed: bool = True) -> str | None:
    """None for a complete page, else what is wrong with it. A list must hold links to courses."""
    if status != 200:
        return f"status {status}"
    if not text.endswith("</html>\n"):
        return f"breaks off after {len(text)} characters"
    wanted = [*(WHOLE if is_indexed else EVERY), *([COURSE_LINK] if is_list else [])]
    return next((f"no {text_part}" for text_part in wanted if text_part not in text), None)


def is_rendered(text: str) -> bool:
    return '<div id="root">' in text


async def course_path(http: aiohttp.ClientSession) -> str:
    """The path of a course of the running shop."""
    async with http.get("/shop?kind=course") as answer:
        match = re.search(r'href="(/course-details\?course=[^"]+)"', await answer.text())
    assert match is not None, "the shop lists no course"
    return match[1]


@dataclass
class Load:
    """Results of requests at a steady rate."""

    answers: int = 0
    plain: int = 0
    flaws: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    async def get(self, http: aiohttp.ClientSession, path: str) -> None:
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
        elif not is_rendered(text):
            self.plain += 1


async def kill_every_second(site: Site, seconds: int, rate: int = 20) -> Load:
    """Sends `rate` requests a second; kills one render worker a second, in turn."""
    load = Load()
    timeout = aiohttp.ClientTimeout(total=30)
    async with aiohttp.ClientSession(site.url, timeout=timeout) as http, asyncio.TaskGroup() as group:
        paths = cycle(["/shop?page=2", await course_path(http), "/", "/shop"])
        begin, number = time.monotonic(), 0
        for second in range(seconds):
            for _ in range(rate):
                group.create_task(load.get(http, next(paths)))
                number += 1
                await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))
            site.signal("ssr", signal.SIGKILL, index=second)
    return load


@dataclass(frozen=True)
class FallbackResult:
    """A page served without a render worker, and the seconds until pages were rendered again."""

    took_s: float
    text: str
    again_s: float

    @property
    def links(self) -> int:
        return len(PLAIN_LINK.findall(self.text))


async def page_without_renderers(site: Site, number: int) -> FallbackResult:
    """Signals all render workers (SIGSTOP or SIGKILL), gets a page, and waits until pages are rendered again."""
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
            return is_rendered(await shop())

        await until(drawn, 30)
        return FallbackResult(took, text, time.monotonic() - began)


@dataclass(frozen=True)
class Stream:
    """When the parts of a document arrived, in seconds after the request was written."""

    first_byte_s: float
    shell_s: float
    reviews_s: float
    end_s: float
    text: str

    @property
    def is_whole(self) -> bool:
        """Whether the document and the chunked response are complete."""
        return self.text.endswith("</html>\n\r\n0\r\n\r\n")


async def read_stream(site: Site, path: str, reviews: str = 'push(["reviews",') -> Stream:
    """Reads a document over a raw socket, because a client library might buffer."""
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
