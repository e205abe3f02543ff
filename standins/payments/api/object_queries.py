"""Retrieve and list of the objects that a payment makes."""

from collections.abc import Callable

from sqlalchemy import ColumnElement, exists

from standins.payments.objects import store
from standins.payments.parameters import PAGE, Schema, boolean, list_of, text
from standins.payments.tables import Delivery, StoredObject
from standins.payments.work import Call, Json

_OF_INTENT: Schema = {"payment_intent": text()}
_OF_CHARGE: Schema = {"charge": text()}
INTENTS: Schema = {**PAGE, "customer": text()}
CHARGES: Schema = {**PAGE, **_OF_INTENT, "customer": text(), "transfer_group": text()}
REFUNDS: Schema = {**PAGE, **_OF_INTENT, **_OF_CHARGE}
DISPUTES: Schema = {**PAGE, **_OF_INTENT, **_OF_CHARGE}
MOVEMENTS: Schema = {**PAGE, "currency": text(), "type": text(), "source": text(), "payout": text()}
EVENTS: Schema = {**PAGE, "type": text(), "types": list_of(text(), 20), "delivery_success": boolean}
_COLUMNS = {"payment_intent": StoredObject.intent_id, "charge": StoredObject.charge_id}


def retriever(kind: str) -> Callable[[Call, Json], Json]:
    def retrieve(call: Call, _given: Json) -> Json:
        return store.require(call, kind, call.path_values["id"]).data

    return retrieve


def lister(kind: str) -> Callable[[Call, Json], Json]:
    def list_all(call: Call, given: Json) -> Json:
        conditions = [_condition(name, value) for name, value in given.items() if name not in PAGE]
        return store.list_page(call, kind, call.path, given, conditions)

    return list_all


def _condition(name: str, value: object) -> ColumnElement[bool]:
    if name in _COLUMNS:
        return _COLUMNS[name] == value
    kind: ColumnElement[str] = StoredObject.data["type"].as_string()
    if name == "types" and isinstance(value, list):
        return kind.in_(value)
    if name == "type" and str(value).endswith(".*"):
        return kind.startswith(str(value)[:-1])
    if name == "delivery_success":
        waiting = exists().where(Delivery.event_id == StoredObject.id, Delivery.state != "delivered")
        return ~waiting if value else waiting
    return store.field_is(name, str(value))
