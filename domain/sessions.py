"""Sign-ins: two secrets that only count together, for 45 minutes (docs/decisions, "two halves of a sign-in")."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.orm import Session

from domain.prepared import Prepared
from domain.tables import LearnerSession
from domain.tables.base import Digest

# The specification's life of the login cookie; it is never prolonged.
LIFETIME = timedelta(minutes=45)
SECRET_BYTES = 32


@dataclass(frozen=True)
class Opened:
    """`handle` is userInfo's accessToken, `half` the HttpOnly cookie. Neither can be read from the records."""

    handle: str
    half: str
    learner_id: int
    expires_at: datetime


@dataclass(frozen=True)
class SignedIn:
    learner_id: int
    area: str


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_session(session: Session, learner_id: int, at: datetime, area: str = "learner") -> Opened:
    handle, half = secrets.token_urlsafe(SECRET_BYTES), secrets.token_urlsafe(SECRET_BYTES)
    opened = Opened(handle, half, learner_id, at + LIFETIME)
    session.add(
        LearnerSession(
            learner_id=learner_id,
            handle=digest(handle),
            half=digest(half),
            area=area,
            created_at=at,
            expires_at=opened.expires_at,
        )
    )
    session.flush()
    return opened


_columns = LearnerSession.__table__.c
_FACTS = (_columns.learner_id, _columns.area, _columns.half, _columns.expires_at, _columns.revoked_at)
_BY_HANDLE = Prepared(select(*_FACTS).where(_columns.handle == bindparam("digest", type_=Digest)), tuple)
_BY_HALF = Prepared(select(*_FACTS).where(_columns.half == bindparam("digest", type_=Digest)), tuple)


def signed_in(session: Session, handle: str, half: str, at: datetime) -> SignedIn | None:
    """Who signed in with both halves; None when one is unknown, they do not belong together, or their time is over."""
    found = _BY_HANDLE.all(session, digest=digest(handle))
    if not found or not hmac.compare_digest(found[0][2], digest(half)):
        return None
    return _if_running(found[0], at)


def by_half(session: Session, half: str, at: datetime) -> SignedIn | None:
    """Who the HttpOnly half belongs to: enough to narrow what a page shows, never to change anything."""
    found = _BY_HALF.all(session, digest=digest(half))
    return _if_running(found[0], at) if found else None


def _if_running(row: tuple[int, str, str, datetime, datetime | None], at: datetime) -> SignedIn | None:
    learner_id, area, _, expires_at, revoked_at = row
    return SignedIn(learner_id, area) if revoked_at is None and at < expires_at else None


def revoke(session: Session, handle: str, at: datetime) -> None:
    """The end of a sign-in, at once and for good."""
    session.execute(
        update(LearnerSession)
        .where(LearnerSession.handle == digest(handle), LearnerSession.revoked_at.is_(None))
        .values(revoked_at=at)
    )


def forget_expired(session: Session, at: datetime) -> None:
    """Rows that let nobody in any more."""
    session.execute(delete(LearnerSession).where(LearnerSession.expires_at <= at))
