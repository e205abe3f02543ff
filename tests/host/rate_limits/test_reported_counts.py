"""Limits of visits: counted in the process, reported to Redis with the batches; what others counted comes back."""

import asyncio
from collections import Counter
from types import SimpleNamespace

import pytest
from redis import Redis

from host.http.problems import RateLimited
from host.messaging import celery_sender, reported_counts
from host.messaging.celery_sender import CelerySender
from host.messaging.reported_counts import ReportedCounts
from host.messaging.visit_queue import PublishFailed
from host.rate_limits import limiter as limits
from host.rate_limits.limiter import Limiter, RateLimit
from tests.host.messaging.test_celery_sender import BATCH, waiting
from tests.host.rate_limits.test_limiter import HOUR, count_allowed
from tests.support.waiting import until

TEN = RateLimit("visits:s:a", 10, HOUR)


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """At the beginning of an hour."""
    now = SimpleNamespace(at=1_700_000 * HOUR, time=lambda: now.at)
    monkeypatch.setattr(limits, "time", now)
    return now


class Host:
    """What one process counts, and the sender of its batches."""

    def __init__(self, url: str):
        self.limiter = Limiter(url, enabled=True)
        self.sender = CelerySender(url, 5.0, self.limiter.reported)

    def allowed(self, times: int, limit: RateLimit = TEN) -> int:
        """How many of so many events are allowed."""
        return sum(self.is_allowed(limit) for _ in range(times))

    def is_allowed(self, limit: RateLimit = TEN) -> bool:
        try:
            self.limiter.check_here(limit)
        except RateLimited:
            return False
        return True

    async def flush(self) -> None:
        await self.sender.send(BATCH)


@pytest.fixture
def hosts(redis_server, clock):
    opened = [Host(redis_server.url) for _ in range(2)]
    yield opened
    for host in opened:
        host.sender.close()


def stored(server) -> dict[str, tuple[int, int]]:
    """Key of a count in Redis -> its value, and for how many seconds it stays."""
    with Redis.from_url(server.url, decode_responses=True) as client:
        return {key: (int(client.get(key)), client.ttl(key)) for key in client.keys("limit:*")}


def test_a_process_alone_allows_exactly_the_limit(hosts):
    assert [hosts[0].allowed(30), hosts[0].allowed(30)] == [10, 0]


def test_the_end_of_the_window_is_said(hosts, clock):
    hosts[0].allowed(10)
    clock.at += HOUR - 7.5
    with pytest.raises(RateLimited) as refused:
        hosts[0].limiter.check_here(RateLimit("no other", 0, HOUR), TEN)
    assert refused.value.retry_after_s == 8


def test_each_limit_counts_an_event_that_another_refuses(hosts):
    wide = RateLimit("visits:a:b", 12, HOUR)
    for _ in range(12):
        hosts[0].is_allowed() and hosts[0].is_allowed(wide)
    assert [hosts[0].allowed(5, wide), hosts[0].allowed(5)] == [2, 0]


async def test_a_flush_brings_the_batch_and_its_counts_to_redis_together(hosts, redis_server):
    hosts[0].allowed(7)
    await hosts[0].flush()
    assert stored(redis_server) == {"limit:visits:s:a:1700000": (7, 2 * HOUR)}
    assert waiting(redis_server) == [BATCH]
    # The negative control: without events nothing is added.
    await hosts[0].flush()
    assert stored(redis_server)["limit:visits:s:a:1700000"][0] == 7


async def test_what_others_counted_is_known_after_a_flush(hosts):
    first, second = hosts
    assert first.allowed(6) == 6
    await first.flush()
    assert second.allowed(1) == 1
    await second.flush()
    # Six and one are known, so three are left.
    assert second.allowed(9) == 3
    await second.flush()
    # The first process has not heard of them yet: its own six and four make ten.
    assert first.allowed(9) == 4
    await first.flush()
    assert (first.allowed(9), second.allowed(9)) == (0, 0)


