"""Fetches of crawlers: the hash in their visits, and what is passed on to be looked at."""

from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis
from sqlalchemy import func, select

from adapters import crawler_sightings
from domain.crawlers import stored_ranges, verification
from domain.crawlers.ranges import PublishedList
from domain.crawlers.verification import CrawlerVerification
from domain.errors import ServiceUnavailable
from domain.tables import CrawlerCheck
from host.jobs.inline_crawlers import InlineCrawlers
from host.visits import crawler_watch
from host.visits.crawler_watch import CRAWLER_WATCH, CrawlerWatch
from tests.domain.crawlers.lists import GOOGLE, OPENAI
from tests.support.waiting import until

GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
)
VERIFIED, SPOOFED, CLAIMED = CrawlerVerification
PROXY = {"TRUSTED_PROXIES": "127.0.0.1"}


def store_lists(database, at=None) -> None:
    at = at or datetime.now(UTC)
    with database.write_session() as session:
        for name, prefixes in (("google-common", GOOGLE), ("openai-training", OPENAI)):
            stored_ranges.store_list(session, name, PublishedList(prefixes, None), at, is_forced=False)


@pytest.fixture
def watch(database) -> CrawlerWatch:
    store_lists(database)
    watch = CrawlerWatch(database, "secret", None, asks_names=True)
    watch.read_lists()
    return watch


def found(database, crawler: str, ip_hash: str) -> CrawlerVerification:
    with database.read_session() as session:
        return verification.verification_of(session, crawler, ip_hash)


@pytest.mark.parametrize(
    ("crawler", "ip", "passed_on"),
    [
        ("Googlebot", "66.249.64.1", ("verified", "range", "")),
        ("Googlebot", "2001:4860:4801:10::9", ("verified", "range", "")),
        ("Googlebot", "192.0.2.1", ("", "", "192.0.2.1")),
        ("Googlebot", "::ffff:192.0.2.1", ("", "", "192.0.2.1")),
        ("GPTBot", "192.0.2.1", ("spoofed", "range", "")),
        ("YandexBot", "192.0.2.1", ("", "", "192.0.2.1")),
    ],
)
def test_what_ranges_say_is_passed_on_and_an_address_only_for_dns(watch, crawler, ip, passed_on):
    ip_hash = watch.note(crawler, ip)
    (sighting,) = watch.take(9)
    assert (sighting.verification, sighting.method, sighting.address) == passed_on
    assert (sighting.crawler, sighting.ip_hash, len(ip_hash)) == (crawler, ip_hash, 16)
    assert watch.take(9) == []


@pytest.mark.parametrize(("crawler", "ip"), [("Bytespider", "192.0.2.1"), ("FooBot", "192.0.2.1"), ("Googlebot", "?")])
def test_nothing_is_passed_on_about_what_nobody_can_check(watch, crawler, ip):
    assert bool(watch.note(crawler, ip)) is (ip != "?")
    assert watch.take(9) == []


def test_without_dns_no_address_leaves_the_process(database):
    watch = CrawlerWatch(database, "secret", None, asks_names=False)
    watch.note("Googlebot", "192.0.2.1")
    assert watch.take(9) == []


def test_a_crawler_is_noted_once_an_hour(watch, monkeypatch):
    monkeypatch.setattr(crawler_watch, "NOTED_S", 0.0)
    for _ in range(2):
        watch.note("Googlebot", "192.0.2.1")
        assert len(watch.take(9)) == 1
    monkeypatch.undo()
    watch.note("Googlebot", "192.0.2.1")
    watch.note("Googlebot", "192.0.2.1")
    watch.note("bingbot", "192.0.2.1")
    assert [one.crawler for one in watch.take(9)] == ["Googlebot", "bingbot"]


def test_a_flood_of_addresses_is_bounded_and_counted(watch, monkeypatch):
    monkeypatch.setattr(crawler_watch, "MAX_WAITING", 10)
    monkeypatch.setattr(crawler_watch, "MAX_NOTED", 5)
    for number in range(1, 21):
        watch.note("GPTBot", f"192.0.2.{number}")
    assert (len(watch.take(99)), watch.dropped, len(watch._noted) <= 5) == (10, 10, True)


