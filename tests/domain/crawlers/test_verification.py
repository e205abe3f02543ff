"""Verified, spoofed or only claimed: by ranges, by names, and as it is stored."""

from datetime import timedelta
from ipaddress import ip_address

import pytest
from sqlalchemy import func, select

from domain.crawlers import verification
from domain.crawlers.operators import crawlers
from domain.crawlers.verification import (
    CheckedCrawler,
    CrawlerVerification,
    Finding,
    Method,
    Silent,
    find_by_name,
    find_in_ranges,
    has_suffix,
    verification_of,
    verifications_of,
)
from domain.tables import CrawlerCheck
from tests.domain.crawlers.lists import GOOGLE, OPENAI, ranges
from tests.support.factories import NOON

VERIFIED, SPOOFED, CLAIMED = CrawlerVerification
IN_RANGE, OUT_OF_RANGE = Finding(VERIFIED, Method.RANGE), Finding(SPOOFED, Method.RANGE)
BY_NAME, BY_NAME_SPOOFED = Finding(VERIFIED, Method.NAME), Finding(SPOOFED, Method.NAME)
A = "66.249.66.1"
SIX = "2001:4860:4801:10::1"


@pytest.mark.parametrize(
    ("crawler", "address", "lists", "asks_names", "finding"),
    [
        ("Googlebot", "66.249.64.1", [GOOGLE], True, IN_RANGE),
        ("Googlebot", SIX, [GOOGLE], False, IN_RANGE),
        # DNS decides, or nobody has asked it yet.
        ("Googlebot", "192.0.2.1", [GOOGLE], True, None),
        ("Googlebot", "192.0.2.1", [GOOGLE], False, None),
        ("GPTBot", "20.171.206.9", [OPENAI], True, IN_RANGE),
        ("GPTBot", "192.0.2.1", [OPENAI], True, OUT_OF_RANGE),
        ("GPTBot", "2001:db8::1", [OPENAI], False, OUT_OF_RANGE),
        # Its list was never fetched.
        ("GPTBot", "192.0.2.1", [], True, None),
        # One of its three lists is missing: the address may be in that one.
        ("Google-Agent", "192.0.2.1", [GOOGLE, OPENAI], True, None),
        ("Google-Agent", "192.0.2.1", [GOOGLE, OPENAI, OPENAI], True, OUT_OF_RANGE),
        ("Bytespider", "192.0.2.1", [], True, None),
    ],
)
def test_ranges_say_as_much_as_they_can(crawler, address, lists, asks_names, finding):
    stored = [ranges(*prefixes) for prefixes in lists]
    assert find_in_ranges(crawlers()[crawler], ip_address(address), stored, NOON, asks_names=asks_names) == finding


@pytest.mark.parametrize(("days", "finding"), [(30, OUT_OF_RANGE), (31, None)])
def test_a_list_of_over_30_days_ago_calls_nobody_spoofed(days, finding):
    lists = [ranges(*OPENAI, fetched_at=NOON - timedelta(days=days))]
    look = {"lists": lists, "at": NOON, "asks_names": False}
    assert find_in_ranges(crawlers()["GPTBot"], ip_address("192.0.2.1"), **look) == finding
    assert find_in_ranges(crawlers()["GPTBot"], ip_address("20.171.206.1"), **look) == IN_RANGE


class Names:
    """`names`: of addresses; `addresses`: of names; None: silence."""

    def __init__(self, names, addresses):
        self._names, self._addresses = names, addresses
        self.asked: list[str] = []

    def names_of(self, address):
        self.asked.append(str(address))
        return self._found(self._names.get(str(address), ()))

    def addresses_of(self, name, version):
        self.asked.append(name)
        found = [ip_address(text) for text in self._found(self._addresses.get(name, ()))]
        return [address for address in found if address.version == version]

    def _found(self, values):
        if values is None:
            raise Silent
        return values


