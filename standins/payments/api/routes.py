"""Every endpoint below /v1."""

from collections.abc import Iterator

from standins.payments.api import money_back, object_queries, sessions
from standins.payments.api.endpoints import Endpoint
from standins.payments.objects import store
from standins.payments.parameters import EXPAND, Schema

# Path, kind, parameters of the list.
_READ: tuple[tuple[str, str, Schema], ...] = (
    ("payment_intents", store.INTENT, object_queries.INTENTS),
    ("charges", store.CHARGE, object_queries.CHARGES),
    ("refunds", store.REFUND, object_queries.REFUNDS),
    ("events", store.EVENT, object_queries.EVENTS),
    ("disputes", store.DISPUTE, object_queries.DISPUTES),
    ("balance_transactions", store.MOVEMENT, object_queries.MOVEMENTS),
)


def endpoints() -> Iterator[Endpoint]:
    path = sessions.PATH
    yield Endpoint("POST", path, sessions.CREATE, sessions.create)
    yield Endpoint("GET", path, sessions.LIST, sessions.list_all)
    yield Endpoint("GET", f"{path}/{{id}}", EXPAND, sessions.retrieve)
    yield Endpoint("POST", f"{path}/{{id}}/expire", EXPAND, sessions.expire)
    yield Endpoint("GET", f"{path}/{{id}}/line_items", sessions.ITEMS, sessions.list_items)
    for name, kind, schema in _READ:
        yield Endpoint("GET", f"/v1/{name}", schema, object_queries.lister(kind))
        yield Endpoint("GET", f"/v1/{name}/{{id}}", EXPAND, object_queries.retriever(kind))
    yield Endpoint("POST", "/v1/refunds", money_back.CREATE_REFUND, money_back.create_refund)
    yield Endpoint("POST", "/v1/refunds/{id}", money_back.UPDATE_REFUND, money_back.update_refund)
    yield Endpoint("POST", "/v1/disputes/{id}", money_back.UPDATE_DISPUTE, money_back.update_dispute)
    yield Endpoint("POST", "/v1/disputes/{id}/close", EXPAND, money_back.close_dispute)
