"""Every endpoint below /v1."""

from collections.abc import Iterator

from standins.payments.api import money_back, reading, sessions
from standins.payments.api.endpoints import Endpoint
from standins.payments.objects import store
from standins.payments.parameters import EXPAND, Schema

# Path, kind, parameters of the list.
_READ: tuple[tuple[str, str, Schema], ...] = (
    ("payment_intents", store.INTENT, reading.INTENTS),
    ("charges", store.CHARGE, reading.CHARGES),
    ("refunds", store.REFUND, reading.REFUNDS),
    ("events", store.EVENT, reading.EVENTS),
    ("disputes", store.DISPUTE, reading.DISPUTES),
    ("balance_transactions", store.MOVEMENT, reading.MOVEMENTS),
)


def endpoints() -> Iterator[Endpoint]:
    path = sessions.PATH
    yield Endpoint("POST", path, sessions.CREATE, sessions.create)
    yield Endpoint("GET", path, sessions.LIST, sessions.list_all)
    yield Endpoint("GET", f"{path}/{{id}}", EXPAND, sessions.retrieve)
    yield Endpoint("POST", f"{path}/{{id}}/expire", EXPAND, sessions.expire)
    yield Endpoint("GET", f"{path}/{{id}}/line_items", sessions.ITEMS, sessions.list_items)
    for name, kind, schema in _READ:
        yield Endpoint("GET", f"/v1/{name}", schema, reading.lister(kind))
        yield Endpoint("GET", f"/v1/{name}/{{id}}", EXPAND, reading.retriever(kind))
    yield Endpoint("POST", "/v1/refunds", money_back.CREATE_REFUND, money_back.create_refund)
    yield Endpoint("POST", "/v1/refunds/{id}", money_back.UPDATE_REFUND, money_back.update_refund)
    yield Endpoint("POST", "/v1/disputes/{id}", money_back.UPDATE_DISPUTE, money_back.update_dispute)
    yield Endpoint("POST", "/v1/disputes/{id}/close", EXPAND, money_back.close_dispute)
