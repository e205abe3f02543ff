"""Coupon calls: describe a code, apply it to a line or a cart, the special offer. Workers check codes over RPC; the
host runs the same function inline when no worker replies."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from contracts.payloads import ApplyToCart, ApplyToLine, DescribeCode, RpcCall
from domain.cart import codes as cart_codes
from domain.cart.codes import priced_cart
from domain.cart.owners import Owner, RequestedLine
from domain.coupons.rules import UNUSABLE
from domain.coupons.trials.running import shown_offer
from domain.identity.sessions import AuthSession
from domain.pricing.offers import ZERO
from host.api.cart import LIMITED
from host.api.cart_schemas import (
    CartOutcomeSchema,
    CartSchema,
    RequestedLines,
    cart_schema,
    coupon_terms,
    outcome,
    requested_lines,
)
from host.api.fields import EmptyRequest, Id, Strict, Text64
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth import catalogue_scope, guests, sessions
from host.http import request_keys
from host.messaging.rpc_client import RPC_CLIENT
from host.rate_limits import policies

# The special offer is the same for every visitor; a cached reply may be a minute old.
OFFER_MAX_AGE_S = 60
NONE = -1.0


class CourseCoupon(Strict):
    CourseID: Id
    Code: Text64
    AAUserID: Id


class PricedLine(BaseModel):
    """Prices of one unit, in major units; -1 means none."""

    Status: Literal["success", "failed"]
    Message: str
    DiscountPrice: float
    orderDiscount: float
    orderDiscountCode: str


@call("SetCourseCoupon", CourseCoupon, PricedLine, caller="learner", refusals=LIMITED)
async def set_coupon(request: web.Request, body: CourseCoupon) -> PricedLine:
    """Reserve one use of a code for a line of the learner's cart, for 30 minutes; an empty code removes the line's."""
    session = request[request_keys.AUTH_SESSION]
    call = ApplyToLine(learner_id=session.learner_id, product_id=body.CourseID, code=body.Code, at=_now())
    result = await check_code(request, session, call)
    if result["reason"]:
        return _refused(result["message"])
    price, off, code = _major(result["price"]), _major(result["off"]), result["code"]
    return PricedLine(Status="success", Message="", DiscountPrice=price, orderDiscount=off, orderDiscountCode=code)


def _major(amount: str | None) -> float:
    return NONE if amount is None else float(Decimal(amount))


def _refused(message: str) -> PricedLine:
    return PricedLine(Status="failed", Message=message, DiscountPrice=NONE, orderDiscount=NONE, orderDiscountCode="")


class CouponCode(Strict):
    coupon: Text64


class CouponDetail(BaseModel):
    """The fields of couponInfo, in major units; 0 means none. discountProductType: all, course, item or a category's
    slug."""

    Status: Literal["success", "failed"]
    Message: str
    discountPercentage: float
    minimumAmount: float
    discountProductType: str
    discountAmount: float


@call("getcoupondetail", CouponCode, CouponDetail, caller="anyone", refusals=LIMITED)
async def coupon_detail(request: web.Request, body: CouponCode) -> CouponDetail:
    """Describe a code's discount. Unknown, expired, used-up and other learners' codes get the same reply."""
    session = await sessions.current_session(request)
    learner_id = None if session is None else session.learner_id
    result = await check_code(request, session, DescribeCode(learner_id=learner_id, code=body.coupon, at=_now()))
    if result["reason"]:
        return CouponDetail(Status="failed", Message=result["message"], **coupon_terms("", ZERO, ZERO, ""))
    terms = coupon_terms(result["kind"], Decimal(result["value"]), Decimal(result["minimum"]), result["covers"])
    return CouponDetail(Status="success", Message="", **terms)


def _now() -> str:
    return datetime.now(UTC).isoformat()


async def check_code(request: web.Request, session: AuthSession | None, call: RpcCall) -> dict[str, Any]:
    """The result of checking a code over RPC, within the rate limits of the learner and the address. Raises
    RateLimited."""
    await policies.limit_coupon_call(request, session)
    result = await request.app[RPC_CLIENT].call(call)
    if result["reason"] == UNUSABLE.code:
        await policies.count_coupon_miss(request)
    return result


class SpecialCoupon(BaseModel):
    Status: Literal["success", "failed"]
    CouponID: int
    Coupon: str


@call(
    "GetSpecialCouponDetail",
    EmptyRequest,
    SpecialCoupon,
    caller="anyone",
    refusals=LIMITED,
    max_age_s=OFFER_MAX_AGE_S,
)
async def special_coupon(request: web.Request, _body: EmptyRequest) -> SpecialCoupon:
    """Return the current special offer, the same for every visitor."""
    await policies.limit_cart_call(request, None)
    offer = await request.app[DATABASE].read(shown_offer, datetime.now(UTC))
    if offer is None or offer.id is None:
        return SpecialCoupon(Status="failed", CouponID=0, Coupon="")
    return SpecialCoupon(Status="success", CouponID=offer.id, Coupon=offer.name)


class CartCoupon(Strict):
    """`lines` are a guest's cart; a learner's cart is stored here."""

    code: Text64
    lines: RequestedLines = Field(default_factory=list)


@call("cart/coupon", CartCoupon, CartOutcomeSchema, caller="anyone", method="PUT", refusals=LIMITED)
async def set_cart_coupon(request: web.Request, body: CartCoupon) -> CartOutcomeSchema:
    """Apply a coupon to the whole cart; an empty code removes it."""
    session, now = await sessions.current_session(request), datetime.now(UTC)
    lines = requested_lines(body.lines)
    if not body.code.strip():
        return await _remove_cart_coupon(request, session, lines, now)
    owner, secret = guests.owner_with_cookie(request, session)
    owner_ids: dict[str, Any] = {"learner_id": owner.learner_id, "guest": owner.guest_key}
    quantities = [[line.id, line.quantity] for line in lines]
    result = await check_code(
        request, session, ApplyToCart(owner=owner_ids, code=body.code, lines=quantities, at=_now())
    )
    if result["reason"]:
        return CartOutcomeSchema(**outcome(result["message"]), cart=None)
    if secret is not None:
        guests.set_guest_cookie(request, secret)
    return CartOutcomeSchema(**outcome(None), cart=await _priced_cart(request, owner, lines, now))


async def _remove_cart_coupon(
    request: web.Request, session: AuthSession | None, lines: list[RequestedLine], now: datetime
) -> CartOutcomeSchema:
    """Remove the cart's coupon. Removing cannot be used to guess codes, so it counts as a cart call only."""
    owner, shop = guests.owner_of(request, session), request.app[SETTINGS].shop
    await policies.limit_cart_call(request, session)
    await request.app[DATABASE].write(cart_codes.set_on_cart, owner, "", (), now, shop)
    return CartOutcomeSchema(**outcome(None), cart=await _priced_cart(request, owner, lines, now))


async def _priced_cart(request: web.Request, owner: Owner, lines: list[RequestedLine], now: datetime) -> CartSchema:
    shop, scope = request.app[SETTINGS].shop, await catalogue_scope.scope_of(request)
    view = await request.app[DATABASE].read(priced_cart, owner, lines, now, shop, scope)
    return cart_schema(view, now, shop)
