"""What waits and what failed, as /readyz shows it."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain import outbox
from domain.outbox import TopicState
from domain.tables import DeadLetter, PaymentFinding


@dataclass(frozen=True)
class Backlog:
    """`dead_letters`: visits that no worker could store. `payment_findings`: differences between the gateway's
    transactions and ours that are not resolved. `outbox`: the rows of every topic."""

    dead_letters: int
    payment_findings: int
    outbox: dict[Topic, TopicState]


def count_backlog(session: Session) -> Backlog:
    """Also proves that the database answers."""
    letters = session.scalar(select(func.count()).where(DeadLetter.replayed_at.is_(None))) or 0
    unresolved = select(func.count()).select_from(PaymentFinding).where(PaymentFinding.resolved_at.is_(None))
    return Backlog(letters, session.scalar(unresolved) or 0, outbox.topic_states(session))