async def test_two_processes_exceed_a_limit_by_at_most_what_comes_in_one_flush(hosts):
    """Events come to both in turn, four to each between two flushes."""
    allowed: Counter[int] = Counter()
    for _flush in range(10):
        for number, host in enumerate(hosts):
            allowed[number] += host.allowed(4, RateLimit("visits:s:b", 20, HOUR))
        for host in hosts:
            await host.flush()
    # One answers before the other has reported: it misses four at most, and so does the other process.
    assert 20 <= allowed.total() <= 24


async def test_asking_redis_each_time_shares_the_counts_of_reports(hosts, redis_server):
    """Hosts of the former build ask for every visit; both count in the same places."""
    hosts[0].allowed(6)
    await hosts[0].flush()
    asking = Limiter(redis_server.url, enabled=True)
    assert await count_allowed(asking, TEN) == 4
    async for _ in asking.lifespan(None):
        pass


async def test_a_new_window_starts_a_new_count(hosts, clock, redis_server):
    assert hosts[0].allowed(12) == 10
    await hosts[0].flush()
    hosts[0].allowed(1)
    clock.at += HOUR
    # What waited of the window that has ended is forgotten with it.
    assert hosts[0].allowed(12) == 10
    await hosts[0].flush()
    assert {key: value for key, (value, _) in stored(redis_server).items()} == {
        "limit:visits:s:a:1700000": 12,
        "limit:visits:s:a:1700001": 12,
    }


async def test_an_answer_about_a_window_that_has_ended_changes_nothing(hosts, clock):
    hosts[0].allowed(10)
    report = hosts[0].limiter.reported.take()
    clock.at += HOUR
    assert hosts[0].allowed(5) == 5
    report.finish([500])
    assert hosts[0].allowed(9) == 5


async def test_without_redis_a_process_allows_half_as_much(hosts, redis_server):
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await hosts[0].flush()
    assert hosts[0].allowed(30) == 5
    assert hosts[0].allowed(30, RateLimit("visits:s:b", 1, HOUR)) == 1


async def test_what_was_known_still_counts_when_redis_is_away(hosts, redis_server):
    hosts[0].allowed(8)
    await hosts[0].flush()
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await hosts[0].flush()
    assert hosts[0].allowed(9) == 2


async def test_counts_wait_for_a_redis_that_comes_back(hosts, redis_server, monkeypatch):
    monkeypatch.setattr(celery_sender, "CHECK_EVERY_S", 0)
    host = hosts[0]
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await host.flush()
    assert host.allowed(30) == 5
    redis_server.start()
    await until(lambda: _is_reported(host))
    # Also those that were refused; they are no longer counted at half the limit.
    assert stored(redis_server) == {"limit:visits:s:a:1700000": (30, 2 * HOUR)}
    assert host.allowed(12, RateLimit("visits:s:b", 10, HOUR)) == 10


async def _is_reported(host: Host) -> bool:
    await host.sender.replay_recent()
    return not host.limiter.reported.is_alone


async def test_counts_whose_report_failed_are_not_reported_twice(hosts, redis_server):
    """Redis may have added them although its answer came too late."""
    host = hosts[0]
    host.allowed(3)
    report = host.limiter.reported.take()
    report.fail()
    host.limiter.reported.is_alone = True
    assert host.allowed(30) == 2
    host.limiter.reported.is_alone = False
    await host.flush()
    assert stored(redis_server)["limit:visits:s:a:1700000"][0] == 30


async def test_events_during_a_report_are_counted_once(hosts, redis_server):
    host = hosts[0]
    host.allowed(4)
    flush = asyncio.create_task(host.flush())
    await asyncio.sleep(0)
    assert host.allowed(3) == 3
    await flush
    assert host.allowed(9) == 3
    await host.flush()
    assert stored(redis_server)["limit:visits:s:a:1700000"][0] == 16


