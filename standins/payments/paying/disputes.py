"""Disputes: the buyer's bank takes the money of a charge back, and decides later."""

from standins.payments.errors import ApiError
from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.objects.payments import DISPUTE_FEE, new_movement
from standins.payments.objects.refunds import EVIDENCE_DAYS, new_dispute
from standins.payments.paying import due_changes
from standins.payments.tables import StoredObject
from standins.payments.work import Work

CLOSED = ("won", "lost")


def open_dispute(work: Work, charge: StoredObject) -> None:
    """Nothing when the charge was refunded meanwhile."""
    if charge.data["amount_refunded"]:
        return
    dispute = store.add(work, new_dispute(work, charge.data))
    store.change(charge, disputed=True)
    _move(work, dispute, -charge.data["amount"])
    emit(work, "charge.dispute.created", dispute)
    emit(work, "charge.dispute.funds_withdrawn", dispute)
    due_changes.plan(work, EVIDENCE_DAYS * 86_400, "lose_dispute", dispute.id)


def send_evidence(work: Work, dispute: StoredObject, is_winning: bool) -> None:
    """Evidence that decides the dispute. Raises ApiError when it is closed."""
    require_open(dispute)
    details = {**dispute.data["evidence_details"], "has_evidence": True, "submission_count": 1}
    store.change(dispute, status="under_review", evidence_details=details)
    emit(work, "charge.dispute.updated", dispute, {"status": "needs_response"})
    close(work, dispute, "won" if is_winning else "lost")


def require_open(dispute: StoredObject) -> None:
    if dispute.data["status"] in CLOSED:
        raise ApiError(400, f"This dispute is already closed: {dispute.data['status']}", param="id")


def close(work: Work, dispute: StoredObject, status: str) -> None:
    store.change(dispute, status=status)
    if status == "won":
        _move(work, dispute, dispute.data["amount"])
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
