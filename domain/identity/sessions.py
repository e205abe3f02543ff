"""Sessions of learners: a token and a cookie, valid only together, 45 minutes as a rule (docs/decisions)."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, select, update
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.errors import NotFound
from domain.tables import LearnerSession
from domain.tables.base import Digest

# Specification: lifetime of the login cookie, unless a setting says otherwise. It is never extended.
LIFETIME = timedelta(minutes=45)
SECRET_BYTES = 32


@dataclass(frozen=True)
class NewSession:
    """`token` is userInfo's accessToken, `cookie_secret` the HttpOnly cookie. The database has only their digests."""

    id: int
    token: str
    cookie_secret: str
    learner_id: int
    expires_at: datetime


class AuthSession(NamedTuple):
    """`authenticated_at`: when the person last proved who they are. `organisation_id`: the one that they have chosen,
    of the area "organisation"."""

    learner_id: int
    area: str
    session_id: int
    expires_at: datetime
    authenticated_at: datetime
    organisation_id: int | None = None


@dataclass(frozen=True)
class ProviderTokens:
    """A session's identity at the provider and its tokens, encrypted by the host; "" for an absent one. `browser` is
    a name such as "Firefox". `scopes`: what the access token is for; they are encrypted with it. `methods`: how the
    person proved who they are, in the provider's words (amr), and `authenticated_at` when they did; None: when the
    session begins."""

    issuer: str = ""
    subject: str = ""
    id_token: str = ""
    access_token: str = ""
    browser: str = ""
    scopes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    authenticated_at: datetime | None = None


NO_TOKENS = ProviderTokens()


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_session(  # noqa: PLR0913 half of them are for sign-ins alone
    session: Session,
    learner_id: int,
    at: datetime,
    area: str = "learner",
    tokens: ProviderTokens = NO_TOKENS,
    *,
    lifetime: timedelta = LIFETIME,
) -> NewSession:
    token, cookie_secret = secrets.token_urlsafe(SECRET_BYTES), secrets.token_urlsafe(SECRET_BYTES)
    row = LearnerSession(
        learner_id=learner_id,
        token_digest=digest(token),
        cookie_digest=digest(cookie_secret),
        area=area,
        amr=" ".join(tokens.methods),
        authenticated_at=tokens.authenticated_at or at,
        issuer=tokens.issuer,
        subject=tokens.subject,
        id_token=tokens.id_token or None,
        access_token=tokens.access_token or None,
        browser=tokens.browser,
        created_at=at,
        expires_at=at + lifetime,
    )
    session.add(row)
    session.flush()
    return NewSession(row.id, token, cookie_secret, learner_id, row.expires_at)


def choose_organisation(session: Session, session_id: int, organisation_id: int) -> None:
    """The session is for this organisation from now on; whether its person belongs to it was checked."""
    values = {"organisation_id": organisation_id}
    session.execute(update(LearnerSession).where(LearnerSession.id == session_id).values(values))


AuthRow = tuple[int, str, str, datetime, datetime | None, int, int | None, datetime]
_columns = LearnerSession.__table__.c
AUTH_COLUMNS = (
    *(_columns.learner_id, _columns.area, _columns.cookie_digest, _columns.expires_at, _columns.revoked_at),
    *(_columns.id, _columns.organisation_id, _columns.authenticated_at),
)
HAS_TOKEN = _columns.token_digest == bindparam("digest", type_=Digest)
_BY_TOKEN = PreparedSelect(select(*AUTH_COLUMNS).where(HAS_TOKEN), tuple)
_BY_COOKIE = PreparedSelect(
    select(*AUTH_COLUMNS).where(_columns.cookie_digest == bindparam("digest", type_=Digest)), tuple
)


def authenticated(session: Session, token: str, cookie_secret: str, at: datetime) -> AuthSession | None:
    """The active session of a token and its cookie; None when one is unknown, they do not match, or it has ended."""
    rows = _BY_TOKEN.all(session, digest=digest(token))
    return if_matching(rows[0], cookie_secret, at) if rows else None


def if_matching(row: AuthRow, cookie_secret: str, at: datetime) -> AuthSession | None:
    """The active session in a row of AUTH_COLUMNS that was found by its token; None when the cookie does not match or
    the session has ended."""
    return _if_active(row, at) if hmac.compare_digest(row[2], digest(cookie_secret)) else None


def by_cookie(session: Session, cookie_secret: str, at: datetime) -> AuthSession | None:
    """The active session of a cookie alone: enough to restrict what a page shows, never to change data."""
    rows = _BY_COOKIE.all(session, digest=digest(cookie_secret))
    return _if_active(rows[0], at) if rows else None


