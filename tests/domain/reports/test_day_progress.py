"""How far the days that a report reads have been computed, in numbers and in words."""

from datetime import date, timedelta

import pytest
from sqlalchemy import insert, update

from domain.reports.visit_reports.day_progress import DayProgress, read_progress, report_progress
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import VisitRollup
from domain.visits.days import storage
from domain.visits.raw.local_days import DayRules
from tests.support.factories import NOON

TODAY = NOON.date()
RULES = DayRules()


def day(number: int) -> date:
    """The first is ten days ago."""
    return TODAY - timedelta(days=10 - number)


def days(*numbers: int) -> tuple[date, ...]:
    return tuple(map(day, numbers))


def progress_of(waiting: tuple[int, ...], unknown: tuple[int, ...], since: int, until: int, **others: DayProgress):
    own = DayProgress(days(*range(10)), days(*waiting), frozenset(days(*unknown)))
    return report_progress({"visits": own, **others}, [Span(day(since), day(until))])


CASES = [
    # Days that wait, those of them without figures, the period; what waits in it, partial, blank.
    ("nothing waits", (), (), (0, 9), None),
    ("only other days wait", (8, 9), (8, 9), (0, 7), None),
    ("some days wait", (8, 9), (8, 9), (7, 8), ((8,), True, False)),
    ("no day is known", (7, 8, 9), (7, 8, 9), (7, 9), ((7, 8, 9), True, True)),
    ("figures of earlier rules are shown", (7, 8, 9), (), (7, 9), ((7, 8, 9), True, False)),
]


@pytest.mark.parametrize(
    ("waiting", "unknown", "period", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_a_report_waits_for_its_own_days(waiting, unknown, period, expected):
    found = progress_of(waiting, unknown, *period)
    assert (found and (found.waiting, found.is_partial, found.is_blank)) == (
        expected and (days(*expected[0]), *expected[1:])
    )


def test_what_led_to_orders_waits_for_earlier_days_of_visits_too():
    computed = DayProgress(days(8, 9))
    assert progress_of((2,), (2,), 8, 9) is None
    found = progress_of((2,), (2,), 8, 9, credits=computed)
    assert (found.waiting, found.is_partial, found.is_blank) == (days(2), False, False)


@pytest.mark.parametrize(
    ("waiting", "groups"),
    [((1,), 1), ((1, 2, 3), 1), ((1, 3, 4, 6), 3), ((1, 3, 5, 7), None)],
)
def test_days_in_a_row_are_named_as_one_group_and_many_groups_by_their_number(waiting, groups):
    text = progress_of(waiting, (), 0, 9).text
    names = text.partition(": ")[2].removesuffix(". The page follows by itself.")
    # The day of a month is followed by a comma too.
    assert (
        names.startswith("4 days between") if groups is None else names.count(", 2026") - names.count(" to ") == groups
    )


@pytest.mark.each_database
def test_a_new_day_that_waits_for_its_first_computation_is_no_reason_to_say_so(database):
    version = storage.rules_version(RULES)
    row = {"site": 0, "visits": 0, "digest": "", "lease_token": "", "duration_ms": 0, "zone": "UTC"}
    with database.write_session() as session:
        rows = [{**row, "day": day(number), "rules_version": version, "built_at": NOON} for number in (8, 9)]
        session.execute(insert(VisitRollup), [*rows, {**row, "day": TODAY, "rules_version": "", "built_at": None}])
    with database.read_session() as session:
        assert read_progress(session, ("visits",), RULES, NOON)["visits"] == DayProgress((*days(8, 9), TODAY))
    with database.write_session() as session:
        session.execute(update(VisitRollup).where(VisitRollup.day == day(8)).values(rules_version="1/1/300/30"))
    with database.read_session() as session:
        found = read_progress(session, ("visits",), RULES, NOON)["visits"]
    assert (found.waiting, found.unknown) == ((day(8), TODAY), frozenset((TODAY,)))
