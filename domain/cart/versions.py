"""The version of a learner's cart. It grows with every change, in the order of the commits: of two answers with the
cart, the one with the higher version is the newer."""

from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from domain.database.prepared_change import PreparedChange
from domain.tables import Cart

_TABLE: Any = Cart.__table__
_FIRST, _NEXT = {"learner_id": bindparam("learner"), "version": 1}, {"version": _TABLE.c.version + 1}
# One statement: INSERT, then UPDATE, would be a deadlock between two transactions on MariaDB.
_ON_SQLITE = PreparedChange(sqlite_insert(_TABLE).values(_FIRST).on_conflict_do_update(["learner_id"], set_=_NEXT))
_ON_MARIADB = mysql_insert(_TABLE).values(_FIRST).on_duplicate_key_update(_NEXT)


def increase_version(session: Session, learner_id: int) -> None:
    """Count a change, as the last statement of its transaction: the lock on the row is taken after those on lines and
    coupons, as everywhere, and lasts until the commit."""
    if session.get_bind().dialect.name == "sqlite":
        _ON_SQLITE.run(session, learner=learner_id)
    else:
        session.execute(_ON_MARIADB, {"learner": learner_id})


def version_of(session: Session, learner_id: int) -> int:
    """0 for a cart that was never changed."""
    return session.scalar(select(Cart.version).where(Cart.learner_id == learner_id)) or 0
