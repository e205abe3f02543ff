"""The gateway's JSON objects as the dataclasses of domain/payments/gateway.py.

A missing or unexpected field raises KeyError, TypeError or ValueError: the caller treats the response as unreadable.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from adapters.payments.amounts import from_gateway, to_gateway
from domain import money
from domain.money import quantum_minor
from domain.payments.gateway import (
    ChargeState,
    DisputeProgress,
    DisputeSnapshot,
    HostedPage,
    PaymentProgress,
    Reference,
    RefundProgress,
    RefundSnapshot,
    SessionState,
    Snapshot,
    Transaction,
    TransactionKind,
)

Json = Mapping[str, Any]

MAX_FAILURE_LENGTH = 255
MAX_METHOD_LENGTH = 60
SESSION_STATES: dict[str, SessionState] = {"open": "open", "complete": "complete", "expired": "expired"}
# The gateway's words. A word that is not here means the state in which nothing is final: open, pending.
REFUND_STATES: dict[str, RefundProgress] = {
    "pending": "pending",
    "requires_action": "pending",
    "succeeded": "succeeded",
    "failed": "failed",
    "canceled": "failed",
}
# All others, also words that are new, are open: nothing is booked for them. A prevented one is over, and its buyer has
# the money back: its movements say whose loss that is.
DISPUTE_STATES: dict[str, DisputeProgress] = {
    **dict.fromkeys(("appeal_needs_response", "appeal_under_review"), "appealed"),
    **dict.fromkeys(("won", "lost", "warning_closed", "prevented"), "closed"),
}
# In FAILED_INTENTS the payment of a complete session has failed; in all other states it is under way, but for one
# that waits for the buyer, who has a voucher to pay at a till, or the account for a transfer.
WAITS_FOR_BUYER = "requires_action"
FAILED_INTENTS = frozenset({"requires_payment_method", "canceled"})
TRANSACTION_KINDS: dict[str, TransactionKind] = {
    "charge": "charge",
    "payment": "charge",
    "payment_failure_refund": "charge",
    "refund": "refund",
    "payment_refund": "refund",
}
CHARGE_STATES: dict[str, ChargeState] = {"pending": "pending", "succeeded": "succeeded", "failed": "failed"}
# Their charge is made when the money comes. That of a debit begins days before.
PAID_AT_ONCE = frozenset({"card", "card_present"})
BRANDS = {"visa": "Visa", "mastercard": "Mastercard", "amex": "American Express", "jcb": "JCB", "unionpay": "UnionPay"}
METHODS = {"sepa_debit": "SEPA debit", "us_bank_account": "Bank account", "bacs_debit": "Bacs debit"}


def metadata_of(reference: Reference) -> dict[str, str]:
    """For the metadata of an object at the gateway."""
    refund = {} if reference.refund is None else {"refund": str(reference.refund)}
    return {"shop": reference.shop, "order": reference.order, "payment": str(reference.payment), **refund}


def reference_of(data: Json) -> Reference | None:
    """None when the object's metadata is not in our form."""
    values = data.get("metadata") or {}
    shop, order, payment = values.get("shop"), values.get("order"), _number(values.get("payment"))
    refund = _number(values.get("refund"))
    if not (shop and order and payment) or (refund is None and "refund" in values):
        return None
    return Reference(str(shop), str(order), payment, refund)


def _number(text: object) -> int | None:
    is_number = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 9
    return int(str(text)) if is_number else None


def hosted_page(session: Json) -> HostedPage:
    return HostedPage(
        id=_text(session["id"]),
        url=_text(session["url"]),
        expires_at=time_of(session["expires_at"]),
        livemode=session["livemode"] is True,
    )


def snapshot(session: Json, refunds: list[Json], disputes: list[Json]) -> Snapshot:
    """`session` with its intent and the intent's latest charge expanded."""
    intent: Json = session.get("payment_intent") or {}
    charge: Json = intent.get("latest_charge") or {}
    payment = _progress(session, intent)
    # What was charged counts. The amount of the session is only what was to be paid.
    amount, currency = (session["amount_total"], session["currency"])
    if payment == "paid":
        amount, currency = charge["amount"], charge["currency"]
    currency = _text(currency).upper()
    return Snapshot(
        session_id=_text(session["id"]),
        state=SESSION_STATES.get(session["status"], "open"),
        payment=payment,
        amount_minor=from_gateway(_integer(amount), currency),
        currency=currency,
        livemode=session["livemode"] is True,
        expires_at=time_of(session["expires_at"]),
        reference=reference_of(session),
        url=session.get("url"),
        intent_id=intent.get("id"),
        charge_id=charge.get("id"),
        paid_at=time_of(charge["created"]) if payment == "paid" and _method_type(charge) in PAID_AT_ONCE else None,
        method=_method(charge),
        failure=_failure(intent),
        refunds=tuple(refund_snapshot(refund) for refund in refunds),
        disputes=tuple(dispute_snapshot(dispute) for dispute in disputes),
    )


