"""Queries without success of a period, against a plain count of the stored rows: found by their keys where they are
few, and by reading the whole period where they are many."""

from collections import defaultdict
from datetime import date, timedelta
from random import Random

import pytest
from sqlalchemy import insert

from domain.reports.searches import gaps, sums
from domain.reports.searches.gap_kinds import GapKind
from domain.reports.searches.gaps import GapPeriod
from domain.reports.searches.sums import Days
from domain.tables import SearchDay
from domain.visits.raw.local_days import DayRules

FIRST = date(2026, 3, 1)
LAST = FIRST + timedelta(days=29)
PERIOD = Days(FIRST + timedelta(days=5), LAST)


def random_days(chance: Random) -> list[dict]:
    """Searches of 60 queries: some find nothing, some did once, some are never followed."""
    rows = []
    for number in range(30):
        for query in chance.sample(range(60), 25):
            searches = chance.randrange(1, 4)
            in_sessions = chance.randrange(searches + 1)
            is_empty = query % 7 == 0 or (query % 5 == 0 and chance.random() < 0.3)
            followed = 0 if is_empty or query % 3 == 0 else chance.randrange(in_sessions + 1)
            about = {"query": f"words {query}", "searches": searches, "in_sessions": in_sessions, "followed": followed}
            about |= {"no_results": searches if is_empty else 0, "last_results": 0 if is_empty else 4}
            rows.append({"day": FIRST + timedelta(days=number), **about, "abandoned": in_sessions - followed})
    # A query of two days, which found something on the first.
    once = {"query": "found no more", "searches": 1, "in_sessions": 1, "followed": 0, "abandoned": 1}
    rows.append({"day": PERIOD.since, **once, "no_results": 0, "last_results": 4})
    rows.append({"day": LAST, **once, "no_results": 1, "last_results": 0})
    # What is too rare to be stored is no query.
    rare = dict.fromkeys(("searches", "no_results", "in_sessions"), 9)
    return [*rows, {"day": LAST, "query": "", **rare, "followed": 0, "abandoned": 0, "last_results": 0}]


def plain_gaps(rows: list[dict]) -> dict[GapKind, dict[str, tuple]]:
    by_query = defaultdict(list)
    for row in rows:
        if PERIOD.since <= row["day"] <= PERIOD.until and row["query"]:
            by_query[row["query"]].append(row)
    empty, unfollowed = {}, {}
    for query, own in by_query.items():
        total = {name: sum(row[name] for row in own) for name in sums.COUNTS}
        finds = max(own, key=lambda row: row["day"])["last_results"]
        if finds == 0 and total["searches"] >= 2:
            empty[query] = tuple(total.values())
        elif finds > 0 and total["in_sessions"] >= 5 and total["followed"] == 0:
            unfollowed[query] = tuple(total.values())
    return {GapKind.NO_RESULTS: empty, GapKind.NOT_FOLLOWED: unfollowed}


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("max_keys", "last_days"),
    [(60_000, 6), (25 * 30, 0), (0, 6)],
    ids=["few", "too many in the period", "too many in the last days"],
)
def test_gaps_of_searches_are_those_of_a_plain_count(database, monkeypatch, max_keys, last_days):
    monkeypatch.setattr(sums, "MAX_KEYS", max_keys)
    monkeypatch.setattr(sums, "LAST_DAYS", timedelta(days=last_days))
    rows = random_days(Random(7))
    with database.write_session() as session:
        session.execute(insert(SearchDay), rows)
    with database.read_session() as session:
        found = gaps.find(session, GapPeriod(PERIOD, LAST, DayRules()))
    expected = plain_gaps(rows)
    assert {kind: len(of_kind) for kind, of_kind in expected.items()} == {
        GapKind.NO_RESULTS: 14,
        GapKind.NOT_FOLLOWED: 16,
    }
    for kind, of_kind in expected.items():
        assert {gap.key: tuple(gap.sums.values()) for gap in found[kind]} == of_kind
