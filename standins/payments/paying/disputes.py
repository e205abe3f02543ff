"""Disputes: the buyer's bank takes the money of a charge back, and decides later."""

from standins.payments.errors import PaymentApiError
from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.objects.payments import DISPUTE_FEE, new_movement
from standins.payments.objects.refunds import EVIDENCE_DAYS, new_dispute
from standins.payments.paying import due_changes
from standins.payments.tables import StoredObject
from standins.payments.work import Work

CLOSED = ("won", "lost", "prevented")
# With an appeal a dispute that was lost is decided once more.
APPEALED = "appeal_under_review"


def open_dispute(work: Work, charge: StoredObject) -> None:
    """Nothing when the charge was refunded meanwhile."""
    if not charge.data["amount_refunded"]:
        dispute(work, charge, charge.data["amount"])


def dispute(work: Work, charge: StoredObject, amount: int) -> StoredObject:
    """The buyer disputes an amount, which is withdrawn at once: part of the charge, or more than it."""
    made = store.add(work, new_dispute(work, charge.data, amount))
    store.change(charge, disputed=True)
    _move(work, made, -amount)
    emit(work, "charge.dispute.created", made)
    emit(work, "charge.dispute.funds_withdrawn", made)
    due_changes.plan(work, EVIDENCE_DAYS * 86_400, "lose_dispute", made.id)
    return made


def send_evidence(work: Work, dispute: StoredObject, is_winning: bool) -> None:
    """Evidence that decides the dispute. Raises ApiError when it is closed."""
    require_open(dispute)
    details = {**dispute.data["evidence_details"], "has_evidence": True, "submission_count": 1}
    store.change(dispute, status="under_review", evidence_details=details)
    emit(work, "charge.dispute.updated", dispute, {"status": "needs_response"})
    close(work, dispute, "won" if is_winning else "lost")


def require_open(dispute: StoredObject) -> None:
    if dispute.data["status"] in CLOSED:
        raise PaymentApiError(400, f"This dispute is already closed: {dispute.data['status']}", param="id")


def appeal(work: Work, dispute: StoredObject) -> None:
    """Raises ApiError for a dispute that was not lost."""
    if dispute.data["status"] != "lost":
        raise PaymentApiError(400, f"This dispute cannot be appealed: {dispute.data['status']}", param="id")
    store.change(dispute, status=APPEALED)
    emit(work, "charge.dispute.updated", dispute, {"status": "lost"})


def close(work: Work, dispute: StoredObject, status: str, returned: int | None = None) -> None:
    """`returned`: what the bank gives back, all of a won dispute unless said otherwise; a lost one may be won in part.
    A prevented one was settled with the bank beforehand: its buyer has the money."""
    store.change(dispute, status=status)
    amount = (dispute.data["amount"] if status == "won" else 0) if returned is None else returned
    if amount:
        _move(work, dispute, amount)
        emit(work, "charge.dispute.funds_reinstated", dispute)
    emit(work, "charge.dispute.closed", dispute)


def lose_dispute(work: Work, dispute: StoredObject) -> None:
    """The time for evidence is over."""
    if dispute.data["status"] not in CLOSED:
        close(work, dispute, "lost")


def _move(work: Work, dispute: StoredObject, amount: int) -> None:
    category = "dispute" if amount < 0 else "dispute_reversal"
    fee = DISPUTE_FEE if amount < 0 else 0
    movement = store.add(work, new_movement(work, ("adjustment", category), amount, dispute.data, fee))
    store.change(dispute, balance_transactions=[*dispute.data["balance_transactions"], movement.data])
    work.add_money(
        category,
        amount,
        currency=dispute.data["currency"],
        id=dispute.id,
        charge=dispute.data["charge"],
        payment_intent=dispute.data["payment_intent"],
        metadata={},
    )
