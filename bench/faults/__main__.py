"""`python -m bench.faults [name …]`: every experiment in its long form, one line each; exit status 1 when one fails."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import aiohttp

from bench.faults import calls, outages, pages, prices, rude, supervision, visits
from host.calls import CALLS
from tests.host.fuzzing import SETTINGS, together
from tests.site import Site, running

# Issue: everything accepted is stored this long after the last fault.
SETTLE_S = 90.0
# A kept page needs no render worker.
UNKEPT = {"PAGE_CACHE": "off"}
Outcome = tuple[bool, str]


async def kills() -> Outcome:
    """kill -9 of a render worker every second for 20 s under 20 requests a second."""
    with running(**UNKEPT) as site:
        load = await pages.killed_every_second(site, 20)
    said = f"{load.answers} answers, {len(load.flaws)} incomplete, {load.plain} plain, slowest {load.slowest_s:.2f} s"
    return not load.flaws, "; ".join([said, *load.flaws[:2]])


async def frozen() -> Outcome:
    return await _undrawn(signal.SIGSTOP)


async def killed() -> Outcome:
    return await _undrawn(signal.SIGKILL)


async def _undrawn(number: int) -> Outcome:
    with running(**UNKEPT) as site:
        found = await pages.without_renderers(site, number)
    is_good = found.took_s <= 3 and found.links == 24 and found.again_s <= 15
    return (
        is_good,
        f"200 after {found.took_s:.2f} s with {found.links} plain links; drawn again {found.again_s:.1f} s later",
    )


async def first_byte() -> Outcome:
    """A course page whose reviews take 1 s, 20 times over a raw socket."""
    with running(**UNKEPT, DEV_DELAY="reviews:1000") as site:
        async with aiohttp.ClientSession(site.url) as http:
            path = await pages.course_path(http)
        await pages.stream_of(site, path)
        streams = [await pages.stream_of(site, path) for _ in range(20)]
    first, shell, late = (
        "/".join(f"{value * 1000:.1f}" for value in pages.quantiles(times))
        for times in zip(*((one.first_byte_s, one.shell_s, one.reviews_s) for one in streams), strict=True)
    )
    typical = sorted(one.first_byte_s for one in streams)[: int(0.95 * len(streams))]
    is_good = all(one.is_whole and one.reviews_s >= 1 for one in streams) and max(typical) <= 0.03
    return is_good, f"p50/p95/max ms: first byte {first}, shell {shell}, reviews {late}"


async def worker_and_redis() -> Outcome:
    """2,000 visits, the worker killed twice, Redis frozen for 5 s."""
    return await _visits(
        lambda site: [
            partial(visits.kill_worker_at_work, site),
            partial(visits.freeze, site, "redis", 5.0),
            partial(visits.kill_worker_at_work, site),
        ]
    )


async def frozen_worker() -> Outcome:
    """What a worker took and never saw: frozen, then killed, three times; Redis killed in between."""
    return await _visits(
        lambda site: [
            partial(visits.freeze_and_kill_worker, site),
            partial(visits.kill, site, "redis"),
            partial(visits.freeze_and_kill_worker, site),
            partial(visits.freeze, site, "redis", 8.0),
            partial(visits.freeze_and_kill_worker, site),
        ]
    )


async def hosts() -> Outcome:
    """The host killed four times under posts."""
    return await _visits(lambda site: [partial(visits.kill_host_at_work, site), partial(visits.kill, site, "host")] * 2)


async def no_broker() -> Outcome:
    """REDIS_URL=none, the host killed twice."""
    return await _visits(lambda site: [partial(visits.kill, site, "host")] * 2, REDIS_URL="none")


async def _visits(faults: Callable[[Site], list[visits.Fault]], **settings: str) -> Outcome:
    with running(LIMITS="off", **settings) as site:
        clients, kept, took = await visits.under_faults(site, 2000, faults(site), SETTLE_S)
    return kept.is_exact, (
        f"{clients.posted.accepted} accepted, {len(kept.lost)} lost, {len(kept.twice)} twice, "
        f"{len(kept.unknown)} missing; all there {took:.1f} s after the last"
    )


async def term() -> Outcome:
    """TERM under load, then the same site again."""
    found = await supervision.stopped_under_load(2000, SETTLE_S, LIMITS="off")
    is_good = found.kept.is_exact and found.stop_s <= 10
    return is_good, f"stopped in {found.stop_s:.1f} s, {found.accepted} accepted, {len(found.kept.lost)} lost"


async def orphans() -> Outcome:
    """kill -9 of the supervisor, also with every render worker frozen."""
    said = []
    for kind in ("", "ssr", "redis"):
        site = Site().ready()
        try:
            if kind:
                site.signal(kind, signal.SIGSTOP)
            left, took = await supervision.orphans_of(site)
        finally:
            site.clear()
        said.append(f"{kind or 'nothing'} frozen: {len(left)} left after {took:.1f} s")
        if left:
            return False, said[-1]
    return True, "; ".join(said)


async def rude_clients() -> Outcome:
    """300 half heads, 200 half bodies, 50 readers of one byte a second."""
    with running() as site:
        figures = await rude.siege(site)
    longest = max(figures.closed_s, default=0.0)
    return not figures.flaws and not figures.still_open and longest <= rude.CLOSED_WITHIN_S, str(figures)


async def changing_prices() -> Outcome:
    """20 prices, one every 2 s, under 200 requests a second on two host processes."""
    with running(HOST_WORKERS="2", ROBOTS="open", LIMITS="off") as site:
        seen = await prices.watched(site, 20)
    flaws = seen.flaws()
    said = (
        f"{len(seen.answers):,} answers of {len(seen.processes)} processes, {len(flaws)} flaws; after a commit the old "
        f"price was still to be had for {seen.slowest_s(False):.2f} s, the old date for {seen.slowest_s(True):.2f} s"
    )
    return not flaws and len(seen.processes) == 2, "; ".join([said, *flaws[:2]])


async def stopped_records() -> Outcome:
    return await _without_records(frozen=False)


async def frozen_records() -> Outcome:
    return await _without_records(frozen=True)


async def _without_records(frozen: bool) -> Outcome:
    """MariaDB away for 30 s under 200 pages and 20 visits a second."""
    with outages.on_mariadb() as (site, server):
        found = await outages.without_records(site, server, 30, 200, frozen=frozen)
    said = (
        f"{found.pages:,} pages, {found.stale:,} of them old and marked, {len(found.flaws)} flaws, "
        f"{len(found.unmarked)} unmarked, slowest {found.slowest_s:.2f} s; {found.visits} visits, "
        f"{found.visits_lost} lost; well again after {found.recovered_s:.1f} s"
    )
    return not (found.flaws or found.unmarked or found.visits_lost), "; ".join([said, *found.flaws[:2]])


async def hostile_calls() -> Outcome:
    """schemathesis, all checks, 3 seeds with 200 examples of each call."""
    with running(**SETTINGS) as site:
        runs = await asyncio.to_thread(calls.fuzzed_with, site, 200)
    found, reached = calls.flaws(runs), together(runs)
    made = sum(sum(statuses.values()) for statuses in reached.values())
    well = [name for name, statuses in reached.items() if statuses[200] or statuses[202]]
    said = f"{made:,} calls to {len(reached)} operations, {len(well)} of them answered well, {len(found)} faults"
    return all(run.is_good for run in runs) and len(well) == len(CALLS), "; ".join([said, *found[:2]])


EXPERIMENTS: dict[str, Callable[[], Coroutine[Any, Any, Outcome]]] = {
    "kills": kills,
    "frozen": frozen,
    "killed": killed,
    "first-byte": first_byte,
    "visits": worker_and_redis,
    "visits-frozen-worker": frozen_worker,
    "visits-host": hosts,
    "visits-no-broker": no_broker,
    "term": term,
    "orphans": orphans,
    "rude": rude_clients,
    "prices": changing_prices,
    "records-stopped": stopped_records,
    "records-frozen": frozen_records,
    "calls": hostile_calls,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        print(f"There is no experiment {unknown[0]}; there are {', '.join(EXPERIMENTS)}.", file=sys.stderr)
        return 2
    subprocess.run(["node", "ssr/build.mjs"], check=True)
    return max(_report(name) for name in names or EXPERIMENTS)


def _report(name: str) -> int:
    began = time.monotonic()
    try:
        is_good, said = asyncio.run(EXPERIMENTS[name]())
    except AssertionError as error:
        is_good, said = False, str(error).splitlines()[0]
    word = "holds" if is_good else "FAILS"
    print(f"{name:<21} {word}  {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
