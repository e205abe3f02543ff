"""Cart calls: the specification's two for adding and removing lines, and our own for prices and changes."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain.cart import lines as cart_lines
from domain.cart import versions as cart_versions
from domain.cart import views as cart_views
from domain.cart.lines import MAX_LINES, MAX_QUANTITY, Change
from domain.checkout import cart_links
from domain.checkout.cart_links import MergeSource
from domain.money import from_minor
from host.api.cart_schemas import (
    CartOutcomeSchema,
    CartSchema,
    OutcomeSchema,
    RequestedLines,
    cart_schema,
    outcome,
    requested_lines,
)
from host.api.fields import SAFE, WHOLE, EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth import catalogue_scope, guests, sessions
from host.http import request_keys
from host.rate_limits import policies

LIMITED = (429, 503)
# For calls whose response, as the specification has it, does not contain the cart.
VERSION_HEADER = "X-Cart-Version"


async def set_version_header(request: web.Request, learner_id: int) -> None:
    """The cart's version after a change. Another change may be part of it already: browsers see that it grew by more
    than one."""
    version = await request.app[DATABASE].read_inline(cart_versions.version_of, learner_id)
    request.setdefault(request_keys.HEADERS, {})[VERSION_HEADER] = str(version)


async def _learner_cart(request: web.Request, learner_id: int, now: datetime) -> CartSchema:
    shop = request.app[SETTINGS].shop
    view = await request.app[DATABASE].read(cart_views.learner_cart, learner_id, now, shop)
    return cart_schema(view, now, shop)


class LearnerCourse(Strict):
    """`CourseID` is the id of a course or a shop item: both use one sequence of ids."""

    AAUserID: Id
    CourseID: Id


class SpecOutcome(BaseModel):
    """`Message` is for people, "" on success."""

    Status: Literal["success", "failed"]
    Message: str


@call("SetAAUserCourse", LearnerCourse, SpecOutcome, caller="learner", refusals=LIMITED)
async def set_course(request: web.Request, body: LearnerCourse) -> SpecOutcome:
    """Add a course or shop item to the learner's cart. Succeeds also when it is already in the cart."""
    session = request[request_keys.AUTH_SESSION]
    await policies.limit_cart_call(request, session)
    refusal = await request.app[DATABASE].write(cart_lines.add, session.learner_id, body.CourseID, datetime.now(UTC))
    await set_version_header(request, session.learner_id)
    return SpecOutcome(Status="success" if refusal is None else "failed", Message=refusal or "")


@call("DelAAUserCourse", LearnerCourse, SpecOutcome, caller="learner", refusals=LIMITED)
async def delete_course(request: web.Request, body: LearnerCourse) -> SpecOutcome:
    """Remove a line from the learner's cart and release its coupon. Succeeds also when there is no such line."""
    session = request[request_keys.AUTH_SESSION]
    await policies.limit_cart_call(request, session)
    await request.app[DATABASE].write(cart_lines.remove, session.learner_id, body.CourseID)
    await set_version_header(request, session.learner_id)
    return SpecOutcome(Status="success", Message="")


@query("cart", EmptyRequest, CartSchema, caller="learner", refusals=LIMITED)
async def read_cart(request: web.Request, _body: EmptyRequest) -> CartSchema:
    """Return the learner's cart with the breakdown of its prices."""
    session, now = request[request_keys.AUTH_SESSION], datetime.now(UTC)
    await policies.limit(request, "cart_reads_per_learner_minute")
    return await _learner_cart(request, session.learner_id, now)


class Lines(Strict):
    lines: RequestedLines


@call("cart/quote", Lines, CartSchema, caller="anyone", refusals=LIMITED)
async def quote(request: web.Request, body: Lines) -> CartSchema:
    """Price a guest's lines with the visitor's cart coupon. Products outside the visitor's catalogue scope are left
    out of the lines and listed as unavailable."""
    session, now = await sessions.current_session(request), datetime.now(UTC)
    await policies.limit_cart_call(request, session)
    owner, scope = guests.owner_of(request, session), await catalogue_scope.scope_of(request)
    shop = request.app[SETTINGS].shop
    view = await request.app[DATABASE].read(cart_views.guest_cart, owner, requested_lines(body.lines), now, shop, scope)
    return cart_schema(view, now, shop)


class LineChange(Strict):
    """Fields that are left out do not change."""

    quantity: Annotated[int, Field(ge=1, le=MAX_QUANTITY), WHOLE] | None = None
    saved: Annotated[bool, Field(strict=True)] | None = None


@call("cart/lines/{id}", LineChange, CartOutcomeSchema, method="PUT", caller="learner", refusals=LIMITED)
async def change_line(request: web.Request, body: LineChange) -> CartOutcomeSchema:
    """Change a line's quantity, save it for later or move it back to the cart."""
    session, now = request[request_keys.AUTH_SESSION], datetime.now(UTC)
    await policies.limit_cart_call(request, session)
    db, change = request.app[DATABASE], Change(body.quantity, body.saved)
    refusal = await db.write(cart_lines.change, session.learner_id, request[request_keys.PATH_ID], change, now)
    return CartOutcomeSchema(**outcome(refusal), cart=await _learner_cart(request, session.learner_id, now))


class SeenPrice(Strict):
    id: Id
    price: Annotated[int, Field(ge=0, le=SAFE), WHOLE]


class SeenPrices(Strict):
    lines: Annotated[list[SeenPrice], Field(max_length=MAX_LINES)]


@call("cart/seen", SeenPrices, OutcomeSchema, method="PUT", caller="learner", refusals=LIMITED)
async def mark_prices_seen(request: web.Request, body: SeenPrices) -> OutcomeSchema:
    """Record the unit prices (after sales) that the learner has seen; a later change is announced."""
    session = request[request_keys.AUTH_SESSION]
    await policies.limit_cart_call(request, session)
    currency = request.app[SETTINGS].shop.currency
    prices = {line.id: from_minor(line.price, currency) for line in body.lines}
    await request.app[DATABASE].write(cart_lines.mark_prices_seen, session.learner_id, prices, datetime.now(UTC))
    return OutcomeSchema(**outcome(None))


class MergedLine(BaseModel):
    id: int
    outcome: Literal["added", "kept", "refused"]
    message: str


class MergedCart(BaseModel):
    lines: list[MergedLine]
    cart: CartSchema


class MergedLines(Lines):
    """`cartToken`: of the link on whose page these lines stood; "" for none."""

    cartToken: Annotated[str, Field(max_length=cart_links.MAX_SECRET_LENGTH)] = ""


@call("cart/merge", MergedLines, MergedCart, caller="learner", refusals=LIMITED)
async def merge(request: web.Request, body: MergedLines) -> MergedCart:
    """Merge a guest's lines, or those of a link at the prices that it promises, into the learner's cart, with an
    outcome for each. Repeating the call changes nothing."""
    session, now = request[request_keys.AUTH_SESSION], datetime.now(UTC)
    await policies.limit_cart_call(request, session)
    db, lines = request.app[DATABASE], requested_lines(body.lines)
    source = MergeSource(guests.guest_key_of(request), body.cartToken)
    merged = await db.write(cart_links.merge, session.learner_id, lines, source, now)
    lines_of_merge = [MergedLine(**vars(line)) for line in merged]
    return MergedCart(lines=lines_of_merge, cart=await _learner_cart(request, session.learner_id, now))
