"""Starting, reading and stopping a job."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import affected_rows, insert_ignoring
from domain.errors import NotFound
from domain.tables import Job

JobState = Literal["queued", "running", "done", "failed", "stopped"]
UNFINISHED = ("queued", "running")


@dataclass(frozen=True)
class JobView:
    """`total` None: not known yet. `input` and `report`: by kind."""

    id: int
    kind: str
    state: JobState
    processed: int
    total: int | None
    input: Mapping[str, Any]
    report: Mapping[str, Any]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None

    def rate(self, at: datetime) -> float | None:
        """Rows a second since the start; None before there is one."""
        if self.started_at is None:
            return None
        seconds = ((self.ended_at or at) - self.started_at).total_seconds()
        return self.processed / seconds if seconds > 0 else None


@dataclass(frozen=True)
class NewJob:
    """`key` tells a repeated request from a new one; it holds the learner's id, so that nobody meets another's."""

    kind: str
    input: Mapping[str, Any]
    key: str
    started_by: int


def start(session: Session, new: NewJob, at: datetime) -> int:
    """The id of a queued job; of the one that this key started before, whatever else is given."""
    about = {"kind": new.kind, "input": dict(new.input), "started_by": new.started_by, "idempotency_key": new.key}
    row = {**about, "state": "queued", "processed": 0, "report": {}, "created_at": at}
    insert_ignoring(session, Job, [row])
    return session.scalars(select(Job.id).where(Job.idempotency_key == new.key)).one()


def start_as_staff(session: Session, new: NewJob, at: datetime) -> int:
    """`start` a job and record that as a change of whoever starts it (`Database.write_as`). Returns its id."""
    is_new = session.scalar(select(Job.id).where(Job.idempotency_key == new.key)) is None
    job_id = start(session, new, at)
    if is_new:
        recording.record(
            session, f"{new.kind}.start", Subject("job", job_id), after={"name": new.input.get("name", "")}
        )
    else:
        recording.no_change(session)
    return job_id


def job_view(session: Session, job_id: int, kinds: Collection[str]) -> JobView:
    """A job of one of these kinds. Raises NotFound for an unknown job and for one of other kinds alike: each kind has
    its own permission."""
    job = session.get(Job, job_id)
    if job is None or job.kind not in kinds:
        raise NotFound("There is no such job.")
    return JobView(
        id=job.id,
        kind=job.kind,
        state=cast("JobState", job.state),
        processed=job.processed,
        total=job.total,
        input=job.input,
        report=job.report,
        created_at=job.created_at,
        started_at=job.started_at,
        ended_at=job.ended_at,
    )


def stop(session: Session, job_id: int, kinds: Collection[str], at: datetime) -> bool:
    """Stop a job that has not ended; whether this ended it. What is done stays; the process that has the job notices at
    its next step."""
    unfinished = update(Job).where(Job.id == job_id, Job.kind.in_(kinds), Job.state.in_(UNFINISHED))
    return affected_rows(session, unfinished.values(state="stopped", ended_at=at, heartbeat_at=None)) == 1


def stop_as_staff(session: Session, job_id: int, kinds: Collection[str], at: datetime) -> bool:
    """`stop` a job and record that as a change of whoever stops it (`Database.write_as`). Whether this ended it."""
    is_stopped = stop(session, job_id, kinds, at)
    if is_stopped:
        recording.record(session, "job.stop", Subject("job", job_id))
    else:
        recording.no_change(session)
    return is_stopped


def is_idle(session: Session, kinds: Collection[str]) -> bool:
    """Whether there is nothing to do or being done."""
    unfinished = select(Job.id).where(Job.state.in_(UNFINISHED), Job.kind.in_(kinds))
    return session.scalar(unfinished.limit(1)) is None
