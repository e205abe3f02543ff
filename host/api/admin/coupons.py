"""Calls about coupons: creating one, and pausing, resuming and ending it."""

from decimal import Decimal
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain import money
from domain.coupons import CouponDraft, changes
from domain.coupons.changes import Action, CouponAuthor
from domain.errors import InvalidInput
from domain.money import Currency
from domain.permissions import Permission
from domain.typed_values import read_percent
from host.api.fields import WHOLE, Instant, Strict, Text64, named_as_sent
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

Number = Annotated[str, Field(min_length=1, max_length=30)]
Limit = Annotated[int, Field(ge=1, lt=2**31), WHOLE] | None
Slug = Annotated[str, Field(max_length=191)]
Reason = Annotated[str, Field(max_length=500)]
# A misspelt one among many is named by its text.
MAX_PRODUCTS = 200
# Fields of the domain that have another name here.
FIELDS = {"ends": "endsAt", "limit": "totalLimit"}


class CouponTerms(Strict):
    """`value`: a percentage such as "12.5", or an amount such as "20.00". `oncePerOrder`: an amount is taken off an
    order at most once; else a code takes it off each piece of its line. `appliesTo`: all, course, item, or a
    category's slug; `products`: slugs of the only products it applies to. Instants are ISO 8601 with a zone; null and
    "" are no limit."""

    kind: Literal["percent", "amount"]
    value: Number
    oncePerOrder: bool = True
    minimum: Annotated[str, Field(max_length=30)] = ""
    appliesTo: Slug = "all"
    products: Annotated[list[Slug], Field(default_factory=list, max_length=MAX_PRODUCTS)]
    startsAt: Instant | None = None
    endsAt: Instant | None = None
    totalLimit: Limit = None
    learnerLimit: Limit = None
    organisation: Slug = ""
    isSpecial: bool = False
    isDraft: bool = False
    campaign: Annotated[str, Field(max_length=100)] = ""
    reason: Reason = ""


class NewCoupon(CouponTerms):
    """A coupon with a chosen code."""

    code: Text64


class CouponCreated(BaseModel):
    id: int


class CouponReason(Strict):
    reason: Annotated[str, Field(min_length=1, max_length=500)]


class CouponChanged(BaseModel):
    """`changed` false: it was so before."""

    changed: bool


@call("admin/coupons", NewCoupon, CouponCreated, status=201, area="admin", permission=Permission.COUPONS_WRITE)
async def create_coupon(request: web.Request, body: NewCoupon) -> CouponCreated:
    """Create a coupon. 403 for a code that exists already; 422 for more percent than this person may give."""
    actor = request[request_keys.ACTOR]
    draft = draft_of(body, request.app[SETTINGS].shop.currency)
    db, author = request.app[DATABASE], author_of(request)
    with named_as_sent(FIELDS):
        coupon_id = await db.write_as(actor, changes.create_as_staff, body.code, draft, author, body.reason)
    return CouponCreated(id=coupon_id)


@call("admin/coupons/{id}/pause", CouponReason, CouponChanged, area="admin", permission=Permission.COUPONS_WRITE)
async def pause_coupon(request: web.Request, body: CouponReason) -> CouponChanged:
    """Nobody can use it until it is resumed. What is ordered with it stays."""
    return await _change(request, "pause", body)


@call("admin/coupons/{id}/resume", CouponReason, CouponChanged, area="admin", permission=Permission.COUPONS_WRITE)
async def resume_coupon(request: web.Request, body: CouponReason) -> CouponChanged:
    """Put a draft or a paused coupon into use."""
    return await _change(request, "resume", body)


@call("admin/coupons/{id}/end", CouponReason, CouponChanged, area="admin", permission=Permission.COUPONS_WRITE)
async def end_coupon(request: web.Request, body: CouponReason) -> CouponChanged:
    """End it for good."""
    return await _change(request, "end", body)


async def _change(request: web.Request, action: Action, body: CouponReason) -> CouponChanged:
    actor, coupon_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    if not body.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    change = request.app[DATABASE].write_as(
        actor, changes.change_state, coupon_id, action, author_of(request), body.reason
    )
    return CouponChanged(changed=await change)


def author_of(request: web.Request) -> CouponAuthor:
    actor = request[request_keys.ACTOR]
    return CouponAuthor(actor.roles, request.app[SETTINGS].coupon_max_percent, actor.at)


def draft_of(body: CouponTerms, currency: Currency) -> CouponDraft:
    """Raises InvalidInput."""
    return CouponDraft(
        kind=body.kind,
        value=_percent(body.value) if body.kind == "percent" else _amount("value", body.value, currency),
        currency=currency,
        once_per_order=body.oncePerOrder,
        minimum=_amount("minimum", body.minimum or "0", currency),
        applies_to=body.appliesTo,
        products=tuple(slug.strip() for slug in body.products if slug.strip()),
        starts_at=body.startsAt,
        ends_at=body.endsAt,
        total_limit=body.totalLimit,
        learner_limit=body.learnerLimit,
        organisation=body.organisation,
        is_special=body.isSpecial,
        campaign=body.campaign.strip(),
        state="draft" if body.isDraft else "active",
    )


def _percent(text: str) -> Decimal:
    try:
        return read_percent(text)
    except ValueError:
        raise InvalidInput({"value": "Write a percentage such as 12.5."}) from None


def _amount(field: str, text: str, currency: Currency) -> Decimal:
    try:
        return money.parse(text, currency)
    except ValueError as error:
        raise InvalidInput({field: f"{error}."}) from None
