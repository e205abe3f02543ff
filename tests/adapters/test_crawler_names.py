"""DNS as it answers: names, lies, silence and failures, and how often it is asked."""

from ipaddress import ip_address

import dns.resolver
import pytest

from adapters import crawler_names
from adapters.crawler_names import DnsNames
from domain.crawlers.operators import crawlers
from domain.crawlers.verification import CrawlerVerification, Method, Silent, find_by_name
from tests.support.name_server import FAILING, SILENT, NameServer

FOUR, SIX = ip_address("66.249.66.1"), ip_address("2001:4860:4801:10::1")
PTR, PTR6 = "1.66.249.66.in-addr.arpa", ("1." + "0." * 15 + "0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa")
CRAWL = "crawl-66-249-66-1.googlebot.com"
VERIFIED, SPOOFED, CLAIMED = CrawlerVerification


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(round(seconds, 3))
        self.now += seconds


@pytest.fixture
def name_server(monkeypatch):
    """`name_server({...})` starts a server; nobody waits for its silence longer than a moment."""
    servers: list[NameServer] = []

    def start(records) -> NameServer:
        monkeypatch.setattr(crawler_names, "DEADLINE_S", 0.2 if SILENT in records.values() else 20.0)
        servers.append(NameServer(records))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


SITUATIONS = {
    "a name that leads back": ({(PTR, "PTR"): [f"{CRAWL}."], (CRAWL, "A"): [str(FOUR)]}, FOUR, VERIFIED, Method.NAME),
    "IPv6": ({(PTR6, "PTR"): [f"{CRAWL}."], (CRAWL, "AAAA"): [str(SIX)]}, SIX, VERIFIED, Method.NAME),
    "a lying name": ({(PTR, "PTR"): [f"{CRAWL}."], (CRAWL, "A"): ["192.0.2.1"]}, FOUR, SPOOFED, Method.NAME),
    "a name of IPv6": (
        {(PTR, "PTR"): [f"{CRAWL}."], (CRAWL, "AAAA"): [str(SIX)]},
        FOUR,
        SPOOFED,
        Method.NAME,
    ),
    "a name that does not exist": ({(PTR, "PTR"): [f"{CRAWL}."]}, FOUR, SPOOFED, Method.NAME),
    "evilgooglebot.com": (
        {(PTR, "PTR"): ["a.evilgooglebot.com."], ("a.evilgooglebot.com", "A"): [str(FOUR)]},
        *(FOUR, SPOOFED),
        Method.NAME,
    ),
    # One label with a dot in it, below com.
    "a dot within a label": ({(PTR, "PTR"): [r"evil\.googlebot.com."]}, FOUR, SPOOFED, Method.NAME),
    "no name": ({}, FOUR, SPOOFED, Method.NAME),
    "silence": ({(PTR, "PTR"): SILENT}, FOUR, CLAIMED, Method.SILENT),
    "silence about the name": ({(PTR, "PTR"): [f"{CRAWL}."], (CRAWL, "A"): SILENT}, FOUR, CLAIMED, Method.SILENT),
    "a server that fails": ({(PTR, "PTR"): FAILING}, FOUR, CLAIMED, Method.SILENT),
}


@pytest.mark.parametrize(("records", "address", "found", "method"), SITUATIONS.values(), ids=SITUATIONS)
def test_a_crawler_is_who_dns_says(name_server, records, address, found, method):
    names = DnsNames(name_server(records).address, sleep=lambda _seconds: None)
    assert find_by_name(crawlers()["Googlebot"], address, names) == (found, method)


def test_a_name_that_is_not_the_operators_is_asked_no_further(name_server):
    server = name_server({(PTR, "PTR"): ["host.example.net.", r"a\032b.example."]})
    names = DnsNames(server.address, sleep=lambda _seconds: None)
    assert names.names_of(FOUR) == ["host.example.net."]
    assert find_by_name(crawlers()["Googlebot"], FOUR, names).verification is SPOOFED
    assert set(server.asked) == {(PTR, "PTR")}


def test_questions_are_at_most_five_a_second(name_server):
    clock = Clock()
    names = DnsNames(name_server({}).address, clock, clock.sleep)
    for _ in range(5):
        names.names_of(FOUR)
    assert clock.pauses == [0.2] * 4
    clock.now += 0.05
    names.names_of(FOUR)
    assert clock.pauses[4:] == [0.15]


def test_without_a_server_of_its_own_that_of_the_system_is_asked(monkeypatch):
    made = []
    monkeypatch.setattr(dns.resolver, "Resolver", lambda **options: made.append(options))
    DnsNames(None)
    assert made == [{"configure": True}]


def test_a_server_that_is_not_there_is_silent():
    with pytest.raises(Silent):
        DnsNames(("127.0.0.1", 9), sleep=lambda _seconds: None).names_of(FOUR)
