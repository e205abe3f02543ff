"""Figures from the files of days: equal to those that days store and to a plain oracle, whichever filters are asked
for, by DuckDB and by SQLite."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import create_engine, insert, select

from domain.reports.visit_reports import filed_figures, stored_figures
from domain.reports.visit_reports.filed_figures import (
    AUDIENCE,
    DAY,
    HOUR,
    FigureRequest,
    current_lists,
    read,
    statement_of,
)
from domain.reports.visit_reports.stored_figures import Span
from domain.reports.warehouse import PAGES, SESSIONS, TABLES, Warehouse
from domain.visits.days.build import DayBuilder
from domain.visits.days.day_files import GROUP_DIMENSIONS
from domain.visits.days.figures import BY_VISIT
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days import file_list
from tests.domain.reports import filter_oracle
from tests.domain.visits.days.month import Month, shop

ONE_DAY = timedelta(days=1)
KEYS = 7
BY_SESSION = (*GROUP_DIMENSIONS, "landing")
OF_PAGES = ("channel", "source", "campaign", "coupon", "partner", "device")
# With the days on which clocks change: 23 hours, then 25.
PERIODS = [("Europe/Berlin", date(2026, 3, 24), 10), ("Europe/Berlin", date(2026, 10, 20), 10)]
AFTER = datetime(2026, 11, 20, 12, tzinfo=UTC)


def midnight(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


class Filled:
    """Some generated days, computed with their files."""

    def __init__(self, database, folder, zone: str, start: date, days: int):
        self.database, self.warehouse = database, Warehouse(folder, 256)
        with database.write_session() as session:
            self.month = Month(shop(session), midnight(start, zone), days)
            self.month.add_to(session)
        DayBuilder(database, DayRules(zone, KEYS), lambda: AFTER, files=self.warehouse).build_due(600)
        self.span = Span(start, start + (days - 1) * ONE_DAY)
        dates = [start + number * ONE_DAY for number in range(days)]
        self.days = [(midnight(day, zone), midnight(day + ONE_DAY, zone)) for day in dates]

    def rows(self, by: str, *filters: tuple[str, str], audience: str = "people", span: Span | None = None):
        request = FigureRequest(by, audience, span or self.span, filters)
        with self.database.read_session() as session:
            return read(self.warehouse, current_lists(session), [request])[request]

    def expected(self, by: str, *filters: tuple[str, str], audience: str = "people"):
        found = filter_oracle.figures_by(self.month.known, self.days, filters, by, KEYS)
        return {key: row for (of, key), row in found.items() if of == audience}


@pytest.fixture(params=PERIODS, ids=lambda value: str(value[1]))
def filled(request, database, tmp_path):
    return Filled(database, tmp_path / "analytics", *request.param)


@pytest.fixture
def few_days(database, tmp_path):
    return Filled(database, tmp_path / "analytics", "Europe/Berlin", date(2026, 3, 27), 4)


def figures(rows) -> dict:
    return {key: list(sums.values()) for key, sums in rows.items()}


@pytest.mark.each_database
def test_files_and_stored_days_say_the_same_of_every_dimension(few_days):
    for audience in ("people", "suspected", "crawlers"):
        for dimension in (*BY_SESSION, *BY_VISIT):
            with few_days.database.read_session() as session:
                stored = stored_figures.by_key(session, dimension, audience, few_days.span)
            assert few_days.rows(dimension, audience=audience) == stored, (audience, dimension)


@pytest.mark.each_database
def test_files_and_stored_days_say_the_same_of_every_day_hour_and_audience(few_days):
    everything = stored_figures.EVERYTHING
    with few_days.database.read_session() as session:
        assert few_days.rows(DAY) == stored_figures.by_day(session, everything, "people", few_days.span)
        assert few_days.rows(AUDIENCE, audience="") == stored_figures.by_audience(session, everything, few_days.span)
        search = ("channel", "search")
        assert few_days.rows(AUDIENCE, search, audience="") == stored_figures.by_audience(
            session, search, few_days.span
        )
        # The 29th of March has 23 hours.
        for number in range(4):
            day = few_days.span.since + number * ONE_DAY
            of_day = few_days.rows(HOUR, span=Span(day, day))
            assert of_day == stored_figures.by_hour(session, everything, "people", day)


def test_days_are_cut_at_an_hour_as_stored_ones(few_days):
    until = few_days.span.until
    cut = Span(few_days.span.since, until, midnight(until, "Europe/Berlin") + timedelta(hours=9))
    with few_days.database.read_session() as session:
        stored = stored_figures.by_audience(session, stored_figures.EVERYTHING, cut)
    assert few_days.rows(AUDIENCE, audience="", span=cut) == stored != few_days.rows(AUDIENCE, audience="")


def random_requests(filled, count: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """Filters by values that there are, each with a dimension to list by."""
    chance = Random(5)
    values = {dimension: sorted(filled.rows(dimension)) for dimension in (*BY_SESSION, *BY_VISIT)}
    found = []
    for _ in range(count):
        is_of_pages = chance.random() < 0.4
        names = list(OF_PAGES if is_of_pages else BY_SESSION)
        by = chance.choice(("page", "path", "product") if is_of_pages else (*BY_SESSION, ""))
        chosen = chance.sample([name for name in names if name != by], chance.randrange(1, 6))
        filters = [(name, chance.choice(values[name])) for name in chosen]
        # Pages are listed by their path or kind, of one of the other.
        if is_of_pages and by != "product" and chance.random() < 0.5:
            other = "path" if by == "page" else "page"
            filters[-1] = (other, chance.choice(values[other]))
        found.append((by, filters))
    return found


def test_two_hundred_random_filters_give_the_oracles_figures(filled):
    is_found = []
    for by, filters in random_requests(filled, 200):
        rows = filled.rows(by or AUDIENCE, *filters)
        expected = filled.expected(by, *filters)
        found = figures(rows) if by else dict.fromkeys([""] * len(rows), *figures(rows).values())
        assert found == expected, (by, filters)
        is_found.append(bool(found))
    # Most combinations have visits.
    assert sum(is_found) > 60


def test_the_oracle_finds_files_that_lack_a_condition(filled, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(filed_figures, "_CLASSES", {"people": ["proven", "likely"]})
    with pytest.raises(AssertionError):
        test_two_hundred_random_filters_give_the_oracles_figures(filled)


def test_duckdb_and_sqlite_answer_every_statement_alike(filled):
    """The statements use nothing that only one of them knows."""
    engine = create_engine("sqlite://")
    SESSIONS.metadata.create_all(engine)
    with filled.database.read_session() as session, engine.begin() as connection:
        for kind, table in TABLES.items():
            sources = file_list.sources(file_list.current(session, kind), date.min, date.max)
            rows = filled.warehouse.rows_of(select(table), {kind: sources})
            connection.execute(insert(table), [dict(zip(table.c.keys(), row, strict=True)) for row in rows])
    cut = Span(filled.span.since, filled.span.until, filled.days[-1][0] + timedelta(hours=5))
    requests = [
        *(FigureRequest(by or AUDIENCE, "people", filled.span, tuple(of)) for by, of in random_requests(filled, 60)),
        *(FigureRequest(by, audience, cut) for by in (AUDIENCE, DAY, HOUR) for audience in ("", "crawlers")),
    ]
    for request in requests:
        kind, statement = statement_of(request)
        with filled.database.read_session() as session:
            sources = file_list.sources(file_list.current(session, kind), request.span.since, request.span.until)
        with engine.connect() as connection:
            plain = sorted(map(tuple, connection.execute(statement)))
        assert sorted(filled.warehouse.rows_of(statement, {kind: sources})) == plain


def test_no_column_tells_people_apart():
    names = {*SESSIONS.c.keys(), *PAGES.c.keys()}
    assert not {name for name in names if "id" in name or "learner" in name or "address" in name}
    assert "event" not in str(names)


def test_a_day_that_is_read_in_parts_has_the_same_files(few_days, monkeypatch):
    monkeypatch.setattr("domain.visits.days.compute.PART_VISITS", 20)
    days = DayBuilder(few_days.database, DayRules("Europe/Berlin", KEYS), lambda: AFTER)
    for number in range(4):
        day = few_days.span.since + number * ONE_DAY
        written = few_days.warehouse.write(0, day, days.compute(day).file_rows)
        with few_days.database.read_session() as session:
            listed = [file for kind in TABLES for file in file_list.current(session, kind) if file.first_day == day]
        assert written == listed
