"""How long it takes to be refused tells nothing: the medians for somebody else's order and for a code that no order has
are the same to 10 %, for a stranger, for half a pair and for nobody."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from statistics import median

import aiohttp

from tests.support.faults.buyers import Buyer, sign_in
from tests.support.faults.orders import Shopping
from tests.support.site import running

Outcome = tuple[bool, str]
SAMPLES = 200
TOLERANCE = 0.1
# A busy machine may disturb one measurement.
ATTEMPTS = 3
UNKNOWN = "BADECUFIGOHAKELIMONA"
PATHS = ("/api/orders/{}", "/api/orders/{}/status", "/order/{}", "/completed/{}", "/data/order/{}")


@dataclass
class Measured:
    """Seconds of each request, by code; `answers`: status and length of the body."""

    times: dict[str, list[float]] = field(default_factory=dict)
    answers: set[tuple[int, int]] = field(default_factory=set)

    @property
    def difference(self) -> float:
        """The difference of the medians, as a part of the smaller one."""
        fast, slow = sorted(median(times) for times in self.times.values())
        return slow / fast - 1


async def measure(http: aiohttp.ClientSession, path: str, code: str, headers: dict[str, str]) -> Measured:
    measured = Measured({code: [], UNKNOWN: []})
    for _sample in range(SAMPLES):
        for each, times in measured.times.items():
            began = time.perf_counter()
            async with http.get(path.format(each), headers=headers) as answer:
                length = len(await answer.read())
            times.append(time.perf_counter() - began)
            measured.answers.add((answer.status, length))
    return measured


def callers(owner: Buyer, stranger: Buyer) -> dict[str, dict[str, str]]:
    """The headers of everybody who may not see an order of `owner`."""
    half = {"Authorization": stranger.headers["Authorization"]}
    return {"a stranger": stranger.headers, "half a pair": {**half, "Cookie": owner.headers["Cookie"]}, "nobody": {}}


async def refusals() -> Outcome:
    texts, is_good, statuses = [], True, set()
    with running(LIMITS="off") as site:
        [code] = (await Shopping(site, 1).run()).codes
        async with aiohttp.ClientSession(site.url, cookie_jar=aiohttp.DummyCookieJar()) as http:
            buyers = [await asyncio.to_thread(sign_in, site, http, name) for name in ("buyer0", "eve")]
            for who, headers in callers(*buyers).items():
                for path in PATHS:
                    for _attempt in range(ATTEMPTS):
                        measured = await measure(http, path, code, headers)
                        if measured.difference <= TOLERANCE:
                            break
                    statuses |= {status for status, _ in measured.answers}
                    is_good &= measured.difference <= TOLERANCE
                    texts.append((measured.difference, f"{who}, {path}: {measured.difference:.1%}"))
    worst = [text for _, text in sorted(texts, reverse=True)[:3]]
    return is_good and statuses <= {
        401,
        404,
    }, f"largest differences {'; '.join(worst)}; statuses {json.dumps(sorted(statuses))}"


EXPERIMENTS = {"sell-timing": refusals}
