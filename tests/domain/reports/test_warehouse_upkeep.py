"""How files of days are kept in order: merged, dropped, erased, lost and computed again."""

import os
import shutil
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select, update

from domain.reports import warehouse as engine
from domain.reports.visit_reports.filed_figures import DAY as BY_DAY
from domain.reports.visit_reports.filed_figures import FigureRequest, current_lists, read
from domain.reports.visit_reports.stored_figures import Span
from domain.reports.warehouse import SESSIONS, Warehouse, WarehouseUnavailable
from domain.reports.warehouse_upkeep import WarehouseUpkeep
from domain.tables import Learner, VisitRollup, WarehouseFile
from domain.visits import erasure
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from domain.visits.stored_days import file_list
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

ONE_DAY, HOUR = timedelta(days=1), timedelta(hours=1)
FIRST = datetime(2026, 2, 26, 12, tzinfo=UTC)
DAYS = 6
# February is closed by then, March is not.
AT = datetime(2026, 3, 10, 12, tzinfo=UTC)


class Shop:
    """Six days of visits by the end of February, with their files."""

    def __init__(self, database, folder):
        self.database, self.warehouse, self.at = database, Warehouse(folder, 256), AT
        with database.write_session() as session:
            self.learner = factories.learner(session, "Kim").id
            session.flush()
            self.number = session.get(Learner, self.learner).student_number
            for day in range(DAYS):
                at = FIRST + day * ONE_DAY
                add(session, visit(2 * day, at, session_id=f"s{day}", student_number=self.number if day == 1 else ""))
                add(session, visit(2 * day + 1, at + HOUR, "/shop", session_id=f"s{day}"))
        self.build()

    def build(self) -> None:
        DayBuilder(self.database, DayRules(), lambda: self.at, files=self.warehouse).build_due(600)

    def keep(self, periods: Periods | None = None) -> None:
        WarehouseUpkeep(self.database, self.warehouse, DayRules(), periods or Periods(), lambda: self.at).run()

    def files(self, kind="sessions") -> list[tuple[date, date]]:
        with self.database.read_session() as session:
            return [(file.first_day, file.last_day) for file in file_list.current(session, kind)]

    def file_days(self, oldest: date | None = None) -> tuple[date | None, list[date]]:
        """Since when days have files, and those that wait for them."""
        with self.database.read_session() as session:
            found = file_list.file_days(session, oldest)
        return found.first, list(found.waiting)

    def visits_by_day(self) -> dict[date, int]:
        request = FigureRequest(BY_DAY, "people", Span(date(2026, 2, 1), date(2026, 3, 31)))
        with self.database.read_session() as session:
            rows = read(self.warehouse, current_lists(session), [request])[request]
        return {day: sums["visits"] for day, sums in rows.items()}

    def numbers(self) -> set[str]:
        with self.database.read_session() as session:
            sources = file_list.sources(file_list.current(session, "sessions"), date.min, date.max)
        return {
            text for (text,) in self.warehouse.rows_of(select(SESSIONS.c.student).distinct(), {"sessions": sources})
        }

    def on_disk(self) -> list[str]:
        return sorted(path.name for path in self.warehouse.folder.glob("0/*"))


@pytest.fixture
def shop(database, tmp_path):
    return Shop(database, tmp_path / "analytics")


FEBRUARY = [date(2026, 2, day) for day in (26, 27, 28)]
MARCH = [date(2026, 3, day) for day in (1, 2, 3)]
ALL = dict.fromkeys((*FEBRUARY, *MARCH), 2)


def single(*days: date) -> list[tuple[date, date]]:
    return [(day, day) for day in days]


TODAY = single(AT.date())


@pytest.mark.each_database
def test_a_closed_month_becomes_one_file_and_its_days_go_an_hour_later(shop):
    assert shop.files() == shop.files("pages") == [*single(*FEBRUARY, *MARCH), *TODAY]
    shop.keep()
    expected = [(FEBRUARY[0], FEBRUARY[-1]), *single(*MARCH), *TODAY]
    assert shop.files() == shop.files("pages") == expected
    assert shop.visits_by_day() == ALL
    # Whoever has read the list before still finds the files.
    assert len(shop.on_disk()) == 2 * (DAYS + 1) + 2
    shop.at += timedelta(hours=1, seconds=1)
    shop.keep()
    assert len(shop.on_disk()) == 2 * (3 + 1 + 1)
    assert (shop.files(), shop.visits_by_day(), shop.file_days()) == (expected, ALL, (FEBRUARY[0], []))


