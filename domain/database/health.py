"""What /readyz reads from the database."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import DeadLetter


def count_dead_letters(session: Session) -> int:
    """The number of messages that no worker could store; also proves that the database answers."""
    return session.scalar(select(func.count()).select_from(DeadLetter)) or 0
