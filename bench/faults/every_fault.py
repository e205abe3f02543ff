"""Invariant 12 at full size, on both databases, and without its safeguards."""

from collections.abc import Callable, Coroutine
from typing import Any

from tests.support.faults import outages
from tests.support.faults.every_fault import EveryFault, post_under_every_fault
from tests.support.site import WITHOUT_STANDINS, running

Outcome = tuple[bool, str]
P95_MS = 100.0
# As the process with a safeguard taken out is started.
UNGUARDED = {"module": "tests.faults.unguarded", "UNGUARDED": "claims"}


async def on_sqlite() -> Outcome:
    """400 visits a second for 40 s; 8 workers and Redis, twice, killed, the host stopped, the database 20 s away."""
    with running(LIMITS="off", **WITHOUT_STANDINS) as site:
        return _outcome(await post_under_every_fault(site))


async def on_mariadb() -> Outcome:
    with outages.site_on_mariadb() as (site, server):
        return _outcome(await post_under_every_fault(site, server))


async def without_safeguard() -> Outcome:
    """Negative control: what a killed worker has claimed is not given back."""
    with running(LIMITS="off", **WITHOUT_STANDINS, **UNGUARDED) as site:
        return _lost(await post_under_every_fault(site, settle_s=30))


async def without_safeguard_on_mariadb() -> Outcome:
    with outages.site_on_mariadb(**UNGUARDED) as (site, server):
        return _lost(await post_under_every_fault(site, server, settle_s=30))


def _outcome(result: EveryFault) -> Outcome:
    return result.is_exact and result.p95_ms <= P95_MS, str(result)


def _lost(result: EveryFault) -> Outcome:
    return bool(result.stored.lost) and not result.stored.twice, str(result)


EXPERIMENTS: dict[str, Callable[[], Coroutine[Any, Any, Outcome]]] = {
    "visits-all": on_sqlite,
    "visits-all-mariadb": on_mariadb,
    "visits-all-unguarded": without_safeguard,
    "visits-all-unguarded-mariadb": without_safeguard_on_mariadb,
}
