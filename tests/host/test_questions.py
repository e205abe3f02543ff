"""Codes are checked by a worker while somebody waits, and in place when none answers: right, and soon."""

import asyncio
import base64
import json
import time
from collections.abc import Iterator

import pytest
import redis
from celery import Celery

from domain.db import Database
from host import breaker, keys
from host.broker import kombu_url
from host.questions import Questions
from host.replies import QUEUE, NotAnswered, Replies, message_of
from tests import factories
from tests.factories import NOON
from tests.host.signing import learner
from tests.servers import CeleryWorker
from tests.waiting import until

DEADLINE_S = 1.5
SEND_S = 0.4
CODE = {"code": "SPRING", "learner_id": None, "at": NOON.isoformat()}
WORTH = {"reason": "", "message": "", "kind": "percent", "value": "10.00", "minimum": "0.00", "covers": "all"}


@pytest.fixture
def records(sqlite_database) -> Database:
    with sqlite_database.session() as session:
        factories.coupon(session)
    return sqlite_database


@pytest.fixture
def worker(records, redis_server, tmp_path) -> Iterator[CeleryWorker]:
    made = CeleryWorker()
    made.start(redis_server.url, VAR_DIR=str(tmp_path))
    yield made
    made.close()


@pytest.fixture
async def questions(records, redis_server, monkeypatch):
    monkeypatch.setattr(breaker, "LONGEST_PAUSE_S", 0.2)
    made = Questions(records, Replies(redis_server.url, DEADLINE_S, SEND_S))
    life = made.lifetime(None)
    await anext(life)
    yield made
    await anext(life, None)


async def timed(questions: Questions) -> tuple[dict, float]:
    began = time.monotonic()
    return await questions.ask("coupons.describe", **CODE), time.monotonic() - began


async def check_others_do_not_wait(questions: Questions) -> None:
    """Once somebody has waited in vain, a dead broker costs the next ones nothing."""
    soon = [await timed(questions) for _ in range(10)]
    assert [found for found, _ in soon] == [WORTH] * 10
    assert sorted(took for _, took in soon)[5] < 0.1


def queued(server) -> list[dict]:
    with redis.Redis.from_url(server.url) as client:
        return [json.loads(one) for one in client.lrange(QUEUE, 0, -1)]


async def test_a_worker_answers(questions, worker):
    await until(lambda: questions.state == "up", deadline_s=30)
    assert await questions.ask("coupons.describe", **CODE) == WORTH
    assert (questions.there, questions.here) == (1, 0)


async def test_many_at_once_get_each_their_own_answer(questions, worker):
    await until(lambda: questions.state == "up", deadline_s=30)
    codes = ["SPRING", "NOBODY"] * 20
    found = await asyncio.gather(*(questions.ask("coupons.describe", **{**CODE, "code": code}) for code in codes))
    assert [one["reason"] for one in found] == ["", "unusable"] * 20
    assert (questions.there, questions.here) == (40, 0)


async def test_before_a_worker_is_known_nobody_waits_for_one(questions):
    found, took = await timed(questions)
    assert (found, took < 0.5, questions.here) == (WORTH, True, 1)


async def test_a_worker_that_stopped_costs_one_wait_and_is_found_again(questions, worker):
    await until(lambda: questions.state == "up", deadline_s=30)
    worker.freeze()
    slow = await asyncio.gather(*(timed(questions) for _ in range(5)))
    assert [found for found, _ in slow] == [WORTH] * 5
    assert max(took for _, took in slow) < 2.0
    await check_others_do_not_wait(questions)
    worker.thaw()
    await until(lambda: questions.state == "up", deadline_s=30)
    there = questions.there
    assert (await timed(questions))[0] == WORTH
    assert questions.there == there + 1


@pytest.mark.parametrize("fault", ["stop", "freeze"])
async def test_a_redis_that_is_gone_or_frozen_costs_little_and_is_found_again(questions, worker, redis_server, fault):
    await until(lambda: questions.state == "up", deadline_s=30)
    getattr(redis_server, fault)()
    first, took = await timed(questions)
    assert (first, took < 2.0) == (WORTH, True)
    await check_others_do_not_wait(questions)
    {"stop": redis_server.start, "freeze": redis_server.thaw}[fault]()
    await until(lambda: questions.state == "up", deadline_s=30)
    there = questions.there
    await timed(questions)
    assert questions.there == there + 1


