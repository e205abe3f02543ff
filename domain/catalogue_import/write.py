"""Writes the good rows of a checked file, some hundreds to a transaction."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.imports.checking import Plan, Progress, Reading, stamp_of, unwatched
from domain.imports.columns import Kind
from domain.imports.entries import Entry
from domain.imports.files import MIB, ImportRefused
from domain.imports.findings import Findings
from domain.publishing import CourseRecord, ItemRecord, Written, put_courses, put_items
from domain.publishing.shelves import add_missing_categories

SessionFactory = Callable[[], AbstractContextManager[Session]]
Chunk = list[tuple[int, Entry]]

ROWS_IN_CHUNK = 500
# A chunk of rows of a mebibyte each would not fit where a chunk of ordinary rows does.
BYTES_IN_CHUNK = 4 * MIB


@dataclass
class Result:
    """`left_out` are the rows the records refused, beyond those the check had left out already; `held_back` those that
    are in, yet as drafts: their pages would lack something that search engines require."""

    added: int = 0
    changed: int = 0
    same: int = 0
    left_out: Findings = field(default_factory=Findings)
    held_back: Findings = field(default_factory=Findings)


def carry_out(plan: Plan, session_factory: SessionFactory, at: datetime, progress: Progress = unwatched) -> Result:
    """Commits chunk by chunk: stopped half-way, what is done stays, and a repeat does the rest. `progress` hears rows.

    Raises ImportRefused when the file is not the one that was checked.
    """
    if stamp_of(plan.path) != plan.stamp:
        raise ImportRefused(f"{plan.path.name} was changed since it was checked: try again.")
    result = Result()
    done = 0
    for chunk in _chunks(Reading(plan.path, plan.kind, plan.mapping)):
        _write(plan.kind, chunk, session_factory, at, result)
        done += len(chunk)
        progress(done, plan.good)
    return result


def _chunks(reading: Reading) -> Iterator[Chunk]:
    chunk: Chunk = []
    start = 0
    for line, entry in reading.entries():
        chunk.append((line, entry))
        if len(chunk) == ROWS_IN_CHUNK or reading.table.read - start > BYTES_IN_CHUNK:
            yield chunk
            chunk, start = [], reading.table.read
    if chunk:
        yield chunk


def _write(kind: Kind, chunk: Chunk, session_factory: SessionFactory, at: datetime, result: Result) -> None:
    """One transaction for all; when the records refuse it, one for each, so that only the culprit stays out."""
    try:
        with session_factory() as session:
            written = _put(session, kind, [entry for _, entry in chunk], at)
    except (Refused, IntegrityError, DataError) as error:
        if len(chunk) == 1:
            result.left_out.add(chunk[0][0], str(error if isinstance(error, Refused) else error.orig))
            return
        for one in chunk:
            _write(kind, [one], session_factory, at, result)
        return
    result.added += written.added
    result.changed += written.changed
    result.same += written.same
    for place, reasons in written.held_back.items():
        line, entry = chunk[place]
        result.held_back.add(line, f"{entry.record.slug}: {'; '.join(reasons)}")


def _put(session: Session, kind: Kind, entries: Sequence[Entry], at: datetime) -> Written:
    add_missing_categories(session, {entry.record.category: entry.category_name for entry in entries})
    if kind == "courses":
        return put_courses(session, [cast(CourseRecord, entry.record) for entry in entries], at)
    return put_items(session, [cast(ItemRecord, entry.record) for entry in entries], at)
