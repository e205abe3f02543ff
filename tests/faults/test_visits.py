"""Accepted visits are stored, and once, whatever is killed; without any one of the guards they are not."""

from functools import partial

import pytest

from tests.support.faults import supervision
from tests.support.faults.visits import (
    Fault,
    StoredComparison,
    freeze,
    freeze_and_kill_worker,
    kill,
    kill_host_at_work,
    kill_worker_at_work,
    post_under_faults,
)
from tests.support.site import STOP_S, running

pytestmark = pytest.mark.faults

# A batch whose worker died is handed out again after 60 s; the short form does not wait that long.
SHORT = {"LIMITS": "off", "VISIBILITY_TIMEOUT_S": "4"}
TOTAL = 400
SETTLE_S = 90.0
# Longer than a redelivery and two sweeps take in the short form.
LOST_AFTER_S = 12.0
EXACT = StoredComparison(set(), set(), set())


async def test_visits_survive_killed_workers_and_a_frozen_redis() -> None:
    with running(**SHORT) as site:
        faults: list[Fault] = [
            partial(kill_worker_at_work, site),
            partial(freeze, site, "redis", 2.0),
            partial(freeze_and_kill_worker, site),
        ]
        clients, stored, _ = await post_under_faults(site, TOTAL, faults, SETTLE_S)
    assert stored == EXACT
    assert len(clients.posted.accepted_events) == TOTAL // 2


@pytest.mark.parametrize(
    "guard", ["ledger", pytest.param("acks", marks=pytest.mark.soak), pytest.param("answer", marks=pytest.mark.soak)]
)
async def test_a_site_without_the_safeguard_loses_visits(guard: str) -> None:
    """The unguarded process kills itself in the moment that its guard is there for."""
    with running(module="tests.faults.unguarded", UNGUARDED=guard, **SHORT) as site:
        _, stored, _ = await post_under_faults(site, 100, [], LOST_AFTER_S)
    assert stored.lost
    assert not stored.twice


async def test_visits_survive_a_killed_host() -> None:
    with running(**SHORT) as site:
        faults: list[Fault] = [partial(kill_host_at_work, site), partial(kill, site, "host")]
        _, stored, _ = await post_under_faults(site, TOTAL, faults, SETTLE_S)
    assert stored == EXACT


async def test_without_a_broker_visits_survive_a_killed_host() -> None:
    with running(**SHORT, REDIS_URL="none") as site:
        assert site.pids()["redis"] == site.pids()["worker"] == []
        _, stored, _ = await post_under_faults(site, TOTAL, [partial(kill, site, "host")] * 2, SETTLE_S)
    assert stored == EXACT


async def test_visits_survive_a_killed_redis() -> None:
    with running(**SHORT) as site:
        _, stored, _ = await post_under_faults(site, TOTAL, [partial(kill, site, "redis")] * 2, SETTLE_S)
    assert stored == EXACT


async def test_visits_survive_a_stop_under_load() -> None:
    outcome = await supervision.stop_under_load(TOTAL, SETTLE_S, **SHORT)
    assert outcome.kept == EXACT
    assert outcome.stop_s <= STOP_S
