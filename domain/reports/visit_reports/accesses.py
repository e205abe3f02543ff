"""Who looked at which report: a row for each answer and file, for 400 days."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.tables import ReportAccess

AccessAction = Literal["view", "csv", "parquet", "mail"]
MAX_QUERY = 500
# Rows in one transaction.
PART = 5_000


@dataclass(frozen=True)
class ReportLook:
    """`query`: the parameters; `rows`: how many were sent."""

    report: str
    query: str
    rows: int
    action: AccessAction


def record_access(session: Session, learner_id: int, look: ReportLook, at: datetime) -> None:
    about = {"report": look.report, "query": look.query[:MAX_QUERY], "row_count": look.rows, "action": look.action}
    session.add(ReportAccess(accessed_at=at, learner_id=learner_id, **about))


def delete_old(session: Session, before: datetime) -> int:
    """At most PART rows; their number."""
    old = select(ReportAccess.id).where(ReportAccess.accessed_at < before).order_by(ReportAccess.accessed_at)
    ids = list(session.scalars(old.limit(PART)))
    if not ids:
        return 0
    return affected_rows(session, delete(ReportAccess).where(ReportAccess.id.in_(ids)))


def _accesses(learner_id: int) -> Select[*tuple[Any, ...]]:
    columns = (
        ReportAccess.accessed_at.label("at"),
        ReportAccess.report,
        ReportAccess.query,
        ReportAccess.row_count.label("rows"),
        ReportAccess.action,
    )
    return select(*columns).where(ReportAccess.learner_id == learner_id).order_by(ReportAccess.id)


# For the file of all data on one person (domain/account/export.py).
EXPORTED: Mapping[str, Any] = {"reportAccesses": _accesses}
