"""Refunds that learners ask for: the call and the plain form of the order's page both end in `send_request`."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from aiohttp import web

from contracts.tasks import Topic
from domain import money
from domain.display_text import money_text
from domain.errors import InvalidInput
from domain.identity.sessions import AuthSession
from domain.orders.refunds import by_learner
from domain.orders.refunds.by_learner import LearnerRefundRequest, RefundDecision
from domain.orders.settings import Context
from host.api.orders.order_queries import order_of
from host.api.orders.order_schemas import RefundOutcome
from host.api.orders.refund_schemas import RefundQuestion
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.http import request_keys
from host.http.problems import Problem
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

PURPOSE = "refund"
STALE_FORM = "This page was open for more than a day, or belongs to another sign-in. Load it again and try once more."


class StaleRefundForm(Exception):
    """The form's key is too old, of another learner, or not of this site."""

    def __init__(self) -> None:
        super().__init__(STALE_FORM)


@call("orders/{code}/refunds", RefundQuestion, RefundOutcome, caller="learner", refusals=(409, 429), has_text_ids=True)
async def ask_for_refund(request: web.Request, body: RefundQuestion) -> RefundOutcome:
    """Ask for a refund of units of an order's lines, once for each key. `approved`: the money is on its way;
    `requested`: a person decides. 422 names lines as `line.{number}` and confirmations as `confirm.{name}`; 409 for a
    key that is too old."""
    auth, code = request[request_keys.AUTH_SESSION], request[request_keys.PATH_IDS]["code"]
    units = {choice.number: choice.quantity for choice in body.lines}
    if len(units) < len(body.lines):
        raise InvalidInput({"lines": "Name each line once."})
    refund = refund_request(auth, code, body.key, units, (body.confirm, body.note))
    try:
        decision = await send_request(request, auth, refund)
    except StaleRefundForm as error:
        raise Problem(409, str(error)) from None
    order = await order_of(request.app, auth.learner_id, code, datetime.now(UTC))
    message = message_of(decision, request.app[SETTINGS].locale)
    return RefundOutcome(status=decision.state, message=message, order=order)


def refund_request(
    auth: AuthSession, code: str, key: str, units: Mapping[int, int], about: tuple[Collection[str], str]
) -> LearnerRefundRequest:
    """`about`: what was confirmed, and the note."""
    confirmed, note = about
    return LearnerRefundRequest(auth.learner_id, code, key, units, frozenset(confirmed), note)


async def send_request(request: web.Request, auth: AuthSession, refund: LearnerRefundRequest) -> RefundDecision:
    """Raises NotFound, StaleForm, RateLimited, InvalidInput by field, Refused, ServiceUnavailable."""
    app, at = request.app, datetime.now(UTC)
    order_id = await app[DATABASE].read(by_learner.find_order, auth.learner_id, refund.code)
    try:
        is_own = app[FORM_KEYS].learner_of(PURPOSE, refund.form_key, at) == auth.learner_id
    except InvalidFormKey:
        is_own = False
    if not is_own:
        raise StaleRefundForm
    await policies.limit(request, "refunds_per_learner_day", learner=auth)
    context = Context(at, app[SETTINGS].orders)
    decision = await app[DATABASE].write(by_learner.request_refund, order_id, refund, context)
    # What must follow the commit is in the outbox already: waking only saves waiting.
    for topic in (Topic.PAYMENTS, Topic.MAIL):
        app[OUTBOX_WAKER].wake(topic)
    return decision


def message_of(decision: RefundDecision, locale: str) -> str:
    """What happens next, for the learner."""
    amount = money_text(decision.amount_minor, money.currency(decision.currency), locale)
    if decision.state == "requested":
        return f"We have your request for {amount}. We answer within two working days, by email."
    if not decision.amount_minor:
        return "It is done: nothing was charged for this."
    return f"We refund {amount} to the way you paid. It can take some days until you see it there."
