"""JSON models of the cart (docs/contracts.md, "calls"). Our own calls have amounts in minor units and names in
camelCase."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from domain.cart import owners as cart_owners
from domain.cart.lines import MAX_LINES, MAX_QUANTITY
from domain.cart.owners import RequestedLine
from domain.cart.products import CartProduct
from domain.cart.views import CartItem, PricedCart
from domain.catalogue.listing import ItemKind
from domain.coupons.terms import Terms
from domain.display_text import moment_text
from domain.money import Currency, to_minor
from domain.pricing.quote import Refusal, RejectedOffer, Step, StepName
from domain.shop_settings.shop import ShopSettings
from host.api.fields import WHOLE, Id, Strict
from host.urls import Picture, href_of, list_picture


class CategoryName(BaseModel):
    slug: str
    name: str


class ProductFacts(BaseModel):
    """The fields of a product that are shown beside its price."""

    id: int
    kind: Literal["course", "item"]
    name: str
    href: str
    picture: Picture
    category: CategoryName
    itemKind: ItemKind | None


class StepSchema(BaseModel):
    step: StepName
    name: str
    change: int
    total: int


class RejectedOfferSchema(BaseModel):
    step: StepName
    name: str
    total: int
    reason: Literal["higher", "equal"]
    message: str


class RefusalSchema(BaseModel):
    step: StepName
    name: str
    lineId: int | None
    reason: str
    message: str


class CartLineSchema(ProductFacts):
    """`codeAmount`: what the code takes off the line once; null: off each unit, or nothing. `lowestBefore`: as in
    `lowest_before`. `isGift`: for somebody else, whom the checkout asks for. `promise`: until when a cart link keeps
    list and sale price so, a sentence; "": they are today's."""

    quantity: int
    stock: int | None
    listPrice: int
    salePrice: int | None
    unitPrice: int
    unitDiscount: int | None
    code: str | None
    codeAmount: int | None
    seenPrice: int | None
    lowestBefore: int | None
    isGift: bool
    promise: str
    steps: list[StepSchema]
    rejectedOffers: list[RejectedOfferSchema]
    total: int


class CouponSchema(BaseModel):
    """The code, and the fields of couponInfo in major units."""

    code: str
    discountPercentage: float
    minimumAmount: float
    discountProductType: str
    discountAmount: float


class CartSchema(BaseModel):
    """`version` grows with every change of a learner's cart; 0 for a guest's."""

    lines: list[CartLineSchema]
    saved: list[CartLineSchema]
    unavailable: list[int]
    coupon: CouponSchema | None
    refusals: list[RefusalSchema]
    subtotal: int
    discount: int
    tax: int
    total: int
    version: int


class OutcomeSchema(BaseModel):
    """The outcome of a valid request; `message` is shown to the visitor, "" on success."""

    status: Literal["success", "failed"]
    message: str


class CartOutcomeSchema(OutcomeSchema):
    cart: CartSchema | None


class RequestedLineSchema(Strict):
    id: Id
    quantity: Annotated[int, Field(ge=1, le=MAX_QUANTITY), WHOLE]


RequestedLines = Annotated[list[RequestedLineSchema], Field(max_length=MAX_LINES)]


def requested_lines(lines: list[RequestedLineSchema]) -> list[RequestedLine]:
    return cart_owners.requested_lines([(line.id, line.quantity) for line in lines])


def outcome(refusal: str | None) -> dict[str, Any]:
    return {"status": "success" if refusal is None else "failed", "message": refusal or ""}


def minor(amount: Decimal | None, currency: Currency) -> int | None:
    return None if amount is None else to_minor(amount, currency)


def facts(product: CartProduct) -> dict[str, Any]:
    card = product.card
    return {
        "id": card.id,
        "kind": card.kind,
        "name": card.name,
        "href": href_of(card.kind, card.id, card.slug),
        "picture": list_picture(card.image, card.image_width, card.image_height, card.image_alt),
        "category": {"slug": product.category, "name": product.category_name},
        "itemKind": card.item_kind,
    }


def promise_text(until: datetime | None, shop: ShopSettings) -> str:
    return "" if until is None else f"Kept at this price until {moment_text(until, shop.locale or None)}."


def lowest_before(product: CartProduct, at: datetime, shop: ShopSettings) -> int | None:
    """The lowest price of the 30 days before the sale that runs; None without one, and where the shop shows none."""
    return minor(product.lowest_before(at), shop.currency) if shop.follows_union_rules else None


def cart_schema(view: PricedCart, at: datetime, shop: ShopSettings) -> CartSchema:
    quote, currency = view.quote, shop.currency
    return CartSchema.model_validate(
        {
            "lines": [_line(line, at, shop) for line in view.lines],
            "saved": [_line(line, at, shop) for line in view.saved],
            "unavailable": list(view.unavailable),
            "coupon": None if view.coupon is None else coupon_schema(view.coupon),
            "refusals": [refusal_fields(refusal) for refusal in quote.refusals],
            "subtotal": to_minor(quote.subtotal, currency),
            "discount": to_minor(quote.discount, currency),
            "tax": to_minor(quote.tax, currency),
            "total": to_minor(quote.total, currency),
            "version": view.version,
        }
    )


def coupon_schema(terms: Terms) -> dict[str, Any]:
    return {
        "code": terms.name,
        **coupon_terms(terms.offer.kind, terms.offer.value, terms.offer.minimum, terms.offer.applies_to),
    }


def coupon_terms(kind: str, value: Decimal, minimum: Decimal, applies_to: str) -> dict[str, Any]:
    """The four fields of couponInfo, in major units."""
    return {
        "discountPercentage": float(value) if kind == "percent" else 0.0,
        "minimumAmount": float(minimum),
        "discountProductType": applies_to,
        "discountAmount": float(value) if kind == "amount" else 0.0,
    }


def _line(line: CartItem, at: datetime, shop: ShopSettings) -> dict[str, Any]:
    product, priced, currency = line.product, line.priced, shop.currency
    return {
        **facts(product),
        "quantity": priced.quantity,
        "stock": product.stock,
        "listPrice": to_minor(product.card.list_price, currency),
        "salePrice": minor(product.sale_price(at), currency),
        "unitPrice": to_minor(priced.unit_price, currency),
        "unitDiscount": minor(priced.unit_discount, currency),
        "code": line.code,
        "codeAmount": minor(line.code_amount, currency),
        "seenPrice": minor(line.seen_price, currency),
        "lowestBefore": lowest_before(product, at, shop),
        "isGift": line.is_gift,
        "promise": promise_text(product.promised_until, shop),
        "steps": [step_fields(step, currency) for step in priced.steps],
        "rejectedOffers": [rejected_offer_fields(offer, currency) for offer in priced.rejected_offers],
        "total": to_minor(priced.total, currency),
    }


def step_fields(step: Step, currency: Currency) -> dict[str, Any]:
    amounts = {"change": to_minor(step.change, currency), "total": to_minor(step.total, currency)}
    return {"step": step.step, "name": step.name, **amounts}


def rejected_offer_fields(offer: RejectedOffer, currency: Currency) -> dict[str, Any]:
    texts = {"step": offer.step, "name": offer.name, "reason": offer.reason, "message": offer.message}
    return {**texts, "total": to_minor(offer.total, currency)}


def refusal_fields(refusal: Refusal) -> dict[str, Any]:
    return {
        "step": refusal.step,
        "name": refusal.name,
        "lineId": refusal.line_id,
        "reason": refusal.reason,
        "message": refusal.message,
    }
