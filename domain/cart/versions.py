"""The version of a learner's cart. It grows with every change, in the order of the commits: of two answers with the
cart, the one with the higher version is the newer."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from domain.tables import Cart


def increase_version(session: Session, learner_id: int) -> None:
    """Count a change, as the last statement of its transaction: the lock on the row is taken after those on lines and
    coupons, as everywhere, and lasts until the commit."""
    table: Any = Cart.__table__
    row, version = {"learner_id": learner_id, "version": 1}, {"version": table.c.version + 1}
    # One statement: INSERT, then UPDATE, would be a deadlock between two transactions on MariaDB.
    if session.get_bind().dialect.name == "sqlite":
        session.execute(sqlite_insert(table).values(row).on_conflict_do_update(["learner_id"], set_=version))
    else:
        session.execute(mysql_insert(table).values(row).on_duplicate_key_update(version))


def version_of(session: Session, learner_id: int) -> int:
    """0 for a cart that was never changed."""
    return session.scalar(select(Cart.version).where(Cart.learner_id == learner_id)) or 0
