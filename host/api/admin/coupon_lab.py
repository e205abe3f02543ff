"""The call of the coupon lab: what a cart would cost, with every step and every refusal. Nothing is reserved."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.cart import lab
from domain.cart.lab import LabCart, LabLine, LabQuote
from domain.coupons import create as coupon_create
from domain.errors import InvalidInput, NotFound
from domain.money import Currency
from domain.permissions import Permission, permissions_of
from domain.pricing.quote import PricedLine, Refusal, Step
from domain.staff import roles as staff_roles
from host.api.fields import WHOLE, Instant, Strict, Text64
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem

MAX_LINES = 50
MAX_UNITS = 1_000
Slug = Annotated[str, Field(max_length=191)]
# The texts of steps that have the name of nothing.
STEPS = {"list": "List price", "sale": "Sale"}


class LabLineForm(Strict):
    """`product`: slug of a course or shop item, `course:` or `item:` before it where both have it."""

    product: Annotated[str, Field(min_length=1, max_length=191)]
    quantity: Annotated[int, Field(ge=1, le=MAX_UNITS), WHOLE] = 1
    code: Text64 = ""


class CouponLabCart(Strict):
    """`code`: on the whole cart. `organisation`: slug; `studentNumber`: of a learner, with learners.read alone. `at`:
    null is now."""

    lines: Annotated[list[LabLineForm], Field(min_length=1, max_length=MAX_LINES)]
    code: Text64 = ""
    organisation: Slug = ""
    studentNumber: Annotated[str, Field(max_length=40)] = ""
    at: Instant | None = None


class LabStep(BaseModel):
    text: str
    changeMinor: int
    totalMinor: int


class LabOffer(BaseModel):
    """An offer that applies and was not used, with what the line would cost with it."""

    name: str
    totalMinor: int
    message: str


class LabPricedLine(BaseModel):
    name: str
    quantity: int
    steps: list[LabStep]
    rejectedOffers: list[LabOffer]


class LabRefusal(BaseModel):
    """`product` null: the code was on the whole cart."""

    code: str
    product: str | None
    message: str


class CouponLabQuote(BaseModel):
    """Before tax and delivery. `unavailable`: products that are not sold, not to them, or theirs already."""

    lines: list[LabPricedLine]
    refusals: list[LabRefusal]
    unavailable: list[str]
    subtotalMinor: int
    discountMinor: int
    totalMinor: int


@call("admin/coupons/lab", CouponLabCart, CouponLabQuote, permission=Permission.COUPONS_READ)
async def price_cart(request: web.Request, body: CouponLabCart) -> CouponLabQuote:
    """What a cart would cost, as the cart itself computes it. Pricing for a learner is recorded."""
    actor, db, shop = request[request_keys.ACTOR], request.app[DATABASE], request.app[SETTINGS].shop
    names_learner = bool(body.studentNumber.strip())
    if names_learner and Permission.LEARNERS_READ not in permissions_of("admin", actor.roles):
        raise Problem(403, f"To name a learner you need the permission {Permission.LEARNERS_READ}.")
    at = datetime.now(UTC) if body.at is None else body.at.astimezone(UTC)
    cart = await db.read(_cart, body)
    if cart.learner_id is not None:
        subject = Subject("learner", cart.learner_id)
        await db.write_as(actor, recording.record, "learner.price", subject)
    priced = await db.read(lab.price_lab_cart, cart, at, shop)
    return _quote(priced, shop.currency)


def _cart(session: Session, body: CouponLabCart) -> LabCart:
    """Raises InvalidInput."""
    try:
        ids = [coupon_create.product_id_of(session, line.product.strip()) for line in body.lines]
        slug = body.organisation
        organisation = coupon_create.organisation_id_of(session, slug) if slug else None
    except NotFound as error:
        raise InvalidInput({"lines": str(error)}) from None
    if len({*ids}) < len(ids):
        raise InvalidInput({"lines": "Name each product once."})
    lines = [LabLine(id_, line.quantity, line.code) for id_, line in zip(ids, body.lines, strict=True)]
    learner = staff_roles.find_person(session, body.studentNumber) if body.studentNumber.strip() else None
    return LabCart(lines, body.code, learner, organisation)


def _quote(priced: LabQuote, currency: Currency) -> CouponLabQuote:
    names = {id_: product.name for id_, product in priced.products.items()}
    quote = priced.quote
    return CouponLabQuote(
        lines=[_line(line, names, currency) for line in quote.lines],
        refusals=[_refusal(refusal, names) for refusal in quote.refusals],
        unavailable=[names.get(id_, "A product that is not published") for id_ in priced.unavailable],
        subtotalMinor=money.to_minor(quote.subtotal, currency),
        discountMinor=money.to_minor(quote.discount, currency),
        totalMinor=money.to_minor(quote.total, currency),
    )


def _line(line: PricedLine, names: dict[int, str], currency: Currency) -> LabPricedLine:
    return LabPricedLine(
        name=names[line.id],
        quantity=line.quantity,
        steps=[
            LabStep(
                text=_step_text(step, line),
                changeMinor=money.to_minor(step.change, currency),
                totalMinor=money.to_minor(step.total, currency),
            )
            for step in line.steps
        ],
        rejectedOffers=[
            LabOffer(name=offer.name, totalMinor=money.to_minor(offer.total, currency), message=offer.message)
            for offer in line.rejected_offers
        ],
    )


def _step_text(step: Step, line: PricedLine) -> str:
    is_once = step.step == "code" and step.total != line.unit_price * line.quantity
    text = STEPS.get(step.step) or step.name or step.step.capitalize()
    return f"{text}, once per order" if is_once else text


def _refusal(refusal: Refusal, names: dict[int, str]) -> LabRefusal:
    product = None if refusal.line_id is None else names.get(refusal.line_id)
    return LabRefusal(code=refusal.name, product=product, message=refusal.message)
