"""The bank's answer to a debit, after the session was complete."""

from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.objects.payments import new_movement, outcome
from standins.payments.paying.attempts import settle
from standins.payments.paying.methods import DEBIT_FAILED
from standins.payments.tables import StoredObject
from standins.payments.work import Work


def settle_debit(work: Work, session: StoredObject) -> None:
    intent = store.get(work, session.data["payment_intent"])
    charge = store.get(work, intent.data["latest_charge"])
    amount = charge.data["amount"]
    store.change(
        charge, status="succeeded", paid=True, captured=True, amount_captured=amount, outcome=outcome("succeeded")
    )
    settle(work, session, intent, charge)
    store.change(session, payment_status="paid")
    emit(work, "charge.succeeded", charge)
    emit(work, "payment_intent.succeeded", intent)
    emit(work, "checkout.session.async_payment_succeeded", session)


def fail_debit(work: Work, session: StoredObject) -> None:
    """The session stays complete and unpaid."""
    intent = store.get(work, session.data["payment_intent"])
    charge = store.get(work, intent.data["latest_charge"])
    store.change(
        charge,
        status="failed",
        paid=False,
        failure_code=DEBIT_FAILED.code,
        failure_message=DEBIT_FAILED.message,
        outcome=outcome("failed", DEBIT_FAILED.code),
    )
    # What was counted when it began goes back.
    movement = store.add(
        work, new_movement(work, ("payment_failure_refund", "charge_failure"), -charge.data["amount"], charge.data)
    )
    store.change(charge, failure_balance_transaction=movement.id)
    error = {
        "charge": charge.id,
        "code": DEBIT_FAILED.code,
        "message": DEBIT_FAILED.message,
        "type": "invalid_request_error",
    }
    store.change(intent, status="requires_payment_method", last_payment_error=error, payment_method=None)
    emit(work, "charge.failed", charge)
    emit(work, "payment_intent.payment_failed", intent)
    emit(work, "checkout.session.async_payment_failed", session)