@pytest.mark.each_database
def test_a_day_of_a_merged_month_that_is_computed_again_counts_once(shop):
    shop.keep()
    with shop.database.write_session() as session:
        add(session, visit(100, FIRST + ONE_DAY, session_id="late"))
        session.execute(update(VisitRollup).where(VisitRollup.day == FEBRUARY[1]).values(dirty_at=AT))
    shop.build()
    # With the days around it, which may have a part of its sessions.
    assert shop.files()[:4] == [(FEBRUARY[0], FEBRUARY[-1]), *single(*FEBRUARY)]
    assert shop.visits_by_day() == {**ALL, FEBRUARY[1]: 3}
    shop.keep()
    assert shop.files()[0] == (FEBRUARY[0], FEBRUARY[-1])
    assert shop.visits_by_day() == {**ALL, FEBRUARY[1]: 3}


def test_days_that_are_too_old_go_also_out_of_a_month(shop):
    shop.keep()
    shop.keep(Periods(0, 11))
    assert shop.files()[0] == shop.files("pages")[0] == (FEBRUARY[1], FEBRUARY[-1])
    assert shop.visits_by_day() == {day: 2 for day in ALL if day >= FEBRUARY[1]}
    shop.keep(Periods(0, 8))
    oldest = Periods(0, 8).first_day_of_files(DayRules(), shop.at)
    assert (shop.files(), shop.file_days(oldest)) == ([*single(*MARCH[1:]), *TODAY], (MARCH[1], []))
    # They are not computed for it again.
    with shop.database.read_session() as session:
        assert session.scalars(select(VisitRollup.day).where(VisitRollup.dirty_at.is_not(None))).all() == []


def test_lost_files_are_computed_again_the_newest_day_first(shop):
    before = shop.on_disk()
    shutil.rmtree(shop.warehouse.folder)
    shop.keep()
    assert shop.file_days() == (FEBRUARY[0], [*ALL])
    with shop.database.read_session() as session:
        assert set(session.scalars(select(VisitRollup.day).where(VisitRollup.dirty_at.is_not(None)))) == {*ALL} - {
            FEBRUARY[0]
        }
    shop.build()
    assert shop.file_days() == (FEBRUARY[0], [FEBRUARY[0]])
    shop.keep()
    shop.build()
    assert (shop.file_days(), shop.visits_by_day()) == ((FEBRUARY[0], []), ALL)
    assert {*before}.difference(shop.on_disk()) == set()


def test_a_day_that_has_lost_visits_is_not_computed_for_its_files(shop):
    with shop.database.write_session() as session:
        session.execute(update(VisitRollup).where(VisitRollup.day == MARCH[0]).values(visits=3))
    shutil.rmtree(shop.warehouse.folder)
    for _ in range(3):
        shop.keep()
        shop.build()
    assert shop.visits_by_day() == {day: 2 for day in ALL if day != MARCH[0]}
    assert shop.file_days() == (FEBRUARY[0], [MARCH[0]])


@pytest.mark.parametrize("damage", ["changed", "cut"])
def test_a_file_with_other_bytes_is_read_no_longer_and_written_anew(shop, damage):
    path = next(shop.warehouse.folder.glob("0/sessions-2026-03-02-*"))
    contents = path.read_bytes()
    path.write_bytes(contents[:-40] if damage == "cut" else contents[:60] + b"\0" + contents[61:])
    shop.keep()
    shop.build()
    assert (path.read_bytes(), shop.visits_by_day()) == (contents, ALL)


def test_a_disk_without_room_leaves_figures_right_and_no_file_that_says_something_else(shop, monkeypatch, caplog):
    monkeypatch.setattr(engine, "MIN_FREE_BYTES", 2**62)
    with shop.database.write_session() as session:
        add(session, visit(100, FIRST + 5 * ONE_DAY, session_id="late"))
        session.execute(update(VisitRollup).where(VisitRollup.day == MARCH[2]).values(dirty_at=AT))
    shop.build()
    shop.keep()
    assert (shop.warehouse.failures, MARCH[2] in dict(shop.files())) == (2, False)
    assert "the files of 2026-03-03 cannot be written" in caplog.text
    with shop.database.read_session() as session:
        assert session.scalar(select(VisitRollup.visits).where(VisitRollup.day == MARCH[2])) == 3
        # Nothing is tried again and again meanwhile.
        assert session.scalar(select(VisitRollup.dirty_at).where(VisitRollup.day == MARCH[2])) is None
    monkeypatch.undo()
    shop.keep()
    shop.build()
    assert shop.visits_by_day() == {**ALL, MARCH[2]: 3}


