"""/healthz and /readyz: what is up, what is degraded, and when not even a plain page could be served."""

import time
from datetime import UTC, datetime, timedelta

import pytest
import redis
from sqlalchemy import update

from contracts.payloads import OutboxItem
from contracts.redis_keys import (
    BATCH_FAILURES,
    BATCHES_SINCE,
    CLAIMED_BATCHES,
    CLAIMED_SINCE,
    HEARTBEAT,
    NEWER_BATCHES,
)
from contracts.tasks import OutboxKind, Queue, Topic
from domain.outbox import leases as outbox_leases
from domain.outbox import queue as outbox_queue
from domain.tables import Outbox
from host import health
from tests.support.waiting import until


async def ready(site):
    answer = await site.get("/readyz")
    return answer.status, await answer.json()


async def test_a_living_process_says_so(bare_site):
    answer = await bare_site.get("/healthz")
    assert (answer.status, await answer.json()) == (200, {"status": "alive"})


async def test_a_whole_site_is_ready(own_site):
    status, told = await ready(own_site)
    assert (status, told["status"], told["degraded"]) == (200, "ready", [])
    assert told["parts"] == {
        "database": "up",
        "render": "up",
        "broker": "none",
        "worker": "none",
        "coupons": "none",
        "provider": "none",
        "payments": "none",
        "spool": "idle",
        "loops": "up",
        "audit": "none",
    }
    assert {loop["state"] for loop in told["loops"].values()} == {"running"}
    assert told["counts"] == {
        "render_workers": 1,
        "render_failures": 0,
        "render_shed": 0,
        "visits_accepted": 0,
        "visits_spooled": 0,
        "visits_refused": 0,
        "crawls_unrecorded": 0,
        "crawlers_unnoted": 0,
        "referral_links_unrecorded": 0,
        "searches_unnoted": 0,
        "lessons_unshown": 0,
        "batches_on_disk": 0,
        "batches_broken": 0,
        "batches_waiting": 0,
        "batches_claimed": 0,
        "batches_oldest_s": 0,
        "batches_failing": 0,
        "batches_for_newer_workers": 0,
        "coupons_by_workers": 0,
        "coupons_in_place": 0,
        "payment_events_accepted": 0,
        "payment_events_refused": 0,
        "dead_letters": 0,
        "payment_findings": 0,
        "jobs_waiting": 0,
        "jobs_running": 0,
        "jobs_stalled": 0,
    }
    empty = {"waiting": 0, "oldest_s": None, "dead": 0}
    assert told["outbox"] == {"mail": empty, "payments": empty, "learning": empty}


async def test_waiting_and_dead_mails_are_counted_with_the_age_of_the_oldest(bare_site):
    now = datetime.now(UTC)
    with bare_site.db.write_session() as session:
        for age in (10, 300):
            outbox_queue.enqueue(session, OutboxKind.CONTACT_CONFIRMATION, OutboxItem(message_id=1), now)
            session.execute(update(Outbox).values(created_at=now - timedelta(seconds=age)))
        lease = outbox_leases.lease_next(session, Topic.MAIL, list(OutboxKind), now)
        outbox_leases.kill(session, lease, now, "refused")
    mail = (await ready(bare_site))[1]["outbox"]["mail"]
    assert (mail["waiting"], mail["dead"]) == (1, 1)
    assert 300 <= mail["oldest_s"] < 400


async def test_without_a_render_worker_the_site_is_degraded_and_ready(bare_site):
    await bare_site.get("/shop")
    status, told = await ready(bare_site)
    assert (status, told["degraded"], told["counts"]["render_failures"]) == (200, ["render"], 1)


async def test_without_records_the_site_is_not_ready(open_site, tmp_path):
    site = await open_site()
    (tmp_path / "coursefront.db").rename(tmp_path / "elsewhere.db")
    site.db.engine.dispose()
    status, told = await ready(site)
    assert (status, told["status"], told["parts"]["database"]) == (503, "unavailable", "down")
    assert (told["degraded"], told["counts"]["dead_letters"]) == (["database", "render"], None)
    assert told["outbox"] is None
    assert (await site.get("/healthz")).status == 200


async def known(site):
    """What the host tells once Redis has answered within its deadline, which a busy machine may miss."""

    async def ask():
        answer = (await ready(site))[1]
        return answer if answer["parts"]["worker"] != "unknown" else None

    return await until(ask)


async def test_until_its_first_heartbeat_a_worker_is_starting_for_a_minute_at_most(
    open_site, redis_server, monkeypatch
):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as client:
        # The heartbeat of a worker that ran before this host was started.
        client.set(HEARTBEAT, repr(time.time() - 3_600))
    told = await known(site)
    assert (told["parts"]["worker"], told["degraded"]) == ("starting", ["coupons", "render", "worker"])
    with monkeypatch.context() as later:
        later.setattr(health, "START_S", 0)
        assert (await known(site))["parts"]["worker"] == "down"


