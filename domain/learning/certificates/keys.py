"""The public keys of credentials: every one that ever signed stays published, and one that others know is marked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import insert_ignoring
from domain.errors import InvalidInput, NotFound
from domain.tables import SigningKey

MAX_REASON = 500
# A public key with the times from which and until when it signed, and since when it is not to be trusted.
PublishedKey = SigningKey


def register(session: Session, thumbprint: str, public_jwk: Mapping[str, Any], at: datetime) -> None:
    """Make this the present key: the former one signs nothing from now on. Registering it again changes nothing."""
    insert_ignoring(session, SigningKey, [{"thumbprint": thumbprint, "public_jwk": dict(public_jwk), "since": at}])
    is_other = (SigningKey.thumbprint != thumbprint, SigningKey.until.is_(None))
    session.execute(update(SigningKey).where(*is_other).values(until=at))
    is_back = (SigningKey.thumbprint == thumbprint, SigningKey.until.is_not(None))
    session.execute(update(SigningKey).where(*is_back).values(until=None))


def published(session: Session) -> Sequence[SigningKey]:
    """All keys, the present one first."""
    return session.scalars(select(SigningKey).order_by(SigningKey.until.is_not(None), SigningKey.since.desc())).all()


def find(session: Session, thumbprint: str) -> SigningKey | None:
    # MariaDB compares a digest, which is ASCII, with nothing else.
    return session.get(SigningKey, thumbprint) if thumbprint.isascii() else None


def distrusted(session: Session) -> Sequence[SigningKey]:
    """The keys that nobody should trust any more, the last one first."""
    marked = select(SigningKey).where(SigningKey.distrusted_since.is_not(None))
    return session.scalars(marked.order_by(SigningKey.distrusted_since.desc())).all()


def distrust(session: Session, thumbprint: str, since: datetime, reason: str, at: datetime) -> None:
    """Mark a key that others know, for good: what it signed is refused from now on, whatever date it bears. `since`:
    from when on it may have been used by others. For `Database.write_as`. Raises NotFound, InvalidInput."""
    text = " ".join(reason.split())
    errors = {
        "since": "Enter a time that is past." if since > at else "",
        "reason": "" if 0 < len(text) <= MAX_REASON else f"Give a reason in at most {MAX_REASON} characters.",
    }
    if wrong := {name: message for name, message in errors.items() if message}:
        raise InvalidInput(wrong)
    row = session.get(SigningKey, thumbprint, with_for_update=True) if thumbprint.isascii() else None
    if row is None:
        raise NotFound("There is no such key.")
    before = {"since": row.distrusted_since} if row.distrusted_since else None
    row.distrusted_since, row.distrust_reason = since, text
    session.flush()
    subject = Subject("signing_key", thumbprint)
    recording.record(session, "signing_key.distrust", subject, before=before, after={"since": since}, reason=text)
