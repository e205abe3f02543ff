"""Locks resources and changes their counters."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sqlalchemy import Integer, bindparam, case, event, select, update
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.database.database import affected_rows
from domain.database.prepared_change import PreparedChange
from domain.database.prepared_select import SelectByIds
from domain.reservations.kinds import KINDS, KindName, Resource
from domain.tables import CatalogueVersion

# Key in `session.info`: a transaction, and the resources that it has locked.
_LOCKED = "locked_resources"
# Key in `session.info`: pages show another stock after this transaction.
_IS_SHOWN = "stock_shown"


def lock(session: Session, resources: Iterable[Resource]) -> None:
    """Lock the counters of these resources until the end of the transaction, always in the same order; what it has
    locked before is not locked again. On SQLite the transaction has the lock of the whole database."""
    if session.get_bind().dialect.name == "sqlite":
        return
    transaction, locked = session.info.get(_LOCKED, (None, set[Resource]()))
    if transaction is not session.get_transaction():
        # MariaDB keeps locks when a savepoint is rolled back, so that they are of the outermost transaction.
        transaction, locked = session.info[_LOCKED] = (session.get_transaction(), set[Resource]())
    wanted = set(resources) - locked
    locked |= wanted
    for name, kind in KINDS.items():
        ids = sorted(resource.id for resource in wanted if resource.kind == name)
        if ids:
            key = kind.table.id
            session.execute(select(key).where(key.in_(ids)).order_by(key).with_for_update()).all()


def take(session: Session, resource: Resource, quantity: int) -> bool:
    """Count `quantity` units as reserved; False, and nothing is changed, when fewer are left."""
    change = KINDS[resource.kind].step * quantity
    if _taking(resource.kind).run(session, resource=resource.id, quantity=quantity, change=change) == 0:
        return False
    _update_pages(session, resource.kind, Counter({resource.id: change}))
    return True


@lru_cache
def _taking(name: KindName) -> PreparedChange:
    kind = KINDS[name]
    table = kind.table.__table__
    is_left = (table.c.id == bindparam("resource"), kind.is_left(bindparam("quantity", type_=Integer())))
    counter = table.c[kind.counter.key]
    change = bindparam("change", type_=Integer())
    return PreparedChange(update(table).where(*is_left).values({counter: counter + change}))


@lru_cache
def _values(name: KindName) -> SelectByIds[tuple[int, int | None]]:
    """Id and counter."""
    kind = KINDS[name]
    table = kind.table.__table__
    columns = select(table.c.id, table.c[kind.counter.key])
    return SelectByIds(lambda ids: columns.where(table.c.id.in_(ids)).with_for_update(), _id_and_value)


def _id_and_value(row: Iterable[Any]) -> tuple[int, int | None]:
    id_, value = row
    return id_, value


def give_back(session: Session, name: KindName, units: Counter[int]) -> None:
    """Count units as available again, in one statement. `units`: id of the resource -> how many."""
    kind = KINDS[name]
    number = case(dict(units), value=kind.table.id)
    changed = update(kind.table).where(kind.table.id.in_(sorted(units)))
    affected_rows(session, changed.values({kind.counter: kind.counter - kind.step * number}))
    _update_pages(session, name, Counter({id_: -kind.step * each for id_, each in units.items()}))


def _update_pages(session: Session, name: KindName, changes: Counter[int]) -> None:
    """Have the catalogue's version incremented when pages show another text now. `changes`: id -> change of the
    counter."""
    kind = KINDS[name]
    if kind.shown is None:
        return
    for id_, value in _values(name).all(session, sorted(changes)):
        if value is not None and kind.shown(value) != kind.shown(value - changes[id_]):
            session.info[_IS_SHOWN] = True
            return


@event.listens_for(Session, "before_commit")
def _count_shown_stock(session: Session) -> None:
    """As the last lock of the transaction: the whole shop has one row, and whoever holds it waits for nobody. A part
    that was rolled back counts too, which costs a cache nothing but a look."""
    if session.info.get(_IS_SHOWN) and not session.in_nested_transaction():
        del session.info[_IS_SHOWN]
        session.flush()
        bump_version(session, CatalogueVersion.STOCK)
