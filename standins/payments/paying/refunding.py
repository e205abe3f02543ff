"""Refunds of a charge, and what becomes of them."""

from collections.abc import Mapping
from typing import Any

from standins.payments.currencies import display, step_problem
from standins.payments.errors import PaymentApiError
from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.objects.payments import new_movement
from standins.payments.objects.refunds import new_refund
from standins.payments.paying import due_changes
from standins.payments.tables import StoredObject
from standins.payments.work import Work

# When the bank answers to a refund that was not final at once.
LATER_S = 60.0


def refund(work: Work, charge: StoredObject, given: Mapping[str, Any]) -> StoredObject:
    """Refunds a charge, or the part `amount` of it. Raises ApiError when the charge does not allow it."""
    amount = _amount(charge, given.get("amount"))
    outlook = charge.private.get("refund", "at once")
    status = "pending" if outlook == "later" else "succeeded"
    data = new_refund(work, charge.data, amount, status, given)
    made = store.add(work, data)
    _move(work, charge, made, -amount)
    emit(work, "refund.created", made)
    emit(work, "charge.refunded", charge)
    if outlook != "at once":
        due_changes.plan(work, LATER_S, "settle_refund" if outlook == "later" else "fail_refund", made.id)
    return made


def _amount(charge: StoredObject, asked: int | None) -> int:
    data = charge.data
    left, currency = data["amount"] - data["amount_refunded"], data["currency"]
    if data["status"] != "succeeded":
        raise PaymentApiError(400, f"Charge {charge.id} has not succeeded and cannot be refunded.", param="charge")
    if data["disputed"]:
        text = f"Charge {charge.id} has been charged back; cannot issue a refund."
        raise PaymentApiError(400, text, code="charge_disputed", param="charge")
    if left == 0:
        raise PaymentApiError(400, f"Charge {charge.id} has already been refunded.", code="charge_already_refunded")
    amount = left if asked is None else asked
    if amount > left:
        amounts = (
            f"({display(amount, currency)}) is greater than unrefunded amount on charge ({display(left, currency)})"
        )
        raise PaymentApiError(400, f"Refund amount {amounts}", param="amount")
    problem = step_problem(amount, currency)
    if problem is not None:
        raise PaymentApiError(400, problem.text, param="amount")
    return amount


def settle_refund(work: Work, refunded: StoredObject) -> None:
    """The end of a pending refund: the money has arrived."""
    store.change(refunded, status="succeeded", pending_reason=None)
    emit(work, "refund.updated", refunded, {"status": "pending"})


def fail_refund(work: Work, refunded: StoredObject) -> None:
    """The buyer's bank sends the money of a refund back that succeeded first."""
    charge = store.get(work, refunded.data["charge"])
    store.change(refunded, status="failed", failure_reason="expired_or_canceled_card")
    _move(work, charge, refunded, refunded.data["amount"])
    emit(work, "refund.updated", refunded, {"status": "succeeded"})
    emit(work, "refund.failed", refunded)


def _move(work: Work, charge: StoredObject, refunded: StoredObject, amount: int) -> None:
    """Books money that leaves (negative) or comes back on the refund, the charge and in ledger.jsonl."""
    is_card, has_failed = refunded.id.startswith("re_"), amount > 0
    types = ("refund", "refund_failure") if is_card else ("payment_refund", "payment_failure_refund")
    category = "refund_failure" if has_failed else "refund"
    movement = store.add(work, new_movement(work, (types[has_failed], category), amount, refunded.data))
    store.change(refunded, **{"failure_balance_transaction" if has_failed else "balance_transaction": movement.id})
    total = charge.data["amount_refunded"] - amount
    store.change(charge, amount_refunded=total, refunded=total == charge.data["amount"])
    work.add_money(
        category,
        amount,
        currency=charge.data["currency"],
        id=refunded.id,
        charge=charge.id,
        payment_intent=charge.data["payment_intent"],
        metadata=refunded.data["metadata"],
    )
