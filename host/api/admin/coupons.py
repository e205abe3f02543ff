"""Calls about coupons: creating one, and pausing, resuming and ending it; with the forms of each."""

from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from domain import money
from domain.cart import coupon_cost
from domain.coupons import changes
from domain.coupons.changes import Action, CouponAuthor
from domain.coupons.create import CouponDraft
from domain.errors import InvalidInput
from domain.money import Currency
from domain.permissions import Permission
from domain.typed_values import read_percent
from host.api.admin.actions import PRODUCTS, FormField, RecordedReason, action
from host.api.admin.outcome import ActionPreview, StaffOutcome
from host.api.fields import WHOLE, Instant, Strict, Text64, named_as_sent
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

Number = Annotated[str, Field(min_length=1, max_length=30)]
Limit = Annotated[int, Field(ge=1, lt=2**31), WHOLE] | None
Slug = Annotated[str, Field(max_length=191)]
Reason = Annotated[str, Field(max_length=500)]
KINDS = {"percent": "Percent", "amount": "Amount"}
FOR_EACH_PIECE = "Else a code on a line takes it off each piece: 5.00 off 99 pieces is 495.00."
# A misspelt one among many is named by its text.
MAX_PRODUCTS = 200
# Fields of the domain that have another name here.
FIELDS = {"ends": "endsAt", "limit": "totalLimit"}


class CouponDiscount(Strict):
    """What a coupon takes off of what. `value`: a percentage such as "12.5", or an amount such as "20.00".
    `oncePerOrder`: an amount is taken off an order at most once; else a code takes it off each piece of its line.
    `appliesTo`: all, course, item, or a category's slug; `products`: slugs of the only products it applies to."""

    kind: Annotated[Literal["percent", "amount"], FormField("It takes off", options=KINDS)]
    value: Annotated[Number, FormField("How much", hint="It is taken off the price after sale prices.")]
    oncePerOrder: Annotated[
        bool,
        FormField("At most once per order", hint=FOR_EACH_PIECE, shown_if=("kind", ("amount",))),
    ] = True
    minimum: Annotated[
        str,
        Field(max_length=30),
        FormField("Smallest total", hint="Of the products that it applies to; leave it empty for none."),
    ] = ""
    appliesTo: Annotated[Slug, FormField("Applies to", "choice", is_required=True)] = "all"
    products: Annotated[
        list[Slug],
        Field(default_factory=list, max_length=MAX_PRODUCTS),
        FormField(
            "Only these products", hint="A part of a name. Without any: all that it applies to.", source=PRODUCTS
        ),
    ]


class CouponTerms(CouponDiscount):
    """With when and for whom a coupon is. Instants are ISO 8601 with a zone; null and "" are no limit."""

    startsAt: Annotated[Instant | None, FormField("From")] = None
    endsAt: Annotated[Instant | None, FormField("Until")] = None
    totalLimit: Annotated[Limit, FormField("Uses in total", hint="Leave it empty for any number.")] = None
    learnerLimit: Annotated[Limit, FormField("Uses per learner", hint="Leave it empty for any number.")] = None
    organisation: Annotated[Slug, FormField("For members of", "choice", "Without one: for everybody.")] = ""
    campaign: Annotated[str, Field(max_length=100), FormField("Campaign")] = ""
    isSpecial: Annotated[bool, FormField("Show it to everybody as the special offer")] = False
    isDraft: Annotated[bool, FormField("Keep it as a draft that nobody can use yet")] = False
    reason: RecordedReason = ""


class _ChosenCode(Strict):
    code: Annotated[Text64, FormField("Code", is_required=True)]


class NewCoupon(CouponTerms, _ChosenCode):
    """A coupon with a chosen code. The form has the fields of the last base first."""


class CouponCreated(StaffOutcome):
    id: int


class CouponReason(Strict):
    reason: Annotated[RecordedReason, Field(min_length=1)]


class CouponChanged(StaffOutcome):
    """`changed` false: it was so before."""

    changed: bool


