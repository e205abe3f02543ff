"""/healthz and /readyz: what is up, what is degraded, and when not even a plain page could be served."""

import time
from datetime import UTC, datetime, timedelta

import pytest
import redis
from sqlalchemy import update

from contracts.payloads import OutboxItem
from contracts.redis_keys import FORMER_HEARTBEAT, HEARTBEAT, NEWER_BATCHES
from contracts.tasks import OutboxKind, Topic
from domain import outbox
from domain.tables import Outbox
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
        "referral_links_unrecorded": 0,
        "searches_unnoted": 0,
        "lessons_unshown": 0,
        "batches_on_disk": 0,
        "batches_for_newer_workers": 0,
        "coupons_by_workers": 0,
        "coupons_in_place": 0,
        "payment_events_accepted": 0,
        "payment_events_refused": 0,
        "dead_letters": 0,
        "payment_findings": 0,
    }
    empty = {"waiting": 0, "oldest_s": None, "dead": 0}
    assert told["outbox"] == {"mail": empty, "payments": empty, "learning": empty}


async def test_waiting_and_dead_mails_are_counted_with_the_age_of_the_oldest(bare_site):
    now = datetime.now(UTC)
    with bare_site.db.write_session() as session:
        for age in (10, 300):
            outbox.enqueue(session, OutboxKind.CONTACT_CONFIRMATION, OutboxItem(message_id=1), now)
            session.execute(update(Outbox).values(created_at=now - timedelta(seconds=age)))
        lease = outbox.lease_next(session, Topic.MAIL, list(OutboxKind), now)
        outbox.kill(session, lease, now, "refused")
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


async def test_a_broker_and_a_worker_that_beats_are_up(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    assert (await ready(site))[1]["parts"]["worker"] == "down"
    with redis.Redis.from_url(redis_server.url) as client:
        client.set(HEARTBEAT, repr(time.time()))
        assert (await ready(site))[1]["degraded"] == ["coupons", "render"]
        client.set(HEARTBEAT, repr(time.time() - 60))
    assert (await ready(site))[1]["degraded"] == ["coupons", "render", "worker"]


async def test_the_heartbeat_of_a_worker_of_the_build_before_counts(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as client:
        client.set(FORMER_HEARTBEAT, repr(time.time()))
    assert (await ready(site))[1]["parts"]["worker"] == "up"


async def test_batches_that_wait_for_newer_workers_are_counted(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    with redis.Redis.from_url(redis_server.url) as client:
        client.hset(NEWER_BATCHES, "2:a-batch", "{}")
    assert (await ready(site))[1]["counts"]["batches_for_newer_workers"] == 1


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
