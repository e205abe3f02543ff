"""Calls about an order that waits for its payment: its state, paying again, giving it up."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.orders import expiry
from domain.orders.settings import Context
from domain.orders.views import status as order_status
from host.api.cart_schemas import OutcomeSchema, outcome
from host.api.fields import Strict
from host.api.orders.order_json import status_schema
from host.api.orders.order_schemas import OrderKey, OrderRedirect, OrderStatus
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth import sessions
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.checkout import paying, return_cookie
from host.checkout.status_checks import STATUS_CHECKS
from host.http import request_keys
from host.http.problems import Problem
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

STALE_FORM = "This page was open for more than a day, or belongs to another sign-in. Load it again and try once more."
MAX_POLLS = 10_000


class StatusQuery(Strict):
    """`poll`: how often the same page has asked before."""

    poll: Annotated[int, Field(ge=0, le=MAX_POLLS)] = 0


@query("orders/{code}/status", StatusQuery, OrderStatus, caller="anyone", refusals=(401, 429, 503), has_text_ids=True)
async def read_status(request: web.Request, body: StatusQuery) -> OrderStatus:
    """Return the state of an order to its learner, and to the browser in which it was placed also after the sign-in has
    ended. The payment gateway is asked too."""
    at, code = datetime.now(UTC), _code(request)
    learner_id = await _whose(request, code, at)
    await policies.limit_order_status(request, f"{learner_id}:{code.upper()}")
    return await status_of(request.app, learner_id, code, body.poll)


async def status_of(app: web.Application, learner_id: int, code: str, polls: int) -> OrderStatus:
    """The state as the call and the pages show it, after a look at the gateway. Raises NotFound for an unknown order
    and another's alike."""
    await app[STATUS_CHECKS].check(app, learner_id, code)
    settings = app[SETTINGS].orders
    view = await app[DATABASE].read(order_status.status_view, learner_id, code, datetime.now(UTC), settings)
    return status_schema(view, polls)


async def _whose(request: web.Request, code: str, at: datetime) -> int:
    """Who is signed in, else whose order the return cookie says it is."""
    session = await sessions.current_session(request)
    if session is not None:
        return session.learner_id
    entry = return_cookie.entry_of(request, code, at)
    if entry is None:
        raise Problem(401, sessions.NO_SIGN_IN, headers={"WWW-Authenticate": "Bearer"})
    return entry.learner_id


@call(
    "orders/{code}/pay",
    OrderKey,
    OrderRedirect,
    caller="learner",
    refusals=(409, 429, 503),
    has_text_ids=True,
    has_own_deadlines=True,
)
async def pay(request: web.Request, body: OrderKey) -> OrderRedirect:
    """Return where the learner pays this order: the hosted page that is open, else a new one. 409 when it cannot be
    paid any more, or when the key is too old."""
    learner_id = await _require_own_key(request, body)
    try:
        redirect = await paying.pay_again(request.app, learner_id, _code(request).upper())
    except paying.CannotPay as refusal:
        raise Problem(409, str(refusal)) from None
    return OrderRedirect(redirect=redirect)


@call("orders/{code}/cancel", OrderKey, OutcomeSchema, caller="learner", refusals=(409, 429, 503), has_text_ids=True)
async def cancel(request: web.Request, body: OrderKey) -> OutcomeSchema:
    """Cancel an order that is not paid; `failed` when it is paid, or while the bank makes the payment."""
    learner_id = await _require_own_key(request, body)
    return OutcomeSchema(**outcome(await cancel_order(request.app, learner_id, _code(request))))


async def cancel_order(app: web.Application, learner_id: int, code: str) -> str | None:
    """None when the order is cancelled, else why not. Raises NotFound."""
    context = Context(datetime.now(UTC), app[SETTINGS].orders)
    refusal = await app[DATABASE].write(expiry.cancel_own, learner_id, code, context)
    app[OUTBOX_WAKER].wake(Topic.PAYMENTS)
    return refusal


async def _require_own_key(request: web.Request, body: OrderKey) -> int:
    """The learner. Raises Problem 409 for a key of another learner, of another form, or one that is too old."""
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    await policies.limit(request, "account_calls_per_learner_minute")
    try:
        is_own = request.app[FORM_KEYS].learner_of("payment", body.key, datetime.now(UTC)) == learner_id
    except InvalidFormKey:
        is_own = False
    if not is_own:
        raise Problem(409, STALE_FORM)
    return learner_id


def _code(request: web.Request) -> str:
    return request[request_keys.PATH_IDS]["code"]
