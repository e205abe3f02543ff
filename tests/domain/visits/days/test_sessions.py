"""Sessions are cut after more than 30 minutes and at local midnight, and go on over midnight with their source."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.visits.days import sessions
from domain.visits.days.compute import compute
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import DayRules
from tests.domain.visits.days.worlds import DAY, MIDNIGHT, NOON, add, link, visit

RULES = DayRules()
IDLE = timedelta(minutes=30)
MICROSECOND = timedelta(microseconds=1)


def sums(session, dimension: str, day: date = DAY, rules: DayRules = RULES) -> dict[str, tuple[int, int]]:
    """Key -> visits and sessions of people."""
    rows = compute(session, day, rules).days
    return {key.key: (row[0], row[1]) for key, row in rows if key.dimension == dimension and key.audience == "people"}


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        pytest.param([IDLE], 1, id="exactly 30 minutes"),
        pytest.param([IDLE + MICROSECOND], 2, id="a microsecond more"),
        pytest.param([IDLE, IDLE, IDLE], 1, id="30 minutes each, 90 in all"),
        pytest.param([timedelta(0), IDLE + MICROSECOND, timedelta(0)], 2, id="two visits at the same time"),
    ],
)
def test_a_session_ends_when_the_next_visit_comes_more_than_30_minutes_later(session, gaps, expected):
    times = [NOON]
    for gap in gaps:
        times.append(times[-1] + gap)
    add(session, *(visit(number, at) for number, at in enumerate(times, 1)))
    assert sums(session, "all") == {"(all)": (len(times), expected)}


@pytest.mark.each_database
def test_ids_that_differ_in_case_alone_are_two_sessions(session):
    add(session, visit(1, NOON, session_id="a"), visit(2, NOON, session_id="A"))
    assert sums(session, "all") == {"(all)": (2, 2)}


def test_a_visit_without_a_session_counts_in_visits_alone(session):
    add(session, visit(1, NOON), visit(2, NOON, session_id=""))
    assert sums(session, "all") == {"(all)": (2, 1)}
    assert sums(session, "channel") == {"direct": (1, 1), "(without session)": (1, 0)}


@pytest.mark.each_database
def test_a_session_is_cut_at_local_midnight_and_keeps_its_source_and_attribution(session):
    add(
        session,
        visit(1, MIDNIGHT - timedelta(minutes=10), "/?utm_source=news&utm_medium=email"),
        visit(2, MIDNIGHT + timedelta(minutes=20)),
        visit(3, MIDNIGHT + timedelta(minutes=51)),
    )
    assert sums(session, "all", DAY - timedelta(days=1)) == {"(all)": (1, 1)}
    assert sums(session, "channel") == {"email": (1, 1), "direct": (1, 1)}


@pytest.mark.parametrize(
    ("before", "after"),
    [(timedelta(minutes=1), timedelta(minutes=29, seconds=1)), (timedelta(minutes=31), timedelta(0))],
)
def test_a_session_that_pauses_longer_over_midnight_begins_anew(session, before, after):
    add(session, visit(1, MIDNIGHT - before, "/?utm_source=news"), visit(2, MIDNIGHT + after))
    assert sums(session, "channel") == {"direct": (1, 1)}


def test_a_link_belongs_to_the_session_of_the_first_visit_that_refers_to_it(session):
    first = visit(2, NOON + timedelta(seconds=2), session_id="a", referral_id=link(1, NOON, "/s")["event_id"])
    second = visit(3, NOON + timedelta(seconds=9), session_id="b", referral_id=first["referral_id"])
    add(session, link(1, NOON, "/s?n=S-1"), second, first)
    assert sums(session, "channel") == {"student": (2, 1), "direct": (1, 1)}
    assert sums(session, "landing") == {"/": (3, 2)}


def test_a_link_just_before_midnight_is_of_the_session_after_it(session):
    """Its own day has it in a session, and the next goes on with its source."""
    add(
        session,
        link(1, MIDNIGHT - timedelta(seconds=5), "/s?n=S-1"),
        visit(2, MIDNIGHT + timedelta(seconds=5), referral_id=link(1, NOON, "/s")["event_id"]),
    )
    assert sums(session, "channel", DAY - timedelta(days=1)) == {"student": (1, 1)}
    assert sums(session, "channel") == {"student": (1, 1)}


def test_a_forged_reference_takes_over_no_visit_of_a_session(session):
    add(session, visit(1, NOON, session_id="a"), visit(2, NOON, session_id="b", referral_id=visit(1, NOON)["event_id"]))
    assert sums(session, "all") == {"(all)": (2, 2)}


@pytest.mark.each_database
@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 6, 1), 24)])
def test_a_day_has_the_hours_of_its_zone(session, day, hours):
    rules, zone = DayRules("Europe/Berlin"), ZoneInfo("Europe/Berlin")
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    # One visit each half hour, from an hour before to an hour after the day; each with a session of its own.
    times = [start.astimezone(MIDNIGHT.tzinfo) + timedelta(minutes=30 * step) for step in range(-2, 2 * hours + 2)]
    add(session, *(visit(number, at, session_id=f"s{number}") for number, at in enumerate(times, 1)))
    assert sums(session, "all", day, rules) == {"(all)": (2 * hours, 2 * hours)}


def test_sessions_are_in_the_order_of_time_and_event(session):
    add(session, visit(2, NOON), visit(1, NOON), visit(3, NOON - MICROSECOND))
    grouped, alone = sessions.by_session(day_rows.rows_of(session, RULES.window(DAY)))
    assert [int(row.event_id[-1]) for row in grouped["a"]] == [3, 1, 2]
    assert alone == []
