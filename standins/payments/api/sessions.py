"""Checkout sessions: create, retrieve, list, expire, line items."""

from typing import Any

from standins.payments.currencies import CURRENCIES, step_problem, total_problem
from standins.payments.errors import PaymentApiError
from standins.payments.objects import store
from standins.payments.objects.sessions import line_item, new_session
from standins.payments.parameters import (
    EXPAND,
    PAGE,
    Required,
    Schema,
    boolean,
    hash_of,
    integer,
    list_of,
    metadata,
    one_of,
    pattern,
    text,
)
from standins.payments.paying import due_changes, expiry
from standins.payments.tables import StoredObject
from standins.payments.work import Call, Json

MIN_AGE_S, MAX_AGE_S = 30 * 60, 24 * 3_600
PATH = "/v1/checkout/sessions"
METHODS = ("card", "sepa_debit")
_ADDRESS = pattern(r"https?://[^\s/]+(/\S*)?", "Not a valid URL", "url_invalid")
_EMAIL = pattern(r"[^\s@]+@[^\s@]+\.[^\s@]+", "Invalid email address", "email_invalid")
_PRODUCT: Schema = {"name": Required(text(250)), "description": text(), "metadata": metadata}
_PRICE: Schema = {
    "currency": Required(text(3)),
    "unit_amount": Required(integer(0)),
    "product_data": Required(hash_of(_PRODUCT)),
    "tax_behavior": one_of("exclusive", "inclusive", "unspecified"),
}
_ITEM: Schema = {"price_data": Required(hash_of(_PRICE)), "quantity": Required(integer(1, 999_999))}
_INTENT: Schema = {
    "metadata": metadata,
    "description": text(1_000),
    "receipt_email": _EMAIL,
    "statement_descriptor_suffix": text(22),
}
CREATE: Schema = {
    **EXPAND,
    "mode": Required(one_of("payment")),
    "ui_mode": one_of("hosted_page"),
    "line_items": Required(list_of(hash_of(_ITEM))),
    "success_url": Required(_ADDRESS),
    "cancel_url": _ADDRESS,
    "client_reference_id": text(200),
    "customer_email": _EMAIL,
    "expires_at": integer(),
    "metadata": metadata,
    "payment_intent_data": hash_of(_INTENT),
    "payment_method_types": list_of(one_of(*METHODS)),
    "allowed_payment_method_types": list_of(one_of(*METHODS)),
    "adaptive_pricing": hash_of({"enabled": boolean}),
    "allow_promotion_codes": boolean,
    "billing_address_collection": one_of("auto", "required"),
    "locale": text(10),
    "submit_type": one_of("auto", "book", "donate", "pay"),
}
LIST: Schema = {
    **PAGE,
    "status": one_of("open", "complete", "expired"),
    "payment_intent": text(),
    "customer_details": hash_of({"email": Required(text())}),
}
ITEMS: Schema = {name: check for name, check in PAGE.items() if name != "created"}


def create(call: Call, given: Json) -> Json:
    items = [line_item(item) for item in given["line_items"]]
    _check_amounts(items)
    _check_time(call, given.get("expires_at"))
    currency = items[0]["currency"]
    methods = given.get("payment_method_types")
    if methods and "sepa_debit" in methods and currency != "eur":
        reason = f"The currency provided ({currency}) is invalid for one or more of the payment methods: sepa_debit"
        raise PaymentApiError(400, reason, param="payment_method_types")
    # Without types of its own a session offers those of the dashboard. The real one hides debits outside EUR.
    allowed = given.get("allowed_payment_method_types", METHODS)
    session = new_session(call, given, items, methods or [method for method in METHODS if method in allowed])
    private = {"line_items": items, "payment_intent_data": given.get("payment_intent_data", {})}
    stored = store.add(call, session, private)
    due_changes.plan(call, session["expires_at"] - call.now, "expire", stored.id)
    return stored.data


def _check_amounts(items: list[Json]) -> None:
    currency = items[0]["currency"]
    for at, item in enumerate(items):
        param = f"line_items[{at}][price_data]"
        if item["currency"] not in CURRENCIES:
            raise PaymentApiError(400, f"Invalid currency: {item['currency']}.", param=f"{param}[currency]")
        if item["currency"] != currency:
            raise PaymentApiError(400, "All line items must have the same currency.", param=f"{param}[currency]")
        problem = step_problem(item["price"]["unit_amount"], currency)
        if problem is not None:
            raise PaymentApiError(400, problem.text, param=f"{param}[unit_amount]")
    problem = total_problem(sum(item["amount_total"] for item in items), currency)
    if problem is not None:
        raise PaymentApiError(400, problem.text, code=problem.code, param="line_items")


def _check_time(call: Call, expires_at: int | None) -> None:
    if expires_at is None:
        return
    if expires_at < call.now + MIN_AGE_S - 1:
        reason = "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation."
        raise PaymentApiError(400, reason, param="expires_at")
    if expires_at > call.now + MAX_AGE_S + 1:
        reason = "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation."
        raise PaymentApiError(400, reason, param="expires_at")


def retrieve(call: Call, _given: Json) -> Json:
    return _session(call).data


def _session(call: Call) -> StoredObject:
    return store.require(call, store.SESSION, call.path_values["id"])


def list_all(call: Call, given: Json) -> Json:
    conditions = [store.field_is("status", given["status"])] if "status" in given else []
    if "payment_intent" in given:
        conditions.append(StoredObject.intent_id == given["payment_intent"])
    if "customer_details" in given:
        email = StoredObject.data["customer_details"]["email"].as_string()
        conditions.append(email == given["customer_details"]["email"])
    return store.list_page(call, store.SESSION, PATH, given, conditions)


def expire(call: Call, _given: Json) -> Json:
    session = _session(call)
    status = session.data["status"]
    if status != "open":
        reason = 'Only Checkout Sessions with a status in ["open"] can be expired.'
        raise PaymentApiError(400, f"{reason} This Checkout Session has a status of {status}", param="session")
    expiry.expire(call, session)
    return session.data


def list_items(call: Call, given: Json) -> Json:
    """A page of the line items, in the order of the page."""
    items = _session(call).private["line_items"]
    ids = [item["id"] for item in items]
    first, last = 0, len(items)
    limit = given.get("limit", store.DEFAULT_LIMIT)
    if "starting_after" in given:
        first = _position(ids, given["starting_after"], "starting_after") + 1
    if "ending_before" in given:
        last = _position(ids, given["ending_before"], "ending_before")
        first = max(first, last - limit)
    shown: list[Any] = items[first : min(first + limit, last)]
    has_more = first > 0 if "ending_before" in given else first + limit < last
    return store.list_object(shown, f"{PATH}/{call.path_values['id']}/line_items", has_more)


def _position(ids: list[str], item_id: str, param: str) -> int:
    if item_id not in ids:
        raise PaymentApiError(404, f"No such item: '{item_id}'", code="resource_missing", param=param)
    return ids.index(item_id)
