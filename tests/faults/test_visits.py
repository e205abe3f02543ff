"""Accepted visits are stored, and once, whatever is killed; without any one of the guards they are not."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.support.faults.supervision import Restarted, stop_under_load
from tests.support.faults.visits import (
    Clients,
    Fault,
    StoredComparison,
    compare_when_idle,
    freeze_and_kill_worker,
    freeze_redis_until_spooled,
    kill,
    kill_host_at_work,
    kill_worker_at_work,
    post_under_faults,
)
from tests.support.site import STOP_S, WITHOUT_STANDINS, Site, running
from tests.support.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.usefixtures("filled_sites")]

# A batch whose worker died is handed out again after 60 s; the short form does not wait that long.
SHORT = {"LIMITS": "off", "VISIBILITY_TIMEOUT_S": "2", "SSR_WORKERS": "1", **WITHOUT_STANDINS}
TOTAL = 200
SETTLE_S = 90.0
EXACT = StoredComparison(set(), set(), set())


@pytest.fixture(scope="module")
def restarted(todays_demo: Path) -> Iterator[Restarted]:
    """One site for several faults: after each everything is stored, and every process runs again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "filled_database", todays_demo)
        shared = Restarted(**SHORT)
    try:
        shared.site.ready()
        yield shared
        shared.site.stop()
    finally:
        shared.site.clear()


FAULTS: dict[str, list[Fault]] = {
    "killed workers and a frozen redis": [kill_worker_at_work, freeze_redis_until_spooled, freeze_and_kill_worker],
    "a killed host": [kill_host_at_work, partial(kill, kind="host")],
    "a killed redis": [partial(kill, kind="redis")] * 2,
}


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS)
async def test_visits_survive(restarted: Restarted, faults: list[Fault]) -> None:
    clients, stored, _ = await post_under_faults(restarted.site, TOTAL, faults, SETTLE_S)
    assert stored == EXACT
    assert len(clients.posted.accepted_events) == TOTAL // 2


@pytest.mark.parametrize(
    "guard",
    ["claims", pytest.param("removal", marks=pytest.mark.soak), pytest.param("answer", marks=pytest.mark.soak)],
)
async def test_a_site_without_the_safeguard_loses_visits(guard: str) -> None:
    """The unguarded process kills itself in the moment that its guard is there for.

    Later visits prove that nothing is left to store: they are posted after that moment, or they are lost with the rest.
    """
    with running(module="tests.faults.unguarded", UNGUARDED=guard, **SHORT) as site:
        clients = Clients(site, 100)
        await clients.run()
        await until((site.var_dir / "killed-once").exists, 60)
        stored = await compare_when_idle(clients)
    assert stored.lost
    assert not stored.twice


async def test_without_a_broker_visits_survive_a_killed_host() -> None:
    with running(**SHORT, REDIS_URL="none") as site:
        assert site.pids()["redis"] == site.pids()["worker"] == []
        _, stored, _ = await post_under_faults(site, TOTAL, [partial(kill, kind="host")], SETTLE_S)
    assert stored == EXACT


async def test_visits_survive_a_stop_under_load(restarted: Restarted) -> None:
    outcome = await stop_under_load(restarted, TOTAL, SETTLE_S)
    assert outcome.kept == EXACT
    assert outcome.stop_s <= STOP_S
