"""Processes left behind when the supervisor stops or is killed."""

import asyncio
import time
from dataclasses import dataclass

import psutil

from tests.support.faults.visits import Clients, StoredComparison, wait_until_exact
from tests.support.site import Site
from tests.support.waiting import until


@dataclass(frozen=True)
class RestartResult:
    """Result of a TERM under load followed by a restart."""

    stop_s: float
    kept: StoredComparison
    accepted: int


async def stop_under_load(total: int, settle_s: float, **settings: str) -> RestartResult:
    """Sends TERM when half of the visits are accepted; the clients continue with the restarted site."""
    first = Site(**settings)
    clients = Clients(first, total)
    posting = asyncio.Future[None]()
    second: Site | None = None
    try:
        await asyncio.to_thread(first.ready)
        posting = asyncio.ensure_future(clients.run())
        await clients.wait_for_share(0.5)
        took = await asyncio.to_thread(first.stop)
        second = Site(var_dir=first.var_dir, port=first.port, **settings)
        await asyncio.to_thread(second.ready)
        await posting
        comparison = await wait_until_exact(clients, settle_s)
        await asyncio.to_thread(second.stop)
        return RestartResult(took, comparison, clients.posted.accepted)
    finally:
        posting.cancel()
        for site in (second, first):
            if site is not None:
                site.clear()


async def orphans_after_kill(site: Site, deadline_s: float = 5.0) -> tuple[list[psutil.Process], float]:
    """Kills the supervisor. Returns the processes that outlive the deadline, and the seconds until the last ended."""
    began = time.monotonic()
    site.kill()

    async def gone() -> bool:
        return not await asyncio.to_thread(site.processes)

    try:
        await until(gone, deadline_s)
    except AssertionError:
        return site.processes(), time.monotonic() - began
    return [], time.monotonic() - began
