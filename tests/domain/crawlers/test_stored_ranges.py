"""Stored lists: taken over, refused when they shrink, and shown with their age."""

from datetime import timedelta
from ipaddress import ip_address

import pytest

from domain.crawlers import stored_ranges
from domain.crawlers.operators import published_lists
from domain.crawlers.ranges import PublishedList
from domain.crawlers.stored_ranges import ListChange
from domain.errors import Refused
from domain.tables import CrawlerRanges
from tests.support.factories import NOON

FOUR = tuple(f"66.249.{number}.0/24" for number in range(4))


def store(database, prefixes, days: int = 0, *, is_forced: bool = False) -> ListChange:
    at = NOON + timedelta(days=days)

    def write(session) -> ListChange:
        found = PublishedList(tuple(prefixes), NOON)
        return stored_ranges.store_list(session, "google-common", found, at, is_forced=is_forced)

    change: ListChange = database.write_sync(write)
    return change


@pytest.mark.each_database
def test_a_list_is_stored_with_its_date_and_replaced(database):
    assert store(database, FOUR) == (0, 4, 4, 0)
    assert store(database, [*FOUR[1:], "2001:4860:4801:10::/64"], days=1) == (4, 4, 1, 1)
    with database.read_session() as session:
        versions, lists = stored_ranges.read_lists(session)
        assert versions == stored_ranges.versions(session)
    found = lists["google-common"]
    assert found.fetched_at == NOON + timedelta(days=1)
    assert [found.has(ip_address(text)) for text in ("66.249.0.1", "66.249.1.1", "2001:4860:4801:10::1")] == [
        *(False, True),
        True,
    ]


@pytest.mark.each_database
def test_a_list_that_lost_half_of_its_ranges_is_refused_and_changes_nothing(database):
    store(database, FOUR)
    with pytest.raises(Refused, match="It has 2 ranges instead of 4; --force"):
        store(database, FOUR[:2], days=1)
    with database.read_session() as session:
        row = session.get(CrawlerRanges, "google-common")
        assert (row.fetched_at, len(stored_ranges.all_states(session))) == (NOON, len(published_lists()))
    assert store(database, FOUR[:3], days=1) == (4, 3, 0, 1)
    assert store(database, FOUR[:1], days=2, is_forced=True) == (3, 1, 0, 2)


@pytest.mark.mariadb
def test_a_list_of_more_than_64_kib_is_stored_whole(mariadb_database):
    many = [f"66.{high}.{low}.0/24" for high in range(64) for low in range(256)]
    assert store(mariadb_database, many).after == 16_384
    with mariadb_database.read_session() as session:
        assert stored_ranges.read_lists(session)[1]["google-common"].has(ip_address("66.63.255.9"))


def test_lists_are_shown_with_their_crawlers_also_those_never_fetched_and_those_nobody_has_any_more(session):
    session.add(CrawlerRanges(name="former", fetched_at=NOON, prefixes='["66.249.64.0/27"]', digest="0" * 64))
    session.flush()
    states = {state.name: state for state in stored_ranges.all_states(session)}
    assert set(states) == {"former", *published_lists()}
    assert (states["former"].address, states["former"].crawlers, states["former"].ranges) == ("", (), 1)
    assert states["apple"].crawlers == ("Applebot",)
    assert (states["apple"].fetched_at, states["apple"].is_old(NOON)) == (None, False)
    late = NOON + timedelta(days=30, seconds=1)
    assert [states["former"].is_old(at) for at in (late - timedelta(seconds=1), late)] == [False, True]
