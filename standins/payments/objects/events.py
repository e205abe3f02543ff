"""Events: what happened, with a snapshot of the object, and their delivery."""

from standins.payments import faults
from standins.payments.identifiers import new_id
from standins.payments.objects import store
from standins.payments.tables import Delivery, StoredObject
from standins.payments.work import Json, Work

# The account's version, where the request names none, and that of events.
API_VERSION = "2026-10-28.endive"
# A delivery held by the fault `reorder` goes out after this time although no other one was delivered meanwhile.
HELD_S = 60.0


def emit(work: Work, event_type: str, stored: StoredObject, previous: Json | None = None) -> None:
    """Stores an event about an object as it is now, and its delivery if the webhook gets this type."""
    data: Json = {"object": stored.data}
    if previous is not None:
        data["previous_attributes"] = previous
    event = {
        "id": new_id("evt_"),
        "object": "event",
        "api_version": API_VERSION,
        "created": int(work.now),
        "data": data,
        "livemode": False,
        "pending_webhooks": 0,
        "request": work.request,
        "type": event_type,
    }
    if work.config.webhook and event_type in work.config.events:
        event["pending_webhooks"] = 1
        _plan(work, str(event["id"]), event_type)
    store.add(work, event)


def _plan(work: Work, event_id: str, event_type: str) -> None:
    """The first delivery, with the fault that matches its type."""

    def new_delivery() -> Delivery:
        delivery = Delivery(
            event_id=event_id, type=event_type, state="waiting", first_at=work.now, next_at=work.now, attempts=[]
        )
        work.session.add(delivery)
        return delivery

    delivery, fault = new_delivery(), faults.take(work.session, event_type)
    if fault is None:
        return
    if fault.do == "drop":
        delivery.state, delivery.next_at = "dropped", None
    elif fault.do == "delay":
        delivery.next_at = work.now + fault.seconds
    elif fault.do == "reorder":
        delivery.state, delivery.next_at = "held", work.now + HELD_S
    elif fault.do == "duplicate":
        new_delivery()
