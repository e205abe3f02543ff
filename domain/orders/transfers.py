"""The bank transfer that an order waits for, as its buyer needs it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain import money
from domain.bank_transfers.account import TRANSFER, BankAccount
from domain.bank_transfers.payment_code import payment_code
from domain.bank_transfers.references import in_print, reference_of
from domain.display_text import day_text, money_text
from domain.tables import BankEntry, Order, Payment


@dataclass(frozen=True)
class TransferView:
    """Where and how the money for an order is transferred. `account`: labels and values. `due`: what is still to come,
    `received`: what came so far, both in minor units. `code`: the text of a payment code, None where there is none."""

    account: tuple[tuple[str, str], ...]
    reference: str
    due: int
    due_text: str
    received: int
    received_text: str
    until_text: str
    code: str | None = None


def transfer_view(
    session: Session, order: Order, payments: Sequence[Payment], bank: BankAccount | None, locale: str
) -> TransferView | None:
    """None for an order that is paid in another way. `bank` None: transfers are offered no more, and the page has
    everything but the account. `payments`: of the order."""
    payment = next((row for row in payments if row.gateway == TRANSFER), None)
    if payment is None:
        return None
    currency, reference = money.currency(order.currency), reference_of(order.code)
    received = received_minor(session, order.id) if order.state == "processing" else 0
    due = max(order.total_minor - received, 0)
    until = order.reserved_until or payment.expires_at
    return TransferView(
        account=() if bank is None else bank.parts,
        reference=in_print(reference),
        due=due,
        due_text=money_text(due, currency, locale),
        received=received,
        received_text=money_text(received, currency, locale),
        until_text="" if until is None else day_text(until, locale),
        code=None if bank is None else payment_code(bank, reference, due, order.currency),
    )


def received_minor(session: Session, order_id: int) -> int:
    """What has arrived for an order that waits for the rest."""
    parts = select(func.coalesce(func.sum(BankEntry.used_minor), 0))
    return int(session.scalars(parts.where(BankEntry.order_id == order_id, BankEntry.state == "part")).one())
