"""Reports with filters, from the files of days: rows, totals, series and comparison, and how far back they reach."""

from datetime import date, timedelta

import pytest
from sqlalchemy import update

from domain.display_text import day_text
from domain.reports import all_reports
from domain.reports.visit_reports.answers import FiledFigures, answer, filtered_answer, plan_of
from domain.reports.visit_reports.descriptions import REPORTS
from domain.reports.visit_reports.figures import StoredSums, figures_of
from domain.reports.visit_reports.filed_figures import (
    current_lists,
    from_wire,
    read,
    rows_from_wire,
    rows_to_wire,
    to_wire,
)
from domain.reports.visit_reports.parameters import read_parameters
from domain.reports.visit_reports.partial_answers import NOTHING_COMPARED
from domain.tables import VisitRollup, WarehouseFile
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days import file_list
from tests.domain.reports.test_day_files import AFTER, KEYS, Filled

ONE_DAY = timedelta(days=1)
BERLIN = DayRules("Europe/Berlin", KEYS)
FIRST, LAST = date(2026, 3, 27), date(2026, 3, 30)


@pytest.fixture
def filled(database, tmp_path):
    return Filled(database, tmp_path / "analytics", BERLIN.zone, FIRST, 4)


def query_of(filled, name: str, *filters: str, **values: str):
    given = {"limit": "500", "from": str(FIRST), "to": str(LAST), "compare": "none", **values}
    query, errors = read_parameters(REPORTS[name], given, BERLIN.day_of(AFTER), filters)
    assert errors == {}
    return query


def answer_of(filled, name: str, *filters: str, **values: str):
    """As by a worker: requests and their rows are sent."""
    query = query_of(filled, name, *filters, **values)
    with filled.database.read_session() as session:
        days, requests = plan_of(session, query, BERLIN, AFTER)
        sent = [to_wire(request) for request in requests]
        rows = read(filled.warehouse, current_lists(session), map(from_wire, sent))
        received = {request: rows_from_wire(request, rows_to_wire(rows[request])) for request in rows}
        assert received == rows
        return all_reports.filtered_answer(session, query, BERLIN, AFTER, FiledFigures(days, received))


CASES = [
    ("sources", "source", ("device:desktop", "coupon:spring")),
    ("sources", "channel", ("agent:Chrome",)),
    ("campaigns", "campaign", ("device:mobile",)),
    ("landing", "landing", ("channel:direct", "coupon:(none)")),
    ("devices", "agent", ("landing:/",)),
    ("pages", "path", ("channel:direct", "device:desktop")),
    ("pages", "page", ("coupon:spring",)),
    ("pages", "path", ("page:course-details", "device:desktop")),
]


@pytest.mark.each_database
@pytest.mark.parametrize(("name", "by", "filters"), CASES)
def test_rows_and_totals_of_filters_are_the_oracles(filled, name, by, filters):
    values = [tuple(text.split(":", 1)) for text in filters]
    found, columns = answer_of(filled, name, *filters, by=by), REPORTS[name].columns
    expected = {key: figures_of(StoredSums.of(row), columns) for key, row in filled.expected(by, *values).items()}
    assert {row.key: row.figures for row in found.rows} == expected != {}
    (total,) = filled.expected("", *values).values()
    assert found.totals.items() >= figures_of(StoredSums.of(total), columns).items()
    suspected = filled.expected("", *values, audience="suspected").get("", [0])[0]
    assert found.left_out.suspected == suspected


def test_one_value_from_files_is_what_days_store_of_it(filled):
    for by, since in (("day", FIRST), ("hour", LAST - ONE_DAY)):
        query = query_of(filled, "sources", "channel:search", by=by, **{"from": str(since), "to": str(LAST - ONE_DAY)})
        assert not query.needs_files
        with filled.database.read_session() as session:
            stored = answer(session, query, BERLIN, AFTER)
            days, requests = plan_of(session, query, BERLIN, AFTER)
            figures = FiledFigures(days, read(filled.warehouse, current_lists(session), requests))
            filed = filtered_answer(session, query, BERLIN, AFTER, figures)
        assert filed == stored


def test_a_filtered_day_is_shown_by_the_hour_of_a_day_of_23(filled):
    sunday = {"from": "2026-03-29", "to": "2026-03-29"}
    found = answer_of(filled, "overview", "device:desktop", by="hour", **sunday)
    assert (found.series.kind, len(found.series.labels)) == ("hour", 23)
    hours = [sums["visits"] for sums in found.series.values if sums]
    assert sum(hours) == found.totals["visits"] > 0
    assert sum(row.figures["visits"] for row in found.rows) == found.totals["visits"]


