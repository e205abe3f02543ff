"""Budgets: counted in Redis, in this process at half while Redis is away or slow, and said with Retry-After."""

import asyncio
import time
from collections import Counter

import pytest
from redis import Redis

from host.limits import Budget, Limiter, TooMany
from tests.host.world import ORIGIN
from tests.waiting import until

HOUR = 3600
CONTACT = {"name": "Ada", "email": "a@b.co", "subject": "Hi", "message": "1234567890"}


async def taken(limiter: Limiter, budget: Budget, most: int = 30) -> int:
    """How often a budget can be spent."""
    for number in range(most):
        try:
            await limiter.take(budget)
        except TooMany:
            return number
    return most


async def is_spent(limiter: Limiter, budget: Budget) -> bool:
    return await taken(limiter, budget, 1) == 0


@pytest.fixture
async def limiter(redis_server):
    made = Limiter(redis_server.url, enabled=True)
    yield made
    async for _ in made.lifetime(None):
        pass


async def test_a_budget_is_what_it_says(limiter):
    assert await taken(limiter, Budget("a", 10, HOUR)) == 10


async def test_keys_have_budgets_of_their_own(limiter):
    assert [await taken(limiter, Budget(key, 3, HOUR)) for key in "abc"] == [3, 3, 3]


async def test_a_budget_of_none_is_no_limit(limiter):
    assert await taken(limiter, Budget("a", 0, HOUR)) == 30


async def test_the_smallest_of_several_budgets_counts(limiter):
    for _ in range(2):
        await limiter.take(Budget("a", 9, HOUR), Budget("b", 2, HOUR))
    with pytest.raises(TooMany):
        await limiter.take(Budget("a", 9, HOUR), Budget("b", 2, HOUR))


async def test_processes_share_a_budget_in_redis(redis_server):
    limiters = [Limiter(redis_server.url, enabled=True) for _ in range(2)]
    assert [await taken(one, Budget("a", 10, HOUR), 6) for one in limiters] == [6, 4]
    for one in limiters:
        async for _ in one.lifetime(None):
            pass


