"""Reports about visits against the plain oracle of days; compared periods, and what a report without figures says."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import delete, update

from domain.reports.visit_reports import answers
from domain.reports.visit_reports.answers import answer, hours_of
from domain.reports.visit_reports.descriptions import REPORTS
from domain.reports.visit_reports.figures import StoredSums, figures_of, mean, percent
from domain.reports.visit_reports.parameters import read_parameters
from domain.tables import VisitHour, VisitRollup
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days.keys import NAMES
from tests.domain.visits.days import oracle
from tests.domain.visits.days.month import Month, shop
from tests.domain.visits.days.worlds import MIDNIGHT, add, crawl, visit

DAY = timedelta(days=1)
KEYS = 300
# With a day of 23 hours.
BERLIN = DayRules("Europe/Berlin", KEYS)
START, DAYS = date(2026, 3, 26), 6
AFTER = datetime(2026, 4, 20, 12, tzinfo=UTC)


def midnight(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def fill(database) -> Month:
    with database.write_session() as session:
        month = Month(shop(session), midnight(START, BERLIN.zone), DAYS)
        month.add_to(session)
    DayBuilder(database, BERLIN, lambda: AFTER).build_due()
    return month


def expected(month: Month, since: date, until: date) -> dict[tuple[str, str, str], StoredSums]:
    """The oracle's figures of all days between, added up."""
    sums: dict[tuple[str, str, str], StoredSums] = {}
    for number in range((until - since).days + 1):
        day = since + number * DAY
        found = oracle.day_of(month.known, midnight(day, BERLIN.zone), midnight(day + DAY, BERLIN.zone), KEYS)
        for key, row in found.items():
            sums[key] = sums.get(key, StoredSums.zeros()).plus(StoredSums.of(row))
    return sums


def ask(database, name: str, at: datetime = AFTER, rules: DayRules = BERLIN, **values: str):
    query, errors = read_parameters(
        REPORTS[name], {"limit": "500", **values}, rules.day_of(at), [values["f"]] if "f" in values else []
    )
    assert errors == {}
    with database.read_session() as session:
        return answer(session, query, rules, at)


def period(since: date, until: date) -> dict[str, str]:
    return {"from": since.isoformat(), "to": until.isoformat()}


LEVELS = [(report.name, level) for report in REPORTS.values() for level in report.dimensions]


@pytest.mark.each_database
def test_rows_and_totals_are_the_oracles(database):
    """Over several days, one of them of 23 hours; of every report and dimension."""
    month = fill(database)
    last = START + (DAYS - 1) * DAY
    sums = expected(month, START, last)
    for name, level in LEVELS:
        found = ask(database, name, by=level, **period(START, last))
        columns = REPORTS[name].columns
        people = {
            key: figures_of(row, columns) for (of, who, key), row in sums.items() if (of, who) == (level, "people")
        }
        assert {row.key: row.figures for row in found.rows} == people, level
        everything = sums["all", "people", "(all)"]
        assert found.totals.items() >= figures_of(everything, columns).items()
        assert found.sessions_range == (
            everything["confirmed"],
            sum(row["possible"] for (of, _, _), row in sums.items() if of == "all"),
        )
        left = {who: row["visits"] for (of, who, _), row in sums.items() if of == "all"}
        assert (found.left_out.suspected, found.left_out.crawlers) == (left["suspected"], left["crawlers"])
        assert found.left_out.without_session == sums["channel", "people", "(without session)"]["visits"]


def test_the_oracle_finds_a_report_that_counts_another_audience(database):
    """The negative control."""
    month = fill(database)
    wrong = ask(database, "sources", audience="suspected", **period(START, START))
    sums = expected(month, START, START)
    people = {key: row for (of, who, key), row in sums.items() if (of, who) == ("channel", "people")}
    assert {row.key: row.figures["visits"] for row in wrong.rows} != {key: row["visits"] for key, row in people.items()}


def test_the_series_of_days_adds_up_to_the_totals_and_ends_at_local_midnights(database):
    month = fill(database)
    last = START + (DAYS - 1) * DAY
    found = ask(database, "overview", **period(START, last))
    days = [START + number * DAY for number in range(DAYS)]
    own = [expected(month, day, day)["all", "people", "(all)"] for day in days]
    assert found.series.labels == [day.isoformat() for day in days]
    assert found.series.values == own
    assert sum(row["visits"] for row in own) == found.totals["visits"]
    assert [row.key for row in found.rows] == [day.isoformat() for day in reversed(days)]


