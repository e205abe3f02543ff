"""The log of searches is deleted by the day, once the day has counted it; what is rare goes with it."""

import pytest
from sqlalchemy import func, select, update

from domain import fault_points
from domain.search import query_log
from domain.tables import SearchPurchase, SearchQuery, VisitRollup
from domain.visits.days import storage
from domain.visits.days.storage import DayLease
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.dry_run import dry_run
from domain.visits.retention.periods import Periods
from domain.visits.stored_days import demand_rows
from domain.visits.stored_days.day_rows import is_intact, rollup_of
from domain.visits.stored_days.demand_keys import SearchDayRow, without_rare
from tests.domain.visits.days.worlds import DAY, MIDNIGHT, NOON, builder
from tests.domain.visits.retention.worlds import AT, DAYS, MINUTE, ONE_DAY, PERIODS, retain

FOREVER = Periods(0, 0)
AFTER_90_DAYS = MIDNIGHT + 91 * ONE_DAY


def log(database, *texts: str, at=NOON) -> None:
    with database.write_session() as session:
        for number, text in enumerate(texts):
            query_log.log_query(session, text, 1, "exact", at + number * MINUTE)


def stored(database, day=DAY) -> list[SearchDayRow]:
    with database.read_session() as session:
        return demand_rows.stored_searches(session, day)


def logged(database) -> int:
    with database.read_session() as session:
        return session.scalar(select(func.count()).select_from(SearchQuery)) or 0


def is_proved(database, day=DAY) -> bool:
    with database.read_session() as session:
        row = rollup_of(session, day)
        return row is not None and is_intact(session, row)


def test_rare_queries_become_one_row_and_the_sums_stay():
    rows = [
        SearchDayRow("a", 3, 1, 2, 1, 1, 5),
        SearchDayRow("b", 2, 2, 1, 0, 1, 0),
        SearchDayRow("c", 1, 0, 1, 1, 0, 9),
    ]
    expected = [SearchDayRow("", 3, 2, 2, 1, 1, 0), rows[0]]
    assert without_rare(rows) == expected
    assert without_rare(expected) == expected
    assert without_rare(rows[:1]) == rows[:1]
    assert without_rare([]) == []


@pytest.mark.each_database
@pytest.mark.parametrize(("periods", "at"), [(PERIODS, AT), (FOREVER, AFTER_90_DAYS)])
def test_a_log_is_deleted_once_its_day_has_counted_it_and_only_frequent_queries_outlive_it(filled, periods, at):
    log(filled, "vat", "vat", "vat", "rare", "rarer", "rarer")
    log(filled, "new", at=at - ONE_DAY)
    builder(filled, at).build_due()
    with filled.write_session() as session:
        for query in ("vat", "rarer"):
            session.add(SearchPurchase(day=DAY, query=query, product_id=7, buyers=1))
    before = stored(filled)
    assert [row.query for row in before] == ["rare", "rarer", "vat"]
    assert retain(filled, at, periods).searches == 6
    assert stored(filled) == [SearchDayRow("", 3, 0, 0, 0, 0, 0), SearchDayRow("vat", 3, 0, 0, 0, 0, 1)]
    assert logged(filled) == 1
    with filled.read_session() as session:
        assert session.scalars(select(SearchPurchase.query)).all() == ["vat"]
    assert retain(filled, at, periods).searches == 0


@pytest.mark.each_database
def test_the_digest_follows_and_a_day_that_stays_open_is_computed_to_the_same(filled):
    log(filled, "vat", "vat", "vat", "rare")
    builder(filled, AFTER_90_DAYS).build_due()
    assert retain(filled, AFTER_90_DAYS, FOREVER).searches == 4
    kept = stored(filled)
    assert is_proved(filled)
    builder(filled, AFTER_90_DAYS).build(DAY)
    assert (stored(filled), is_proved(filled)) == (kept, True)
    assert builder(filled, AFTER_90_DAYS).is_stored(DAY)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"dirty_at": NOON}, "to be computed again"),
        ({"rules_version": "0/0"}, "computed by other rules"),
        ({"built_at": NOON}, "not over when it was computed"),
        ({"lease_until": AFTER_90_DAYS + MINUTE}, "being computed"),
    ],
)
def test_a_log_that_its_day_has_not_counted_stays(filled, values, why):
    log(filled, "vat")
    builder(filled, AFTER_90_DAYS).build_due()
    with filled.write_session() as session:
        session.execute(update(VisitRollup).where(VisitRollup.day == DAY).values(values))
    assert (retain(filled, AFTER_90_DAYS, FOREVER).searches, logged(filled)) == (0, 1), why


def test_a_search_that_came_late_keeps_the_log_until_it_is_counted(filled):
    log(filled, "vat")
    builder(filled, AFTER_90_DAYS).build_due()
    log(filled, "late")
    assert retain(filled, AFTER_90_DAYS, FOREVER).searches == 0
    builder(filled, AFTER_90_DAYS).build(DAY)
    assert retain(filled, AFTER_90_DAYS, FOREVER).searches == 2


def test_days_with_searches_and_without_visits_are_computed_and_lose_their_log(database):
    log(database, "vat", at=NOON)
    builder(database, AFTER_90_DAYS).build_due()
    assert (retain(database, AFTER_90_DAYS, FOREVER).searches, logged(database)) == (1, 0)
    assert stored(database) == [SearchDayRow("", 1, 0, 0, 0, 0, 0)]


def test_a_killed_run_goes_on_where_it_stopped(filled, monkeypatch):
    log(filled, "vat", "vat", "vat", "rare")
    builder(filled, AFTER_90_DAYS).build_due()

    def stop(point: str) -> None:
        if point == "retention.queries":
            raise KeyboardInterrupt

    monkeypatch.setattr(fault_points, "hit", stop)
    with pytest.raises(KeyboardInterrupt):
        retain(filled, AFTER_90_DAYS, FOREVER)
    assert (logged(filled), len(stored(filled))) == (4, 2)
    monkeypatch.undo()
    assert retain(filled, AFTER_90_DAYS, FOREVER).searches == 4
    assert len(stored(filled)) == 2


def test_who_computed_the_day_meanwhile_brings_no_rare_query_back(filled):
    """The lease has ended long ago, and the process comes back."""
    log(filled, "rare")
    days = builder(filled, AFTER_90_DAYS)
    days.build_due()
    lease = DayLease(DAY, "slow", AFTER_90_DAYS - ONE_DAY)
    assert filled.write_sync(storage.take, lease)
    computed = days.compute(DAY)
    assert retain(filled, AFTER_90_DAYS, FOREVER).searches == 1
    with pytest.raises(storage.LeaseLost):
        filled.write_sync(storage.store, lease, computed, DayRules(), AFTER_90_DAYS)
    assert [row.query for row in stored(filled)] == [""]


def test_a_dry_run_says_how_many_would_go(filled):
    log(filled, "vat", "rare")
    log(filled, "new", at=AFTER_90_DAYS)
    builder(filled, AFTER_90_DAYS).build_due()
    with filled.read_session() as session:
        assert dry_run(session, DayRules(), FOREVER, AFTER_90_DAYS).searches == 2


def test_the_log_of_final_days_goes_with_their_visits(filled):
    log(filled, "old", at=NOON)
    log(filled, "kept", at=NOON + 5 * ONE_DAY)
    builder(filled, AT).build_due()
    assert retain(filled).searches == 1
    assert is_proved(filled, DAYS[0])
    assert logged(filled) == 1