def test_filters_are_compared_with_the_period_before(filled):
    values = {"from": str(LAST), "to": str(LAST), "compare": "previous"}
    found = answer_of(filled, "sources", "device:desktop", **values)
    before = answer_of(filled, "sources", "device:desktop", **{"from": str(LAST - ONE_DAY), "to": str(LAST - ONE_DAY)})
    assert found.previous == before.totals
    earlier = {row.key: row.figures for row in before.rows}
    assert {row.key: row.previous for row in found.rows if row.key in earlier} == {
        row.key: earlier[row.key] for row in found.rows if row.key in earlier
    }


def forget_files(filled, *days: date) -> None:
    """Take the files of these days, or of all, off the list."""
    with filled.database.write_session() as session:
        files = [file for kind in file_list.KINDS for file in file_list.current(session, kind)]
        file_list.forget(session, [file.name for file in files if not days or file.first_day in days])


def test_filters_reach_back_to_the_day_after_a_final_one_without_files_and_say_so(filled):
    forget_files(filled, FIRST)
    with filled.database.write_session() as session:
        session.execute(update(VisitRollup).where(VisitRollup.day == FIRST).values(finalised_at=AFTER))
    found = answer_of(filled, "sources", "device:desktop", **{"from": str(FIRST - ONE_DAY)})
    assert (found.first_day, found.progress) == (FIRST + ONE_DAY, None)
    assert f"Filters reach back to {day_text(FIRST + ONE_DAY)}." in found.notes
    assert [sums is None for sums in found.series.values] == [True, True, False, False, False]
    whole = {"from": str(found.first_day), "to": str(LAST)}
    assert found.totals == answer_of(filled, "sources", "device:desktop", **whole).totals


def test_days_whose_files_are_still_to_be_written_are_named_and_no_zeros(filled):
    missing = FIRST + ONE_DAY
    forget_files(filled, missing)
    found = answer_of(filled, "sources", "device:desktop")
    assert found.progress is not None
    assert found.progress.title == "Files for filters are being written: 6 of 7 days"
    assert (found.progress.waiting, day_text(missing) in found.progress.text) == ((missing,), True)
    assert ([sums is None for sums in found.series.values], found.is_blank) == ([False, True, False, False], False)
    others = (FIRST, FIRST + 2 * ONE_DAY, LAST)
    parts = [answer_of(filled, "sources", "device:desktop", **{"from": str(day), "to": str(day)}) for day in others]
    assert found.totals["visits"] == sum(part.totals["visits"] for part in parts) > 0
    # Days that have all of their files say nothing of the others.
    assert parts[0].progress is None


def test_nothing_is_compared_with_days_whose_files_are_missing(filled):
    forget_files(filled, LAST - ONE_DAY)
    values = {"from": str(LAST), "to": str(LAST), "compare": "previous"}
    found = answer_of(filled, "sources", "device:desktop", **values)
    assert (found.previous, {row.previous for row in found.rows}) == (None, {None})
    assert (NOTHING_COMPARED in found.notes, found.totals["visits"] > 0) == (True, True)


def test_without_any_files_filters_are_blank_and_say_how_many_are_written(filled):
    forget_files(filled)
    found = answer_of(filled, "sources", "device:desktop")
    assert found.progress is not None
    assert (found.is_blank, found.progress.title) == (True, "Files for filters are being written: 0 of 7 days")


def test_a_report_holds_when_more_files_are_written_meanwhile(filled):
    """Between the plan and the answer a worker may write files of days."""
    query = query_of(filled, "sources", "device:desktop")
    with filled.database.write_session() as session:
        lists = current_lists(session)
        first = [file for files in lists.values() for file in files[:2]]
        names = [file.name for file in first]
        session.execute(update(WarehouseFile).where(WarehouseFile.name.in_(names)).values(replaced_at=AFTER))
    with filled.database.read_session() as session:
        days, requests = plan_of(session, query, BERLIN, AFTER)
        expected = filtered_answer(
            session, query, BERLIN, AFTER, FiledFigures(days, read(filled.warehouse, lists, requests))
        )
    with filled.database.write_session() as session:
        session.execute(update(WarehouseFile).values(replaced_at=None))
    with filled.database.read_session() as session:
        figures = FiledFigures(days, read(filled.warehouse, current_lists(session), requests))
        assert filtered_answer(session, query, BERLIN, AFTER, figures) == expected
    assert {*days.waiting} == {file.first_day for file in first}
