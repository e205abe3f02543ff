"""Coupons: looked up, put on a line or a whole cart; and the special offer. Workers check codes, else the host."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain import cart, coupons
from domain.cart.codes import view_of
from domain.pricing.offers import NOTHING
from domain.sessions import SignedIn
from host import guests, keys, sessions, throttles, viewers
from host.calls import call
from host.calls.cart import LIMITED
from host.calls.cart_forms import ChangedCart, WantedLines, cart_form, changed, wanted_of, worth
from host.calls.forms import Id, Nothing, Strict, Text64

# An offer is the same for everyone and may be a minute old.
OFFER_FRESH_S = 60
NONE = -1.0


class CourseCoupon(Strict):
    CourseID: Id
    Code: Text64
    AAUserID: Id


class PricedLine(BaseModel):
    """Of one unit, in major units; -1 is none."""

    Status: Literal["success", "failed"]
    Message: str
    DiscountPrice: float
    orderDiscount: float
    orderDiscountCode: str


@call("SetCourseCoupon", CourseCoupon, PricedLine, who="learner", refusals=LIMITED)
async def set_coupon(request: web.Request, body: CourseCoupon) -> PricedLine:
    """Hold one use of a code for a line of the learner's cart, for 30 minutes; an empty code takes the line's off."""
    who = request[keys.SIGNED_IN]
    found = await _asked(
        request, who, "coupons.code_on_line", learner_id=who.learner_id, product_id=body.CourseID, code=body.Code
    )
    if found["reason"]:
        return _no_code(found["message"])
    off = NONE if found["off"] is None else float(Decimal(found["off"]))
    price, code = float(Decimal(found["price"])), found["code"]
    return PricedLine(Status="success", Message="", DiscountPrice=price, orderDiscount=off, orderDiscountCode=code)


def _no_code(message: str) -> PricedLine:
    return PricedLine(Status="failed", Message=message, DiscountPrice=NONE, orderDiscount=NONE, orderDiscountCode="")


class CouponCode(Strict):
    coupon: Text64


class CouponDetail(BaseModel):
    """What couponInfo keeps, in major units: 0 is none. discountProductType: all, course, item or a category's slug."""

    Status: Literal["success", "failed"]
    Message: str
    discountPercentage: float
    minimumAmount: float
    discountProductType: str
    discountAmount: float


@call("getcoupondetail", CouponCode, CouponDetail, refusals=LIMITED)
async def coupon_detail(request: web.Request, body: CouponCode) -> CouponDetail:
    """What a code is worth. Unknown, expired, used-up and other people's codes answer alike."""
    who = await sessions.optional(request)
    learner_id = None if who is None else who.learner_id
    found = await _asked(request, who, "coupons.describe", learner_id=learner_id, code=body.coupon)
    if found["reason"]:
        return CouponDetail(Status="failed", Message=found["message"], **worth("", NOTHING, NOTHING, ""))
    facts = worth(found["kind"], Decimal(found["value"]), Decimal(found["minimum"]), found["covers"])
    return CouponDetail(Status="success", Message="", **facts)


async def _asked(request: web.Request, who: SignedIn | None, name: str, **given: Any) -> dict[str, Any]:
    """The answer of whoever checks codes, within the budget of the person and their address."""
    await throttles.coupon_call(request, who)
    found = await request.app[keys.QUESTIONS].ask(name, **given, at=datetime.now(UTC).isoformat())
    if found["reason"] == coupons.UNUSABLE.code:
        await throttles.coupon_miss(request)
    return found


class SpecialCoupon(BaseModel):
    Status: Literal["success", "failed"]
    CouponID: int
    Coupon: str


@call(
    "GetSpecialCouponDetail",
    Nothing,
    SpecialCoupon,
    refusals=LIMITED,
    is_body_optional=True,
    fresh_s=OFFER_FRESH_S,
)
async def special_coupon(request: web.Request, _body: Nothing) -> SpecialCoupon:
    """The special offer of the moment, the same for everyone."""
    await throttles.cart_call(request, None)
    found = await request.app[keys.DATABASE].read(coupons.special, datetime.now(UTC))
    if found is None or found.id is None:
        return SpecialCoupon(Status="failed", CouponID=0, Coupon="")
    return SpecialCoupon(Status="success", CouponID=found.id, Coupon=found.name)


class CartCoupon(Strict):
    """`lines` are a guest's cart; a learner's is known."""

    code: Text64
    lines: WantedLines = Field(default_factory=list)


@call("cart/coupon", CartCoupon, ChangedCart, method="PUT", refusals=LIMITED)
async def set_cart_coupon(request: web.Request, body: CartCoupon) -> ChangedCart:
    """Put a coupon on the whole cart; an empty code takes it off."""
    who, now = await sessions.optional(request), datetime.now(UTC)
    lines = wanted_of(body.lines)
    if not body.code.strip():
        return await _without_coupon(request, who, lines, now)
    owner, secret = guests.known_owner(request, who)
    given = {"owner": vars(owner), "code": body.code, "lines": [[line.id, line.quantity] for line in lines]}
    found = await _asked(request, who, "coupons.code_on_cart", **given)
    if found["reason"]:
        return ChangedCart(**changed(found["message"]), cart=None)
    if secret is not None:
        guests.keep(request, secret)
    view = await request.app[keys.DATABASE].read(view_of, owner, lines, now, await viewers.narrowed(request))
    return ChangedCart(**changed(None), cart=cart_form(view, now))


async def _without_coupon(
    request: web.Request, who: SignedIn | None, lines: list[cart.Wanted], now: datetime
) -> ChangedCart:
    """Nothing is guessed by taking a coupon off: it counts as a call for the cart."""
    owner, db = guests.owner_of(request, who), request.app[keys.DATABASE]
    await throttles.cart_call(request, who)
    await db.run(cart.set_on_cart, owner, "", (), now)
    view = await db.read(view_of, owner, lines, now, await viewers.narrowed(request))
    return ChangedCart(**changed(None), cart=cart_form(view, now))
