"""The cart on the wire (docs/wire.md, "calls"): money of our own calls in minor units, in JavaScript's spelling."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from domain import cart, pricing
from domain.cart import CartProduct, ShownLine, View
from domain.coupons import Terms
from domain.money import to_minor
from host.calls.forms import WHOLE, Id, Strict
from host.loaders.cards import href_of, picture


class Picture(BaseModel):
    src: str
    width: int
    height: int
    alt: str


class CategoryName(BaseModel):
    slug: str
    name: str


class ProductFacts(BaseModel):
    """What is shown of a product beside its price."""

    id: int
    kind: Literal["course", "item"]
    name: str
    href: str
    picture: Picture
    category: CategoryName
    itemKind: str | None


class StepForm(BaseModel):
    step: Literal["list", "sale", "organisation", "code", "coupon", "tax"]
    name: str
    change: int
    total: int


class LoserForm(BaseModel):
    step: str
    name: str
    total: int
    reason: Literal["dearer", "same"]
    message: str


class RefusalForm(BaseModel):
    step: str
    name: str
    lineId: int | None
    reason: str
    message: str


class CartLineForm(ProductFacts):
    quantity: int
    stock: int | None
    listPrice: int
    salePrice: int | None
    unitPrice: int
    unitOff: int | None
    code: str | None
    seenPrice: int | None
    steps: list[StepForm]
    losers: list[LoserForm]
    total: int


class CouponForm(BaseModel):
    """The fields of couponInfo, in major units, and the code."""

    code: str
    discountPercentage: float
    minimumAmount: float
    discountProductType: str
    discountAmount: float


class CartForm(BaseModel):
    lines: list[CartLineForm]
    saved: list[CartLineForm]
    missing: list[int]
    coupon: CouponForm | None
    refusals: list[RefusalForm]
    subtotal: int
    discount: int
    tax: int
    total: int


class Changed(BaseModel):
    """A business outcome; `message` is for people, "" on success."""

    status: Literal["success", "failed"]
    message: str


class ChangedCart(Changed):
    cart: CartForm | None


class WantedForm(Strict):
    id: Id
    quantity: Annotated[int, Field(ge=1, le=cart.LARGEST_QUANTITY), WHOLE]


WantedLines = Annotated[list[WantedForm], Field(max_length=cart.MOST_LINES)]


def wanted_of(lines: list[WantedForm]) -> list[cart.Wanted]:
    return cart.wanted([(line.id, line.quantity) for line in lines])


def changed(refusal: str | None) -> dict[str, Any]:
    return {"status": "success" if refusal is None else "failed", "message": refusal or ""}


def minor(amount: Decimal | None) -> int | None:
    return None if amount is None else to_minor(amount)


def facts(product: CartProduct) -> dict[str, Any]:
    card = product.card
    return {
        "id": card.id,
        "kind": card.kind,
        "name": card.name,
        "href": href_of(card.kind, card.id, card.slug),
        "picture": picture(card.image, card.image_width, card.image_height, card.image_alt),
        "category": {"slug": product.category, "name": product.category_name},
        "itemKind": card.item_kind,
    }


def cart_form(view: View, at: datetime) -> CartForm:
    quote = view.quote
    return CartForm.model_validate(
        {
            "lines": [_line(one, at) for one in view.lines],
            "saved": [_line(one, at) for one in view.saved],
            "missing": list(view.missing),
            "coupon": None if view.coupon is None else coupon_form(view.coupon),
            "refusals": [_refusal(one) for one in quote.refusals],
            "subtotal": to_minor(quote.subtotal),
            "discount": to_minor(quote.discount),
            "tax": to_minor(quote.tax),
            "total": to_minor(quote.total),
        }
    )


def coupon_form(terms: Terms) -> dict[str, Any]:
    return {"code": terms.name, **worth(terms.offer.kind, terms.offer.value, terms.offer.minimum, terms.offer.covers)}


def worth(kind: str, value: Decimal, minimum: Decimal, covers: str) -> dict[str, Any]:
    """The four fields of couponInfo."""
    return {
        "discountPercentage": float(value) if kind == "percent" else 0.0,
        "minimumAmount": float(minimum),
        "discountProductType": covers,
        "discountAmount": float(value) if kind == "amount" else 0.0,
    }


def _line(line: ShownLine, at: datetime) -> dict[str, Any]:
    product, priced = line.product, line.priced
    return {
        **facts(product),
        "quantity": priced.quantity,
        "stock": product.stock,
        "listPrice": to_minor(product.card.list_price),
        "salePrice": minor(product.sale_price(at)),
        "unitPrice": to_minor(priced.unit_price),
        "unitOff": minor(priced.unit_off),
        "code": line.code,
        "seenPrice": minor(line.seen_price),
        "steps": [
            {**vars(step), "change": to_minor(step.change), "total": to_minor(step.total)} for step in priced.steps
        ],
        "losers": [{**vars(loser), "total": to_minor(loser.total)} for loser in priced.losers],
        "total": to_minor(priced.total),
    }


def _refusal(one: pricing.Refusal) -> dict[str, Any]:
    return {"step": one.step, "name": one.name, "lineId": one.line_id, "reason": one.reason, "message": one.message}
