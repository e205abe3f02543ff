"""Jobs as lists for staff: one kind each."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select

from domain.database.list_page import ListSource
from domain.tables import Job, Learner

_jobs, _learners = Job.__table__.c, Learner.__table__.c


class JobRow(NamedTuple):
    id: int
    state: str
    processed: int
    total: int | None
    input: Mapping[str, Any]
    report: Mapping[str, Any]
    created_at: datetime
    ended_at: datetime | None
    started_by: str


def jobs_of_kind(kind: str, *, has_long_reports: bool = False) -> ListSource[JobRow]:
    """The newest first; few enough that nobody filters them but by state. `has_long_reports`: such as findings."""
    columns = (_jobs[name] for name in JobRow._fields[:-1])
    return ListSource(
        rows=select(*columns, _learners.name)
        .outerjoin_from(Job.__table__, Learner.__table__, _learners.id == _jobs.started_by)
        .where(_jobs.kind == kind),
        counted=select(_jobs.id).where(_jobs.kind == kind),
        make=JobRow._make,
        key=_jobs.id,
        filters={"state": _jobs.state.__eq__},
        has_long_rows=has_long_reports,
    )
