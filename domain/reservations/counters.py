"""Locks resources and changes their counters."""

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import case, select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.publishing.categories import bump_version
from domain.reservations.kinds import KINDS, KindName, Resource


def lock(session: Session, resources: Iterable[Resource]) -> None:
    """Lock the counters of these resources until the end of the transaction, always in the same order. On SQLite the
    transaction has the lock of the whole database."""
    if session.get_bind().dialect.name == "sqlite":
        return
    locked = set(resources)
    for name, kind in KINDS.items():
        ids = sorted(resource.id for resource in locked if resource.kind == name)
        if ids:
            key = kind.table.id
            session.execute(select(key).where(key.in_(ids)).order_by(key).with_for_update()).all()


def take(session: Session, resource: Resource, quantity: int) -> bool:
    """Count `quantity` units as reserved; False, and nothing is changed, when fewer are left."""
    kind = KINDS[resource.kind]
    counting = update(kind.table).where(kind.table.id == resource.id, kind.is_left(quantity))
    counting = counting.values({kind.counter: kind.counter + kind.step * quantity})
    if affected_rows(session, counting) == 0:
        return False
    _update_pages(session, resource.kind, Counter({resource.id: kind.step * quantity}))
    return True


def give_back(session: Session, name: KindName, units: Counter[int]) -> None:
    """Count units as available again, in one statement. `units`: id of the resource -> how many."""
    kind = KINDS[name]
    number = case(dict(units), value=kind.table.id)
    changed = update(kind.table).where(kind.table.id.in_(sorted(units)))
    affected_rows(session, changed.values({kind.counter: kind.counter - kind.step * number}))
    _update_pages(session, name, Counter({id_: -kind.step * each for id_, each in units.items()}))


def _update_pages(session: Session, name: KindName, changes: Counter[int]) -> None:
    """Increment the catalogue's version when pages show another text now. `changes`: id -> change of the counter."""
    kind = KINDS[name]
    if kind.shown is None:
        return
    columns = select(kind.table.id, kind.counter).where(kind.table.id.in_(sorted(changes)))
    for id_, value in session.execute(columns.with_for_update()).all():
        if value is not None and kind.shown(value) != kind.shown(value - changes[id_]):
            bump_version(session)
            return
