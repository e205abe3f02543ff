"""What waits and what failed, as /readyz shows it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain.health.jobs import JobCounts, count_jobs
from domain.outbox import outbox_rows
from domain.outbox.outbox_rows import TopicState
from domain.staff import recorded_chain as chain
from domain.staff.recorded_chain import ChainCheck
from domain.tables import DeadLetter, PaymentFinding


@dataclass(frozen=True)
class Backlog:
    """`dead_letters`: visits that no worker could store. `payment_findings`: differences between the gateway's
    transactions and ours that are not resolved. `outbox`: the rows of every topic. `audit`: the last check of the
    chain of events, None before there was one."""

    dead_letters: int
    payment_findings: int
    outbox: dict[Topic, TopicState]
    jobs: JobCounts
    audit: ChainCheck | None


def count_backlog(session: Session, at: datetime) -> Backlog:
    """Also proves that the database answers."""
    letters = session.scalar(select(func.count()).where(DeadLetter.replayed_at.is_(None))) or 0
    unresolved = select(func.count()).select_from(PaymentFinding).where(PaymentFinding.resolved_at.is_(None))
    _, check = chain.chain_state(session)
    findings = session.scalar(unresolved) or 0
    return Backlog(letters, findings, outbox_rows.topic_states(session), count_jobs(session, at), check)
