"""An RPC call carries its deadline: a worker that is too late changes nothing, on both databases."""

import asyncio
import json
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
from sqlalchemy import create_engine, select

from contracts.payloads import CLOCK_SKEW_S, ApplyToLine, DescribeCode, Pong, deadline_before, encode
from contracts.tasks import Queue, Task
from domain.database.database import Database
from domain.tables import CartLine, Coupon, Reservation
from host.messaging import reply_channel
from host.messaging.reply_channel import ReplyChannel, RpcFailed, encode_message
from host.messaging.rpc_client import RpcClient, _check_clock
from tests.support import factories
from tests.support.factories import NOON
from tests.support.servers import CeleryWorker
from tests.support.shops import SHOP
from tests.support.waiting import until

DEADLINE_S = 1.5
AN_HOUR = timedelta(hours=1)


@pytest.fixture
def call(database) -> ApplyToLine:
    """Code SPRING for the line of a learner's cart."""
    with database.write_session() as session:
        course = factories.course(session, factories.category(session).id)
        learner = factories.learner(session)
        factories.cart_line(session, learner.id, course.id)
        factories.coupon(session)
        ids = {"learner_id": learner.id, "product_id": course.id}
    return ApplyToLine(**ids, code="SPRING", at=datetime.now(UTC).isoformat())


@pytest.fixture
def worker(database, redis_server, tmp_path) -> Iterator[CeleryWorker]:
    process = CeleryWorker()
    url = {} if database.is_sqlite else {"DATABASE_URL": database.url.render_as_string(hide_password=False)}
    process.start(redis_server.url, VAR_DIR=str(tmp_path), **url)
    yield process
    process.close()


@pytest.fixture
async def client(database, redis_server, monkeypatch):
    """Messages stay in the queue when the host gives them up, and Celery does not drop them: as if the worker had
    taken each just before."""
    monkeypatch.setattr(ReplyChannel, "_withdraw", lambda *_message: None)

    def encode_for_long(task: Task, payload: dict[str, Any], call_id: str, channel: str, expires: datetime) -> bytes:
        return encode_message(task, payload, call_id, channel, expires + AN_HOUR)

    monkeypatch.setattr(reply_channel, "encode_message", encode_for_long)
    db = Database(database.url, deadline_s=60)
    client = RpcClient(db, ReplyChannel(redis_server.url, DEADLINE_S, DEADLINE_S), SHOP)
    lifespan = client.lifespan(None)
    await anext(lifespan)
    yield client
    await anext(lifespan, None)
    await db.close()


@contextmanager
def writing(db: Database) -> Iterator[None]:
    """On SQLite another process writes. On MariaDB nothing: its server would give a lock to a frozen worker."""
    if not db.is_sqlite:
        yield
        return
    engine = create_engine(db.url)
    with engine.connect() as connection:
        connection.connection.dbapi_connection.isolation_level = None
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.exec_driver_sql("ROLLBACK")
    engine.dispose()


async def late_reply(channel: Any, call_id: str) -> dict[str, Any]:
    async def reply() -> dict[str, Any] | None:
        message = await asyncio.to_thread(channel.get_message, ignore_subscribe_messages=True, timeout=0.1)
        content = json.loads(message["data"]) if message else {}
        return content if content.get("id") == call_id else None

    return await until(reply)


async def without_answer() -> None:
    raise RpcFailed("no worker")


async def called_worker(client: RpcClient, call: ApplyToLine) -> bool:
    """Whether a worker has made a change that changes nothing."""
    await client.call(replace(call, code=""))
    return client.by_worker > 0


async def choose_while_stalled(client: RpcClient, worker: CeleryWorker, redis_url: str, call: ApplyToLine) -> dict:
    """The worker's reply to a code that the host gave up, set itself and then removed while the worker was stalled."""
    await until(lambda: client.state == "up", deadline_s=60)
    # The worker's connection is open: frozen while it opens one, it would keep everybody from SQLite's database.
    await until(lambda: called_worker(client, call), deadline_s=60)
    # No ping may find the worker between its stall and its freeze: the next choice must not go to it.
    client._breaker._probe = without_answer
    inline = client.inline
    with redis.Redis.from_url(redis_url) as broker, broker.pubsub() as channel:
        channel.subscribe(client._replies._channel)
        with writing(client._db):
            if not client._db.is_sqlite:
                worker.freeze()
            setting = asyncio.create_task(client.call(call))
            (call_id,) = await until(lambda: tuple(client._replies._pending))
            if client._db.is_sqlite:
                # The worker has the message and waits for the lock.
                await until(lambda: broker.llen(Queue.COUPONS) == 0)
                worker.freeze()
        assert (await setting)["code"] == "SPRING"
        assert (await client.call(replace(call, code="")))["code"] == ""
        assert client.inline - inline == 2
        worker.thaw()
        return await late_reply(channel, call_id)