def _progress(session: Json, intent: Json) -> PaymentProgress:
    if session["payment_status"] == "paid":
        return "paid"
    if session["status"] != "complete":
        return "unpaid"
    if intent.get("status") == WAITS_FOR_BUYER:
        return "unpaid"
    return "failed" if intent.get("status") in FAILED_INTENTS else "processing"


def _method_type(charge: Json) -> str | None:
    return (charge.get("payment_method_details") or {}).get("type")


def _method(charge: Json) -> str:
    details: Json = charge.get("payment_method_details") or {}
    kind = _method_type(charge)
    if not kind:
        return ""
    of_kind: Json = details.get(kind) or {}
    brand = of_kind.get("brand") if kind == "card" else None
    name = BRANDS.get(brand, str(brand).title()) if brand else METHODS.get(kind, str(kind).replace("_", " ").title())
    return f"{name} {of_kind.get('last4') or ''}".strip()[:MAX_METHOD_LENGTH]


def _failure(intent: Json) -> str:
    error: Json = intent.get("last_payment_error") or {}
    return str(error.get("message") or error.get("code") or "")[:MAX_FAILURE_LENGTH]


def refund_snapshot(refund: Json) -> RefundSnapshot:
    currency = _text(refund["currency"]).upper()
    return RefundSnapshot(
        id=_text(refund["id"]),
        state=REFUND_STATES.get(refund["status"], "pending"),
        amount_minor=from_gateway(_integer(refund["amount"]), currency),
        currency=currency,
        created_at=time_of(refund["created"]),
        reference=reference_of(refund),
        intent_id=id_of(refund.get("payment_intent")),
        charge_id=id_of(refund.get("charge")),
        failure=str(refund.get("failure_reason") or "")[:MAX_FAILURE_LENGTH],
    )


def dispute_snapshot(dispute: Json) -> DisputeSnapshot:
    currency = _text(dispute["currency"]).upper()
    movements = dispute["balance_transactions"]
    return DisputeSnapshot(
        id=_text(dispute["id"]),
        state=DISPUTE_STATES.get(dispute["status"], "open"),
        amount_minor=_whole(_integer(dispute["amount"]), currency),
        currency=currency,
        created_at=time_of(dispute["created"]),
        reason=str(dispute.get("reason") or ""),
        taken_minor=_whole(_taken(dispute, movements), currency),
        movements=len(movements),
    )


def _taken(dispute: Json, movements: Sequence[Json]) -> int:
    """What was withdrawn for a dispute and not reinstated. In another currency, which is that of the shop's account,
    the movements say only which part of the disputed amount that is."""
    amounts = [_integer(row["amount"]) for row in movements]
    withdrawn, net = -sum(amount for amount in amounts if amount < 0), max(0, -sum(amounts))
    if not withdrawn or all(row["currency"] == dispute["currency"] for row in movements):
        return net
    return (2 * _integer(dispute["amount"]) * net + withdrawn) // (2 * withdrawn)


def _whole(amount: int, currency: str) -> int:
    """In our minor units, rounded up to what refunds are counted in: banks count disputes more finely than charges."""
    step = to_gateway(quantum_minor(money.currency(currency)), currency)
    return from_gateway(-(-amount // step) * step, currency)


def transaction(row: Json) -> Transaction | None:
    """None for a movement that is of no charge, refund or dispute, such as a payout. `row` with its source expanded."""
    source, kind = row.get("source"), TRANSACTION_KINDS.get(row["type"])
    if isinstance(source, Mapping) and source["object"] == "dispute":
        return _dispute_transaction(row, dispute_snapshot(source), source)
    if kind is None or not isinstance(source, Mapping):
        return None
    currency = _text(source["currency"]).upper()
    return Transaction(
        id=_text(source["id"]),
        kind=kind,
        # That of the balance is in the currency of the account.
        amount_minor=from_gateway(_integer(source["amount"]), currency),
        currency=currency,
        created_at=time_of(row["created"]),
        intent_id=id_of(source.get("payment_intent")),
        charge_id=_text(source["id"]) if kind == "charge" else id_of(source.get("charge")),
        reference=reference_of(source),
        charge_state=CHARGE_STATES.get(source["status"], "pending") if kind == "charge" else "succeeded",
    )


def _dispute_transaction(row: Json, dispute: DisputeSnapshot, source: Json) -> Transaction:
    """Each of its movements says what the dispute is worth now, so that the newest decides how old that is."""
    return Transaction(
        id=dispute.id,
        kind="dispute",
        amount_minor=dispute.decided_minor,
        currency=dispute.currency,
        created_at=max(time_of(movement["created"]) for movement in (row, *source["balance_transactions"])),
        intent_id=id_of(source.get("payment_intent")),
        charge_id=id_of(source.get("charge")),
    )


def id_of(value: object) -> str | None:
    """The id of an object, which is expanded or not."""
    if value is None:
        return None
    return _text(value["id"] if isinstance(value, Mapping) else value)


def time_of(seconds: object) -> datetime:
    return datetime.fromtimestamp(_integer(seconds), UTC)


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("not an integer")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError("not a text")
    return value
