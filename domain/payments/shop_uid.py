"""Which shop this is, for the gateway's metadata: several shops may share one account of the gateway."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import StoredShop


def read(session: Session) -> str | None:
    """The random id of this shop's database; None before `prepare` has stored it."""
    return session.scalar(select(StoredShop.uid))