def _if_active(row: AuthRow, at: datetime) -> AuthSession | None:
    learner_id, area, _, expires_at, revoked_at, session_id, organisation_id, authenticated_at = row
    if revoked_at is not None or at >= expires_at:
        return None
    return AuthSession(learner_id, area, session_id, expires_at, authenticated_at, organisation_id)


def by_id(session: Session, session_id: int) -> AuthSession:
    """A session that was just opened or looked up."""
    row = session.get_one(LearnerSession, session_id, populate_existing=True)
    return AuthSession(row.learner_id, row.area, row.id, row.expires_at, row.authenticated_at, row.organisation_id)


def revoke(session: Session, token: str, at: datetime) -> None:
    """End the session of a token at once."""
    _revoke(session, LearnerSession.token_digest == digest(token), at)


def revoke_by_cookie(session: Session, cookie_secret: str, at: datetime) -> None:
    """End the session of a cookie: a new sign-in replaces the browser's former session."""
    _revoke(session, LearnerSession.cookie_digest == digest(cookie_secret), at)


def revoke_area(session: Session, learner_id: int, area: str, at: datetime) -> None:
    """End the sessions of a learner in an area."""
    _revoke(session, and_(LearnerSession.learner_id == learner_id, LearnerSession.area == area), at)


def _revoke(session: Session, condition: ColumnElement[bool], at: datetime) -> None:
    """The provider's tokens are removed with the session, so that they cannot be used any more."""
    values = {"revoked_at": at, "id_token": None, "access_token": None}
    session.execute(update(LearnerSession).where(condition, LearnerSession.revoked_at.is_(None)).values(values))


def provider_tokens_of(session: Session, session_id: int) -> ProviderTokens | None:
    """The tokens that `open_session` stored; None when the session was revoked or deleted in the meantime."""
    row = session.get(LearnerSession, session_id)
    return None if row is None or row.revoked_at is not None else _tokens_of(row)


def _tokens_of(row: LearnerSession) -> ProviderTokens:
    return ProviderTokens(row.issuer, row.subject, row.id_token or "", row.access_token or "", row.browser)


def end(session: Session, session_id: int, at: datetime) -> ProviderTokens:
    """Revoke a session and return its tokens, for the provider's own sign-out; NO_TOKENS when it had ended before."""
    tokens = provider_tokens_of(session, session_id)
    _revoke(session, LearnerSession.id == session_id, at)
    return tokens or NO_TOKENS


@dataclass(frozen=True)
class ActiveSession:
    """An active session as its learner sees it in the account."""

    id: int
    area: str
    browser: str
    created_at: datetime
    expires_at: datetime


def active(session: Session, learner_id: int, at: datetime) -> list[ActiveSession]:
    """A learner's active sessions, newest first."""
    columns = (
        LearnerSession.id,
        LearnerSession.area,
        LearnerSession.browser,
        LearnerSession.created_at,
        LearnerSession.expires_at,
    )
    query = select(*columns).where(LearnerSession.learner_id == learner_id, *_is_active(at))
    rows = session.execute(query.order_by(LearnerSession.created_at.desc(), LearnerSession.id.desc()))
    return [ActiveSession(*row) for row in rows]


def _is_active(at: datetime) -> tuple[ColumnElement[bool], ...]:
    return LearnerSession.revoked_at.is_(None), LearnerSession.expires_at > at


def end_own(session: Session, learner_id: int, session_id: int, at: datetime) -> ProviderTokens:
    """`end`, for a session of this learner. Raises NotFound for sessions of others and for ended ones."""
    is_own = (LearnerSession.id == session_id, LearnerSession.learner_id == learner_id)
    if session.scalar(select(LearnerSession.id).where(*is_own, *_is_active(at))) is None:
        raise NotFound("There is no such sign-in.")
    return end(session, session_id, at)


def end_all(session: Session, learner_id: int) -> list[ProviderTokens]:
    """Delete every session of a learner and return the tokens of those that had some, for the provider."""
    is_own = LearnerSession.learner_id == learner_id
    rows = session.scalars(select(LearnerSession).where(is_own, LearnerSession.access_token.is_not(None)))
    tokens = [_tokens_of(row) for row in rows]
    session.execute(delete(LearnerSession).where(is_own))
    return tokens


def delete_expired(session: Session, at: datetime) -> None:
    session.execute(delete(LearnerSession).where(LearnerSession.expires_at <= at))
