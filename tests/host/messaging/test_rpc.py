"""RPC calls: run by a worker, or inline when no worker replies, and always within the deadline."""

import asyncio
import base64
import json
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import redis
from celery import Celery

from config.defaults import celery_broker_url
from contracts.payloads import DescribeCode, encode
from contracts.tasks import Queue, Task
from domain.database.database import Database, database_url
from host.messaging.reply_channel import ReplyChannel, RpcFailed, encode_message
from host.messaging.rpc_client import RPC_CLIENT, RpcClient
from host.resilience import circuit_breaker
from tests.conftest import running_redis
from tests.host.signing import learner
from tests.support import factories
from tests.support.factories import NOON
from tests.support.servers import CeleryWorker, RedisServer
from tests.support.shops import SHOP
from tests.support.waiting import until

DEADLINE_S = 1.5
SEND_S = 0.4
# A busy machine may add seconds; without a deadline a call would never return.
IN_TIME_S = DEADLINE_S + 8
CODE = DescribeCode(code="SPRING", at=NOON.isoformat())
PAYLOAD = encode(CODE)
TERMS = {"reason": "", "message": "", "kind": "percent", "value": "10.00", "minimum": "0.00", "covers": "all"}


@dataclass(frozen=True)
class WorkerWorld:
    """A worker, its broker and its database, which hold the small shop and coupon SPRING: shared by this file's tests.
    They leave both processes running and the rows as they are."""

    folder: Path
    database: Database
    broker: RedisServer
    worker: CeleryWorker

    def restore(self) -> None:
        """Lets both run again that a failed test has left stopped or frozen."""
        if not self.broker.is_started:
            self.broker.start()
        self.broker.thaw()
        self.worker.thaw()


@pytest.fixture(scope="module")
def shared_world(shop_file, tmp_path_factory) -> Iterator[WorkerWorld]:
    folder = tmp_path_factory.mktemp("worker")
    shutil.copy(shop_file, folder / "coursefront.db")
    db = Database(database_url(None, folder), deadline_s=60)
    with db.write_session() as session:
        factories.coupon(session)
    with running_redis() as broker:
        worker = CeleryWorker()
        worker.start(broker.url, VAR_DIR=str(folder))
        yield WorkerWorld(folder, db, broker, worker)
        worker.close()
    db.engine.dispose()


@pytest.fixture
def broker(shared_world) -> RedisServer:
    return shared_world.broker


@pytest.fixture
def worker(shared_world) -> CeleryWorker:
    return shared_world.worker


@asynccontextmanager
async def opened_client(db: Database, redis_url: str, deadline_s: float, send_s: float) -> AsyncIterator[RpcClient]:
    client = RpcClient(db, ReplyChannel(redis_url, deadline_s, send_s), SHOP)
    lifespan = client.lifespan(None)
    await anext(lifespan)
    yield client
    await anext(lifespan, None)


@pytest.fixture
async def rpc_client(shared_world, monkeypatch):
    """A client of the worker, which is known to run."""
    shared_world.restore()
    monkeypatch.setattr(circuit_breaker, "MAX_RETRY_AFTER_S", 0.2)
    async with opened_client(shared_world.database, shared_world.broker.url, DEADLINE_S, SEND_S) as client:
        await until(lambda: client.state == "up", deadline_s=60)
        yield client


@pytest.fixture
async def patient(shared_world, monkeypatch):
    """A client of the worker without deadlines, for tests that a busy machine must not break."""
    shared_world.restore()
    monkeypatch.setattr(circuit_breaker, "MAX_RETRY_AFTER_S", 0.2)
    async with opened_client(shared_world.database, shared_world.broker.url, 60, 60) as client:
        await until(lambda: client.state == "up", deadline_s=60)
        yield client


async def time_call(rpc_client: RpcClient) -> tuple[dict, float]:
    started_at = time.monotonic()
    return await rpc_client.call(CODE), time.monotonic() - started_at


async def waits(rpc_client: RpcClient, monkeypatch, calls: int = 10) -> int:
    """How many of `calls` calls were sent to a worker."""
    waited = []
    call = rpc_client._replies.call

    async def count_call(task, payload):
        if task != Task.PING:
            waited.append(task)
        return await call(task, payload)

    with monkeypatch.context() as patch:
        patch.setattr(rpc_client._replies, "call", count_call)
        assert [await rpc_client.call(CODE) for _ in range(calls)] == [TERMS] * calls
    return len(waited)


