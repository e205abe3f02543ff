"""Stores what a host process sees of itself and of what it uses, every half minute."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.database.database import affected_rows, insert_ignoring
from domain.tables import HealthSample

EVERY_S = 30
KEEP = timedelta(days=8)
MAX_DELETED = 2_000


def slot_of(at: datetime) -> datetime:
    """The half minute of a time."""
    return at.astimezone(UTC).replace(second=at.second // 30 * 30, microsecond=0)


def store(session: Session, process: str, values: Mapping[str, Any], at: datetime) -> None:
    """One sample of a process for each half minute; a second one is left out."""
    insert_ignoring(
        session, HealthSample, [{"sampled_at": slot_of(at), "process": process[:80], "values": dict(values)}]
    )


def delete_old(session: Session, before: datetime) -> int:
    """Delete samples from before a time, at most MAX_DELETED; how many."""
    ids = session.scalars(select(HealthSample.id).where(HealthSample.sampled_at < before).limit(MAX_DELETED)).all()
    return affected_rows(session, delete(HealthSample).where(HealthSample.id.in_(ids))) if ids else 0