async def test_a_restart_forgets_what_no_flush_has_reported(hosts, redis_server):
    first, restarted = hosts
    first.allowed(6)
    await first.flush()
    first.allowed(1)
    restarted.allowed(1)
    await restarted.flush()
    assert restarted.allowed(9) == 3


async def test_refused_events_are_reported_without_a_batch(hosts, redis_server, monkeypatch):
    monkeypatch.setattr(celery_sender, "CHECK_EVERY_S", 0)
    hosts[0].allowed(15)
    await hosts[0].sender.replay_recent()
    assert (stored(redis_server)["limit:visits:s:a:1700000"][0], waiting(redis_server)) == (15, [])
    hosts[1].allowed(1)
    await hosts[1].flush()
    assert hosts[1].allowed(1) == 0


@pytest.mark.parametrize("key", ["\ud800", "a\r\nb", "日本", '"]', "[[1]]"])
async def test_an_unusual_key_is_counted_like_any_other(hosts, key):
    limit = RateLimit(key, 4, HOUR)
    hosts[0].allowed(3, limit)
    await hosts[0].flush()
    hosts[1].allowed(1, limit)
    await hosts[1].flush()
    assert (hosts[0].limiter.reported.is_alone, hosts[1].allowed(9, limit)) == (False, 0)


async def test_many_keys_are_reported_in_several_reports(hosts, redis_server, monkeypatch):
    monkeypatch.setattr(reported_counts, "MAX_REPORTED", 3)
    for number in range(7):
        hosts[0].is_allowed(RateLimit(f"k{number}", 9, HOUR))
    sizes = []
    for _flush in range(3):
        await hosts[0].flush()
        sizes.append(len(stored(redis_server)))
    assert sizes == [3, 6, 7]


@pytest.mark.parametrize("is_shared", [True, False])
def test_the_counts_of_a_window_are_bounded(monkeypatch, is_shared):
    monkeypatch.setattr(reported_counts, "MAX_KEYS", 10)
    counts = ReportedCounts(is_shared)
    for number in range(50):
        counts.exceeds("busy", 99, HOUR, 0.0)
        counts.exceeds(f"k{number}", 99, HOUR, 0.0)
    (window,) = counts._windows.values()
    # One that is seen again and again stays.
    assert (len(window.counts), len(window.waiting), counts.exceeds("busy", 50, HOUR, 0.0)) == (
        10,
        10 if is_shared else 0,
        True,
    )
    counts.exceeds("new", 99, HOUR, float(HOUR))
    assert [list(window.counts) for window in counts._windows.values()] == [["new"]]


def test_without_a_broker_a_process_counts_alone_with_whole_limits(clock):
    limiter = Limiter(None, enabled=True)
    host = SimpleNamespace(limiter=limiter)
    assert (Host.allowed(_with_allowed(host), 30), limiter.reported.take()) == (10, None)


def _with_allowed(host: SimpleNamespace) -> SimpleNamespace:
    host.is_allowed = lambda limit: Host.is_allowed(host, limit)
    return host


def test_limits_that_are_off_count_nothing(redis_server):
    limiter = Limiter(redis_server.url, enabled=False)
    for _ in range(30):
        limiter.check_here(RateLimit("a", 1, HOUR))
    assert limiter.reported.take() is None


async def test_a_host_reports_its_visits_and_learns_of_others_before_the_visitor_has_an_answer(
    open_site, redis_server, clock
):
    site = await open_site(REDIS_URL=redis_server.url, VISITS_PER_SESSION_MINUTE="9")

    async def visit(session: str) -> int:
        return (await site.call("SetAAUserTraceLog", {"Url": "/", "SessionID": session}))[0]

    slot = f"limit:visits_per_session_minute:s:a:{clock.at // 60}"
    assert (await visit("a"), stored(redis_server)[slot][0]) == (202, 1)
    with Redis.from_url(redis_server.url) as client:
        client.incrby(slot, 7)
    # The second visit is the ninth of all hosts.
    assert [await visit("a") for _ in range(3)] == [202, 429, 429]
    assert await visit("b") == 202