async def is_answered_by_worker(rpc_client: RpcClient) -> bool:
    before = rpc_client.by_worker
    assert await rpc_client.call(CODE) == TERMS
    return rpc_client.by_worker > before


def queued(server) -> list[dict]:
    with redis.Redis.from_url(server.url) as client:
        return [json.loads(message) for message in client.lrange(Queue.COUPONS, 0, -1)]


async def test_a_worker_replies(patient):
    assert await patient.call(CODE) == TERMS
    assert (patient.by_worker, patient.inline) == (1, 0)


async def test_concurrent_calls_get_their_own_replies(patient):
    codes = ["SPRING", "NOBODY"] * 20
    replies = await asyncio.gather(*(patient.call(replace(CODE, code=code)) for code in codes))
    assert [reply["reason"] for reply in replies] == ["", "unusable"] * 20
    assert (patient.by_worker, patient.inline) == (40, 0)


async def test_no_call_waits_before_a_worker_is_known(shared_world, redis_server):
    async with opened_client(shared_world.database, redis_server.url, 60, 60) as patient:
        found, elapsed_s = await time_call(patient)
        # Not at the deadline of 60 s.
        assert (found, elapsed_s < 30, patient.inline) == (TERMS, True, 1)


async def test_a_stopped_worker_costs_one_wait_and_is_used_again(rpc_client, worker, monkeypatch):
    worker.freeze()
    slow = await asyncio.gather(*(time_call(rpc_client) for _ in range(5)))
    assert [found for found, _ in slow] == [TERMS] * 5
    assert max(elapsed_s for _, elapsed_s in slow) < IN_TIME_S
    assert await waits(rpc_client, monkeypatch) == 0
    worker.thaw()
    await until(lambda: rpc_client.state == "up", deadline_s=60)
    await until(lambda: is_answered_by_worker(rpc_client), deadline_s=60)


@pytest.mark.parametrize("fault", ["stop", "freeze"])
async def test_a_stopped_or_frozen_redis_costs_one_short_wait_and_is_used_again(rpc_client, broker, fault, monkeypatch):
    getattr(broker, fault)()
    first, elapsed_s = await time_call(rpc_client)
    assert (first, elapsed_s < IN_TIME_S) == (TERMS, True)
    assert await waits(rpc_client, monkeypatch) == 0
    {"stop": broker.start, "freeze": broker.thaw}[fault]()
    await until(lambda: rpc_client.state == "up", deadline_s=60)
    await until(lambda: is_answered_by_worker(rpc_client), deadline_s=60)


async def test_without_the_circuit_breaker_every_call_waits(rpc_client, broker, monkeypatch):
    """Negative control: calls that fail do not open the circuit."""
    monkeypatch.setattr(circuit_breaker.CircuitBreaker, "trip", lambda *_about: None)
    broker.freeze()
    assert (await time_call(rpc_client))[0] == TERMS
    assert await waits(rpc_client, monkeypatch, 3) == 3
    broker.thaw()


async def test_a_call_without_reply_is_withdrawn(redis_server):
    replies = ReplyChannel(redis_server.url, 0.2, SEND_S)
    replies.open()
    await until(lambda: replies._is_subscribed)
    with pytest.raises(RpcFailed, match=r"no worker replied within 0\.2 s"):
        await replies.call(Task.DESCRIBE_CODE, PAYLOAD)
    await until(lambda: queued(redis_server) == [])
    await replies.close()


async def test_an_error_in_the_worker_is_replied_at_once(patient):
    started_at = time.monotonic()
    with pytest.raises(RpcFailed, match="the worker failed: MalformedPayload"):
        await patient._replies.call(Task.DESCRIBE_CODE, {"colour": "red"})
    # Not at the deadline of 60 s.
    assert time.monotonic() - started_at < 30


async def test_a_call_that_the_worker_cannot_read_runs_inline_and_the_circuit_stays_closed(rpc_client):
    assert await rpc_client.call(replace(CODE, v=2)) == TERMS
    assert (rpc_client.by_worker, rpc_client.inline, rpc_client.state) == (0, 1, "up")


