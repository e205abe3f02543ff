"""Which shop this is, for the gateway's metadata: several shops may share one account of the gateway."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.tables import StoredShop

_UID = PreparedSelect(select(StoredShop.__table__.c.uid), tuple)


def read(session: Session) -> str | None:
    """The random id of this shop's database; None before `prepare` has stored it."""
    return next((uid for (uid,) in _UID.all(session)), None)
