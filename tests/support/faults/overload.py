"""More uncached pages at once than the render workers can take."""

import asyncio
import json
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import psutil

from config.settings import ROOT
from tests.support.faults.pages import flaw, is_rendered
from tests.support.site import Site
from tests.support.waiting import until

HEAD = struct.Struct(">IcI")


@dataclass(frozen=True)
class Overload:
    """Pages with and without markup, and what was wrong; `renders`: how often a worker rendered each address."""

    rendered: int
    plain: int
    flaws: list[str]
    renders: Counter[str]

    @property
    def rendered_twice(self) -> list[str]:
        return [address for address, count in self.renders.items() if count > 1]


def slow_renders(log: Path, render_ms: int) -> dict[str, str]:
    """The environment of a site whose renders take `render_ms` longer and are written to `log`."""
    hook = ROOT / "tests" / "support" / "slow_render.cjs"
    return {"NODE_OPTIONS": f"--require {hook}", "RENDER_LOG": str(log), "RENDER_MS": str(render_ms)}


async def request_at_once(site: Site, log: Path, pages: int) -> Overload:
    """Requests `pages` addresses of the shop at the same time."""
    log.write_text("")
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(site.url, connector=connector) as http:

        async def get(number: int) -> tuple[str, str | None]:
            async with http.get(f"/shop?n={number}") as answer:
                text = await answer.text()
                return text, flaw(answer.status, text)

        answers = await asyncio.gather(*(get(number) for number in range(pages)))
    await until(lambda: _are_idle(site))
    rendered = sum(is_rendered(text) for text, _ in answers)
    renders = Counter(line.partition(" ")[2] for line in log.read_text().splitlines())
    flaws = [wrong for _, wrong in answers if wrong is not None]
    return Overload(rendered, pages - rendered, flaws, renders)


async def _are_idle(site: Site) -> bool:
    """Whether no worker has a job left, also one that no client waits for any more."""
    pids = site.signal("ssr", 0)
    paths = [psutil.Process(pid).environ()["SSR_LISTEN"].removeprefix("unix:") for pid in pids]
    return not any([await _jobs(path) for path in paths])


async def _jobs(path: str) -> int:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(HEAD.pack(5, b"P", 0))
        length, _, _ = HEAD.unpack(await reader.readexactly(HEAD.size))
        jobs: int = json.loads(await reader.readexactly(length - 5))["jobs"]
        return jobs
    finally:
        writer.close()