@pytest.mark.each_database
def test_a_day_of_23_hours_is_shown_by_its_hours(database):
    month = fill(database)
    short = date(2026, 3, 29)
    found = ask(database, "overview", **period(short, short))
    assert (found.query.by, found.series.kind, len(found.series.labels)) == ("hour", "hour", 23)
    assert (found.series.labels[0], found.series.labels[-1]) == ("2026-03-28T23:00", "2026-03-29T21:00")
    total = Counter()
    for sums in found.series.values:
        total.update(sums)
    assert {name: total[name] for name in NAMES} == expected(month, short, short)["all", "people", "(all)"]


@pytest.mark.parametrize(("compare", "shift"), [("previous", 2), ("year", 364)])
def test_a_period_is_compared_with_an_earlier_one_of_the_same_length(database, compare, shift):
    """`year`: the same weekdays; nothing was counted then."""
    month = fill(database)
    since, until = START + 2 * DAY, START + 3 * DAY
    found = ask(database, "sources", compare=compare, **period(since, until))
    if compare == "year":
        assert (found.previous, found.notes) == (
            None,
            ["Nothing is compared: the earlier period was not counted as a whole."],
        )
        return
    before = expected(month, since - shift * DAY, until - shift * DAY)
    assert (
        found.previous.items()
        >= figures_of(before["all", "people", "(all)"], ("visits", "sessions", "payments")).items()
    )
    by_key = {row.key: row.previous["sessions"] for row in found.rows}
    zero = StoredSums.zeros()
    assert by_key == {key: before.get(("channel", "people", key), zero)["sessions"] for key in by_key}
    assert [sums["visits"] for sums in found.series.previous] == [
        expected(month, day - shift * DAY, day - shift * DAY)["all", "people", "(all)"]["visits"]
        for day in (since, until)
    ]


# Minutes after midnight of the second day -> visits of the first that they are compared with.
CUTS = [(29, 0), (31, 1), (10 * 60 + 29, 2), (10 * 60 + 31, 3), (23 * 60 + 40, 4)]


@pytest.mark.parametrize(("minutes", "count"), CUTS)
def test_today_is_compared_with_yesterday_up_to_the_nearest_hour(database, minutes, count):
    at = MIDNIGHT + DAY + timedelta(minutes=minutes)
    rules = DayRules()
    hours = (0, 9, 10, 22)
    with database.write_session() as session:
        rows = [
            visit(number, MIDNIGHT + hour * timedelta(hours=1), session_id=f"s{hour}")
            for number, hour in enumerate(hours)
        ]
        add(session, *rows, visit(9, MIDNIGHT + DAY, session_id="today"))
    DayBuilder(database, rules, lambda: at).build_due()
    today = period(at.date(), at.date())
    found = ask(database, "sources", at, rules, **today)
    assert (found.totals["visits"], found.previous["visits"], found.is_unfinished) == (1, count, True)
    assert answers.UP_TO_NOW in found.notes
    assert [row.previous["visits"] for row in found.rows] == [count]
    landing = ask(database, "landing", at, rules, **today)
    assert [row.previous for row in landing.rows] == [None]
    assert "Rows are compared once the period is over." in landing.notes
    assert ask(database, "sources", at, rules, **today, f="source:(none)").previous is None


@pytest.mark.each_database
def test_the_chart_cuts_the_last_day_of_the_earlier_period_as_its_total_is_cut(database):
    """So that its points add up to the figure beside it."""
    rules, at = DayRules(), MIDNIGHT + 3 * DAY + timedelta(hours=12)
    with database.write_session() as session:
        hours = (9, 33, 34, 46, 57, 81)
        times = [MIDNIGHT + hour * timedelta(hours=1) for hour in hours]
        add(session, *(visit(number, time, session_id=f"s{number}") for number, time in enumerate(times)))
    DayBuilder(database, rules, lambda: at).build_due()
    two_days = period((at - DAY).date(), at.date())
    found = ask(database, "sources", at, rules, **two_days)
    assert [sums["visits"] for sums in found.series.previous] == [1, 2]
    assert found.previous["visits"] == 3
    unknown = ask(database, "sources", at, rules, **two_days, f="source:(none)")
    assert (unknown.previous, unknown.series.previous[-1]) == (None, None)
    assert unknown.series.previous[0]["visits"] == 1


def test_one_value_has_its_own_totals_series_and_days(database):
    month = fill(database)
    last = START + (DAYS - 1) * DAY
    sums = expected(month, START, last)
    found = ask(database, "sources", f="source:Google", **period(START, last))
    assert found.query.by == "day"
    assert found.totals["sessions"] == sums["source", "people", "Google"]["sessions"] > 0
    assert sum(row.figures["sessions"] for row in found.rows) == found.totals["sessions"]


