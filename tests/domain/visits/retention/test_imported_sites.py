"""Visits of imported logs are deleted too, a period after the last import; a later import leaves their days out."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select

from domain import fault_points
from domain.tables import ImportedVisit, VisitDay, VisitorSign
from domain.visits.days import storage
from domain.visits.days.storage import DayLease, LeaseLost
from domain.visits.raw.local_days import DayRules
from domain.visits.retention import deleting, due_days
from domain.visits.retention.finalising import OpenReason
from domain.visits.retention.periods import Periods
from tests.domain.log_import import log_files
from tests.domain.log_import.worlds import NOW, digests, import_files
from tests.domain.visits.retention.worlds import ONE_DAY, figures, once, retain, rollups

MADE = log_files.requests(900)
PERIODS = Periods(visits=10, touchpoints=0)
DAYS = sorted({request.at.date() for request in MADE})


@pytest.fixture
def log(tmp_path):
    return log_files.write(tmp_path / "access.log", MADE, "combined")


@pytest.fixture
def imported(database, log):
    """Lines of a week before `NOW`."""
    import_files(database, log)
    return database


def counts(database) -> tuple[int, int]:
    with database.read_session() as session:
        return tuple(session.scalar(select(func.count()).select_from(table)) for table in (ImportedVisit, VisitorSign))


def test_they_are_kept_for_the_period_after_the_import(imported):
    before = counts(imported)
    assert before > (0, 0)
    for days in (8, 9):
        report = retain(imported, NOW + days * ONE_DAY, PERIODS)
        assert (report.final, report.visits, counts(imported)) == ([], 0, before)


@pytest.mark.each_database
def test_then_they_are_deleted_with_their_signs_and_no_figure_moves(imported, monkeypatch):
    monkeypatch.setattr(deleting, "PART", 7)
    (visits, signs), before = counts(imported), figures(imported, VisitDay)
    report = retain(imported, NOW + 11 * ONE_DAY, PERIODS)
    assert (report.visits, report.signs, report.open_days, report.late) == (visits, signs, [], [])
    assert (counts(imported), figures(imported, VisitDay)) == ((0, 0), before)
    assert [row.deleted_visits for row in rollups(imported).values()] == [
        row.visits for row in rollups(imported).values()
    ]


@pytest.mark.each_database
def test_an_import_after_that_leaves_their_days_out(imported, log):
    retain(imported, NOW + 11 * ONE_DAY, PERIODS)
    before, final = digests(imported), counts(imported)
    found = import_files(imported, log)
    assert (found.new, found.final) == (0, found.pages)
    assert (digests(imported), counts(imported)) == (before, final)


def test_lines_of_other_days_are_stored_as_ever(imported, tmp_path):
    retain(imported, NOW + 11 * ONE_DAY, PERIODS)
    before = digests(imported)
    moved = [replace(request, at=request.at - timedelta(days=30)) for request in MADE]
    found = import_files(imported, log_files.write(tmp_path / "older.log", [*MADE, *moved], "combined"))
    assert (found.new, found.final) == (found.pages // 2, found.pages // 2)
    assert set(before) < set(digests(imported))


class Killed(BaseException):
    """What was not committed is lost."""


@pytest.mark.parametrize("point", ["retention.signs", "retention.signs:3", "retention.deleted", "retention.deleted:2"])
def test_a_run_that_is_killed_ends_as_an_undisturbed_one_when_it_is_started_again(imported, point, monkeypatch):
    monkeypatch.setattr(deleting, "PART", 7)
    name, _, number = point.partition(":")
    passed = []

    def hit(at: str) -> None:
        passed.append(at)
        if passed.count(name) == int(number or 1):
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(fault_points, "hit", hit)
        with pytest.raises(Killed):
            retain(imported, NOW + 11 * ONE_DAY, PERIODS)
    visits, signs = counts(imported)
    # A day whose visits are gone is found by no run: its signs were deleted before.
    assert ("retention.deleted" in passed) is (name == "retention.deleted")
    report = retain(imported, NOW + 11 * ONE_DAY, PERIODS)
    assert (report.visits, report.signs, counts(imported)) == (visits, signs, (0, 0))


def test_signs_of_days_without_a_page_go_too(database, tmp_path):
    lines = [
        f'203.0.113.{day} - - [0{day}/Mar/2026:10:00:00 +0000] "GET {path} HTTP/1.1" 200 10 "-" "bot{day}"\n'
        for day, path in ((1, "/robots.txt"), (2, "/robots.txt"), (3, "/"), (4, "/robots.txt"))
    ]
    log = tmp_path / "robots.log"
    log.write_text("".join(lines))
    import_files(database, log)
    assert counts(database) == (1, 3)
    retain(database, NOW + 11 * ONE_DAY, PERIODS)
    assert counts(database) == (0, 0)


def test_signs_before_an_open_day_go_and_its_own_stay(imported):
    with imported.write_session() as session:
        site = session.scalar(select(VisitorSign.site).limit(1))
        old = {"site": site, "session_id": "old", "hour": NOW - 60 * ONE_DAY, "signs": 1}
        session.execute(insert(VisitorSign), [old])
    visits, signs = counts(imported)
    assert retain(imported, NOW + 5 * ONE_DAY, PERIODS).signs == 1
    assert counts(imported) == (visits, signs - 1)
    assert retain(imported, NOW + 5 * ONE_DAY, Periods(0, 0)).signs == 0


def test_a_day_of_which_lines_are_imported_at_that_moment_is_kept_for_the_period_from_then_on(imported, monkeypatch):
    at, before = NOW + 11 * ONE_DAY, counts(imported)

    def mark() -> None:
        with imported.write_session() as session:
            storage.mark_dirty(session, DAYS, at, 1)

    monkeypatch.setattr(due_days, "days_to_finalise", once(due_days.days_to_finalise, mark))
    report = retain(imported, at, PERIODS)
    assert (report.final, {reason for *_, reason in report.open_days}) == ([], {OpenReason.GROWING})
    assert counts(imported) == before
    assert retain(imported, at + 9 * ONE_DAY, PERIODS).final == []
    assert retain(imported, at + 11 * ONE_DAY, PERIODS).visits == before[0]


def test_a_site_that_is_removed_meanwhile_stops_no_other(imported):
    with imported.write_session() as session:
        assert deleting.delete_visits(session, 7, DAYS[0], DayRules()) == 0
        assert deleting.delete_hours(session, 7, DAYS[0], NOW) == 0
        assert deleting.delete_left_signs(session, 7, DayRules(), PERIODS, NOW) == 0
        with pytest.raises(LeaseLost, match="site 7 is removed"):
            storage.leased_rollup(session, DayLease(DAYS[0], "t", NOW, 7))
