"""Queue messages, pending batches, spool files and replies of the build before are served by this one, for one release.

`recorded/` holds them as that build wrote them; only the host name in `origin` was replaced.
"""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import redis
from sqlalchemy import select, text

from contracts.redis_keys import FORMER_PENDING_BATCHES, FORMER_PENDING_SINCE, HEARTBEAT
from contracts.tasks import FORMER_MAINTENANCE, FORMER_NAMES, OutboxKind, Topic
from domain import outbox
from domain.database.database import Database
from domain.tables import DeadLetter, Reservation, Visit
from host.messaging.reply_channel import RpcFailed, _outcome
from tests.contracts.test_visits_before import MESSAGE as EARLIER_VISITS
from tests.contracts.test_visits_before import URLS as EARLIER_URLS
from tests.contracts.test_visits_before import stored
from tests.support import factories
from tests.support.factories import NOON
from tests.support.servers import CeleryWorker
from tests.support.waiting import until
from workers import periodic
from workers import visits as tasks
from workers.app import app

RECORDED = Path(__file__).parent / "recorded"
BATCH = "f710433755414579ae718a82679572b3"
ANSWERS: dict[str, set[str]] = {
    "coupons.describe": {"reason", "message", "kind", "value", "minimum", "covers"},
    "coupons.code_on_line": {"reason", "message", "price", "off", "code"},
    "coupons.code_on_cart": {"reason", "message"},
    "coupons.ping": {"at", "v"},
}
URLS = ["/shop?category=tax&utm_source=news&q=📚", "/", "/robots-only"]


def message(name: str) -> dict[str, Any]:
    """A recorded message; those that expire do so later than when they were recorded."""
    content: dict[str, Any] = json.loads((RECORDED / f"message.{name}.json").read_bytes())
    if content["headers"].get("expires"):
        content["headers"]["expires"] = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    return content


def urls(db: Database) -> list[str]:
    with db.read_session() as session:
        return list(session.scalars(select(Visit.url).order_by(Visit.event_id)))


def dead_letters(db: Database) -> list[str]:
    with db.read_session() as session:
        return [letter.error for letter in session.scalars(select(DeadLetter))]


def register_pending(client: redis.Redis, since: float) -> None:
    client.hset(FORMER_PENDING_BATCHES, BATCH, (RECORDED / "pending_batch.json").read_bytes())
    client.zadd(FORMER_PENDING_SINCE, {BATCH: since})


@pytest.fixture
def records(sqlite_database) -> Database:
    """A learner (1) whose cart holds a course (1), and a code for it."""
    with sqlite_database.write_session() as session:
        course = factories.course(session, factories.category(session).id, "vat-basics")
        learner = factories.learner(session)
        factories.cart_line(session, learner.id, course.id)
        factories.coupon(session)
        assert (learner.id, course.id) == (1, 1)
    return sqlite_database


@pytest.fixture
def client(redis_server):
    with redis.Redis.from_url(redis_server.url) as client:
        yield client


