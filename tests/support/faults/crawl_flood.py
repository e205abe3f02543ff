"""Fetches under crawlers' names from a few networks, while others read pages: what is stored of them, and how long the
others wait.

`python -m tests.support.faults.crawl_flood PORT FETCHES SECONDS crawlers|people` sends the fetches from a process of
its own, and prints how many were answered by network and status.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from statistics import median

import aiohttp

from config.settings import ROOT
from tests.support.site import Site
from tests.support.waiting import until

# Nobody in these networks (RFC 2544) is a crawler of these operators, and the demo shop has no visits of theirs.
NETWORKS = ("198.18.0", "198.18.1", "198.18.2")
AGENTS = {
    "crawlers": (
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    ),
    "people": (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36",
    ),
}
PATHS = ("/shop", "/about", "/robots.txt", "/shop", "/nothing-here")
OTHERS_PATH = "/shop"
CONNECTIONS = 24
# Others ask so often, with and without the crawlers in turn.
EVERY_S, TURNS = 0.02, 12


@dataclass(frozen=True)
class Flood:
    """`sent` and `counted` are by network and status; `rows`: the most that a network has stored singly in a minute.
    Times are medians of what others waited: meanwhile, alone, and while as many fetches came from browsers."""

    sent: Counter[tuple[str, int]]
    counted: Counter[tuple[str, int]]
    rows: int
    others_ms: float
    alone_ms: float
    beside_people_ms: float


async def flood(site: Site, fetches: int, seconds: float) -> Flood:
    """Send so many fetches in so many seconds, in TURNS, and between them as many from browsers, and none."""
    sent = Counter[tuple[str, int]]()
    times: dict[str, list[float]] = {"crawlers": [], "": [], "people": []}
    async with aiohttp.ClientSession(site.url) as http:
        await _read_for(http, 1.0)
        for _ in range(TURNS):
            for who, waited in times.items():
                fetching = asyncio.create_task(_fetch(site.port, fetches // TURNS if who else 0, seconds / TURNS, who))
                waited.extend(await _read_for(http, seconds / TURNS))
                answered = await fetching
                if who == "crawlers":
                    sent += answered
    total = sent.total()
    await until(lambda: _stored(site)[0].total() >= total, 180, 0.5)
    counted, rows = _stored(site)
    return Flood(sent, counted, rows, *(median(waited) * 1000 for waited in times.values()))


async def _read_for(http: aiohttp.ClientSession, seconds: float) -> list[float]:
    loop, times = asyncio.get_running_loop(), list[float]()
    until_s = loop.time() + seconds
    while (began := loop.time()) < until_s:
        async with http.get(OTHERS_PATH) as answer:
            await answer.read()
            assert answer.status == 200
        times.append(loop.time() - began)
        await asyncio.sleep(max(0.0, EVERY_S - times[-1]))
    return times


def _stored(site: Site) -> tuple[Counter[tuple[str, int]], int]:
    """The fetches by network and status, and the most of a network that are stored singly in a minute."""
    counted, singly = Counter[tuple[str, int]](), Counter[tuple[str, str]]()
    query = "SELECT address, visited_at, attributes FROM visits WHERE visitor_class = 'crawler' AND address LIKE ?"
    for network, at, text in site.query(query, "198.18.%"):
        about = json.loads(text)
        counted[network, about["status"]] += about.get("count", 1)
        if "count" not in about:
            singly[network, str(at)[:16]] += 1
    return counted, max(singly.values(), default=0)


async def _fetch(port: int, fetches: int, seconds: float, who: str) -> Counter[tuple[str, int]]:
    if not fetches:
        return Counter()
    command = [sys.executable, "-m", "tests.support.faults.crawl_flood", str(port), str(fetches), str(seconds), who]
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=True, capture_output=True, text=True)
    return Counter({(network, status): number for network, status, number in json.loads(done.stdout)})


async def _send(port: int, fetches: int, seconds: float, agents: Sequence[str]) -> Counter[tuple[str, int]]:
    statuses, numbers, began = Counter[tuple[str, int]](), count(), time.monotonic()

    async def connection() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (number := next(numbers)) < fetches:
            if (early_s := began + number * seconds / fetches - time.monotonic()) > 0:
                await asyncio.sleep(early_s)
            network = NETWORKS[number % len(NETWORKS)]
            writer.write(_request(number, network, agents[number // 3 % len(agents)]))
            statuses[f"{network}.0/24", await _read_status(reader)] += 1
        writer.close()

    await asyncio.gather(*(connection() for _ in range(CONNECTIONS)))
    return statuses


def _request(number: int, network: str, agent: str) -> bytes:
    lines = (
        f"GET {PATHS[number // 7 % len(PATHS)]} HTTP/1.1",
        "Host: localhost",
        f"User-Agent: {agent}",
        f"X-Forwarded-For: {network}.{number // 11 % 250 + 1}",
    )
    return "\r\n".join((*lines, "", "")).encode()


async def _read_status(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    fields = head.lower()
    if b"content-length:" in fields:
        await reader.readexactly(int(fields.partition(b"content-length:")[2].partition(b"\r\n")[0]))
    else:
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return int(head[9:12])


if __name__ == "__main__":
    found = asyncio.run(_send(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), AGENTS[sys.argv[4]]))
    print(json.dumps([[*key, number] for key, number in found.items()]))
