"""A month of visits against a plain oracle: every figure of every dimension and day, also over the days on which clocks
change; a few days of them on both databases."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.visits.days import compute as computing
from domain.visits.days.compute import compute
from domain.visits.days.figures import HOURLY
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days.keys import NAMES
from tests.domain.visits.days import oracle
from tests.domain.visits.days.month import Month, shop

# With the 29th of March, 23 hours in Berlin; and the 25th of October, 25.
PERIODS = [
    ("UTC", date(2026, 3, 2), 30),
    ("Europe/Berlin", date(2026, 3, 24), 10),
    ("Europe/Berlin", date(2026, 10, 20), 10),
]
KEYS = 7
BY_SESSION = {
    *("channel", "source", "campaign", "landing", "referrer", "engine", "assistant", "coupon", "special", "student"),
    *("partner", "device", "agent"),
}


def midnight(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def fill(session, zone: str, start: date, days: int):
    """The session, the visits, the rules, and the days."""
    month = Month(shop(session), midnight(start, zone), days)
    month.add_to(session)
    return session, month, DayRules(zone, KEYS), [start + timedelta(days=number) for number in range(days)]


@pytest.fixture(params=PERIODS, ids=lambda value: f"{value[0]} {value[1]}")
def filled(request, session):
    return fill(session, *request.param)


@pytest.fixture
def few_days(session):
    return fill(session, "UTC", date(2026, 3, 2), 6)


def test_every_figure_of_a_month_is_the_oracles(filled):
    compare(filled)


@pytest.mark.each_database
def test_every_figure_of_a_few_days_is_the_oracles(few_days):
    compare(few_days)


def compare(filled):
    session, month, rules, days = filled
    for day in days:
        expected = oracle.day_of(
            month.known, midnight(day, rules.zone), midnight(day + timedelta(days=1), rules.zone), KEYS
        )
        assert {tuple(key): row for key, row in compute(session, day, rules).days} == expected, day


def test_the_values_of_every_dimension_by_session_add_up_to_all(few_days):
    session, _, rules, days = few_days
    for day in days:
        sums: dict[tuple[str, str], list[int]] = {}
        for key, row in compute(session, day, rules).days:
            total = sums.setdefault((key.audience, key.dimension), [0] * len(NAMES))
            total[:] = [one + other for one, other in zip(total, row, strict=True)]
        assert {sums[audience, name] == sums[audience, "all"] for audience, name in sums if name in BY_SESSION} == {
            True
        }


def test_the_hours_of_a_day_add_up_to_the_day(few_days):
    """But for the distinct sessions of a page, which may have it in two hours."""
    session, _, rules, days = few_days
    for day in days:
        computed = compute(session, day, rules)
        sums: dict[tuple[str, ...], list[int]] = {}
        for key, row in computed.hours:
            total = sums.setdefault((key.dimension, key.audience, key.key), [0] * len(NAMES))
            total[:] = [one + other for one, other in zip(total, row, strict=True)]
        expected = {tuple(key): row for key, row in computed.days if key.dimension in HOURLY}
        assert {key: row[:1] if key[0] == "page" else row for key, row in sums.items()} == {
            key: row[:1] if key[0] == "page" else row for key, row in expected.items()
        }


def test_a_day_that_is_read_in_parts_is_the_same(few_days, monkeypatch):
    session, _, rules, days = few_days
    whole = [compute(session, day, rules) for day in days]
    monkeypatch.setattr(computing, "PART_VISITS", 20)
    assert [compute(session, day, rules) for day in days] == whole


def test_values_beyond_the_most_visited_are_one_row(few_days):
    session, _, rules, days = few_days
    keys: dict[str, set[str]] = {}
    for key, _row in compute(session, days[0], rules).days:
        keys.setdefault(key.dimension, set()).add(key.key)
    folded = {name: len(found) for name, found in keys.items() if "(other)" in found}
    assert set(folded.values()) == {KEYS + 1}
    assert {"landing", "path", "page", "channel"} <= set(folded)


@pytest.mark.parametrize(
    ("module", "name", "removed"),
    [
        pytest.param(computing, "_sessions_before", lambda *_args: {}, id="going on over midnight"),
        pytest.param(computing, "orders_of", lambda *_args: {}, id="orders"),
        pytest.param(computing, "OTHER", "(rest)", id="the name of what is folded"),
        pytest.param(day_rows, "_sessions_of_links", lambda *_args: {}, id="links"),
    ],
)
def test_the_oracle_finds_what_a_day_lacks(few_days, monkeypatch, module, name, removed):
    """The negative control of the first test."""
    monkeypatch.setattr(module, name, removed)
    with pytest.raises(AssertionError):
        compare(few_days)
