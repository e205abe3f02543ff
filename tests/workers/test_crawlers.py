"""crawlers.verify: what hosts have seen is looked at once, and nothing of it is left behind."""

import time
from collections.abc import Iterator

import pytest
from redis import Redis
from sqlalchemy import select

from adapters import crawler_checks, crawler_sightings
from contracts.payloads import CrawlerSighting
from contracts.redis_keys import SIGHTINGS, SIGHTINGS_LOCK
from domain.crawlers.verification import Silent
from domain.tables import CrawlerCheck
from tests.support.name_server import NameServer
from workers import crawlers


class Names:
    """Every address is a crawler of Google's but those that end in 9, about which it is silent."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def names_of(self, address):
        self.asked.append(str(address))
        if str(address).endswith("9"):
            raise Silent
        return [f"{address}.googlebot.com"]

    def addresses_of(self, name, _version):
        return [crawler_checks.parse_address(name.removesuffix(".googlebot.com"))]


@pytest.fixture
def worker(database, redis_server, monkeypatch) -> Iterator[None]:
    """The task works with the database and the Redis of the test, and asks DNS."""
    client = Redis.from_url(redis_server.url)
    client.flushall()
    monkeypatch.setattr(crawlers, "database", lambda: database)
    monkeypatch.setattr(crawlers, "redis_of_bytes", lambda: client)
    monkeypatch.setenv("CRAWLER_DNS", "on")
    yield
    client.close()


@pytest.fixture
def names(worker, monkeypatch) -> Names:
    names = Names()
    monkeypatch.setattr(crawlers, "_names", lambda: names)
    return names


def sighting(number: int, **about) -> CrawlerSighting:
    ip = {"address": f"192.0.2.{number}"} if not about.get("verification") else {}
    seen = {"crawler": "Googlebot", "ip_hash": f"{number:016x}", "seen_at": int(time.time())}
    return CrawlerSighting(**{**seen, **ip, **about})


def stored(database) -> dict[str, tuple[str, str]]:
    with database.read_session() as session:
        rows = session.scalars(select(CrawlerCheck))
        return {row.ip_hash[-2:]: (row.verification, row.method) for row in rows}


def waiting() -> int:
    return int(crawlers.redis_of_bytes().scard(SIGHTINGS))


@pytest.mark.each_database
def test_addresses_and_findings_are_stored_once(database, names):
    seen = [sighting(1), sighting(9), sighting(2, verification="spoofed", method="range")]
    for _ in range(2):
        assert crawler_sightings.add(crawlers.redis_of_bytes(), seen) == 0
        crawlers.verify_crawlers()
    assert stored(database) == {"01": ("verified", "name"), "09": ("claimed", "silent"), "02": ("spoofed", "range")}
    assert sorted(names.asked) == ["192.0.2.1", "192.0.2.9"]
    assert (waiting(), crawlers.redis_of_bytes().exists(SIGHTINGS_LOCK)) == (0, 0)


def test_the_name_server_of_the_setting_is_asked(database, worker, monkeypatch):
    name = "crawl-1.googlebot.com"
    server = NameServer({("1.2.0.192.in-addr.arpa", "PTR"): [f"{name}."], (name, "A"): ["192.0.2.1"]})
    monkeypatch.setenv("DNS_RESOLVER", "{}:{}".format(*server.address))
    crawlers._names.cache_clear()
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1), sighting(2)])
    crawlers.verify_crawlers()
    crawlers._names.cache_clear()
    server.close()
    assert stored(database) == {"01": ("verified", "name"), "02": ("spoofed", "name")}


def test_without_dns_an_address_is_forgotten(database, names, monkeypatch):
    monkeypatch.setenv("CRAWLER_DNS", "off")
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1)])
    crawlers.verify_crawlers()
    assert (stored(database), names.asked, waiting()) == ({}, [], 0)


def test_what_ranges_say_otherwise_counts_at_once(database, names):
    """A crawler whose operator has published more ranges is spoofed no more."""
    for verdict in ("spoofed", "verified", "verified"):
        crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1, verification=verdict, method="range")])
        crawlers.verify_crawlers()
        assert stored(database) == {"01": (verdict, "range")}


def test_without_a_name_server_sightings_wait(database, names, monkeypatch):
    def fail() -> None:
        raise OSError("the system names no name server")

    monkeypatch.setattr(crawlers, "_names", fail)
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1)])
    crawlers.verify_crawlers()
    assert (stored(database), waiting(), crawlers.redis_of_bytes().exists(SIGHTINGS_LOCK)) == ({}, 1, 0)


def test_only_one_worker_asks_at_a_time(database, names):
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1)])
    assert crawler_sightings.lock(crawlers.redis_of_bytes())
    crawlers.verify_crawlers()
    assert (stored(database), waiting()) == ({}, 1)
    # The one that holds the lock gives it back, nobody else.
    assert crawlers.redis_of_bytes().exists(SIGHTINGS_LOCK) == 1


def test_what_one_run_has_no_time_for_waits_while_it_is_young(database, names, monkeypatch):
    monkeypatch.setattr(crawler_checks, "RUN_S", -1.0)
    old = int(time.time()) - crawler_checks.HANDED_BACK_UNTIL_S
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1), sighting(2, seen_at=old)])
    crawlers.verify_crawlers()
    assert (stored(database), names.asked, waiting()) == ({}, [], 1)
    assert crawler_sightings.LIFE_S + crawler_checks.HANDED_BACK_UNTIL_S == 24 * 3_600


def test_sightings_are_bounded_and_end_with_the_first_of_them(names, monkeypatch):
    monkeypatch.setattr(crawler_sightings, "MAX_WAITING", 3)
    client = crawlers.redis_of_bytes()
    assert crawler_sightings.add(client, [sighting(number) for number in range(5)]) == 2
    client.expire(SIGHTINGS, 100)
    crawler_sightings.take(client, 1)
    assert crawler_sightings.add(client, [sighting(7)]) == 0
    assert 0 < client.ttl(SIGHTINGS) <= 100


@pytest.mark.parametrize(
    "text",
    [b"{", b"[]", b'{"v": 2, "crawler": "Googlebot"}', b'{"v": 1}', b"\xff"],
)
def test_what_this_build_cannot_read_is_dropped(database, names, text):
    crawlers.redis_of_bytes().sadd(SIGHTINGS, text)
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1)])
    crawlers.verify_crawlers()
    assert stored(database) == {"01": ("verified", "name")}


@pytest.mark.parametrize(
    "about",
    [{"crawler": "FooBot"}, {"verification": "true", "method": "range"}, {"address": "nowhere"}, {"crawler": "GPTBot"}],
    ids=str,
)
def test_nothing_is_stored_of_what_makes_no_sense(database, names, about):
    crawler_sightings.add(crawlers.redis_of_bytes(), [sighting(1, **about)])
    crawlers.verify_crawlers()
    assert (stored(database), waiting()) == ({}, 0)


def test_a_broker_that_is_away_is_logged(names, monkeypatch, caplog):
    monkeypatch.setattr(crawlers, "redis_of_bytes", lambda: Redis.from_url("redis://127.0.0.1:9/0"))
    crawlers.verify_crawlers()
    assert "are looked at by the next run" in caplog.text
