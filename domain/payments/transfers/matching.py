"""Which order an entry of a statement pays, and what follows: the preview says it, and booking does it."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from domain.bank_transfers.account import TRANSFER
from domain.bank_transfers.references import codes_in, codes_referred_to
from domain.bank_transfers.statements import StatementEntry
from domain.tables import BankEntry, Order, Payment

# known: booked by an earlier file. noted: nothing is to be done. settled: the order is paid, and with `more` something
# is left. part: the order waits for the rest. The others wait for a person, who is told why.
Outcome = Literal[
    "known",
    "noted",
    "settled",
    "more",
    "part",
    "unknown",
    "currency",
    "sum",
    "paid",
    "ended",
    "reversed",
]
# An entry in one of these states was decided about.
CLOSED = ("returned", "ignored", "noted")
# Money for an order that has ended, about which nobody has decided.
IS_ENDED = (BankEntry.state == "open", BankEntry.why == "ended")


@dataclass(frozen=True)
class Match:
    """`order_id`: of the order that an entry is about, None when it names none. `used_minor`: what of it pays the
    order; `missing_minor`: what is still to come then."""

    outcome: Outcome
    order_id: int | None = None
    used_minor: int = 0
    missing_minor: int = 0


def is_known(session: Session, key: str) -> bool:
    return session.scalar(select(BankEntry.id).where(BankEntry.key == key)) is not None


def match(session: Session, entry: StatementEntry) -> Match:
    """What an entry that is new does now."""
    if entry.kind in ("debit", "debit_reversed"):
        return Match("noted")
    if entry.kind == "credit_reversed":
        taken = reversed_entry(session, entry)
        return Match("reversed", None if taken is None else taken.order_id)
    order_id = _order_referred_to(session, entry.text)
    if order_id is None:
        return Match("unknown", _order_with_code(session, entry.text))
    if entry.doubt:
        return Match(entry.doubt, order_id)
    order = session.get_one(Order, order_id)
    return match_order(session, order, entry.amount_minor, entry.currency)


def match_order(session: Session, order: Order, amount_minor: int, currency: str) -> Match:
    """What an amount does for this order."""
    if payment_of(session, order.id) is None:
        return Match("paid" if order.state in ("paid", "refunded") else "unknown", order.id)
    if currency != order.currency:
        return Match("currency", order.id)
    if order.state in ("paid", "refunded"):
        return Match("paid", order.id)
    missing = order.total_minor - waiting_minor(session, order)
    if amount_minor < missing:
        # Nobody waits for the rest of an order that has ended.
        outcome: Outcome = "part" if order.state == "processing" else "ended"
        return Match(outcome, order.id, amount_minor if outcome == "part" else 0, missing - amount_minor)
    return Match("settled" if amount_minor == missing else "more", order.id, missing)


def payment_of(session: Session, order_id: int) -> Payment | None:
    """The payment by bank transfer of an order, None for one that is paid in another way."""
    return session.scalar(select(Payment).where(Payment.order_id == order_id, Payment.gateway == TRANSFER))


def waiting_minor(session: Session, order: Order) -> int:
    """What has come for an order that is not paid: in part, or after its end."""
    parts = select(func.coalesce(func.sum(BankEntry.amount_minor - BankEntry.back_minor), 0))
    is_waiting = or_(BankEntry.state == "part", (BankEntry.state == "open") & (BankEntry.why == "ended"))
    of_order = (BankEntry.order_id == order.id, BankEntry.currency == order.currency)
    return int(session.scalars(parts.where(*of_order, is_waiting)).one())


def reversed_entry(session: Session, entry: StatementEntry) -> BankEntry | None:
    """The money that an entry takes back: the newest of the same amount with the bank's number, or for the order that
    its text names."""
    same = (BankEntry.amount_minor == entry.amount_minor, BankEntry.currency == entry.currency)
    query = select(BankEntry).where(BankEntry.kind == "credit", *same, BankEntry.state.not_in(CLOSED))
    newest = query.order_by(BankEntry.id.desc()).limit(1)
    if entry.bank_id:
        found = session.scalar(newest.where(BankEntry.bank_id == entry.bank_id))
        if found is not None:
            return found
    order_id = _order_referred_to(session, entry.text)
    return None if order_id is None else session.scalar(newest.where(BankEntry.order_id == order_id))


def _order_referred_to(session: Session, text: str) -> int | None:
    """None when the text refers to no order, or to several."""
    codes = codes_referred_to(text)
    ids = session.scalars(select(Order.id).where(Order.code.in_(codes)).limit(2)).all() if codes else []
    return ids[0] if len(ids) == 1 else None


def _order_with_code(session: Session, text: str) -> int | None:
    """The order whose bare code is in the text: staff may take it for the right one, nobody else."""
    codes = codes_in(text)
    ids = session.scalars(select(Order.id).where(Order.code.in_(codes)).limit(2)).all() if codes else []
    return ids[0] if len(ids) == 1 else None
