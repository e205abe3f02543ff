"""Doing a job: a process claims it, does steps, and gives it back or ends it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import case, or_, select, update
from sqlalchemy.orm import Session

from domain import fault_points
from domain.database.database import affected_rows
from domain.jobs.job_rows import UNFINISHED
from domain.tables import Job

# Several times as long as a step may take. A process that was silent for longer has lost its job.
LEASE = timedelta(seconds=20)


# A job that gets no further so often, because it ends its process each time, would be claimed for ever.
MAX_ATTEMPTS = 5
STUCK = (
    f"It was begun {MAX_ATTEMPTS} times and got no further than this. What was done so far stays. "
    "Its process ended or fell silent each time: the log of the workers says more."
)


class JobLost(Exception):
    """The job was stopped, or another process has it: the step is rolled back."""


@dataclass(frozen=True)
class Claim:
    """A job as the process that has it knows it. `heartbeat_at` proves that it has it."""

    id: int
    kind: str
    processed: int
    total: int | None
    input: Mapping[str, Any]
    report: Mapping[str, Any]
    heartbeat_at: datetime


@dataclass(frozen=True)
class JobStep:
    """`work` returns the new report; a transaction may be repeated, so it changes nothing but the database."""

    work: Callable[[Session], Mapping[str, Any]]
    processed: int
    total: int | None = None


def claim(session: Session, kinds: Collection[str], at: datetime) -> Claim | None:
    """The oldest job that nobody works at; None without one. One that got no further in MAX_ATTEMPTS has failed."""
    silent = or_(Job.heartbeat_at.is_(None), Job.heartbeat_at < at - LEASE)
    due = (Job.state.in_(UNFINISHED), Job.kind.in_(kinds), silent)
    columns = select(Job.id, Job.started_at, Job.attempts, Job.report)
    for job_id, started_at, attempts, report in session.execute(columns.where(*due).order_by(Job.id).limit(5)):
        # Another process may have claimed it since it was read.
        own = update(Job).where(Job.id == job_id, Job.attempts == attempts, *due)
        if attempts >= MAX_ATTEMPTS:
            ended: dict[str, Any] = {"state": "failed", "ended_at": at, "heartbeat_at": None}
            affected_rows(session, own.values(**ended, report={**report, "error": STUCK}))
            continue
        values = {"state": "running", "heartbeat_at": at, "started_at": started_at or at, "attempts": attempts + 1}
        if affected_rows(session, own.values(**values)):
            job = session.get_one(Job, job_id, populate_existing=True)
            return Claim(job.id, job.kind, job.processed, job.total, job.input, job.report, at)
    return None


def do_step(session: Session, claim: Claim, step: JobStep, at: datetime) -> Claim:
    """Do the work and record it, both or neither. Raises JobLost.

    The row is locked before the work, so that stopping waits for the step, and a process that lost its job while it
    was frozen does nothing.
    """
    at = max(at, claim.heartbeat_at + timedelta(microseconds=1))
    _change(session, claim, heartbeat_at=at)
    going_on = replace(claim, heartbeat_at=at)
    report = step.work(session)
    total = claim.total if step.total is None else step.total
    fault_points.hit("job.worked")
    # What is begun anew each time gets further only beyond where it was.
    is_further = step.processed > Job.furthest
    attempts = case((is_further, 0), else_=Job.attempts)
    furthest = case((is_further, step.processed), else_=Job.furthest)
    about = {"processed": step.processed, "total": total, "report": dict(report)}
    _change(session, going_on, **about, attempts=attempts, furthest=furthest)
    return replace(going_on, processed=step.processed, total=total, report=report)


def release(session: Session, claim: Claim) -> None:
    """Give the job back between two slices. Raises JobLost."""
    _change(session, claim, heartbeat_at=None)


def finish(session: Session, claim: Claim, at: datetime) -> None:
    """Raises JobLost."""
    _change(session, claim, state="done", ended_at=at, heartbeat_at=None)


def fail(session: Session, claim: Claim, error: str, at: datetime) -> None:
    """End the job with a sentence for its page. Raises JobLost."""
    _change(session, claim, state="failed", ended_at=at, heartbeat_at=None, report={**claim.report, "error": error})


def _change(session: Session, claim: Claim, **values: Any) -> None:
    is_own = (Job.id == claim.id, Job.state == "running", Job.heartbeat_at == claim.heartbeat_at)
    if not affected_rows(session, update(Job).where(*is_own).values(**values)):
        raise JobLost(f"job {claim.id}")
