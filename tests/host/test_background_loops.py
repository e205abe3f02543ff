"""Every loop of a host process: after an unexpected error it is logged once, shown in /readyz, and goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import redis

from domain.health import samples
from host.health import HealthSampler
from host.jobs import inline_crawlers, inline_periodic, inline_rollups
from host.jobs.inline_crawlers import InlineCrawlers
from host.jobs.inline_periodic import InlinePeriodic
from host.jobs.inline_rollups import InlineRollups
from host.messaging import (
    celery_sender,
    inline_jobs,
    inline_learning,
    inline_outbox,
    inline_payments,
    visit_queue,
)
from host.messaging.celery_sender import CelerySender
from host.messaging.inline_jobs import InlineJobs
from host.messaging.inline_learning import InlineLearning
from host.messaging.inline_outbox import InlineOutbox
from host.messaging.inline_payments import InlinePayments
from host.messaging.reply_channel import ReplyChannel
from host.messaging.visit_queue import VisitQueue
from host.rendering.ssr_client import SSR_CLIENT, SsrConnection
from host.resilience.loop_keys import LOOPS
from host.site_state import SITE, SiteCache
from host.visits import crawler_watch, minute_counts
from host.visits.crawl_counts import CrawlCounts
from host.visits.crawler_watch import CrawlerWatch
from host.visits.served_counts import ServedCounts
from tests.host.site import Site
from tests.support.waiting import until


@dataclass(frozen=True)
class Case:
    """`owner.method` is what an iteration of the loop `name` calls; `end_iteration` ends one that would go on."""

    name: str
    owner: type
    method: str
    end_iteration: Callable[[Site], object] = lambda _site: None


def disconnect_subscribers(site: Site) -> None:
    with redis.Redis.from_url(site.settings.redis_url) as client:
        client.client_kill_filter(_type="pubsub")


# Nothing answers there.
GATEWAY = {"PAYMENTS_API_BASE": "http://127.0.0.1:9", "PAYMENTS_KEY": "sk_test_example"}
# The loops of a host without a broker, which does the work of workers itself.
WITHOUT_BROKER = [
    Case("payments", InlinePayments, "_work"),
    Case("sending mail", InlineOutbox, "_handle_rows"),
    Case("recounting courses", InlineLearning, "_handle_rows"),
    Case("doing jobs", InlineJobs, "_run_slice"),
    Case("periodic work", InlinePeriodic, "_run_due"),
    Case("computing days of visits", InlineRollups, "_build_due"),
    Case("checking crawlers", InlineCrawlers, "_look"),
]
CASES = [
    Case("sampling the state", HealthSampler, "_sample"),
    Case("catalogue poll", SiteCache, "_read_changes"),
    Case("watching crawlers", CrawlerWatch, "_work"),
    Case("crawl counts", CrawlCounts, "flush"),
    Case("served pages", ServedCounts, "flush"),
    Case("spool", VisitQueue, "_drain"),
    Case("sending recent visits again", CelerySender, "_replay_if_reconnected"),
    Case("replies of workers", ReplyChannel, "_listen", disconnect_subscribers),
    Case("figures of workers", ReplyChannel, "_listen", disconnect_subscribers),
    Case("connection to", SsrConnection, "_ping_until_lost", lambda site: site.app[SSR_CLIENT].workers[0]._refuse()),
]


def fail_once(monkeypatch, case: Case) -> Callable[[], int]:
    """Let the method raise an error that nobody expects, once; the returned function counts all calls."""
    original: Any = getattr(case.owner, case.method)
    calls = []

    def fail_first(*args: Any) -> Any:
        # A host has two channels of replies.
        if not args[0].loop.name.startswith(case.name):
            return original(*args)
        calls.append(args)
        if len(calls) == 1:
            raise ZeroDivisionError(case.method)
        return original(*args)

    async def fail_first_later(*args: Any) -> Any:
        return await fail_first(*args)

    is_async = original.__code__.co_flags & 0x80
    monkeypatch.setattr(case.owner, case.method, fail_first_later if is_async else fail_first)
    return lambda: len(calls)


@pytest.fixture
async def open_host(open_site, start_renderer, redis_server, monkeypatch):
    """`await open_host()`: a site with Redis and a render worker, whose loops wait only for a moment."""
    monkeypatch.setattr(visit_queue, "DRAIN_EVERY_S", 0.02)
    monkeypatch.setattr(celery_sender, "CHECK_EVERY_S", 0.02)
    monkeypatch.setattr(samples, "EVERY_S", 0.05)
    monkeypatch.setattr(crawler_watch, "EVERY_S", 0.02)
    monkeypatch.setattr(minute_counts, "EVERY_S", 0.02)

    async def opened():
        return await open_site((await start_renderer()).address, REDIS_URL=redis_server.url)

    return opened


async def ready(site) -> dict[str, Any]:
    return dict(await (await site.get("/readyz")).json())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_an_error_that_nobody_expects_is_logged_shown_and_survived(open_host, monkeypatch, caplog, case):
    site = await open_host()
    await expect_recovery(site, monkeypatch, caplog, case)


@pytest.mark.parametrize("case", WITHOUT_BROKER, ids=lambda case: case.name)
async def test_so_do_the_loops_of_a_host_without_a_broker(open_site, monkeypatch, caplog, case):
    monkeypatch.setattr(inline_outbox, "EVERY_S", 0.02)
    monkeypatch.setattr(inline_payments, "EVERY_S", 0.02)
    for module in (inline_crawlers, inline_jobs, inline_learning, inline_periodic, inline_rollups):
        monkeypatch.setattr(module, "EVERY_S", 0.02)
    site = await open_site(**GATEWAY, SMTP_URL="smtp://127.0.0.1:9")
    await expect_recovery(site, monkeypatch, caplog, case)
    names = {loop.name for loop in site.app[LOOPS]}
    assert {case.name for case in WITHOUT_BROKER} <= names


async def expect_recovery(site: Site, monkeypatch, caplog, case: Case) -> None:
    calls = fail_once(monkeypatch, case)
    case.end_iteration(site)
    (loop,) = [loop for loop in site.app[LOOPS] if loop.name.startswith(case.name)]
    await until(lambda: loop.restarts == 1 and calls() > 1 and loop.state == "running")
    status = await ready(site)
    assert status["loops"][loop.name] == {"state": "running", "restarts": 1}
    assert status["parts"]["loops"] == "up"
    errors = [record.message for record in caplog.records if record.name == "coursefront.loops"]
    assert errors == [
        f"the loop {loop.name!r} failed and goes on in 0.1 s",
        f"the loop {loop.name!r} runs again after 1 failures",
    ]


async def test_all_loops_of_a_host_are_in_the_table(open_host):
    names = (await ready(await open_host()))["loops"]
    assert len(names) == len(CASES)
    assert all(any(name.startswith(case.name) for case in CASES) for name in names)


async def test_a_catalogue_whose_poll_fails_is_not_fresh_and_its_pages_are_marked(
    open_site, start_renderer, monkeypatch
):
    site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
    assert (await site.get("/about")).headers["X-Cache"] == "hit"

    async def fail(*_args: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(SiteCache, "_read_changes", fail)
        await until(lambda: not site.app[SITE].is_fresh)
        assert (await site.get("/about")).headers["X-Cache"] == "stale"
        status = await ready(site)
        assert (status["parts"]["loops"], status["loops"]["catalogue poll"]["state"]) == ("failing", "failing")
        assert "loops" in status["degraded"]
    await until(lambda: site.app[SITE].is_fresh)
    assert (await site.get("/about")).headers["X-Cache"] == "hit"
