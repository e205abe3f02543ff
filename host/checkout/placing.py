"""Places the order of a checkout form and opens its payment: the call and the plain form both end here."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from aiohttp import web

from contracts.tasks import Topic
from domain import fault_points
from domain.checkout import cart_contents, drafts, purchase
from domain.checkout.cart_contents import SERVICE
from domain.checkout.differences import QuoteDifference
from domain.checkout.placement import Changed, Failed, KeyReused, Placed
from domain.checkout.purchase import PlaceForm
from domain.identity.sessions import AuthSession
from domain.orders.settings import Context
from host.api.checkout.checkout_schemas import Checkout, CheckoutChanged, CheckoutFailed, CheckoutPlaced
from host.app_keys import DATABASE, SETTINGS
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.checkout import order_terms, paying
from host.checkout.turns import CHECKOUT_TURNS, NoTurn, pause
from host.checkout.view import PURPOSE, checkout_fields, checkout_model
from host.content import POLICY
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies
from host.site_state import SITE

__all__ = ["KeyReused", "PlaceForm", "StaleForm", "place_order", "store_typed"]

# A stored draft of the same values is written again only to keep it for another day.
REFRESH_AFTER = timedelta(hours=1)
Result = CheckoutPlaced | CheckoutChanged | CheckoutFailed


class StaleForm(KeyReused):
    """The form's key is too old, of another learner, or not of this site."""

    def __init__(self) -> None:
        super().__init__("This form was open for too long, or belongs to another sign-in. Check it and order again.")


async def store_typed(
    app: web.Application, learner_id: int, values: Mapping[str, str], service: str, at: datetime
) -> None:
    """Store what was typed, right or wrong, for the day. Raises InvalidInput for what no form can send, and
    ServiceUnavailable."""
    known = cart_contents.known_values({**values, SERVICE: service})
    draft = await app[DATABASE].read_inline(drafts.read, learner_id, at)
    if draft is None or draft.values != known or draft.changed_at < at - REFRESH_AFTER:
        await app[DATABASE].write(drafts.store, learner_id, known, at)


async def place_order(request: web.Request, auth: AuthSession, form: PlaceForm) -> Result:
    """Place the order of a form at the prices that it showed, once for its key, and say where the buyer goes on. What
    was typed is stored first, whatever follows.

    Raises InvalidInput by field, KeyReused (StaleForm: of an unknown key), RateLimited, PaymentsUnavailable,
    CheckoutBusy, ServiceUnavailable. Sets no cookie.
    """
    app, at = request.app, datetime.now(UTC)
    await policies.limit_cart_call(request, auth)
    await store_typed(app, auth.learner_id, form.values, form.service, at)
    await policies.limit(request, *policies.CHECKOUTS, learner=auth)
    _require_own_key(app, auth.learner_id, form.key, at)
    if form.seen.total:
        paying.require_gateway(app)
    placed = await _place_counted(request, auth, form)
    if isinstance(placed, Placed):
        return await after_placing(app, auth.learner_id, placed)
    if not isinstance(placed, Changed | Failed):
        return placed
    async with app[CHECKOUT_TURNS].reading():
        return await _answer_of(app, auth.learner_id, placed)


async def _answer_of(app: web.Application, learner_id: int, refusal: Changed | Failed) -> Result:
    fields = await checkout_fields(app, learner_id, datetime.now(UTC))
    await pause()
    checkout = checkout_model(fields)
    return _changed(refusal, checkout) if isinstance(refusal, Changed) else _failed(refusal, checkout)


def _require_own_key(app: web.Application, learner_id: int, key: str, at: datetime) -> None:
    try:
        owner = app[FORM_KEYS].learner_of(PURPOSE, key, at)
    except InvalidFormKey:
        raise StaleForm from None
    if owner != learner_id:
        raise StaleForm


async def _place_counted(
    request: web.Request, auth: AuthSession, form: PlaceForm
) -> Placed | Changed | Failed | Result:
    """Only orders count against the learner's limit of orders."""
    await policies.limit_order(request, auth)
    placed = None
    try:
        placed = await _place(request.app, auth.learner_id, form)
    finally:
        if not isinstance(placed, Placed):
            await policies.give_back_order(request, auth)
    return placed


async def _place(app: web.Application, learner_id: int, form: PlaceForm) -> Placed | Changed | Failed | Result:
    """In a rush for the last pieces most forms are refused: by reading, which costs a part of a transaction. That is
    also the answer to those who got no turn in time, unless what they order is still there."""
    settings, turns = app[SETTINGS], app[CHECKOUT_TURNS]
    policy = app[SITE].state.content(POLICY)
    terms, order_settings = order_terms.terms(settings, policy), order_terms.placing_settings(settings, policy)
    try:
        async with turns.turn() as has_waited:
            if has_waited and (answer := await _refusal_by_reading(app, learner_id, form)) is not None:
                return answer
            context = Context(datetime.now(UTC), order_settings)
            return await app[DATABASE].write(purchase.place_cart, learner_id, form, terms, context)
    except NoTurn:
        answer = await _refusal_by_reading(app, learner_id, form)
        if answer is None:
            raise
        return answer


async def _refusal_by_reading(app: web.Application, learner_id: int, form: PlaceForm) -> Result | None:
    """None when nothing is refused that reading can tell. Raises CheckoutBusy."""
    settings = app[SETTINGS]
    terms = order_terms.terms(settings, app[SITE].state.content(POLICY))
    context = Context(datetime.now(UTC), order_terms.payable_settings(settings))
    async with app[CHECKOUT_TURNS].reading():
        refusal = await app[DATABASE].read_inline(purchase.refusal, learner_id, form, terms, context)
        if refusal is None:
            return None
        await pause()
        return await _answer_of(app, learner_id, refusal)


async def after_placing(app: web.Application, learner_id: int, placed: Placed) -> CheckoutPlaced:
    """What must follow the commit is in the outbox already: waking only saves waiting."""
    fault_points.hit("place.committed")
    for topic in (Topic.MAIL, Topic.PAYMENTS):
        app[OUTBOX_WAKER].wake(topic)
    address = paying.order_page(placed.code)
    if placed.payment_id is not None:
        address = await paying.open_payment(app, learner_id, placed.order_id, placed.code)
    return CheckoutPlaced(status="success", code=placed.code, redirect=address)


def _changed(changed: Changed, checkout: Checkout) -> CheckoutChanged:
    differences = [_difference(row) for row in changed.differences]
    return CheckoutChanged.model_validate({"status": "changed", "differences": differences, "checkout": checkout})


def _difference(row: QuoteDifference) -> dict[str, object]:
    amounts = {"beforeMinor": row.before, "afterMinor": row.after}
    about = {"part": row.part, "productId": row.line_id, "name": row.name, "step": row.step, "reason": row.reason}
    return {**about, **amounts}


def _failed(failed: Failed, checkout: Checkout) -> CheckoutFailed:
    names = {line.id: line.name for line in checkout.lines}
    lines = [
        {"productId": product_id, "name": names.get(product_id or 0, ""), "message": message}
        for product_id, message in failed.refusals.items()
    ]
    return CheckoutFailed.model_validate({"status": "failed", "lines": lines, "checkout": checkout})
