"""Stopping, dying and being in the way: what the supervisor leaves behind."""

import asyncio
import time
from dataclasses import dataclass

import psutil

from bench.faults.visits import Clients, Kept, settled
from tests.site import Site
from tests.waiting import until


@dataclass(frozen=True)
class Restarted:
    """TERM in the middle of posting visits and reading pages, then the same site again."""

    stop_s: float
    kept: Kept
    accepted: int


async def stopped_under_load(total: int, settle_s: float, **settings: str) -> Restarted:
    """TERM when half of the visits have been taken; the clients go on with the site that follows."""
    first = Site(**settings)  # type: ignore[arg-type]
    clients = Clients(first, total)
    posting = asyncio.Future[None]()
    second: Site | None = None
    try:
        await asyncio.to_thread(first.ready)
        posting = asyncio.ensure_future(clients.run())
        await clients.reached(0.5)
        took = await asyncio.to_thread(first.stop)
        second = Site(var_dir=first.var_dir, port=first.port, **settings)
        await asyncio.to_thread(second.ready)
        await posting
        kept = await settled(clients, settle_s)
        await asyncio.to_thread(second.stop)
        return Restarted(took, kept, clients.posted.accepted)
    finally:
        posting.cancel()
        for site in (second, first):
            if site is not None:
                site.clear()


async def orphans_of(site: Site, deadline_s: float = 5.0) -> tuple[list[psutil.Process], float]:
    """kill -9 of the supervisor: who lives on after the deadline, and how long the last one took to go."""
    began = time.monotonic()
    site.kill()

    async def gone() -> bool:
        return not await asyncio.to_thread(site.processes)

    try:
        await until(gone, deadline_s)
    except AssertionError:
        return site.processes(), time.monotonic() - began
    return [], time.monotonic() - began