async def test_without_the_breaker_everybody_waits(questions, worker, redis_server, monkeypatch):
    """The twin: whoever waits in vain keeps it to themselves."""
    await until(lambda: questions.state == "up", deadline_s=30)
    monkeypatch.setattr(breaker.Breaker, "trip", lambda *_about: None)
    redis_server.freeze()
    assert (await timed(questions))[0] == WORTH
    with pytest.raises(AssertionError):
        await check_others_do_not_wait(questions)
    redis_server.thaw()


async def test_what_nobody_took_is_taken_back(records, redis_server):
    replies = Replies(redis_server.url, 0.2, SEND_S)
    replies.open()
    await until(lambda: replies._is_subscribed)
    with pytest.raises(NotAnswered, match=r"no worker answered within 0\.2 s"):
        await replies.ask("coupons.describe", CODE)
    await until(lambda: queued(redis_server) == [])
    await replies.close()


async def test_a_worker_that_fails_says_so_at_once(questions, worker):
    await until(lambda: questions.state == "up", deadline_s=30)
    began = time.monotonic()
    with pytest.raises(NotAnswered, match="the worker failed: TypeError"):
        await questions._replies.ask("coupons.describe", {"colour": "red"})
    assert time.monotonic() - began < 1.0


@pytest.mark.parametrize("said", [b"", b"[]", b"{}", b'{"id": 7}', b'{"id": "x", "answer": {}}', b"\xff"])
async def test_whatever_else_is_said_on_the_channel_is_overheard(questions, worker, redis_server, said):
    await until(lambda: questions.state == "up", deadline_s=30)
    with redis.Redis.from_url(redis_server.url) as client:
        client.publish(questions._replies._channel, said)
    assert await questions.ask("coupons.describe", **CODE) == WORTH


def test_the_message_is_what_celery_itself_would_send(redis_server):
    app = Celery("test", broker=kombu_url(redis_server.url), set_as_current=False)
    options = {"queue": QUEUE, "ignore_result": True, "reply_to": "channel", "task_id": "an-id"}
    app.send_task("coupons.describe", kwargs=CODE, **options)
    app.close()
    (theirs,) = queued(redis_server)
    ours = json.loads(message_of("coupons.describe", CODE, "an-id", "channel", NOON))
    assert ours.keys() == theirs.keys()
    assert ours["headers"].keys() <= theirs["headers"].keys()
    assert ours["properties"].keys() == theirs["properties"].keys()
    for name in ("lang", "task", "id", "root_id", "parent_id", "group", "retries", "timelimit", "ignore_result"):
        assert ours["headers"][name] == theirs["headers"][name], name
    for name in ("correlation_id", "reply_to", "delivery_mode", "delivery_info", "priority", "body_encoding"):
        assert ours["properties"][name] == theirs["properties"][name], name
    assert json.loads(base64.b64decode(ours["body"]))[:2] == [[], CODE]


async def test_a_code_is_held_through_a_worker_over_the_wire(open_site, redis_server, tmp_path):
    site = await open_site(REDIS_URL=redis_server.url)
    with site.db.session() as session:
        factories.coupon(session)
    ada = learner(site)
    course = await ada.add("vat-basics")
    worker = CeleryWorker()
    worker.start(redis_server.url, VAR_DIR=str(tmp_path))
    try:
        await until(lambda: site.app[keys.QUESTIONS].state == "up", deadline_s=30)
        answer = await ada.code(course, "spring")
    finally:
        worker.close()
    assert (answer["Status"], answer["DiscountPrice"], answer["orderDiscountCode"]) == ("success", 72.0, "SPRING")
    assert site.app[keys.QUESTIONS].there == 1


@pytest.mark.parametrize("fault", ["stop", "freeze"])
async def test_a_coupon_call_stays_quick_without_redis(open_site, redis_server, fault):
    site = await open_site(REDIS_URL=redis_server.url, COUPONS_PER_MINUTE="0", COUPONS_PER_HOUR="500")
    with site.db.session() as session:
        factories.coupon(session)
    assert (await site.call("getcoupondetail", {"coupon": "spring"}))[1]["discountPercentage"] == 10.0
    getattr(redis_server, fault)()
    times = []
    for _ in range(12):
        began = time.monotonic()
        status, answer = await site.call("getcoupondetail", {"coupon": "spring"})
        times.append(time.monotonic() - began)
        assert (status, answer["discountPercentage"]) == (200, 10.0)
    assert max(times) < 2.0
    assert sorted(times)[6] < 0.1
