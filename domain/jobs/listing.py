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


def jobs_of_kind(kind: str) -> ListSource[JobRow]:
    """The newest first; few enough that nobody filters them but by state."""
    columns = (_jobs[name] for name in JobRow._fields[:-1])
    name = select(_learners.name).where(_learners.id == _jobs.started_by).scalar_subquery()
    return ListSource(
        rows=select(*columns, name).where(_jobs.kind == kind),
        make=JobRow._make,
        key=_jobs.id,
        filters={"state": _jobs.state.__eq__},
    )
