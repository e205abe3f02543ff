"""Storing batches of visits as they were sent: several in one transaction, or the rows of a bad one singly."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any

from sqlalchemy.orm import Session

from contracts.payloads import VisitBatch
from domain.database.parts import parts_of
from domain.database.savepoints import error_in_savepoint
from domain.visits import batches, visits


def store_several(session: Session, read: Sequence[VisitBatch], at: datetime) -> bool:
    """Store the batches; those of the same columns, nearly always all, by the same statements. Returns False when
    visits to retired courses could not be recorded as such. Raises when one row cannot be stored: the caller then
    stores each batch by itself."""
    is_recorded = True
    for columns, group in groupby(read, key=lambda batch: batch.columns):
        rows = [row for batch in group for row in batch.rows]
        if columns:
            is_recorded &= batches.insert_rows(session, columns, rows)
        else:
            is_recorded &= visits.store_visits(session, rows, at)
    return is_recorded


def store_batch(session: Session, batch: VisitBatch, at: datetime) -> bool:
    """Store one batch: a row that cannot be stored becomes a dead letter. Returns False when visits to retired courses
    could not be recorded as such. Raises OperationalError."""
    if batch.columns:
        return batches.store_rows(session, batch.columns, batch.rows, at)
    return visits.store_visits(session, batch.rows, at)


def split(batch: VisitBatch) -> list[VisitBatch]:
    """Parts of at most PART_ROWS, to be stored in a transaction each."""
    return [replace(batch, rows=[*rows]) for rows in parts_of(batch.rows, batches.PART_ROWS)]


def store_row_by_row(session: Session, batch: VisitBatch, at: datetime) -> bool:
    """Store what can be stored of a batch that fails whenever it is stored as a whole: each other row becomes a dead
    letter, whatever the error. Raises when the database takes no dead letter either."""
    results: list[bool] = []
    for row in batch.rows:
        named = batches.as_dict(batch.columns, row) if batch.columns else row
        error = error_in_savepoint(session, partial(_store_row, session, named, at, results))
        if error is not None:
            visits.add_letter(session, named, visits.reason_of(error), at)
            session.flush()
    return all(results)


def _store_row(session: Session, row: Any, at: datetime, results: list[bool]) -> None:
    results.append(visits.store_one(session, row, at))
