"""The states of orders, payments and refunds in words, and what to do next. The only place of these texts."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from domain.bank_transfers.account import TRANSFER
from domain.learning.gifts.tokens import valid_until
from domain.orders.transfers import TransferView
from domain.orders.views.records import Returned, StateText
from domain.tables import Gift, Payment, Refund

# Reasons of refunds of money that bought nothing of an order.
LATE, WRONG = "late", "mismatch"
DISPUTE = "dispute"
FAILED = "failed"
# Approved, and not known to have arrived.
UNDER_WAY = ("approved", "sent", "pending")
# States of a refund that was not carried out, or not yet decided.
NOT_REFUNDED = ("requested", "declined")
BANK_TIME = "It can take some days until you see it at your bank."

STATES = {
    "placed": StateText(
        "Waiting for payment",
        "We have no payment of this order yet. Pay to complete it; until its time is over, what you ordered stays "
        "reserved. If you have just paid, wait a moment.",
        "warning",
    ),
    "processing": StateText(
        "Payment on its way",
        "Your bank is making the payment, which can take several days. We will email you when it is done; there is "
        "nothing that you need to do.",
        "info",
    ),
    "paid": StateText("Paid", "Thank you for your order. We have sent a receipt to your email address.", "good"),
    "expired": StateText(
        "Expired", "Your order was not paid in time and nothing was charged. You can order again.", "neutral"
    ),
    "cancelled": StateText(
        "Cancelled", "Your order was cancelled and nothing was charged. You can order again.", "neutral"
    ),
    "refunded": StateText("Refunded", f"You got back what you paid. {BANK_TIME}", "info"),
}
FREE = StateText("Complete", "Thank you. There was nothing to pay, and what you ordered is yours.", "good")
TIME_IS_OVER = StateText(
    "Waiting for payment",
    "The time to pay is over. If you have paid, wait a moment and look again; if not, you can order again.",
    "warning",
)
PARTLY_REFUNDED = StateText("Partly refunded", f"You got back a part of what you paid. {BANK_TIME}", "info")
REFUND_UNDER_WAY = StateText("Refunded", f"What you paid is on its way back to you. {BANK_TIME}", "info")
PART_UNDER_WAY = StateText("Partly refunded", f"A part of what you paid is on its way back to you. {BANK_TIME}", "info")
REFUNDED_WITH_ACCESS = StateText(
    "Refunded", f"You got back what you paid, and what you ordered stays yours. {BANK_TIME}", "info"
)
RETURNED = StateText(
    "Returned", "What you ordered was taken back. Nothing was charged, so nothing is paid back.", "info"
)
LOST_TO_DISPUTE = StateText(
    "Refunded", "Your bank has taken back what you paid for this order, so what you bought has ended.", "info"
)
PAID_LATE = StateText(
    "Paid too late and refunded",
    "Your payment came after its time, and something in the order was no longer available. You get all of it back. "
    f"{BANK_TIME} You can order again.",
    "info",
)
PAID_WRONG = StateText(
    "Payment refunded",
    f"Your payment was not the amount of this order. You get all of it back. {BANK_TIME} You can order again.",
    "info",
)
# Shown when the bank sent a refund back; a person then finds another way to pay it.
REFUND_FAILED = "Refund failed"
ANOTHER_WAY = "Our refund did not reach you. We will find another way to pay it to you, and email you about it."
PAID_LATE_NOT_REFUNDED = StateText(
    "Paid too late, refund failed",
    f"Your payment came after its time, and something in the order was no longer available. {ANOTHER_WAY}",
    "warning",
)
PAID_WRONG_NOT_REFUNDED = StateText(
    REFUND_FAILED, f"Your payment was not the amount of this order. {ANOTHER_WAY}", "warning"
)
NOT_REFUNDED_YET = StateText(REFUND_FAILED, ANOTHER_WAY, "warning")
DISPUTED = "Your bank has opened a dispute about this payment. Contact us if that was a mistake."
PARTLY_LOST = "It took back a part of what you paid after a dispute. Contact us if that was a mistake."


TRANSFER_TITLE = "Waiting for your bank transfer"
CANCELLED_TRANSFER = StateText(
    "Cancelled", "Your order was cancelled. If you have transferred money for it, we give it back.", "neutral"
)
EXPIRED_TRANSFER = StateText(
    "Expired",
    "The money for your order has not arrived in time, so that it has ended. If it is under way, it completes the "
    "order when everything is still available; else we give it back.",
    "neutral",
)


class OrderState(Protocol):
    """What the words about an order go by: an order, or a row that was read of it."""

    @property
    def state(self) -> str: ...
    @property
    def total_minor(self) -> int: ...
    @property
    def refunded_minor(self) -> int: ...
    @property
    def disputed_at(self) -> datetime | None: ...


def state_text(
    order: OrderState, returned: Collection[Returned], *, can_pay: bool, transfer: TransferView | None = None
) -> StateText:
    """The state of an order. `returned`: its refunds. `can_pay`: it can still be paid. `transfer`: the bank transfer
    that it waits for, or has waited for."""
    if transfer is not None and not returned and order.state != "paid":
        return _text_of_transfer(order, transfer)
    text = _text(order, returned, can_pay=can_pay)
    if order.disputed_at is None or order.state != "paid":
        return text
    about = PARTLY_LOST if any(refund.reason == DISPUTE for refund in returned) else DISPUTED
    return StateText(f"{text.text}, disputed", f"{text.next_step} {about}", "warning")


def _text_of_transfer(order: OrderState, transfer: TransferView) -> StateText:
    if order.state != "processing":
        return CANCELLED_TRANSFER if order.state == "cancelled" else EXPIRED_TRANSFER
    account = ", ".join(f"{label} {text}" for label, text in transfer.account)
    rest = f"{transfer.received_text} have arrived. Transfer the rest, " if transfer.received else "Transfer "
    return StateText(
        TRANSFER_TITLE,
        f"{rest}{transfer.due_text}, by {transfer.until_text} with the reference {transfer.reference}. {account}. "
        "What you ordered begins when the money is here: we email you.",
        "warning",
    )


def _text(order: OrderState, returned: Collection[Returned], *, can_pay: bool) -> StateText:
    if order.state in ("paid", "refunded"):
        return _text_of_paid(order, returned)
    reasons = {refund.reason for refund in returned}
    failed = {refund.reason for refund in returned if refund.state == FAILED}
    if LATE in reasons:
        return PAID_LATE_NOT_REFUNDED if LATE in failed else PAID_LATE
    if WRONG in reasons and not can_pay:
        return PAID_WRONG_NOT_REFUNDED if WRONG in failed else PAID_WRONG
    return TIME_IS_OVER if order.state == "placed" and not can_pay else STATES[order.state]


def _text_of_paid(order: OrderState, returned: Collection[Returned]) -> StateText:
    if any(refund.state == FAILED for refund in returned):
        return NOT_REFUNDED_YET
    is_under_way = any(refund.state in UNDER_WAY for refund in returned)
    if order.state == "refunded":
        return _text_of_refunded(order, returned, is_under_way=is_under_way)
    if order.refunded_minor:
        is_whole = order.refunded_minor >= order.total_minor
        under_way, done = (REFUND_UNDER_WAY, REFUNDED_WITH_ACCESS) if is_whole else (PART_UNDER_WAY, PARTLY_REFUNDED)
        return under_way if is_under_way else done
    return STATES[order.state] if order.total_minor else FREE


def _text_of_refunded(order: OrderState, returned: Collection[Returned], *, is_under_way: bool) -> StateText:
    if not order.total_minor:
        return RETURNED
    if any(refund.reason == DISPUTE for refund in returned):
        return LOST_TO_DISPUTE
    return REFUND_UNDER_WAY if is_under_way else STATES["refunded"]


PAYMENTS = {
    "new": "Not begun",
    "open": "Waiting for payment",
    "processing": "Your bank is making the payment",
    "paid": "Paid",
    "failed": "Failed",
    "expired": "Not paid in time",
    "void": "Not used",
}
NO_PAGE = "The page to pay on could not be opened. Nothing was charged. Try again."
DECLINED = "The payment was declined."
NOTHING_CHARGED = "Nothing was charged. Try again, or pay in another way."


def payment_text(payment: Payment, owed_minor: int = 0) -> str:
    """`owed_minor`: of its refunds that the bank sent back."""
    if owed_minor:
        return "Paid; a refund did not reach you"
    if payment.state == "processing" and payment.gateway == TRANSFER:
        return TRANSFER_TITLE
    if payment.state == "paid" and payment.refunded_minor:
        return "Paid and refunded" if payment.refunded_minor == payment.amount_minor else "Paid and partly refunded"
    return PAYMENTS[payment.state]


def failure_text(payment: Payment) -> str:
    """What the gateway said to the buyer, and what to do; "" for a payment that has not failed."""
    if not payment.failure or payment.state == "paid":
        return ""
    if payment.session_id is None:
        return NO_PAGE
    # The gateway's own code instead of a sentence.
    message = payment.failure if " " in payment.failure else DECLINED
    return f"{message.rstrip('. ')}. {NOTHING_CHARGED}"


REFUNDS = {
    "requested": "Requested: we will answer by email",
    "declined": "Declined",
    "approved": "Approved, on its way to you",
    "sent": "On its way to you",
    "pending": "On its way to you",
    "succeeded": "Paid back",
    "failed": "It did not reach you: we will email you about another way",
    "manual": "Paid back in another way",
}
# A request that was approved in part has its own texts in these states.
IN_PART = {
    "approved": "Approved in part, on its way to you",
    "sent": "Approved in part, on its way to you",
    "pending": "Approved in part, on its way to you",
    "succeeded": "Paid back in part",
    "manual": "Paid back in part, in another way",
}
REASONS = {
    "request": "You asked for it",
    "withdrawal": "You withdrew from the contract",
    "late": "Your payment came too late",
    "duplicate": "You paid twice",
    "owned": "You had access already",
    "mismatch": "The payment was not the amount of the order",
    "dispute": "Your bank took it back",
    "dispute_won": "Your bank decided the dispute for us",
    "gateway": "Our decision",
    "staff": "Our decision",
}


def refund_text(refund: Refund, *, is_in_part: bool = False) -> str:
    if refund.reason == "dispute_won":
        return "Paid after all"
    texts = {**REFUNDS, **IN_PART} if is_in_part else REFUNDS
    is_of_nothing = refund.amount_minor == 0 and refund.state == "succeeded"
    return "There was nothing to pay back" if is_of_nothing else texts[refund.state]


def reason_text(refund: Refund) -> str:
    return REASONS.get(refund.reason, REASONS["staff"])


def voucher_text(*, is_used: bool, is_void: bool) -> str:
    if is_void:
        return "No longer valid: it was refunded"
    return "Used" if is_used else "Not used yet"


GIFTS = {"sent": "Not accepted yet", "claimed": "Accepted", "returned": ""}


def gift_text(gift: Gift, at: datetime, *, has_day: bool) -> str:
    """What became of a gift; "" after its refund, which the line says itself. `has_day`: the buyer chose when it is
    sent."""
    if gift.state == "waiting":
        return "We write to them on that day" if has_day and gift.send_at > at else "Our email to them is on its way"
    if gift.state == "sent" and at >= valid_until(gift.send_at):
        return "It was not accepted, and its link has ended"
    return GIFTS[gift.state]


def listed_text(state: str, refunded: int, total: int) -> str:
    """In a list, without what only the refunds of an order know."""
    if state == "paid" and refunded:
        return (REFUNDED_WITH_ACCESS if refunded >= total else PARTLY_REFUNDED).text
    return STATES[state].text
