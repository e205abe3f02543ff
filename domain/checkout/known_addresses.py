"""What a learner's last order said of buyer and addresses: the next checkout begins with it, until they forget it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from domain.checkout.form_fields import NAMES, PARTS, PURCHASE_ORDER
from domain.database.prepared_select import PreparedSelect
from domain.identity import learners
from domain.tables import CheckoutDraft, KnownAddress

_KNOWN = PreparedSelect(
    select(KnownAddress.__table__.c["values"]).where(KnownAddress.learner_id == bindparam("learner")),
    lambda cells: dict(*cells),
)


def read(session: Session, learner_id: int) -> dict[str, str]:
    """The values by name of the field; empty before the first order."""
    return next(iter(_KNOWN.all(session, learner=learner_id)), {})


def of_both(known: Mapping[str, str]) -> dict[str, str]:
    """What is known, with the one address of the last order for delivery and bill alike: the next order may ask for
    the other."""
    values = dict(known)
    for group, other in (("delivery", "billing"), ("billing", "delivery")):
        if not any(f"{group}.{part}" in known for part in PARTS):
            values |= {f"{group}.{part}": known[f"{other}.{part}"] for part in PARTS if f"{other}.{part}" in known}
    return values


def remember(session: Session, learner_id: int, values: Mapping[str, str], at: datetime) -> None:
    """Replace what is known with the values of an order's form: those of buyer and addresses, not those of its gifts,
    nor the purchase order number, which is another for the next order.
    The learner's row is locked."""
    table: Any = KnownAddress.__table__
    known = {name: value for name, value in values.items() if name in NAMES - {PURCHASE_ORDER} and value}
    change = {"values": known, "ordered_at": at}
    row = {"learner_id": learner_id, **change}
    if session.get_bind().dialect.name == "sqlite":
        session.execute(sqlite_insert(table).values(row).on_conflict_do_update(["learner_id"], set_=change))
    else:
        session.execute(mysql_insert(table).values(row).on_duplicate_key_update(change))


def forget(session: Session, learner_id: int) -> None:
    """Delete what is known of buyer and addresses, and what is typed of them at a checkout that is not placed. Orders
    keep their addresses, as their invoices must."""
    learners.lock_account(session, learner_id)
    session.execute(delete(KnownAddress).where(KnownAddress.learner_id == learner_id))
    draft = session.scalar(select(CheckoutDraft).where(CheckoutDraft.learner_id == learner_id))
    if draft is None:
        return
    draft.values = {name: value for name, value in draft.values.items() if name not in NAMES and value}
    draft.rendered = {}
    if not draft.values:
        session.delete(draft)