def test_lists_are_read_again_when_they_have_changed(database, watch):
    watch.note("GPTBot", "20.171.206.1")
    assert watch.take(1)[0].verification == "verified"
    with database.write_session() as session:
        new = PublishedList(("52.0.0.0/24",), None)
        stored_ranges.store_list(session, "openai-training", new, datetime.now(UTC), is_forced=True)
    watch.read_lists()
    watch.note("GPTBot", "20.171.206.2")
    assert watch.take(1)[0].verification == "spoofed"


def test_a_host_looks_itself_without_a_broker(database, watch):
    known, strange = watch.note("Googlebot", "66.249.64.1"), watch.note("GPTBot", "192.0.2.1")
    unasked = watch.note("Googlebot", "192.0.2.1")
    InlineCrawlers(database, watch, None, 0, asks_names=False)._look()
    pairs = [("Googlebot", known), ("GPTBot", strange), ("Googlebot", unasked)]
    assert [found(database, *pair) for pair in pairs] == [VERIFIED, SPOOFED, CLAIMED]


def test_what_was_found_is_deleted_a_week_after_the_visits(database, watch):
    watch.note("Googlebot", "66.249.64.1")
    inline = InlineCrawlers(database, watch, None, 10, asks_names=False)
    inline._look()
    for days, left in ((17, 1), (19, 0)):
        with database.write_session() as session:
            session.query(CrawlerCheck).update({"checked_at": datetime.now(UTC) - timedelta(days=days)})
        inline._look()
        with database.read_session() as session:
            assert session.scalar(select(func.count()).select_from(CrawlerCheck)) == left


async def test_the_visit_of_a_crawler_has_a_hash_and_no_whole_address(open_site):
    site = await open_site(**PROXY)
    for agent, ip in ((GOOGLEBOT, "66.249.64.1"), (GOOGLEBOT, "66.249.64.1"), (GPTBOT, "66.249.64.2")):
        await site.get("/about", User_Agent=agent, X_Forwarded_For=ip)
    await site.get("/about", User_Agent=CHROME, X_Forwarded_For="66.249.64.1")
    await until(lambda: len(site.visits()) == 3)
    first, second, third = site.visits()
    assert (first.agent, first.address, len(first.ip_hash)) == ("Googlebot", "66.249.64.0/24", 16)
    assert first.ip_hash == second.ip_hash != third.ip_hash
    stored = {str(value) for visit in site.visits() for value in vars(visit).values()}
    assert not any("66.249.64.1" in value or "66.249.64.2" in value for value in stored)


async def test_sightings_wait_in_redis_for_a_worker_and_end_by_themselves(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url, CRAWLER_DNS="on", **PROXY)
    watch = site.app[CRAWLER_WATCH]
    ip_hash = watch.note("Googlebot", "192.0.2.1")
    watch._work()
    with Redis.from_url(redis_server.url) as client:
        assert 0 < client.ttl(crawler_sightings.SIGHTINGS) <= crawler_sightings.LIFE_S
        (sighting,) = crawler_sightings.take(client, 9)
        assert (sighting.crawler, sighting.ip_hash, sighting.address) == ("Googlebot", ip_hash, "192.0.2.1")
        assert crawler_sightings.take(client, 9) == []


def test_what_redis_does_not_take_is_counted_and_noted_again(database):
    watch = CrawlerWatch(database, "secret", "redis://127.0.0.1:9/0", asks_names=True)
    watch.note("Googlebot", "192.0.2.1")
    watch._work()
    assert (watch.dropped, watch.take(9)) == (1, [])
    watch.note("Googlebot", "192.0.2.1")
    assert len(watch.take(9)) == 1


def test_ranges_of_before_hold_while_the_database_does_not_answer(watch, monkeypatch):
    def fail(_session) -> None:
        raise ServiceUnavailable

    monkeypatch.setattr(stored_ranges, "versions", fail)
    with pytest.raises(ServiceUnavailable):
        watch.read_lists()
    watch.note("GPTBot", "20.171.206.1")
    assert watch.take(1)[0].verification == "verified"