async def test_a_crowd_is_counted_together_and_exactly(redis_server, monkeypatch):
    """Each with a connection of their own, most would find none, and be counted here at half the budget."""
    # However busy this machine is: it is not about time.
    monkeypatch.setattr("host.limits.DEADLINE_S", 10)
    limiters = [Limiter(redis_server.url, enabled=True) for _ in range(2)]
    budget = Budget("crowd", 150, HOUR)
    asked = [one.take(budget) for one in limiters for _ in range(200)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert Counter(type(one) for one in answers) == {type(None): 150, TooMany: 250}
    with Redis.from_url(redis_server.url) as redis:
        assert [int(redis.get(key)) for key in redis.scan_iter("limit:crowd:*")] == [400]
    for one in limiters:
        async for _ in one.lifetime(None):
            pass


@pytest.mark.parametrize("key", ["\ud800", "a\x00b", "\U0001f600", "a\r\nFLUSHALL"])
async def test_a_strange_key_is_counted_like_any_other_and_disturbs_nobody(limiter, key):
    answers = await asyncio.gather(limiter.take(Budget("other", 9, HOUR)), taken(limiter, Budget(key, 4, HOUR)))
    assert (answers, limiter._breaker.is_open) == ([None, 4], False)


async def test_a_new_window_is_a_new_budget(limiter):
    budget = Budget("a", 2, 1)
    await until(lambda: is_spent(limiter, budget))
    await until(lambda: taken(limiter, budget, 1))


async def test_retry_after_says_when_the_window_ends(limiter):
    assert await taken(limiter, Budget("a", 1, HOUR)) == 1
    with pytest.raises(TooMany) as refusal:
        await limiter.take(Budget("a", 1, HOUR))
    left = HOUR - time.time() % HOUR
    assert refusal.value.retry_after_s == pytest.approx(left, abs=1.5)


async def test_without_a_broker_this_process_counts_the_whole_budget():
    assert await taken(Limiter(None, enabled=True), Budget("a", 10, HOUR)) == 10


async def test_lifted_limits_count_nothing():
    assert await taken(Limiter(None, enabled=False), Budget("a", 1, HOUR)) == 30


async def test_a_frozen_redis_costs_a_quarter_of_a_second_once_and_leaves_half_the_budget(limiter, redis_server):
    await limiter.take(Budget("warm", 9, HOUR))
    redis_server.freeze()
    began = time.monotonic()
    await limiter.take(Budget("a", 10, HOUR))
    first_s = time.monotonic() - began
    rest = await taken(limiter, Budget("a", 10, HOUR))
    assert 0.24 < first_s < 1.0
    assert (1 + rest, time.monotonic() - began < 2.0) == (5, True)


async def test_many_at_once_wait_for_a_frozen_redis_together(limiter, redis_server):
    await limiter.take(Budget("warm", 9, HOUR))
    redis_server.freeze()
    began = time.monotonic()
    await asyncio.gather(*(limiter.take(Budget(f"k{number}", 9, HOUR)) for number in range(50)))
    assert time.monotonic() - began < 2.0


async def test_a_redis_that_is_gone_leaves_half_the_budget(limiter, redis_server):
    redis_server.stop()
    assert await taken(limiter, Budget("a", 10, HOUR)) == 5


async def test_half_of_one_is_still_one(limiter, redis_server):
    redis_server.stop()
    assert await taken(limiter, Budget("a", 1, HOUR)) == 1


async def test_the_limiter_does_not_keep_keys_without_end(monkeypatch):
    monkeypatch.setattr("host.limits.MOST_KEYS", 10)
    limiter = Limiter(None, enabled=True)
    for number in range(50):
        await limiter.take(Budget(f"k{number}", 9, HOUR))
    assert len(limiter._local) == 10


async def test_visits_of_one_session_are_limited_and_nothing_is_kept(open_site):
    site = await open_site(VISITS_PER_SESSION_MINUTE="2")
    answers = [await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": "a"}) for _ in range(3)]
    assert [status for status, _ in answers] == [202, 202, 429]
    assert answers[2][1]["status"] == 429
    assert (await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": "b"}))[0] == 202
    assert len(site.visits()) == 3


async def test_visits_of_one_address_are_limited_whatever_session_they_name(open_site):
    site = await open_site(VISITS_PER_ADDRESS_MINUTE="3", TRUSTED_PROXIES="127.0.0.1")
    bodies = [{"Url": "/", "SessionID": str(number)} for number in range(4)]
    there = [(await site.call("SetAAUserTraceLog", body, {"X-Forwarded-For": "203.0.113.9"}))[0] for body in bodies]
    elsewhere = (await site.call("SetAAUserTraceLog", bodies[0], {"X-Forwarded-For": "203.0.113.10"}))[0]
    assert (there, elsewhere) == ([202, 202, 202, 429], 202)


async def test_a_refusal_says_when_to_come_back(open_site):
    site = await open_site(CONTACTS_PER_ADDRESS_HOUR="1")
    await site.call("contact", CONTACT)
    answer = await site.client.post("/api/contact", json=CONTACT, headers={"Origin": ORIGIN})
    assert (answer.status, answer.content_type) == (429, "application/problem+json")
    assert 0 < int(answer.headers["Retry-After"]) <= HOUR
    assert answer.headers["Cache-Control"] == "no-store"


async def test_limits_off_lifts_them_all(open_site):
    site = await open_site(LIMITS="off", VISITS_PER_SESSION_MINUTE="1", CONTACTS_PER_ADDRESS_HOUR="1")
    visits = [(await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": "a"}))[0] for _ in range(3)]
    contacts = [(await site.call("contact", CONTACT))[0] for _ in range(3)]
    assert visits + contacts == [202] * 6
