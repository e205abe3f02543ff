"""The first locks of every transaction that changes an order: the learner's row, then the order's.

The learner's lock is the first statement of a transaction: on MariaDB everything that the transaction reads afterwards
is then as the former owner of the lock left it.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.errors import NotFound
from domain.identity.learners import NO_ACCOUNT
from domain.tables import Learner, Order


@dataclass(frozen=True)
class OrderRef:
    """An order with what its locks need, read in a transaction before the one that locks."""

    id: int
    learner_id: int
    currency: str


class LockedLearner(NamedTuple):
    """What an order copies of its learner. `issuer`: "" once the account has been deleted."""

    id: int
    email: str
    issuer: str


_learners = Learner.__table__.c
_LEARNER = PreparedSelect(
    select(*(_learners[name] for name in LockedLearner._fields))
    .where(_learners.id == bindparam("learner"))
    .with_for_update(),
    LockedLearner._make,
)


def ref_of(session: Session, code: str) -> OrderRef:
    """Any learner's order, for staff. Raises NotFound."""
    columns = select(Order.id, Order.learner_id, Order.currency)
    row = session.execute(columns.where(Order.code == code.upper())).first()
    if row is None:
        raise NotFound(f"There is no order {code}.")
    return OrderRef(*row)


def lock_learner(session: Session, learner_id: int) -> LockedLearner:
    """Lock the learner's row until the transaction ends. Raises NoResultFound for an unknown learner."""
    for learner in _LEARNER.all(session, learner=learner_id):
        return learner
    raise NoResultFound(f"there is no learner {learner_id}")


def lock_buyer(session: Session, learner_id: int) -> LockedLearner:
    """Lock the row of a learner who acts themselves. Raises NotFound once the account has been deleted."""
    learner = lock_learner(session, learner_id)
    if not learner.issuer:
        raise NotFound(NO_ACCOUNT)
    return learner


def learner_of(session: Session, order_id: int) -> int:
    """Whose order it is. Call it in a transaction of its own, before the one that locks."""
    return session.scalars(select(Order.learner_id).where(Order.id == order_id)).one()


def lock_order(session: Session, learner_id: int, order_id: int) -> Order:
    """Lock the learner and their order, with the order's newest values. Raises NoResultFound for another's order."""
    lock_learner(session, learner_id)
    return lock_row(session, learner_id, order_id)


def lock_row(session: Session, learner_id: int, order_id: int) -> Order:
    """Lock an order of a learner whose row is locked already."""
    query = select(Order).where(Order.id == order_id, Order.learner_id == learner_id)
    return session.scalars(query.with_for_update(), execution_options={"populate_existing": True}).one()
