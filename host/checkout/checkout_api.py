"""Calls of the checkout. They are here and not in host/api, because pages and plain forms share what they do."""

from collections.abc import Mapping
from datetime import UTC, datetime

from aiohttp import web

from domain.checkout import differences
from domain.errors import InvalidInput
from host.api.authorization import IDEMPOTENCY_HEADER
from host.api.checkout.checkout_schemas import (
    Checkout,
    CheckoutOrder,
    CheckoutPlaced,
    CheckoutResult,
    CheckoutValues,
)
from host.api.fields import EmptyRequest
from host.api.registry import call, query
from host.checkout import placing, return_cookie
from host.checkout.placing import KeyReused, PlaceForm
from host.checkout.view import checkout_of
from host.http import request_keys
from host.http.problems import Problem
from host.rate_limits import policies

NO_SIGN_IN = "Sign in to go on with your order."
NO_KEY = "Send the key of the form."
TWO_KEYS = f"Send the same key here and as {IDEMPOTENCY_HEADER}, or only one of them."


@query("checkout", EmptyRequest, Checkout, caller="learner", no_sign_in=NO_SIGN_IN, refusals=(429, 503))
async def read_checkout(request: web.Request, _body: EmptyRequest) -> Checkout:
    """Return the checkout of the learner's cart: its form with what was typed so far, and what the order costs."""
    auth = request[request_keys.AUTH_SESSION]
    await policies.limit_cart_call(request, auth)
    return await checkout_of(request.app, auth.learner_id, datetime.now(UTC))


@call("checkout", CheckoutValues, Checkout, method="PUT", caller="learner", no_sign_in=NO_SIGN_IN, refusals=(429, 503))
async def store_values(request: web.Request, body: CheckoutValues) -> Checkout:
    """Store what was typed, for a day, and price the order by what is right of it; fields say what is wrong. 422 for
    what no form can send, which is not stored."""
    auth, now = request[request_keys.AUTH_SESSION], datetime.now(UTC)
    await policies.limit_cart_call(request, auth)
    await placing.store_typed(request.app, auth.learner_id, body.values, body.service, now)
    return await checkout_of(request.app, auth.learner_id, now)


@call(
    "checkout",
    CheckoutOrder,
    CheckoutResult,
    caller="learner",
    no_sign_in=NO_SIGN_IN,
    refusals=(409, 429, 503),
    has_own_deadlines=True,
)
async def place(request: web.Request, body: CheckoutOrder) -> CheckoutResult:
    """Place the order at the prices that were seen, once for its key: the same form again gives the same order. 409,
    with a fresh `key`, for a key of other contents; 422 for fields, with `checkout` as in the reply of PUT."""
    auth = request[request_keys.AUTH_SESSION]
    seen = differences.seen_of(body.seen.model_dump())
    form = PlaceForm(_key(request, body.key), seen, body.values, body.service, body.terms)
    try:
        result = await placing.place_order(request, auth, form)
    except KeyReused as error:
        checkout = await checkout_of(request.app, auth.learner_id, datetime.now(UTC))
        raise Problem(409, str(error), key=checkout.key, checkout=_plain(checkout)) from None
    except InvalidInput as error:
        checkout = await checkout_of(request.app, auth.learner_id, datetime.now(UTC), error.errors)
        raise _invalid(error.errors, checkout) from None
    if isinstance(result, CheckoutPlaced):
        return_cookie.add_to_call(request, result.code, auth.learner_id, datetime.now(UTC))
    return CheckoutResult(result)


def _key(request: web.Request, key: str) -> str:
    """The key of the body or of the header. Raises InvalidInput."""
    sent = {value for value in (key, *request.headers.getall(IDEMPOTENCY_HEADER, [])) if value}
    if len(sent) != 1:
        raise InvalidInput({"key": TWO_KEYS if sent else NO_KEY})
    return sent.pop()


def _invalid(errors: Mapping[str, str], checkout: Checkout) -> Problem:
    return Problem(422, errors=dict(errors), checkout=_plain(checkout))


def _plain(checkout: Checkout) -> dict[str, object]:
    return checkout.model_dump(mode="json")
