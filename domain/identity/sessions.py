"""Sign-ins: two secrets that only count together, for 45 minutes (docs/decisions, "two halves of a sign-in")."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, delete, select, update
from sqlalchemy.orm import Session

from domain.errors import NotFound
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
    session_id: int
    expires_at: datetime


@dataclass(frozen=True)
class Origin:
    """Where a sign-in comes from: the provider's word and its tokens, which the host encrypts; "" for what there is
    not. `browser` such as "Firefox"."""

    issuer: str = ""
    subject: str = ""
    id_token: str = ""
    access_token: str = ""
    browser: str = ""


NO_ORIGIN = Origin()


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_session(
    session: Session, learner_id: int, at: datetime, area: str = "learner", origin: Origin = NO_ORIGIN
) -> Opened:
    handle, half = secrets.token_urlsafe(SECRET_BYTES), secrets.token_urlsafe(SECRET_BYTES)
    opened = Opened(handle, half, learner_id, at + LIFETIME)
    session.add(
        LearnerSession(
            learner_id=learner_id,
            handle=digest(handle),
            half=digest(half),
            area=area,
            issuer=origin.issuer,
            subject=origin.subject,
            id_token=origin.id_token or None,
            access_token=origin.access_token or None,
            browser=origin.browser,
            created_at=at,
            expires_at=opened.expires_at,
        )
    )
    session.flush()
    return opened


_columns = LearnerSession.__table__.c
_FACTS = (
    *(_columns.learner_id, _columns.area, _columns.half, _columns.expires_at, _columns.revoked_at),
    _columns.id,
)
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


def _if_running(row: tuple[int, str, str, datetime, datetime | None, int], at: datetime) -> SignedIn | None:
    learner_id, area, _, expires_at, revoked_at, session_id = row
    is_running = revoked_at is None and at < expires_at
    return SignedIn(learner_id, area, session_id, expires_at) if is_running else None


def revoke(session: Session, handle: str, at: datetime) -> None:
    """The end of a sign-in, at once and for good."""
    _revoke(session, LearnerSession.handle == digest(handle), at)


def revoke_half(session: Session, half: str, at: datetime) -> None:
    """The same by the HttpOnly half: whoever signs in again leaves nothing running behind."""
    _revoke(session, LearnerSession.half == digest(half), at)


def _revoke(session: Session, which: ColumnElement[bool], at: datetime) -> None:
    """The tokens go with it: nothing can be done with them any more."""
    ended = {"revoked_at": at, "id_token": None, "access_token": None}
    session.execute(update(LearnerSession).where(which, LearnerSession.revoked_at.is_(None)).values(ended))


def origin_of(session: Session, session_id: int) -> Origin:
    """As it was given to `open_session`."""
    found = session.get_one(LearnerSession, session_id)
    return Origin(found.issuer, found.subject, found.id_token or "", found.access_token or "", found.browser)


def end(session: Session, session_id: int, at: datetime) -> Origin:
    """Revokes a sign-in and answers where it came from, for the provider's own sign-out."""
    origin = origin_of(session, session_id)
    _revoke(session, LearnerSession.id == session_id, at)
    return origin


@dataclass(frozen=True)
class Running:
    """A sign-in that still counts, as its owner knows it."""

    id: int
    area: str
    browser: str
    created_at: datetime
    expires_at: datetime


def running(session: Session, learner_id: int, at: datetime) -> list[Running]:
    """A learner's sign-ins, the newest first."""
    columns = (
        LearnerSession.id,
        LearnerSession.area,
        LearnerSession.browser,
        LearnerSession.created_at,
        LearnerSession.expires_at,
    )
    mine = select(*columns).where(LearnerSession.learner_id == learner_id, *_is_running(at))
    rows = session.execute(mine.order_by(LearnerSession.created_at.desc(), LearnerSession.id.desc()))
    return [Running(*row) for row in rows]


def _is_running(at: datetime) -> tuple[ColumnElement[bool], ...]:
    return LearnerSession.revoked_at.is_(None), LearnerSession.expires_at > at


def end_own(session: Session, learner_id: int, session_id: int, at: datetime) -> Origin:
    """`end`, for one of a learner's own. Raises NotFound for any other, running or not."""
    mine = (LearnerSession.id == session_id, LearnerSession.learner_id == learner_id)
    if session.scalar(select(LearnerSession.id).where(*mine, *_is_running(at))) is None:
        raise NotFound("There is no such sign-in.")
    return end(session, session_id, at)


def end_all(session: Session, learner_id: int) -> list[Origin]:
    """Every sign-in of a learner, gone without a trace; where the last ones came from, for the provider."""
    mine = LearnerSession.learner_id == learner_id
    ids = session.scalars(select(LearnerSession.id).where(mine, LearnerSession.access_token.is_not(None)))
    origins = [origin_of(session, one) for one in ids.all()]
    session.execute(delete(LearnerSession).where(mine))
    return origins


def forget_expired(session: Session, at: datetime) -> None:
    """Rows that let nobody in any more."""
    session.execute(delete(LearnerSession).where(LearnerSession.expires_at <= at))
