"""Registrations, recoveries and second factors under way: one row each, shared by every tab and host process."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain.sessions import digest
from domain.tables import SignInTransaction

# Specification §9: what was begun can be gone on with for this long.
LIFE = timedelta(minutes=30)
# Over, and still known for this long, so that the browser is told what happened to it.
REMEMBERED = timedelta(hours=2)


@dataclass(frozen=True)
class Kept:
    """`meta` as the host gave it, which alone can read it."""

    id: int
    meta: str
    version: int
    expires_at: datetime

    def is_over(self, at: datetime) -> bool:
        return at >= self.expires_at


def begin(session: Session, handle: str, state: str, meta: str, at: datetime) -> Kept:
    """`handle` is the browser's cookie, `state` what the provider was sent; both only count as digests from here on."""
    session.execute(delete(SignInTransaction).where(SignInTransaction.expires_at <= at - REMEMBERED))
    facts = {"meta": meta, "version": 0, "created_at": at, "expires_at": at + LIFE}
    row = SignInTransaction(handle=digest(handle), state=digest(state), **facts)
    session.add(row)
    session.flush()
    return Kept(row.id, meta, 0, row.expires_at)


def by_handle(session: Session, handle: str) -> Kept | None:
    row = session.scalar(select(SignInTransaction).where(SignInTransaction.handle == digest(handle)))
    return None if row is None else Kept(row.id, row.meta, row.version, row.expires_at)


def change(session: Session, kept: Kept, meta: str) -> bool:
    """False when another tab was faster: nothing is changed then."""
    mine = (SignInTransaction.id == kept.id, SignInTransaction.version == kept.version)
    changed = session.execute(update(SignInTransaction).where(*mine).values(meta=meta, version=kept.version + 1))
    return bool(changed.rowcount)  # type: ignore[attr-defined]


def end(session: Session, kept: Kept) -> bool:
    """False when it was over already."""
    ended = session.execute(delete(SignInTransaction).where(SignInTransaction.id == kept.id))
    return bool(ended.rowcount)  # type: ignore[attr-defined]