@action(
    "admin/coupons",
    NewCoupon,
    "New coupon",
    "Create coupon",
    status=201,
    permission=Permission.COUPONS_WRITE,
    reply=CouponCreated,
)
async def create_coupon(request: web.Request, body: NewCoupon) -> CouponCreated:
    """Create a coupon. 403 for a code that exists already; 422 for more percent than this person may give."""
    actor = request[request_keys.ACTOR]
    draft = draft_of(body, request.app[SETTINGS].shop.currency)
    db, author = request.app[DATABASE], author_of(request)
    with named_as_sent(FIELDS):
        coupon_id = await db.write_as(actor, changes.create_as_staff, body.code, draft, author, body.reason)
    return CouponCreated(id=coupon_id, text="The coupon is created.", href=f"/admin/coupons/{coupon_id}")


@create_coupon.preview("typed")
async def preview_coupon(request: web.Request, body: NewCoupon) -> ActionPreview:
    """What the coupon would cost at most. Creates nothing."""
    return ActionPreview(effects=cost_effects(request, body))


def cost_effects(request: web.Request, body: CouponTerms, codes: int = 1) -> list[str]:
    """What coupons with these terms cost at most, in words."""
    shop = request.app[SETTINGS].shop
    draft = draft_of(body, shop.currency)
    terms = coupon_cost.CouponTerms(
        draft.kind,
        draft.value,
        draft.once_per_order,
        draft.applies_to,
        len(draft.products),
        draft.total_limit,
        draft.learner_limit,
    )
    texts = coupon_cost.cost_texts(terms, shop, codes)
    return [f"{label} it costs at most: {text}." for label, text in texts.items()]


PAUSED, IN_USE, ENDED = "It is paused now.", "It is in use now.", "It has ended."


@action(
    "admin/coupons/{id}/pause",
    CouponReason,
    "Pause",
    "Pause",
    text="Nobody can use it until it is put into use again. What was ordered with it stays as it is.",
    permission=Permission.COUPONS_WRITE,
    reply=CouponChanged,
)
async def pause_coupon(request: web.Request, body: CouponReason) -> CouponChanged:
    """Nobody can use it until it is resumed. What is ordered with it stays."""
    return await _change(request, "pause", body, PAUSED)


@action(
    "admin/coupons/{id}/resume",
    CouponReason,
    "Put into use",
    "Put into use",
    permission=Permission.COUPONS_WRITE,
    reply=CouponChanged,
)
async def resume_coupon(request: web.Request, body: CouponReason) -> CouponChanged:
    """Put a draft or a paused coupon into use."""
    return await _change(request, "resume", body, IN_USE)


@action(
    "admin/coupons/{id}/end",
    CouponReason,
    "End for good",
    "End for good",
    text="What was ordered with it stays as it is.",
    is_dangerous=True,
    permission=Permission.COUPONS_WRITE,
    reply=CouponChanged,
)
async def end_coupon(request: web.Request, body: CouponReason) -> CouponChanged:
    """End it for good."""
    return await _change(request, "end", body, ENDED)


# The form of each change of state.
STATE_ACTIONS = {"pause": pause_coupon, "resume": resume_coupon, "end": end_coupon}


async def _change(request: web.Request, action_name: Action, body: CouponReason, done: str) -> CouponChanged:
    actor, coupon_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    if not body.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    change = request.app[DATABASE].write_as(
        actor, changes.change_state, coupon_id, action_name, author_of(request), body.reason
    )
    return CouponChanged(changed=await change, text=done)


def author_of(request: web.Request) -> CouponAuthor:
    actor = request[request_keys.ACTOR]
    return CouponAuthor(actor.roles, request.app[SETTINGS].coupon_max_percent, actor.at)


def draft_of(body: CouponTerms, currency: Currency) -> CouponDraft:
    """Raises InvalidInput."""
    return replace(
        discount_of(body, currency),
        starts_at=body.startsAt,
        ends_at=body.endsAt,
        total_limit=body.totalLimit,
        learner_limit=body.learnerLimit,
        organisation=body.organisation,
        is_special=body.isSpecial,
        campaign=body.campaign.strip(),
        state="draft" if body.isDraft else "active",
    )


def discount_of(body: CouponDiscount, currency: Currency) -> CouponDraft:
    """A coupon for everybody, without limits. Raises InvalidInput."""
    return CouponDraft(
        kind=body.kind,
        value=_percent(body.value) if body.kind == "percent" else _amount("value", body.value, currency),
        currency=currency,
        once_per_order=body.oncePerOrder,
        minimum=_amount("minimum", body.minimum or "0", currency),
        applies_to=body.appliesTo,
        products=tuple(slug.strip() for slug in body.products if slug.strip()),
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
