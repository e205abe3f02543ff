"""Rate limits: counted in Redis, in this process at half the limit without Redis, and answered with Retry-After."""

import asyncio
import time
from collections import Counter
from types import SimpleNamespace

import pytest
from redis import Redis

from host.http.problems import RateLimited
from host.rate_limits import limiter as limits
from host.rate_limits.limiter import Limiter, RateLimit
from tests.host.site import ORIGIN
from tests.support.waiting import until

HOUR = 3600
CONTACT = {"name": "Ada", "email": "a@b.co", "subject": "Hi", "message": "1234567890"}


async def count_allowed(limiter: Limiter, limit: RateLimit, times: int = 30) -> int:
    """How many of `times` events the limit allows."""
    for number in range(times):
        try:
            await limiter.check(limit)
        except RateLimited:
            return number
    return times


async def is_exhausted(limiter: Limiter, limit: RateLimit) -> bool:
    return await count_allowed(limiter, limit, 1) == 0


@pytest.fixture(autouse=True)
def single_rate_limit_window() -> None:
    """Replaces the fixture of conftest.py: in these tests windows end."""


DEADLINE_S = limits.DEADLINE_S


@pytest.fixture
async def limiter(redis_server, monkeypatch):
    """A limiter with a long deadline, for a busy machine; tests of the deadline restore it."""
    monkeypatch.setattr(limits, "DEADLINE_S", 30)
    shared = Limiter(redis_server.url, enabled=True)
    yield shared
    async for _ in shared.lifespan(None):
        pass


async def test_a_limit_allows_exactly_its_number(limiter):
    assert await count_allowed(limiter, RateLimit("a", 10, HOUR)) == 10


async def test_keys_are_counted_separately(limiter):
    assert [await count_allowed(limiter, RateLimit(key, 3, HOUR)) for key in "abc"] == [3, 3, 3]


async def test_a_limit_of_0_is_no_limit(limiter):
    assert await count_allowed(limiter, RateLimit("a", 0, HOUR)) == 30


async def test_the_smallest_of_several_limits_applies(limiter):
    for _ in range(2):
        await limiter.check(RateLimit("a", 9, HOUR), RateLimit("b", 2, HOUR))
    with pytest.raises(RateLimited):
        await limiter.check(RateLimit("a", 9, HOUR), RateLimit("b", 2, HOUR))


async def test_processes_share_a_limit_in_redis(redis_server, monkeypatch):
    monkeypatch.setattr(limits, "DEADLINE_S", 30)
    limiters = [Limiter(redis_server.url, enabled=True) for _ in range(2)]
    assert [await count_allowed(limiter, RateLimit("a", 10, HOUR), 6) for limiter in limiters] == [6, 4]
    for limiter in limiters:
        async for _ in limiter.lifespan(None):
            pass


async def test_concurrent_events_are_counted_together_and_exactly(redis_server, monkeypatch):
    """With a connection each, most events would get none and be counted locally at half the limit."""
    # A busy machine must not break this test.
    monkeypatch.setattr(limits, "DEADLINE_S", 30)
    limiters = [Limiter(redis_server.url, enabled=True) for _ in range(2)]
    limit = RateLimit("crowd", 150, HOUR)
    calls = [limiter.check(limit) for limiter in limiters for _ in range(200)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert Counter(type(answer) for answer in answers) == {type(None): 150, RateLimited: 250}
    with Redis.from_url(redis_server.url) as redis:
        assert [int(redis.get(key)) for key in redis.scan_iter("limit:crowd:*")] == [400]
    for limiter in limiters:
        async for _ in limiter.lifespan(None):
            pass


@pytest.mark.parametrize("key", ["\ud800", "a\x00b", "\U0001f600", "a\r\nFLUSHALL"])
async def test_an_unusual_key_is_counted_like_any_other(limiter, key):
    answers = await asyncio.gather(
        limiter.check(RateLimit("other", 9, HOUR)), count_allowed(limiter, RateLimit(key, 4, HOUR))
    )
    assert answers == [None, 4]
    assert not limiter._breaker.is_open


async def test_a_new_window_starts_a_new_count(limiter):
    limit = RateLimit("a", 2, 1)
    assert await until(lambda: is_exhausted(limiter, limit))
    assert await until(lambda: count_allowed(limiter, limit, 1)) == 1


async def test_retry_after_says_when_the_window_ends(limiter, monkeypatch):
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 20 * HOUR + 2800.5))
    assert await count_allowed(limiter, RateLimit("a", 1, HOUR)) == 1
    with pytest.raises(RateLimited) as refusal:
        await limiter.check(RateLimit("a", 1, HOUR))
    assert refusal.value.retry_after_s == 800


