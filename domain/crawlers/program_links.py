"""Which cart links programs made for people, and whether a person has opened them. A link counts once, however often it
is opened."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.tables import ProgramLink


class NotedLink(NamedTuple):
    """`agent`: the program that made it."""

    agent: str
    created_at: datetime
    is_opened: bool


def note_created(session: Session, digest: str, agent: str, at: datetime) -> None:
    """In the transaction that makes the link."""
    session.add(ProgramLink(digest=digest, agent=agent, created_at=at))


def note_opened(session: Session, digest: str, at: datetime) -> bool:
    """Whether this was the first time."""
    is_first = (ProgramLink.digest == digest, ProgramLink.opened_at.is_(None))
    return affected_rows(session, update(ProgramLink).where(*is_first).values(opened_at=at)) == 1


def created_between(session: Session, since: datetime, until: datetime) -> list[NotedLink]:
    """The links that were made from `since` to before `until`."""
    columns = (ProgramLink.agent, ProgramLink.created_at, ProgramLink.opened_at.is_not(None))
    query = select(*columns).where(ProgramLink.created_at >= since, ProgramLink.created_at < until)
    return [NotedLink(agent, created_at, bool(is_opened)) for agent, created_at, is_opened in session.execute(query)]


def delete_old(session: Session, before: datetime, limit: int) -> int:
    """Delete links that were made before a time; the number of rows, at most `limit`."""
    old = select(ProgramLink.digest).where(ProgramLink.created_at < before).limit(limit)
    digests = list(session.scalars(old))
    return affected_rows(session, delete(ProgramLink).where(ProgramLink.digest.in_(digests))) if digests else 0


def count_old(session: Session, before: datetime) -> int:
    """How many rows `delete_old` would delete in all."""
    return session.scalar(select(func.count()).select_from(ProgramLink).where(ProgramLink.created_at < before)) or 0
