"""How many jobs of staff wait, run, and do not go on."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from domain.tables import Job

# Much longer than the lease of a job: somebody else would have gone on with it long ago.
STALLED_AFTER = timedelta(minutes=5)
_UNFINISHED = ("queued", "running")


@dataclass(frozen=True)
class JobCounts:
    waiting: int
    running: int
    stalled: int


def stalled_jobs(at: datetime) -> Select[Any]:
    """Ids of jobs that nobody has worked at for STALLED_AFTER."""
    touched = func.coalesce(Job.heartbeat_at, Job.started_at, Job.created_at)
    return select(Job.id).where(Job.state.in_(_UNFINISHED), touched < at - STALLED_AFTER)


def count_jobs(session: Session, at: datetime) -> JobCounts:
    states = select(Job.state, func.count()).where(Job.state.in_(_UNFINISHED)).group_by(Job.state)
    counts: dict[str, int] = dict(session.execute(states).all())
    stalled = session.scalar(select(func.count()).select_from(stalled_jobs(at).subquery())) or 0
    return JobCounts(counts.get("queued", 0), counts.get("running", 0), stalled)
