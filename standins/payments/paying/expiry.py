"""The end of an open session."""

from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.tables import StoredObject
from standins.payments.work import Work


def expire(work: Work, session: StoredObject) -> None:
    """Nothing unless it is open."""
    if session.data["status"] != "open":
        return
    store.change(session, status="expired", url=None)
    intent_id = session.data["payment_intent"]
    if intent_id is not None:
        intent = store.get(work, intent_id)
        store.change(
            intent, status="canceled", canceled_at=int(work.now), cancellation_reason="expired", next_action=None
        )
        emit(work, "payment_intent.canceled", intent)
    emit(work, "checkout.session.expired", session)