CRAWL = "crawl-66-249-66-1.googlebot.com"
SITUATIONS = {
    "a name that leads back": ({A: [f"{CRAWL}."]}, {f"{CRAWL}.": [A]}, A, BY_NAME),
    "capital letters": ({A: [CRAWL.upper()]}, {CRAWL.upper(): [A]}, A, BY_NAME),
    "IPv6": ({SIX: [CRAWL]}, {CRAWL: [A, SIX]}, SIX, BY_NAME),
    "one of several names": ({A: ["a.example", CRAWL]}, {CRAWL: [A]}, A, BY_NAME),
    "a lying name": ({A: [CRAWL]}, {CRAWL: ["66.249.66.2"]}, A, BY_NAME_SPOOFED),
    "a name that leads nowhere": ({A: [CRAWL]}, {}, A, BY_NAME_SPOOFED),
    "a name that leads back in the other version alone": ({SIX: [CRAWL]}, {CRAWL: [A]}, SIX, BY_NAME_SPOOFED),
    "somebody else's name": ({A: ["host.example.net"]}, {"host.example.net": [A]}, A, BY_NAME_SPOOFED),
    "evilgooglebot.com": ({A: ["crawl.evilgooglebot.com"]}, {"crawl.evilgooglebot.com": [A]}, A, BY_NAME_SPOOFED),
    "googlebot.com in front": (
        {A: ["googlebot.com.a.example"]},
        {"googlebot.com.a.example": [A]},
        A,
        BY_NAME_SPOOFED,
    ),
    "no name": ({}, {}, A, BY_NAME_SPOOFED),
    "silence about the address": ({A: None}, {}, A, Finding(CLAIMED, Method.SILENT)),
    "silence about the name": ({A: [CRAWL]}, {CRAWL: None}, A, Finding(CLAIMED, Method.SILENT)),
}


@pytest.mark.parametrize(("names", "addresses", "address", "finding"), SITUATIONS.values(), ids=SITUATIONS)
def test_a_name_must_be_the_operators_and_lead_back(names, addresses, address, finding):
    assert find_by_name(crawlers()["Googlebot"], ip_address(address), Names(names, addresses)) == finding


def test_nobody_is_asked_about_more_than_three_names():
    many = [f"crawl-{number}.googlebot.com" for number in range(1_000)]
    names = Names({A: many}, {name: ["192.0.2.1"] for name in many})
    assert find_by_name(crawlers()["Googlebot"], ip_address(A), names) == BY_NAME_SPOOFED
    assert names.asked == [A, *many[:3]]


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("crawl-1.googlebot.com", True),
        ("crawl-1.googlebot.com.", True),
        ("a.b.GoogleBot.com", True),
        ("googlebot.com", True),
        ("evilgooglebot.com", False),
        ("evil-googlebot.com", False),
        ("googlebot.com.br", False),
        ("com", False),
        ("", False),
    ],
)
def test_a_suffix_begins_at_the_edge_of_a_label(name, fits):
    assert has_suffix(name, ("googlebot.com",)) is fits


def checked(number: int, finding: Finding, crawler: str = "Googlebot") -> CheckedCrawler:
    return CheckedCrawler(crawler, f"{number:016x}", finding)


@pytest.mark.each_database
def test_what_was_found_last_is_what_counts_also_when_it_has_expired(database):
    pairs = [("Googlebot", f"{number:016x}") for number in range(3)]
    stored = [checked(0, BY_NAME), checked(1, BY_NAME_SPOOFED)]
    database.write_sync(verification.store_checks, stored, NOON)
    with database.read_session() as session:
        expected = dict(zip(pairs, (VERIFIED, SPOOFED, CLAIMED), strict=True))
        assert verifications_of(session, pairs) == expected
        assert verification_of(session, *pairs[1]) is SPOOFED
        # Another crawler from the same address is another question.
        assert verification_of(session, "bingbot", pairs[0][1]) is CLAIMED
        days = {0: set(), 1: {pairs[1]}, 7: {pairs[0], pairs[1]}}
        for after, expected_pairs in days.items():
            at = NOON + timedelta(days=after)
            assert verification.expired(session, pairs, at) == {pairs[2]} | expected_pairs
    database.write_sync(verification.store_checks, [checked(0, OUT_OF_RANGE)], NOON + timedelta(days=8))
    with database.read_session() as session:
        assert verification_of(session, *pairs[0]) is SPOOFED
        assert session.scalar(select(func.count()).select_from(CrawlerCheck)) == 2


def test_silence_is_asked_again_after_an_hour(session):
    silent = checked(0, Finding(CLAIMED, Method.SILENT))
    verification.store_checks(session, [silent], NOON)
    pair = [("Googlebot", silent.ip_hash)]
    assert verification.expired(session, pair, NOON + timedelta(minutes=59)) == set()
    assert verification.expired(session, pair, NOON + timedelta(hours=1)) == set(pair)


@pytest.mark.each_database
def test_many_pairs_are_read_and_old_ones_deleted_in_parts(database):
    stored = [checked(number, BY_NAME) for number in range(700)]
    database.write_sync(verification.store_checks, stored, NOON)
    database.write_sync(verification.store_checks, [checked(1, BY_NAME)], NOON + timedelta(days=1))
    with database.read_session() as session:
        found = verifications_of(session, [("Googlebot", f"{number:016x}") for number in range(701)])
        assert list(found.values()).count(VERIFIED) == 700
    deleted = [database.write_sync(verification.delete_old, NOON + timedelta(hours=1), 600) for _ in range(3)]
    assert deleted == [600, 99, 0]
