"""The public keys of credentials: every one that ever signed stays published."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.tables import SigningKey


def register(session: Session, thumbprint: str, public_jwk: Mapping[str, Any], at: datetime) -> None:
    """Make this the present key: the former one signs nothing from now on. Registering it again changes nothing."""
    insert_ignoring(session, SigningKey, [{"thumbprint": thumbprint, "public_jwk": dict(public_jwk), "since": at}])
    is_other = (SigningKey.thumbprint != thumbprint, SigningKey.until.is_(None))
    session.execute(update(SigningKey).where(*is_other).values(until=at))
    is_back = (SigningKey.thumbprint == thumbprint, SigningKey.until.is_not(None))
    session.execute(update(SigningKey).where(*is_back).values(until=None))


def published(session: Session) -> list[dict[str, Any]]:
    """All keys, the present one first."""
    keys = select(SigningKey.public_jwk).order_by(SigningKey.until.is_not(None), SigningKey.since.desc())
    return list(session.scalars(keys))
