"""Unfinished registrations, recoveries and second factors: one row each, shared by all tabs and host processes."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.identity.sessions import digest
from domain.tables import SignInFlow

# Specification §9: an unfinished flow can be continued for this long.
FLOW_TTL = timedelta(minutes=30)
# Expired flows are stored this much longer, so that the browser gets the error "expired" instead of "unknown".
ENDED_TTL = timedelta(hours=2)


@dataclass(frozen=True)
class StoredFlow:
    """`encrypted_state` as the host passed it; only the host can decrypt it."""

    id: int
    encrypted_state: str
    version: int
    expires_at: datetime

    def is_over(self, at: datetime) -> bool:
        return at >= self.expires_at


def begin(session: Session, cookie: str, state: str, encrypted_state: str, at: datetime) -> StoredFlow:
    """Store a new flow. `cookie` is the browser's, `state` was sent to the provider; only their digests are stored."""
    session.execute(delete(SignInFlow).where(SignInFlow.expires_at <= at - ENDED_TTL))
    columns = {"encrypted_state": encrypted_state, "version": 0, "created_at": at, "expires_at": at + FLOW_TTL}
    row = SignInFlow(cookie_digest=digest(cookie), state_digest=digest(state), **columns)
    session.add(row)
    session.flush()
    return StoredFlow(row.id, encrypted_state, 0, row.expires_at)


def by_cookie(session: Session, handle: str) -> StoredFlow | None:
    row = session.scalar(select(SignInFlow).where(SignInFlow.cookie_digest == digest(handle)))
    return None if row is None else StoredFlow(row.id, row.encrypted_state, row.version, row.expires_at)


def change(session: Session, flow: StoredFlow, encrypted_state: str) -> bool:
    """False when another tab changed the flow first; nothing is changed then."""
    is_unchanged = (SignInFlow.id == flow.id, SignInFlow.version == flow.version)
    values = {"encrypted_state": encrypted_state, "version": flow.version + 1}
    return bool(affected_rows(session, update(SignInFlow).where(*is_unchanged).values(values)))


def end(session: Session, flow: StoredFlow) -> bool:
    """Delete a flow. False when it had been deleted before."""
    return bool(affected_rows(session, delete(SignInFlow).where(SignInFlow.id == flow.id)))
