"""Entries of the bank account, as a list for staff, and the differences between them and the paid orders."""

from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.bank_transfers.account import TRANSFER
from domain.database.list_page import ListSource
from domain.tables import BankEntry, Order, Payment

_entries, _orders = BankEntry.__table__.c, Order.__table__.c


class BankEntryRow(NamedTuple):
    """Amounts in minor units of `currency`. `order_code` None: it is for no order that is known."""

    id: int
    kind: str
    booked_on: date
    amount: int
    currency: str
    text: str
    payer: str
    state: str
    why: str
    used: int
    back: int
    instructed: str
    note: str
    bank_id: str
    changed_at: datetime
    order_code: str | None

    @property
    def left(self) -> int:
        return self.amount - self.used - self.back


_ROWS = select(
    *(_entries.id, _entries.kind, _entries.booked_on, _entries.amount_minor, _entries.currency, _entries.text),
    *(_entries.payer, _entries.state, _entries.why, _entries.used_minor, _entries.back_minor, _entries.instructed),
    *(_entries.note, _entries.bank_id, _entries.changed_at),
    _orders.code,
).outerjoin_from(BankEntry.__table__, Order.__table__, _orders.id == _entries.order_id)
ENTRIES = ListSource(
    rows=_ROWS,
    counted=select(_entries.id),
    make=BankEntryRow._make,
    key=_entries.id,
    filters={"state": _entries.state.__eq__},
    only_grows=True,
)


def entry_row(session: Session, entry_id: int) -> BankEntryRow | None:
    row = session.execute(_ROWS.where(_entries.id == entry_id)).first()
    return None if row is None else BankEntryRow._make(row)


class TransferDifference(NamedTuple):
    """A paid order whose money on the account is another sum than its payment."""

    order_code: str
    paid_minor: int
    used_minor: int
    currency: str


class TransferBooks(NamedTuple):
    """`open`: entries that somebody has to decide about."""

    paid: int
    open: int
    differences: list[TransferDifference]


def transfer_books(session: Session) -> TransferBooks:
    """Payments by bank transfer against the entries that paid them: no gateway is asked about these."""
    used = func.coalesce(func.sum(BankEntry.used_minor), 0)
    by_order = select(BankEntry.order_id, used.label("used")).where(BankEntry.state.in_(("used", "open")))
    sums = by_order.group_by(BankEntry.order_id).subquery()
    found = func.coalesce(sums.c.used, 0)
    is_paid = (Payment.gateway == TRANSFER, Payment.state == "paid")
    query = (
        select(Order.code, Payment.amount_minor, found, Payment.currency)
        .join(Order, Order.id == Payment.order_id)
        .outerjoin(sums, sums.c.order_id == Payment.order_id)
        .where(*is_paid)
    )
    rows = session.execute(query.where(found != Payment.amount_minor).order_by(Order.id)).all()
    paid = session.scalars(select(func.count(Payment.id)).where(*is_paid)).one()
    waiting = session.scalars(select(func.count(BankEntry.id)).where(BankEntry.state == "open")).one()
    return TransferBooks(paid, waiting, [TransferDifference(*row) for row in rows])
