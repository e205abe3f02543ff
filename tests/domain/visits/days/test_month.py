"""A month of visits against a plain oracle: every figure of every dimension and day, also over the days on which clocks
change; a few days of them on both databases."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from domain.visits import touchpoints
from domain.visits.days import compute as computing
from domain.visits.days import visitor_tally
from domain.visits.days.compute import compute
from domain.visits.days.figures import HOURLY
from domain.visits.days.traffic_class import TrafficClass
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days.keys import NAMES
from tests.domain.visits.days import oracle, visitor_oracle
from tests.domain.visits.days.month import Month, shop
from tests.domain.visits.days.worlds import builder

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
    computed, expected = figures_by_day(filled)
    assert computed == expected


@pytest.mark.each_database
def test_every_figure_of_a_few_days_is_the_oracles(few_days):
    computed, expected = figures_by_day(few_days)
    assert computed == expected


def test_every_touchpoint_and_learner_of_a_month_is_the_oracles(filled):
    computed, expected = visitors_by_day(filled)
    assert computed == expected


@pytest.mark.each_database
def test_every_touchpoint_and_learner_of_a_few_days_is_the_oracles(few_days):
    computed, expected = visitors_by_day(few_days)
    assert computed == expected


def visitors_by_day(filled):
    """By day its touchpoints and learners: those computed, and those of the oracle."""
    session, month, rules, days = filled
    computed, expected = {}, {}
    for day in days:
        window = (midnight(day, rules.zone), midnight(day + timedelta(days=1), rules.zone))
        rows = compute(session, day, rules).visitors
        computed[day] = {row[0]: row[3:] for row in rows.touchpoints}, [row.learner_id for row in rows.learner_days]
        expected[day] = (
            visitor_oracle.touchpoints_of(month.known, *window),
            visitor_oracle.learners_of(month.known, *window),
        )
    return computed, expected


@pytest.mark.each_database
def test_whose_a_touchpoint_is_does_not_depend_on_the_order_in_which_days_are_computed(database):
    """That of the next proved visit of the session, also of a later day."""
    with database.write_session() as session:
        learners, month, days = fill_long_sessions(session)
    expected = {
        learner: [
            event_id
            for day in days
            for event_id in visitor_oracle.touchpoints_of(month.known, *window_of(day))
            if visitor_oracle.owner_of(month.known, event_id) == learner
        ]
        for learner in learners
    }
    for order in (days, days[::-1]):
        for day in order:
            assert builder(database, midnight(days[-1] + timedelta(days=2), "UTC"), keys=KEYS).build(day)
        with database.read_session() as session:
            found = {learner: touchpoints.of_learners(session, {learner}) for learner in learners}
        assert {learner: sorted(one.row.event_id for one in own) for learner, own in found.items()} == {
            learner: sorted(ids) for learner, ids in expected.items()
        }
    assert all(expected.values())


def window_of(day: date):
    return midnight(day, "UTC"), midnight(day + timedelta(days=1), "UTC")


def fill_long_sessions(session):
    """Sessions that go on day after day, with one learner after another."""
    start, chance = date(2026, 3, 2), Random(11)
    world = shop(session)
    month = Month(world, midnight(start, "UTC"), 1)
    for name in ("x", "X", "long", "longer"):
        for _ in range(30):
            at = midnight(start, "UTC") + timedelta(minutes=chance.randrange(6 * 24 * 60))
            month.add_visit(at, name, learner=chance.choice((None, None, *world.learners[:3])))
    month.add_to(session)
    return world.learners[:3], month, [start + timedelta(days=number) for number in range(6)]


def figures_by_day(filled):
    """By day its rows: those computed, and those of the oracle."""
    session, month, rules, days = filled
    windows = {day: (midnight(day, rules.zone), midnight(day + timedelta(days=1), rules.zone)) for day in days}
    computed = {day: {tuple(key): row for key, row in compute(session, day, rules).days} for day in days}
    return computed, {day: oracle.day_of(month.known, *window, KEYS) for day, window in windows.items()}


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


CASES_OF_TOUCHPOINTS = [
    pytest.param(computing, "_sessions_before", lambda *_args: {}, id="going on over midnight"),
    pytest.param(day_rows, "_sessions_of_links", lambda *_args: {}, id="links"),
    pytest.param(visitor_tally, "POSSIBLE", {*TrafficClass}, id="programs"),
    pytest.param(visitor_tally, "_NAMELESS", frozenset(("(none)",)), id="values that name nothing"),
    pytest.param(visitor_tally, "landing_of", lambda visits: visits[0], id="the page that a link leads to"),
    pytest.param(visitor_tally, "normalised", lambda text: text, id="texts as they were sent"),
]


@pytest.mark.parametrize(("module", "name", "removed"), CASES_OF_TOUCHPOINTS)
def test_the_oracle_finds_what_touchpoints_lack(few_days, monkeypatch, module, name, removed):
    """The negative control."""
    monkeypatch.setattr(module, name, removed)
    computed, expected = visitors_by_day(few_days)
    assert computed != expected


@pytest.mark.parametrize(
    ("module", "name", "removed"),
    [
        pytest.param(computing, "_sessions_before", lambda *_args: {}, id="going on over midnight"),
        pytest.param(computing, "placed_orders", lambda *_args: {}, id="orders"),
        pytest.param(computing, "OTHER", "(rest)", id="the name of what is folded"),
        pytest.param(day_rows, "_sessions_of_links", lambda *_args: {}, id="links"),
    ],
)
def test_the_oracle_finds_what_a_day_lacks(few_days, monkeypatch, module, name, removed):
    """The negative control of the first test."""
    monkeypatch.setattr(module, name, removed)
    computed, expected = figures_by_day(few_days)
    assert computed != expected