@pytest.fixture
def in_place(records, redis_server, monkeypatch) -> Database:
    """The tasks called in this process."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    for module in (tasks, periodic):
        monkeypatch.setattr(module, "database", lambda: records)
    return records


def test_every_former_name_is_recorded():
    names = {path.name.removeprefix("message.").removesuffix(".json") for path in RECORDED.glob("message.*")}
    assert names == {*FORMER_NAMES.values(), FORMER_MAINTENANCE, "visits.store", "coupons.describe"}


async def test_messages_in_the_queues_are_served_by_a_worker(records, redis_server, client, tmp_path):
    calls = ["coupons.describe", "coupons.code_on_line", "coupons.code_on_cart", "coupons.ping"]
    channel = client.pubsub()
    channel.subscribe(message(calls[0])["properties"]["reply_to"])
    register_pending(client, time.time())
    expected = [*((url, None, "") for url in EARLIER_URLS), *((url, None, "") for url in URLS)]
    queues = set()
    for content in (message("visits.store"), EARLIER_VISITS, *map(message, ("health.beat", *calls))):
        queues.add(content["properties"]["delivery_info"]["routing_key"])
        client.lpush(content["properties"]["delivery_info"]["routing_key"], json.dumps(content))

    def is_served() -> bool:
        waiting = client.hlen("unacked") or any(client.llen(queue) for queue in queues)
        is_stored = not client.hlen(FORMER_PENDING_BATCHES) and len(stored(records)) >= len(expected)
        return not waiting and is_stored and bool(client.exists(HEARTBEAT))

    worker = CeleryWorker()
    worker.start(redis_server.url, VAR_DIR=str(tmp_path))
    try:
        replies = await asyncio.to_thread(published, channel, len(calls))
        await until(is_served)
    finally:
        worker.close()
        channel.close()
    assert set(replies) == {message(name)["headers"]["id"] for name in calls}
    # A host of the build before takes a dictionary under `answer` as the function's answer, and reads these members.
    answers = {name: replies[message(name)["headers"]["id"]]["answer"] for name in calls}
    assert {name: set(answer) for name, answer in answers.items()} == ANSWERS
    assert [answer.get("reason", "") for answer in answers.values()] == [""] * 4
    assert (dead_letters(records), client.zcard(FORMER_PENDING_SINCE)) == ([], 0)
    assert sorted(stored(records)) == sorted(expected)


def published(channel: Any, count: int) -> dict[str, Any]:
    """Replies by the id of their call, as they come."""
    replies: dict[str, Any] = {}
    until = time.monotonic() + 60
    while len(replies) < count and time.monotonic() < until:
        published = channel.get_message(ignore_subscribe_messages=True, timeout=1)
        if published is not None:
            reply = orjson.loads(published["data"])
            replies[reply["id"]] = reply
    return replies


def test_pending_batches_under_the_former_keys_are_stored(in_place, client):
    register_pending(client, time.time() - 3600)
    app.tasks["visits.sweep"]()
    assert (urls(in_place), client.exists(FORMER_PENDING_BATCHES, FORMER_PENDING_SINCE)) == (URLS, 0)
    assert dead_letters(in_place) == []


def test_the_former_maintenance_does_what_the_three_tasks_do(in_place):
    with in_place.write_session() as session:
        coupon = factories.coupon(session, "RESERVED", uses=1)
        factories.coupon_use(session, coupon.id, 1)
    app.tasks[FORMER_MAINTENANCE]()
    with in_place.read_session() as session:
        assert session.scalars(select(Reservation)).first() is None


def test_the_former_mail_task_sends_mail(in_place, monkeypatch):
    app.loader.import_default_modules()
    monkeypatch.setenv("SMTP_URL", "")
    assert app.tasks["mail.sweep"]() == 0


def test_an_outbox_row_of_a_host_of_the_build_before_is_due_at_once(records):
    """That host does not know the columns that came with leases."""
    insert = "INSERT INTO outbox (created_at, task, body) VALUES ('2026-03-01 12:00:00', :task, '{}')"
    with records.write_session() as session:
        session.execute(text(insert), {"task": OutboxKind.CONTACT_CONFIRMATION})
        lease = outbox.lease_next(session, Topic.MAIL, list(OutboxKind), NOON)
    assert lease is not None
    assert (lease.kind, lease.attempts) == (OutboxKind.CONTACT_CONFIRMATION, 1)


async def test_a_spool_file_is_sent(open_site, tmp_path):
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "1873fe7a19a8422ea81e3ec80970d917.json").write_bytes(
        (RECORDED / "spool_file.json").read_bytes()
    )
    site = await open_site()
    await until(lambda: len(site.visits()) == len(URLS))
    assert [visit.url for visit in site.visits()] == URLS
    await until(lambda: list((tmp_path / "spool").iterdir()) == [])


def test_replies_of_a_worker_of_the_build_before_are_read():
    assert _outcome({"id": "x", "answer": {"reason": ""}}) == {"reason": ""}
    failed = _outcome({"id": "x", "error": "NotRegistered"})
    assert isinstance(failed, RpcFailed)
    assert str(failed) == "the worker failed: NotRegistered"
