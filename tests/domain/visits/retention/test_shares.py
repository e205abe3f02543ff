"""Neither a day that cannot be computed nor days that stay open keep a run from the rest of its work."""

from datetime import timedelta

import pytest

from domain.search import query_log
from domain.visits.raw.local_days import DayRules
from domain.visits.retention import deleting, due_days, finalising, run
from domain.visits.retention.finalising import OpenReason
from domain.visits.retention.periods import Periods
from domain.visits.retention.run import Retention
from tests.domain.visits.retention.test_retention import tamper
from tests.domain.visits.retention.worlds import (
    AT,
    COUNTS,
    DAYS,
    ONE_DAY,
    PERIODS,
    final_days,
    retain,
    visits_by_day,
)


def failing_of(day, function, place: int):
    """`function`, which fails when its argument at `place` is this day."""

    def fail(*args):
        if args[place] == day:
            raise ValueError("a row that nobody expects")
        return function(*args)

    return fail


def test_a_day_that_cannot_be_computed_stays_and_the_others_become_final(filled, monkeypatch, caplog):
    with filled.write_session() as session:
        query_log.log_query(session, "old", 1, "exact", AT - timedelta(days=11))
    monkeypatch.setattr(finalising, "compute", failing_of(DAYS[0], finalising.compute, 1))
    report = retain(filled)
    assert report.open_days == [(0, DAYS[0], OpenReason.FAILED)]
    assert final_days(filled) == DAYS[1:4]
    # Those of the day after are needed for it.
    assert visits_by_day(filled).keys() == {*DAYS[:2], *DAYS[3:]}
    assert (report.visits, report.searches) == (COUNTS[2], 1)
    assert "a row that nobody expects" in caplog.text
    monkeypatch.undo()
    assert (retain(filled).open_days, visits_by_day(filled).keys()) == ([], set(DAYS[3:]))


def test_a_day_whose_visits_cannot_be_deleted_stops_no_other(filled, monkeypatch):
    monkeypatch.setattr(deleting, "delete_visits", failing_of(DAYS[0], deleting.delete_visits, 2))
    assert retain(filled).open_days == [(0, DAYS[0], OpenReason.FAILED)]
    assert visits_by_day(filled).keys() == {DAYS[0], *DAYS[3:]}


@pytest.fixture
def clock(monkeypatch):
    """A clock on which each attempt to make a day final takes 7 seconds, and nothing else takes any time."""
    now = [0.0]

    def slow(self, report, site, day) -> None:
        now[0] += 7

    monkeypatch.setattr(run.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(Retention, "_finalise", slow)
    return now


def test_days_that_become_final_slowly_leave_time_to_delete(filled, clock):
    finalised(filled)
    report = retain(filled, AT + 2 * ONE_DAY, run_s=12.0)
    assert (report.visits, report.is_whole, clock) == (sum(COUNTS[:3]) + 2, False, [7.0])


def finalised(database) -> None:
    """The first four days."""
    finaliser = finalising.Finaliser(database, DayRules(), Periods(0, 10), lambda: AT)
    assert [finaliser.finalise(day, 0) for day in DAYS[:4]] == [None] * 4


def test_days_that_stay_open_are_tried_after_the_others(filled):
    tamper(filled)
    retain(filled)
    with filled.read_session() as session:
        days = due_days.days_to_finalise(session, 0, DayRules(), PERIODS, AT + ONE_DAY)
    assert days == [DAYS[4], DAYS[1]]