async def test_a_reply_of_a_newer_worker_ends_the_wait(patient, worker, broker):
    worker.freeze()
    started_at, calling = time.monotonic(), asyncio.create_task(patient.call(CODE))
    (call_id,) = await until(lambda: tuple(patient._replies._pending))
    with redis.Redis.from_url(broker.url) as client:
        client.publish(patient._replies._channel, json.dumps({"v": 2, "id": call_id, "result": {}}))
    # Not at the deadline of 60 s.
    assert (await calling, time.monotonic() - started_at < 30) == (TERMS, True)
    assert (patient.inline, patient.state) == (1, "up")
    worker.thaw()


MALFORMED = [b"", b"[]", b"{}", b'{"id": 7}', b'{"id": "x", "answer": {}}', b"\xff"]


async def test_malformed_messages_on_the_channel_are_ignored(patient, broker):
    with redis.Redis.from_url(broker.url) as client:
        for data in MALFORMED:
            client.publish(patient._replies._channel, data)
            assert await patient.call(CODE) == TERMS, data
    assert (patient.by_worker, patient.inline) == (len(MALFORMED), 0)


def test_the_message_equals_that_of_celerys_producer(redis_server):
    app = Celery("test", broker=celery_broker_url(redis_server.url), set_as_current=False)
    options = {"queue": Queue.COUPONS, "ignore_result": True, "reply_to": "channel", "task_id": "an-id"}
    options["headers"] = {"request_id": "", "trace_id": "", "sent_at": 0, "traceparent": ""}
    app.send_task("coupons.describe", kwargs=PAYLOAD, **options)
    app.close()
    (by_celery,) = queued(redis_server)
    encoded = json.loads(encode_message(Task.DESCRIBE_CODE, PAYLOAD, "an-id", "channel", NOON))
    assert encoded.keys() == by_celery.keys()
    assert encoded["headers"].keys() <= by_celery["headers"].keys()
    assert encoded["properties"].keys() == by_celery["properties"].keys()
    for name in ("lang", "task", "id", "root_id", "parent_id", "group", "retries", "timelimit", "ignore_result"):
        assert encoded["headers"][name] == by_celery["headers"][name], name
    for name in ("correlation_id", "reply_to", "delivery_mode", "delivery_info", "priority", "body_encoding"):
        assert encoded["properties"][name] == by_celery["properties"][name], name
    assert json.loads(base64.b64decode(encoded["body"]))[:2] == [[], PAYLOAD]


async def test_a_call_over_http_reserves_a_code_through_a_worker(open_site, shared_world, monkeypatch):
    site = await open_site(REDIS_URL=shared_world.broker.url, VAR_DIR=str(shared_world.folder))
    ada = learner(site)
    course = await ada.add("vat-basics")
    await until(lambda: site.app[RPC_CLIENT].state == "up", deadline_s=60)
    monkeypatch.setattr(site.app[RPC_CLIENT]._replies, "deadline_s", 60)
    monkeypatch.setattr(site.app[RPC_CLIENT]._replies, "_send_deadline_s", 60)
    answer = await ada.code(course, "spring")
    assert (answer["Status"], answer["DiscountPrice"], answer["orderDiscountCode"]) == ("success", 72.0, "SPRING")
    assert site.app[RPC_CLIENT].by_worker == 1


@pytest.mark.parametrize("fault", ["stop", "freeze"])
async def test_a_coupon_call_is_fast_without_redis(open_site, redis_server, fault, monkeypatch):
    site = await open_site(REDIS_URL=redis_server.url, COUPONS_PER_MINUTE="0", COUPONS_PER_HOUR="500")
    with site.db.write_session() as session:
        factories.coupon(session)
    assert (await site.call("getcoupondetail", {"coupon": "spring"}))[1]["discountPercentage"] == 10.0
    getattr(redis_server, fault)()
    times = []
    for _ in range(3):
        started_at = time.monotonic()
        status, answer = await site.call("getcoupondetail", {"coupon": "spring"})
        times.append(time.monotonic() - started_at)
        assert (status, answer["discountPercentage"]) == (200, 10.0)
    assert max(times) < IN_TIME_S
    assert await waits(site.app[RPC_CLIENT], monkeypatch) == 0
