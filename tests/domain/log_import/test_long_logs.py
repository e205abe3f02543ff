"""Long logs in every form: all figures are those of a plain count, however the files come."""

import gzip
import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import select

from domain.database.database import Database, database_url
from domain.log_import import importing
from domain.log_import.counts import ImportCounts
from domain.log_import.forms.templates import template_format
from domain.log_import.importing import ImportOptions, LogImport
from domain.log_import.lines import open_files
from domain.log_import.visitors import Agents
from domain.migrations import runner
from domain.tables import ImportedVisit, VisitDay, VisitorSign, VisitRollup
from domain.visits.raw.local_days import DayRules
from host.http.user_agents import browser_family, visitor_class
from tests.domain.log_import import long_logs, plain_oracle
from tests.domain.log_import.log_files import HOST
from tests.domain.log_import.long_logs import FORMS, TEMPLATE, ZONE
from tests.domain.log_import.plain_oracle import Expected
from tests.domain.log_import.worlds import stopped_after

RULES = DayRules(ZONE)
# Each form has so many lines. With 1,000,000, as in docs/performance.md, a test ends in time on an idle machine only.
NIGHTLY_LINES = int(os.environ.get("LOG_LINES", "50000"))
SITE = "school"


@pytest.fixture
def databases(tmp_path) -> Iterator[Iterator[Database]]:
    """Each next one is a new database."""
    opened: list[Database] = []

    def open_next() -> Iterator[Database]:
        while True:
            folder = tmp_path / f"database-{len(opened)}"
            folder.mkdir()
            database = Database(database_url(None, folder), deadline_s=60)
            runner.upgrade(database.engine)
            opened.append(database)
            yield database

    yield open_next()
    for database in opened:
        database.engine.dispose()


def import_files(database: Database, form: str, *paths: Path) -> ImportCounts:
    """Import the files with the program's own rules for agents, and compute their days."""
    template = template_format(TEMPLATE) if form == "template" else None
    options = ImportOptions(SITE, form=template, own_hosts=[HOST])
    visitors = importing.visitors_of(SITE, "secret", Agents(visitor_class, browser_family))
    found = LogImport(database, RULES, lambda: long_logs.NOW)
    found.store(importing.check(open_files([*paths]), options), options.rules(visitors), lambda *_: None)
    assert found.compute_days(SITE, lambda *_: None)[1] == []
    return found.counts


def digest_of_rows(database: Database) -> str:
    """The digest of all rows of visits, signs and days."""
    found = sha256()
    with database.read_session() as session:
        for table in (ImportedVisit.__table__, VisitorSign.__table__, VisitDay.__table__):
            for row in session.execute(select(table).order_by(*table.primary_key.columns)):
                found.update(f"{tuple(row)}\n".encode())
        rollups = select(VisitRollup.day, VisitRollup.visits, VisitRollup.digest).order_by(VisitRollup.day)
        found.update(repr([*map(tuple, session.execute(rollups))]).encode())
    return found.hexdigest()


def figures(database: Database, counts: ImportCounts) -> Expected:
    """What the database has, in the words of the plain count."""
    visits, sessions, of_path = {}, {}, {}
    with database.read_session() as session:
        rows = session.execute(select(ImportedVisit.visited_at, ImportedVisit.url))
        pages = sorted((round(at.timestamp() * 1000), url) for at, url in rows)
        columns = (VisitDay.dimension, VisitDay.day, VisitDay.key, VisitDay.visits, VisitDay.sessions)
        for dimension, day, key, own_visits, own_sessions in session.execute(select(*columns)):
            if dimension == "all":
                visits[day] = visits.get(day, 0) + own_visits
                sessions[day] = sessions.get(day, 0) + own_sessions
            elif dimension == "path":
                of_path[day, key] = of_path.get((day, key), 0) + own_visits
    return Expected(dict(counts.kinds), plain_oracle.digest_of(pages), visits, sessions, of_path)


def packed(path: Path) -> Path:
    target = path.with_name(f"{path.name}.gz")
    target.write_bytes(gzip.compress(path.read_bytes(), 1))
    return target


def part(folder: Path, form: str, count: int, first: int, last: int) -> Path:
    made = islice(long_logs.lines(form, count), first, last)
    return long_logs.write(folder / f"{first}-{last}.log", form, made)


class Imported(NamedTuple):
    """What several imports of one log found. `new`: pages that each of them added, `kinds`: how many lines of each kind
    the second one read."""

    new: tuple[int, ...]
    kinds: dict[str, int]
    figures: Expected
    digests: frozenset[str]


def import_in_pieces(form: str, count: int, folder: Path, databases: Iterator[Database]) -> tuple[Imported, Expected]:
    """What was found and what a plain count expects: by an import that is stopped in the middle and goes on, by another
    of the whole file, packed, and by files that overlap, each by a command of its own, in both orders."""
    expected = plain_oracle.count(long_logs.lines(form, count), ZONE)
    pages = expected.kinds["pages"]
    whole = long_logs.write(folder / "whole.log", form, long_logs.lines(form, count))
    first = next(databases)
    with stopped_after(max(pages // 5_000 // 2, 1)), pytest.raises(KeyboardInterrupt):
        import_files(first, form, whole)
    counts = import_files(first, form, whole)
    found, digests = figures(first, counts), {digest_of_rows(first)}
    again = import_files(first, form, packed(whole))
    new = [counts.new, again.new]
    digests.add(digest_of_rows(first))
    overlapping = [
        part(folder, form, count, 0, count * 6 // 10),
        packed(part(folder, form, count, count * 4 // 10, count)),
    ]
    for order in (overlapping, overlapping[::-1]):
        database = next(databases)
        new.append(sum(import_files(database, form, file).new for file in order))
        digests.add(digest_of_rows(database))
    return Imported(tuple(new), dict(again.kinds), found, frozenset(digests)), expected


@pytest.mark.parametrize("form", FORMS)
def test_a_short_log_is_counted_as_a_plain_count_does(tmp_path, databases, form):
    database, count = next(databases), 3_000
    path = long_logs.write(tmp_path / "a.log", form, long_logs.lines(form, count))
    counts = import_files(database, form, path)
    assert figures(database, counts) == plain_oracle.count(long_logs.lines(form, count), ZONE)
    assert counts.new == counts.pages


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMS)
def test_a_long_log_in_any_pieces_has_the_rows_of_the_whole(tmp_path, databases, form):
    found, expected = import_in_pieces(form, NIGHTLY_LINES, tmp_path, databases)
    pages = expected.kinds["pages"]
    after_stop, *others = found.new
    assert (0 < after_stop < pages, others) == (True, [0, pages, pages])
    assert (found.figures, found.kinds, len(found.digests)) == (expected, expected.kinds, 1)