async def test_a_worker_that_has_answered_and_beats_no_more_is_down(open_site, redis_server, monkeypatch):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as client:
        client.set(HEARTBEAT, repr(time.time()))
    monkeypatch.setattr(health, "HEARTBEAT_MAX_AGE_S", 0)
    assert (await known(site))["parts"]["worker"] == "down"


async def test_coupon_checks_are_starting_until_a_worker_answers_for_a_minute_at_most(
    open_site, redis_server, monkeypatch
):
    site = await open_site(REDIS_URL=redis_server.url)
    assert (await ready(site))[1]["parts"]["coupons"] == "starting"
    monkeypatch.setattr(health, "START_S", 0)
    assert (await ready(site))[1]["parts"]["coupons"] == "broken off"


async def test_a_broker_and_a_worker_that_beats_are_up(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as client:
        client.set(HEARTBEAT, repr(time.time()))
        assert (await ready(site))[1]["degraded"] == ["coupons", "render"]
        client.set(HEARTBEAT, repr(time.time() - 60))
    assert (await ready(site))[1]["degraded"] == ["coupons", "render", "worker"]


async def test_batches_that_wait_for_newer_workers_are_counted(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as client:
        client.hset(NEWER_BATCHES, "2:a-batch", "{}")
    assert (await ready(site))[1]["counts"]["batches_for_newer_workers"] == 1


async def batches(site) -> dict[str, float]:
    counts = (await ready(site))[1]["counts"]
    return {name: counts[f"batches_{name}"] for name in ("waiting", "claimed", "failing")}


async def test_batches_of_visits_that_no_worker_has_stored_are_counted_with_the_age_of_the_oldest(
    open_site, redis_server
):
    """There may be no message about them in any queue."""
    site = await open_site(REDIS_URL=redis_server.url)
    assert (await site.call("SetAAUserTraceLog", {"Url": "/"}))[0] == 202
    with redis.Redis.from_url(redis_server.url) as client:
        client.delete(Queue.VISIT_BATCHES)
        assert await batches(site) == {"waiting": 1, "claimed": 0, "failing": 0}
        client.zadd(BATCHES_SINCE, {"older": time.time() - 100})
        assert await batches(site) == {"waiting": 2, "claimed": 0, "failing": 0}
        assert 100 <= (await ready(site))[1]["counts"]["batches_oldest_s"] < 1000
        client.delete(BATCHES_SINCE)
        client.zadd(CLAIMED_BATCHES, {"hanging": time.time() - 2000})
        client.hset(BATCH_FAILURES, "hanging", "2")
    assert await batches(site) == {"waiting": 0, "claimed": 1, "failing": 1}
    assert 2000 <= (await ready(site))[1]["counts"]["batches_oldest_s"] < 3000
    with redis.Redis.from_url(redis_server.url) as client:
        client.zadd(CLAIMED_SINCE, {"hanging": time.time() - 5000})
    assert 5000 <= (await ready(site))[1]["counts"]["batches_oldest_s"] < 6000


@pytest.mark.parametrize("fault", ["freeze", "stop"])
async def test_a_broker_that_does_not_answer_is_named_in_time(open_site, redis_server, fault):
    site = await open_site(REDIS_URL=redis_server.url)
    getattr(redis_server, fault)()
    began = time.monotonic()
    status, told = await ready(site)
    assert (status, told["degraded"], told["parts"]["worker"]) == (
        200,
        ["broker", "coupons", "render", "worker"],
        "unknown",
    )
    # Without a deadline it would wait for ever.
    assert time.monotonic() - began < 10


async def test_a_spool_in_use_is_named(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url, BROKER_DEADLINE_MS="200")
    redis_server.stop()
    assert (await site.call("SetAAUserTraceLog", {"Url": "/"}))[0] == 202
    told = (await ready(site))[1]
    assert (told["parts"]["spool"], told["counts"]["batches_on_disk"]) == ("broken off", 1)
    redis_server.start()
    await until(lambda: is_drained(site))


async def is_drained(site) -> bool:
    return (await ready(site))[1]["counts"]["batches_on_disk"] == 0


async def test_loops_that_have_not_begun_are_starting_and_one_that_fails_is_named_at_once(own_site, monkeypatch):
    states = {"supervision": "stopped", "poll": "running"}

    async def loops(_app) -> dict[str, dict[str, str]]:
        return {name: {"state": state} for name, state in states.items()}

    monkeypatch.setattr(health, "_loops", loops)
    assert (await ready(own_site))[1]["parts"]["loops"] == "starting"
    states["poll"] = "failing"
    assert (await ready(own_site))[1]["parts"]["loops"] == "failing"
    states["poll"] = "running"
    monkeypatch.setattr(health, "START_S", 0)
    assert (await ready(own_site))[1]["parts"]["loops"] == "failing"
