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


class Restarted:
    """A site that tests may stop and start again in its folder and at its port: `site` is the one that runs."""

    def __init__(self, **settings: str) -> None:
        self._settings = settings
        self.site = Site(**settings)

    def begin_again(self) -> None:
        """Starts the site that was stopped; it need not be ready."""
        self.site = Site(var_dir=self.site.var_dir, port=self.site.port, **self._settings)


async def stop_under_load(restarted: Restarted, total: int, settle_s: float) -> RestartResult:
    """Sends TERM when half of the visits are accepted; the clients continue with the restarted site, which runs
    afterwards."""
    clients = Clients(restarted.site, total)
    posting = asyncio.ensure_future(clients.run())
    try:
        await clients.wait_for_share(0.5)
        took = await asyncio.to_thread(restarted.site.stop)
        restarted.begin_again()
        await asyncio.to_thread(restarted.site.ready)
        await posting
        comparison = await wait_until_exact(clients, settle_s)
        return RestartResult(took, comparison, clients.posted.accepted)
    finally:
        posting.cancel()


async def start_and_stop_under_load(total: int, settle_s: float, **settings: str) -> RestartResult:
    """Stops a site of its own under load, and at the end for good."""
    restarted = Restarted(**settings)
    try:
        await asyncio.to_thread(restarted.site.ready)
        result = await stop_under_load(restarted, total, settle_s)
        await asyncio.to_thread(restarted.site.stop)
        return result
    finally:
        restarted.site.clear()


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