def test_the_channel_of_search_engines_consists_of_the_engines(database):
    fill(database)
    last = START + (DAYS - 1) * DAY
    found = ask(database, "sources", f="channel:search", **period(START, last))
    assert (found.query.by, {row.key for row in found.rows} & {"(none)", "(without session)"}) == ("engine", set())
    assert sum(row.figures["sessions"] for row in found.rows) == found.totals["sessions"] > 0


def test_rows_come_in_pages(database):
    fill(database)
    last = START + (DAYS - 1) * DAY
    whole = ask(database, "landing", **period(START, last))
    pages = [ask(database, "landing", **{**period(START, last), "limit": "3", "page": page}) for page in "123"]
    assert [row.key for page in pages for row in page.rows] == [row.key for row in whole.rows[:9]]
    assert [page.has_more for page in pages] == [True, True, len(whole.rows) > 9]
    assert {page.row_count for page in pages} == {len(whole.rows)}


@pytest.mark.parametrize("sort", ["-visits", "visits", "conversion", "name", "-name"])
def test_rows_are_sorted_by_a_figure_or_their_name(database, sort):
    fill(database)
    rows = ask(database, "landing", sort=sort, **period(START, START)).rows
    name = sort.removeprefix("-")
    values = [
        row.key if name == "name" else row.figures[name]
        for row in rows
        if name == "name" or row.figures[name] is not None
    ]
    assert values == sorted(values, reverse=sort.startswith("-"))


def test_a_report_without_days_says_that_none_was_counted(database):
    found = ask(database, "overview")
    assert (found.first_day, found.built_at, found.rows, found.totals["visits"]) == (None, None, [], 0)
    assert set(found.series.values) == {None}


def test_days_before_the_first_have_no_value_and_the_report_says_since_when(database):
    with database.write_session() as session:
        add(session, visit(1, MIDNIGHT), crawl(2, MIDNIGHT))
    at = MIDNIGHT + 2 * DAY
    DayBuilder(database, DayRules(), lambda: at).build_due()
    found = ask(database, "overview", at, DayRules(), **period(MIDNIGHT.date() - DAY, MIDNIGHT.date() + DAY))
    assert [None if sums is None else sums["visits"] for sums in found.series.values] == [None, 1, 0]
    assert found.notes[0] == "Visits are counted since March 2, 2026."


def test_a_day_that_is_computed_again_is_told(database):
    with database.write_session() as session:
        add(session, visit(1, MIDNIGHT))
    at = MIDNIGHT + 2 * DAY
    days = DayBuilder(database, DayRules(), lambda: at)
    days.build_due()
    with database.write_session() as session:
        add(session, visit(2, MIDNIGHT))
    days.find_changed()
    first = MIDNIGHT.date()
    notes = ask(database, "overview", at, DayRules(), compare="none", **period(first, first)).notes
    assert notes == ["1 day is still to be computed again; the figures may change within minutes."]


def test_a_day_whose_hours_were_deleted_is_one_point_and_compares_with_no_part_of_a_day(database):
    at = MIDNIGHT + DAY + timedelta(hours=12)
    with database.write_session() as session:
        add(session, visit(1, MIDNIGHT), visit(2, MIDNIGHT + DAY, session_id="b"))
    DayBuilder(database, DayRules(), lambda: at).build_due()
    first, today = MIDNIGHT.date(), at.date()
    assert ask(database, "overview", at, DayRules(), **period(today, today)).previous["visits"] == 1
    with database.write_session() as session:
        session.execute(delete(VisitHour).where(VisitHour.day == first))
        session.execute(update(VisitRollup).where(VisitRollup.day == first).values(hours_deleted_at=at))
    found = ask(database, "overview", at, DayRules(), **period(first, first))
    assert (found.series.kind, [sums["visits"] for sums in found.series.values]) == ("day", [1])
    assert ask(database, "overview", at, DayRules(), **period(today, today)).previous is None


def test_hours_of_a_day_in_a_zone_of_half_hours_are_all_that_it_has_a_part_of():
    assert len(hours_of(date(2026, 3, 2), DayRules("Asia/Kolkata"))) == 25


@pytest.mark.parametrize(
    ("part", "whole", "value"), [(1, 3, 33.3), (1, 2_000, 0.1), (1, 2_001, 0.0), (0, 5, 0.0), (1, 0, None)]
)
def test_a_share_has_one_decimal_and_a_half_is_rounded_up(part, whole, value):
    assert percent(part, whole) == value


@pytest.mark.parametrize(("total", "count", "value"), [(5, 2, 3), (4, 3, 1), (0, 1, 0), (7, 0, None)])
def test_a_mean_is_a_whole_number(total, count, value):
    assert mean(total, count) == value
