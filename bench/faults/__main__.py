"""`python -m bench.faults [name …]`: runs the long experiments, one line each; exit status 1 when one fails."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import aiohttp

from bench.faults import (
    crawlers,
    every_fault,
    imports,
    selling,
    selling_refunds,
    selling_rows,
    selling_services,
    selling_timing,
)
from host.api.registry import CALLS
from tests.support.faults import calls, outages, pages, prices, slow_clients, supervision, visits
from tests.support.fuzzing import SETTINGS, merge_counts
from tests.support.site import Site, running

# Everything accepted must be stored this long after the last fault.
SETTLE_S = 90.0
# A cached page needs no render worker.
UNCACHED = {"PAGE_CACHE": "off"}
Outcome = tuple[bool, str]


async def kills() -> Outcome:
    """kill -9 of a render worker every second for 20 s under 20 requests a second."""
    with running(**UNCACHED) as site:
        load = await pages.kill_every_second(site, 20)
    text = f"{load.answers} answers, {len(load.flaws)} incomplete, {load.plain} plain, slowest {load.slowest_s:.2f} s"
    return not load.flaws, "; ".join([text, *load.flaws[:2]])


async def frozen() -> Outcome:
    return await _without_renderers(signal.SIGSTOP)


async def killed() -> Outcome:
    return await _without_renderers(signal.SIGKILL)


async def _without_renderers(number: int) -> Outcome:
    with running(**UNCACHED) as site:
        result = await pages.page_without_renderers(site, number)
    is_good = result.took_s <= 3 and result.links == 24 and result.again_s <= 15
    return (
        is_good,
        f"200 after {result.took_s:.2f} s with {result.links} plain links; rendered again {result.again_s:.1f} s later",
    )


async def first_byte() -> Outcome:
    """A course page whose reviews take 1 s, 20 times over a raw socket."""
    with running(**UNCACHED, DEV_DELAY="reviews:1000") as site:
        async with aiohttp.ClientSession(site.url) as http:
            path = await pages.course_path(http)
        await pages.read_stream(site, path)
        streams = [await pages.read_stream(site, path) for _ in range(20)]
    first, shell, late = (
        "/".join(f"{value * 1000:.1f}" for value in pages.quantiles(times))
        for times in zip(*((stream.first_byte_s, stream.shell_s, stream.reviews_s) for stream in streams), strict=True)
    )
    typical = sorted(stream.first_byte_s for stream in streams)[: int(0.95 * len(streams))]
    is_good = all(stream.is_whole and stream.reviews_s >= 1 for stream in streams) and max(typical) <= 0.03
    return is_good, f"p50/p95/max ms: first byte {first}, shell {shell}, reviews {late}"


async def worker_and_redis() -> Outcome:
    """2,000 visits, the worker killed twice, Redis frozen for 5 s."""
    return await _visits(
        [
            visits.kill_worker_at_work,
            partial(visits.freeze, kind="redis", seconds=5.0),
            visits.kill_worker_at_work,
        ]
    )


async def frozen_worker() -> Outcome:
    """A worker frozen and then killed, three times, so that it never handles its batch; Redis killed in between."""
    return await _visits(
        [
            visits.freeze_and_kill_worker,
            partial(visits.kill, kind="redis"),
            visits.freeze_and_kill_worker,
            partial(visits.freeze, kind="redis", seconds=8.0),
            visits.freeze_and_kill_worker,
        ]
    )


async def hosts() -> Outcome:
    """The host killed four times under posts."""
    return await _visits([visits.kill_host_at_work, partial(visits.kill, kind="host")] * 2)


async def no_broker() -> Outcome:
    """REDIS_URL=none, the host killed twice."""
    return await _visits([partial(visits.kill, kind="host")] * 2, REDIS_URL="none")


async def _visits(faults: list[visits.Fault], **settings: str) -> Outcome:
    with running(LIMITS="off", **settings) as site:
        clients, comparison, settle_time_s = await visits.post_under_faults(site, 2000, faults, SETTLE_S)
    return comparison.is_exact, (
        f"{clients.posted.accepted} accepted, {len(comparison.lost)} lost, {len(comparison.twice)} twice, "
        f"{len(comparison.unknown)} missing; all there {settle_time_s:.1f} s after the last"
    )


async def term() -> Outcome:
    """TERM under load, then the same site again."""
    result = await supervision.start_and_stop_under_load(2000, SETTLE_S, LIMITS="off")
    is_good = result.kept.is_exact and result.stop_s <= 10
    return is_good, f"stopped in {result.stop_s:.1f} s, {result.accepted} accepted, {len(result.kept.lost)} lost"


async def orphans() -> Outcome:
    """kill -9 of the supervisor, also with every render worker frozen."""
    text = []
    for kind in ("", "ssr", "redis"):
        site = Site().ready()
        try:
            if kind:
                site.signal(kind, signal.SIGSTOP)
            left, took = await supervision.orphans_after_kill(site)
        finally:
            site.clear()
        text.append(f"{kind or 'nothing'} frozen: {len(left)} left after {took:.1f} s")
        if left:
            return False, text[-1]
    return True, "; ".join(text)


async def rude_clients() -> Outcome:
    """300 half heads, 200 half bodies, 50 readers of one byte a second."""
    with running() as site:
        figures = await slow_clients.run(site)
    longest = max(figures.closed_s, default=0.0)
    return not figures.flaws and not figures.still_open and longest <= slow_clients.CLOSED_WITHIN_S, str(figures)


async def changing_prices() -> Outcome:
    """20 prices, one every 2 s, under 200 requests a second on two host processes."""
    with running(HOST_WORKERS="2", ROBOTS="open", LIMITS="off") as site:
        observations = await prices.observe_changes(site, 20)
    flaws = observations.flaws()
    text = (
        f"{len(observations.answers):,} answers of {len(observations.processes)} processes, {len(flaws)} flaws; "
        f"after a commit the old price was served for {observations.slowest_s(False):.2f} s, the old date for "
        f"{observations.slowest_s(True):.2f} s"
    )
    return not flaws and len(observations.processes) == 2, "; ".join([text, *flaws[:2]])


async def stopped_database() -> Outcome:
    return await _without_database(frozen=False)


async def frozen_database() -> Outcome:
    return await _without_database(frozen=True)


async def _without_database(frozen: bool) -> Outcome:
    """MariaDB unavailable for 30 s under 200 pages and 20 visits a second."""
    with outages.site_on_mariadb() as (site, server):
        result = await outages.run_outage(site, server, 30, 200, frozen=frozen)
    text = (
        f"{result.pages:,} pages, {result.stale:,} of them stale and marked, {len(result.flaws)} flaws, "
        f"{len(result.unmarked)} unmarked, slowest {result.slowest_s:.2f} s; {result.visits} visits, "
        f"{result.visits_lost} lost; recovered after {result.recovered_s:.1f} s"
    )
    return not (result.flaws or result.unmarked or result.visits_lost), "; ".join([text, *result.flaws[:2]])


async def hostile_calls() -> Outcome:
    """schemathesis with all checks: 3 seeds, 200 examples of each call."""
    with running(**SETTINGS) as site:
        runs = await asyncio.to_thread(calls.run_seeds, site, 200)
    flaws, reached = calls.flaws(runs), merge_counts(runs)
    call_count = sum(sum(statuses.values()) for statuses in reached.values())
    succeeded = [name for name, statuses in reached.items() if statuses[200] or statuses[202]]
    text = (
        f"{call_count:,} calls to {len(reached)} operations, {len(succeeded)} of them successful, {len(flaws)} faults"
    )
    return all(run.is_good for run in runs) and len(succeeded) == len(CALLS), "; ".join([text, *flaws[:2]])


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
    "records-stopped": stopped_database,
    "records-frozen": frozen_database,
    "calls": hostile_calls,
    "import-kills": imports.import_kills,
    **every_fault.EXPERIMENTS,
    **crawlers.EXPERIMENTS,
    **selling.EXPERIMENTS,
    **selling_refunds.EXPERIMENTS,
    **selling_services.EXPERIMENTS,
    **selling_rows.EXPERIMENTS,
    **selling_timing.EXPERIMENTS,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        print(f"There is no experiment {unknown[0]}; there are {', '.join(EXPERIMENTS)}.", file=sys.stderr)
        return 2
    subprocess.run(["node", "ssr/build/build.mjs"], check=True)
    return max(_report(name) for name in names or EXPERIMENTS)


def _report(name: str) -> int:
    began = time.monotonic()
    try:
        is_good, text = asyncio.run(EXPERIMENTS[name]())
    except AssertionError as error:
        is_good, text = False, str(error).splitlines()[0]
    word = "holds" if is_good else "FAILS"
    print(f"{name:<28} {word}  {text} ({time.monotonic() - began:.0f} s)", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
