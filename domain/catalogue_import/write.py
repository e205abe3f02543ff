"""Writes the good rows of a checked file, some hundreds per transaction."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.catalogue_import.presets import Kind
from domain.catalogue_import.read_lines import MIB, ImportRefused
from domain.catalogue_import.report import ImportReport
from domain.catalogue_import.shared_fields import ImportedRow
from domain.catalogue_import.validate import ImportPlan, Progress, RowReader, file_stamp, no_progress
from domain.errors import Refused
from domain.permissions import SystemActor
from domain.publishing.categories import find_or_add_categories
from domain.publishing.importing import Importer
from domain.publishing.records import CourseRecord, ItemRecord, ProductRecord
from domain.publishing.writer import WriteResult, put_courses, put_items
from domain.text_direction import isolated

SessionFactory = Callable[[], AbstractContextManager[Session]]
Chunk = list[tuple[int, ImportedRow]]

ROWS_IN_CHUNK = 500
# Limits the memory for rows of up to a mebibyte each.
BYTES_IN_CHUNK = 4 * MIB


@dataclass
class ImportResult:
    """`refused`: rows that the check accepted and the database refused. `kept_as_draft`: imported rows whose
    pages lack something. `withheld`: what staff decided and the import therefore left as it is."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: ImportReport = field(default_factory=ImportReport)
    kept_as_draft: ImportReport = field(default_factory=ImportReport)
    withheld: ImportReport = field(default_factory=ImportReport)


def write_plan(
    plan: ImportPlan, session_factory: SessionFactory, at: datetime, progress: Progress = no_progress
) -> ImportResult:
    """Write in chunks, a transaction each, as a command: after an interruption a repeat writes the rest. `progress`
    counts rows.

    Raises ImportRefused when the file is not the one that was checked.
    """
    if file_stamp(plan.path) != plan.stamp:
        raise ImportRefused(f"{isolated(plan.path.name)} was changed since it was checked: try again.")
    result = ImportResult()
    done = 0
    for chunk in chunks(RowReader(plan.path, plan.kind, plan.currency, plan.rules)):
        _write(plan.kind, chunk, session_factory, at, result)
        done += len(chunk)
        progress(done, plan.good)
    return result


def chunks(reader: RowReader) -> Iterator[Chunk]:
    """The good rows in the chunks that are written together: the same for the same file."""
    chunk: Chunk = []
    start = 0
    for line, row in reader.good_rows():
        chunk.append((line, row))
        if len(chunk) == ROWS_IN_CHUNK or reader.table.bytes_read - start > BYTES_IN_CHUNK:
            yield chunk
            chunk, start = [], reader.table.bytes_read
    if chunk:
        yield chunk


def _write(kind: Kind, chunk: Chunk, session_factory: SessionFactory, at: datetime, result: ImportResult) -> None:
    """One transaction for the chunk; if the database refuses it, one per row, so that only the bad row is skipped."""
    try:
        with session_factory() as session:
            importer = Importer(SystemActor("command", at))
            batch = recording.run(session, importer.actor, put_chunk, kind, chunk, at, importer)
    except (Refused, IntegrityError, DataError) as error:
        if len(chunk) == 1:
            result.refused.add(chunk[0][0], str(error if isinstance(error, Refused) else error.orig))
            return
        for numbered_row in chunk:
            _write(kind, [numbered_row], session_factory, at, result)
        return
    result.added += batch.added
    result.changed += batch.changed
    result.unchanged += batch.unchanged
    for place, reasons in batch.kept_as_draft.items():
        line, row = chunk[place]
        result.kept_as_draft.add(line, f"{row.record.slug}: {'; '.join(reasons)}")
    for place, reasons in batch.withheld.items():
        line, row = chunk[place]
        result.withheld.add(line, f"{row.record.slug}: {'; '.join(reasons)}")


def put_chunk(session: Session, kind: Kind, chunk: Chunk, at: datetime, importer: Importer) -> WriteResult:
    """For `Database.write_as`. Raises Refused, IntegrityError or DataError when one of the rows cannot be stored."""
    categories = find_or_add_categories(session, {row.record.category: row.category_name for _, row in chunk})
    records = [_of_category(row.record, categories[row.record.category]) for _, row in chunk]
    if kind == "courses":
        return put_courses(session, cast(list[CourseRecord], records), at, importer)
    return put_items(session, cast(list[ItemRecord], records), at, importer)


def _of_category(record: ProductRecord, slug: str) -> ProductRecord:
    return record if record.category == slug else replace(record, category=slug)