def test_a_killed_process_leaves_nothing(shop):
    left = shop.warehouse.folder / "0" / "sessions-2026-03-09-0000000000000000.parquet"
    for path in (left, left.with_suffix(".new")):
        path.write_bytes(b"half")
    other = shop.warehouse.folder / "0" / "notes.txt"
    other.write_text("not ours")
    shop.keep()
    assert left.exists()
    for path in (left, left.with_suffix(".new"), other):
        os.utime(path, (0, 0))
    shop.keep()
    assert (left.exists(), left.with_suffix(".new").exists(), other.exists()) == (False, False, True)


@pytest.mark.each_database
@pytest.mark.parametrize("is_merged", [False, True])
def test_an_erased_student_number_leaves_the_files_at_once(shop, is_merged):
    if is_merged:
        shop.keep()
    assert shop.numbers() == {"(none)", shop.number}
    with shop.database.write_session() as session:
        erasure.erase_traces(session, session.get(Learner, shop.learner), AT)
    shop.keep()
    assert shop.numbers() == {"(none)", "(erased)"}
    assert shop.visits_by_day() == ALL
    assert all(shop.number.encode() not in path.read_bytes() for path in shop.warehouse.folder.glob("0/sessions-*"))


def test_a_number_that_nobody_has_any_more_leaves_the_files_within_the_hour(shop):
    """After the worker was away for longer than numbers are looked for in visits."""
    with shop.database.write_session() as session:
        session.get(Learner, shop.learner).student_number = f"gone-{shop.learner}"
    shop.keep()
    assert shop.numbers() == {"(none)", "(erased)"}


def test_a_month_is_not_replaced_when_a_day_was_computed_meanwhile(shop, monkeypatch):
    rewrite = shop.warehouse.rewrite

    def and_compute(*args):
        written = rewrite(*args)
        with shop.database.write_session() as session:
            add(session, visit(100, FIRST, session_id="late"))
            session.execute(update(VisitRollup).where(VisitRollup.day == FEBRUARY[0]).values(dirty_at=AT))
        monkeypatch.undo()
        shop.build()
        return written

    monkeypatch.setattr(shop.warehouse, "rewrite", and_compute)
    shop.keep()
    assert shop.visits_by_day() == {**ALL, FEBRUARY[0]: 3}


def test_files_of_another_build_are_not_read(shop):
    with shop.database.write_session() as session:
        session.execute(update(WarehouseFile).values(version=file_list.VERSION + 1))
    assert (shop.files(), shop.file_days()) == ([], (FEBRUARY[0], [*ALL]))
    shop.keep()
    shop.build()
    shop.keep()
    shop.build()
    assert shop.visits_by_day() == ALL


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY (SELECT 1) TO '/tmp/coursefront-escape.parquet'",
        "ATTACH '/tmp/coursefront-escape.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "SET memory_limit = '4GB'",
    ],
)
def test_duckdb_leaves_its_folder_alone_and_its_settings(shop, statement):
    with pytest.raises(WarehouseUnavailable), shop.warehouse._cursor() as cursor:
        cursor.execute(statement)
    with shop.warehouse._cursor() as cursor:
        settings = ("threads", "enable_external_access", "lock_configuration", "autoload_known_extensions")
        rows = [cursor.execute("SELECT current_setting(?)", [name]).fetchall()[0][0] for name in settings]
    assert rows == [2, False, True, False]


def test_visitors_texts_are_values_whatever_they_hold(database, tmp_path):
    texts = ["/a'b", '/"; DROP TABLE sessions --', "/x\0y", "/,\n1,2", "/\N{GRINNING FACE}漢字", "=cmd|' /C calc'!A0"]
    with database.write_session() as session:
        for number, text in enumerate(texts):
            referrer = f"https://{number}.example/"
            add(session, visit(number, FIRST, text, session_id=f"s{number}", agent=text[:64], referrer=referrer))
    warehouse = Warehouse(tmp_path / "analytics", 256)
    DayBuilder(database, DayRules(), lambda: AT, files=warehouse).build_due(600)
    request = FigureRequest("agent", "people", Span(FIRST.date(), FIRST.date()))
    with database.read_session() as session:
        found = read(warehouse, current_lists(session), [request])[request]
        assert {key: sums["visits"] for key, sums in found.items()} == {text.strip("( "): 1 for text in texts}
        for text in texts:
            one = FigureRequest("source", "people", request.span, (("agent", text.strip("( ")),))
            assert len(read(warehouse, current_lists(session), [one])[one]) == 1
