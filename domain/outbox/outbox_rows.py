"""What operators see of the outbox: counts by topic, waiting and dead rows, and replaying the dead ones."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, func, select, update
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain.database.database import affected_rows
from domain.errors import DomainError
from domain.tables import Outbox

OutboxRow = Outbox
ERASED = "erased with the account that it named"
_IS_OPEN = Outbox.done_at.is_(None)
_IS_DEAD = Outbox.dead_at.is_not(None)


class NotReplayable(DomainError):
    """The row does not exist, or is not dead."""


@dataclass(frozen=True)
class TopicState:
    """`oldest_at`: when the oldest waiting row was written; None when none waits."""

    waiting: int = 0
    oldest_at: datetime | None = None
    dead: int = 0


def topic_states(session: Session) -> dict[Topic, TopicState]:
    """The state of every topic that this build knows."""
    topics = [str(topic) for topic in Topic]
    dead = func.count(Outbox.dead_at)
    oldest = func.min(case((Outbox.dead_at.is_(None), Outbox.created_at)))
    columns = select(Outbox.topic, func.count(), dead, oldest)
    rows = session.execute(columns.where(Outbox.topic.in_(topics), _IS_OPEN).group_by(Outbox.topic))
    states = {topic: TopicState(count - dead_count, at, dead_count) for topic, count, dead_count, at in rows}
    return {topic: states.get(str(topic), TopicState()) for topic in Topic}


def list_rows(session: Session, *, is_dead: bool, topic: str | None, limit: int) -> list[OutboxRow]:
    """Waiting or dead rows, the oldest first."""
    conditions = [_IS_OPEN, _IS_DEAD if is_dead else Outbox.dead_at.is_(None), *_of_topic(topic)]
    return list(session.scalars(select(Outbox).where(*conditions).order_by(Outbox.id).limit(limit)))


def replay(session: Session, ids: Collection[int], at: datetime) -> int:
    """Queue dead rows again. Raises NotReplayable, and then changes nothing, when one of them is not dead."""
    dead = set(session.scalars(select(Outbox.id).where(Outbox.id.in_(ids), _IS_OPEN, _IS_DEAD)))
    if missing := sorted(set(ids) - dead):
        numbers = ", ".join(str(number) for number in missing)
        raise NotReplayable(f"Not a dead row of the outbox: {numbers}. `outbox dead` lists them. Nothing was replayed.")
    return _replay(session, [Outbox.id.in_(dead)], at)


def replay_all(session: Session, topic: str | None, at: datetime) -> int:
    """Queue all dead rows again, or those of a topic."""
    return _replay(session, _of_topic(topic), at)


def _of_topic(topic: str | None) -> list[ColumnElement[bool]]:
    return [] if topic is None else [Outbox.topic == topic]


def _replay(session: Session, conditions: list[ColumnElement[bool]], at: datetime) -> int:
    """A replayed row begins anew, with its attempts and with the time after which a handler gives it up."""
    anew: dict[str, Any] = {"created_at": at, "next_at": at, "attempts": 0, "dead_at": None}
    return affected_rows(session, update(Outbox).where(_IS_OPEN, _IS_DEAD, *conditions).values(**anew))


def erase_address(session: Session, address: str) -> None:
    """Remove the errors that quote an email address, such as a mail server's refusal of it."""
    if address:
        quotes = Outbox.error.icontains(address, autoescape=True)
        affected_rows(session, update(Outbox).where(quotes).values(error=ERASED))
