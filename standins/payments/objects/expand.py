"""expand[]: replaces the id of another object by the object itself, up to four levels down."""

from collections.abc import Sequence

from standins.payments.errors import RequestRefused
from standins.payments.objects import store
from standins.payments.tables import StoredObject
from standins.payments.work import Json, Work

MAX_LEVELS = 4
EXPANDABLE = {
    store.SESSION: {"payment_intent"},
    store.INTENT: {"latest_charge", "payment_method"},
    store.CHARGE: {"payment_intent", "payment_method", "balance_transaction", "failure_balance_transaction"},
    store.REFUND: {"charge", "payment_intent", "payment_method", "balance_transaction", "failure_balance_transaction"},
    store.DISPUTE: {"charge", "payment_intent"},
    store.MOVEMENT: {"source"},
}
# Their owners have the id of none of these, but may be read: the gateway makes one for each payment.
ALWAYS_NONE = {
    store.SESSION: {"customer", "invoice", "payment_link", "setup_intent", "subscription"},
    store.INTENT: {"application", "customer", "on_behalf_of", "review"},
    store.CHARGE: {"application", "application_fee", "customer", "on_behalf_of", "review", "transfer"},
    store.REFUND: {"customer", "source_transfer_reversal", "transfer_reversal"},
}


def expanded(work: Work, data: Json, paths: Sequence[str]) -> Json:
    """A copy of an object, or of a list of them, with every path expanded. Raises RequestRefused for an unknown one."""
    for path in paths:
        steps = path.split(".")
        if len(steps) - (steps[0] == "data") > MAX_LEVELS:
            text = f"You cannot expand more than {MAX_LEVELS} levels of a property. Property: {path}"
            raise RequestRefused(400, text, param="expand")
        data = _expand(work, data, steps, path)
    return data


def _expand(work: Work, data: Json, steps: Sequence[str], path: str) -> Json:
    if not steps:
        return data
    if data["object"] == "list":
        if steps[0] != "data":
            raise _refusal(path)
        return {**data, "data": [_expand(work, item, steps[1:], path) for item in data["data"]]}
    name, value = steps[0], data.get(steps[0])
    if (data["object"], name) in _LISTS:
        value = value or _LISTS[data["object"], name](work, data)
    elif name in ALWAYS_NONE.get(data["object"], set()):
        return data
    elif name not in EXPANDABLE.get(data["object"], set()):
        raise _refusal(path)
    if isinstance(value, str):
        value = store.get(work, value).data
    return data if value is None else {**data, name: _expand(work, value, steps[1:], path)}


def _refusal(path: str) -> RequestRefused:
    return RequestRefused(400, f"This property cannot be expanded ({path}).", param="expand")


def line_items(work: Work, session: Json) -> Json:
    items = store.get(work, session["id"]).private["line_items"]
    return store.list_object(items, f"/v1/checkout/sessions/{session['id']}/line_items")


def refunds(work: Work, charge: Json) -> Json:
    """The newest ten, as the gateway includes them."""
    conditions = [StoredObject.charge_id == charge["id"]]
    return store.list_page(work, store.REFUND, f"/v1/charges/{charge['id']}/refunds", {}, conditions)


_LISTS = {(store.SESSION, "line_items"): line_items, (store.CHARGE, "refunds"): refunds}