async def test_without_a_broker_this_process_applies_the_whole_limit():
    assert await count_allowed(Limiter(None, enabled=True), RateLimit("a", 10, HOUR)) == 10


async def test_lifted_limits_count_nothing():
    assert await count_allowed(Limiter(None, enabled=False), RateLimit("a", 1, HOUR)) == 30


async def test_a_frozen_redis_costs_a_quarter_of_a_second_once(limiter, redis_server, monkeypatch):
    await limiter.check(RateLimit("warm", 9, HOUR))
    redis_server.freeze()
    monkeypatch.setattr(limits, "DEADLINE_S", DEADLINE_S)
    began = time.monotonic()
    await limiter.check(RateLimit("a", 10, HOUR))
    first_s = time.monotonic() - began
    rest = await count_allowed(limiter, RateLimit("a", 10, HOUR))
    assert first_s > 0.24
    # With the circuit open the others do not wait.
    assert (1 + rest, limiter._breaker.is_open) == (5, True)


async def test_concurrent_events_wait_for_a_frozen_redis_together(limiter, redis_server, monkeypatch):
    await limiter.check(RateLimit("warm", 9, HOUR))
    redis_server.freeze()
    monkeypatch.setattr(limits, "DEADLINE_S", DEADLINE_S)
    began = time.monotonic()
    await asyncio.gather(*(limiter.check(RateLimit(f"k{number}", 9, HOUR)) for number in range(50)))
    # One after the other they would take 50 deadlines.
    assert time.monotonic() - began < 25 * DEADLINE_S


async def test_without_redis_half_the_limit_applies(limiter, redis_server, monkeypatch):
    redis_server.stop()
    assert await count_allowed(limiter, RateLimit("a", 10, HOUR)) == 5


async def test_half_of_a_limit_of_1_is_1(limiter, redis_server):
    redis_server.stop()
    assert await count_allowed(limiter, RateLimit("a", 1, HOUR)) == 1


async def test_the_limiter_stores_a_bounded_number_of_keys(monkeypatch):
    monkeypatch.setattr("host.rate_limits.limiter.MAX_KEYS", 10)
    limiter = Limiter(None, enabled=True)
    for number in range(50):
        await limiter.check(RateLimit(f"k{number}", 9, HOUR))
    assert len(limiter._local) == 10


async def test_visits_of_one_session_are_limited_and_refused_ones_are_not_stored(open_site):
    site = await open_site(VISITS_PER_SESSION_MINUTE="2")
    answers = [await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": "a"}) for _ in range(3)]
    assert [status for status, _ in answers] == [202, 202, 429]
    assert answers[2][1]["status"] == 429
    assert (await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": "b"}))[0] == 202
    assert len(site.visits()) == 3


async def test_visits_of_one_address_are_limited_whatever_their_session(open_site):
    site = await open_site(VISITS_PER_ADDRESS_MINUTE="3", TRUSTED_PROXIES="127.0.0.1")
    bodies = [{"Url": "/", "SessionID": str(number)} for number in range(4)]
    there = [(await site.call("SetAAUserTraceLog", body, {"X-Forwarded-For": "203.0.113.9"}))[0] for body in bodies]
    elsewhere = (await site.call("SetAAUserTraceLog", bodies[0], {"X-Forwarded-For": "203.0.113.10"}))[0]
    assert (there, elsewhere) == ([202, 202, 202, 429], 202)


async def test_a_refusal_has_retry_after(open_site):
    site = await open_site(CONTACTS_PER_ADDRESS_HOUR="1")
    await site.call("contact", CONTACT)
    answer = await site.client.post("/api/contact", json=CONTACT, headers={"Origin": ORIGIN})
    assert (answer.status, answer.content_type) == (429, "application/problem+json")
    assert 0 < int(answer.headers["Retry-After"]) <= HOUR
    assert answer.headers["Cache-Control"] == "no-store"


async def test_limits_off_lifts_all_limits(open_site):
    site = await open_site(LIMITS="off", VISITS_PER_SESSION_MINUTE="1", CONTACTS_PER_ADDRESS_HOUR="1")
    visits = [(await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": "a"}))[0] for _ in range(3)]
    contacts = [(await site.call("contact", CONTACT))[0] for _ in range(3)]
    assert visits + contacts == [202] * 6