def state_of(db: Database) -> tuple[int | None, int, int]:
    """The line's coupon, the coupon's counter and the number of its uses."""
    with db.read_session() as session:
        (line,), (coupon,) = session.scalars(select(CartLine)).all(), session.scalars(select(Coupon)).all()
        return line.coupon_id, coupon.uses, len(session.scalars(select(Reservation)).all())


@pytest.mark.each_database
async def test_a_worker_that_is_too_late_does_not_overwrite_a_newer_choice(client, worker, redis_server, call):
    reply = await choose_while_stalled(client, worker, redis_server.url, call)
    assert reply["answer"] is None
    assert state_of(client._db) == (None, 0, 0)


async def test_without_the_deadline_a_late_worker_overwrites_a_newer_choice(
    client, worker, redis_server, call, monkeypatch
):
    """Negative control."""
    monkeypatch.setattr(reply_channel, "deadline_before", lambda gives_up_at: deadline_before(gives_up_at + AN_HOUR))
    reply = await choose_while_stalled(client, worker, redis_server.url, call)
    assert reply["answer"]["code"] == "SPRING"
    coupon_id, counter, uses = state_of(client._db)
    assert (coupon_id is None, counter, uses) == (False, 1, 1)


@pytest.fixture
async def replies(redis_server):
    """A channel without a worker."""
    channel = ReplyChannel(redis_server.url, 0.5, 0.5)
    channel.open()
    await until(lambda: channel._is_subscribed)
    yield channel
    await channel.close()


async def test_a_call_must_be_committed_a_clock_skew_before_its_host_gives_up(replies, redis_server, monkeypatch):
    monkeypatch.setattr(ReplyChannel, "_withdraw", lambda *_message: None)
    sent_at = datetime.now(UTC)
    with pytest.raises(RpcFailed, match=r"no worker replied within 0\.5 s"):
        await replies.call(Task.PING, {})
    with redis.Redis.from_url(redis_server.url) as broker:
        (message,) = broker.lrange(Queue.COUPONS, 0, -1)
    content = json.loads(message)
    gives_up_at = datetime.fromisoformat(content["headers"]["expires"])
    _, arguments, _ = json.loads(b64decode(content["body"]))
    assert gives_up_at - datetime.fromisoformat(arguments["deadline"]) == timedelta(seconds=CLOCK_SKEW_S)
    assert sent_at < gives_up_at - timedelta(seconds=0.5) < datetime.now(UTC)


@pytest.fixture
async def given_up(sqlite_database, replies, monkeypatch):
    """A client that believes in a worker, and loses every call at once."""
    with sqlite_database.write_session() as session:
        factories.learner(session)
    client = RpcClient(sqlite_database, replies, SHOP)

    async def lose(_queue: Queue, _message: bytes) -> None:
        replies.fail_pending("another call had no reply")

    monkeypatch.setattr(replies, "_send", lose)
    yield client
    await client._breaker.close()


async def test_a_change_that_a_worker_may_still_make_is_not_made_inline_before_its_deadline(given_up):
    began_at = time.monotonic()
    answer = await given_up.call(ApplyToLine(learner_id=1, product_id=1, code="", at=NOON.isoformat()))
    assert (answer["reason"], given_up.inline) == ("line", 1)
    assert time.monotonic() - began_at >= 0.5


async def test_a_question_that_a_worker_may_still_answer_is_answered_inline_at_once(given_up):
    given_up._replies.deadline_s = 60
    began_at = time.monotonic()
    assert (await given_up.call(DescribeCode(code="X", at=NOON.isoformat())))["reason"] == "unusable"
    assert time.monotonic() - began_at < 30


@pytest.mark.parametrize(
    ("skew_s", "is_tolerated"), [(-1.26, False), (-1.25, True), (0, True), (0.25, True), (0.26, False)]
)
def test_a_worker_whose_clock_differs_too_much_gets_no_calls(skew_s, is_tolerated):
    """The ping was sent a second ago."""
    pong = Pong(at=(NOON + timedelta(seconds=skew_s)).isoformat())
    with nullcontext() if is_tolerated else pytest.raises(RpcFailed, match="synchronise the clocks"):
        _check_clock(pong, NOON - timedelta(seconds=1), NOON)


async def test_the_circuit_stays_open_for_a_worker_with_a_wrong_clock(given_up, monkeypatch):
    async def pong(_task: Task, _arguments: dict[str, Any]) -> dict[str, Any]:
        return encode(Pong(at=(datetime.now(UTC) + AN_HOUR).isoformat()))

    monkeypatch.setattr(given_up._replies, "call", pong)
    with pytest.raises(RpcFailed, match="the clock of a worker shows"):
        await given_up._ping()
