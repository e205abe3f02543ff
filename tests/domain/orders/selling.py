"""A small shop in which a learner orders and pays, without the pricing engine: list prices, and an offer if a test says
so. `pay` and its kin are what the gateway was found to have."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.checkout import placement
from domain.checkout.placement import OrderRequest, Placed
from domain.checkout.priced import CheckoutLine, CheckoutPrice, RequestedItem
from domain.documents.issuer import Issuer
from domain.orders.settings import Context, OrderSettings
from domain.payments import settlement
from domain.payments.gateway import Reference, Snapshot
from domain.tables import Coupon, Learner, Order, Payment, Product, ShopItem
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(minutes=5)
SETTINGS = OrderSettings(issuer=Issuer("Meridian Learning"))


@dataclass(frozen=True)
class Shop:
    uid: str = "shop-1"
    settings: OrderSettings = SETTINGS


SHOP = Shop()


@dataclass(frozen=True)
class World:
    """Ids of the rows."""

    learner: int
    course: int
    book: int
    voucher: int
    bundle: int
    coupon: int


def fill(session: Session, stock: int = 5) -> World:
    """A learner, a course of 40.00, a book of 15.00, a voucher of 90.00, a bundle of the course, and a coupon."""
    category = factories.category(session).id
    course = factories.course(session, category, list_price=Decimal("40.00"), sale_price=None)
    book = _item(session, category, "book", "15.00", stock=stock, fulfilment="shipped")
    voucher = _item(session, category, "voucher", "90.00", fulfilment="code")
    bundle = _item(session, category, "bundle", "60.00", fulfilment="courses")
    coupon = factories.coupon(session, "SPRING", total_limit=1, value=Decimal(100))
    return World(factories.learner(session).id, course.id, book.id, voucher.id, bundle.id, coupon.id)


def _item(session: Session, category: int, kind: str, price: str, **detail: Any) -> Product:
    about = {"item_kind": kind, "list_price": Decimal(price), "sale_price": None}
    return factories.item(session, category, f"the-{kind}", detail=detail, **about)


@dataclass(frozen=True)
class Pricing:
    """Prices without the engine. `free`: product id -> the coupon that makes it free. `delivery_minor` is added."""

    free: Mapping[int, int] = field(default_factory=dict)
    on_cart: int | None = None
    delivery_minor: int = 0

    def __call__(self, session: Session, order_request: OrderRequest, _at: datetime) -> CheckoutPrice:
        lines = [self._line(session, line) for line in order_request.lines]
        if self.delivery_minor:
            lines.append(_checkout_line("delivery", "Standard", 1, self.delivery_minor, self.delivery_minor))
        total = sum(line.total_minor for line in lines)
        subtotal = total - self.delivery_minor
        return CheckoutPrice(
            tuple(lines), "USD", "exclusive", subtotal, 0, self.delivery_minor, 0, total, 1, {"engine": 1}, "US"
        )

    def _line(self, session: Session, line: RequestedItem) -> CheckoutLine:
        product = session.get_one(Product, line.product_id)
        item = session.get(ShopItem, line.product_id)
        unit = int(product.list_price * 100)
        coupon = self.on_cart or self.free.get(line.product_id)
        offer: dict[str, Any] = {}
        if coupon is not None:
            step = "coupon" if self.on_cart else "code"
            offer = {"offer_step": step, "offer_id": coupon, "cart_code" if self.on_cart else "line_code": "SPRING"}
        total = 0 if coupon is not None else unit * line.quantity
        priced = _checkout_line("product", product.name, line.quantity, unit, total)
        sku = "" if item is None else item.sku
        return replace(
            priced,
            product_id=product.id,
            sku=sku,
            fulfilment="" if item is None else item.fulfilment,
            gift=line.gift,
            **offer,
        )


def _checkout_line(kind: str, name: str, quantity: int, unit: int, total: int) -> CheckoutLine:
    step = {"step": "list", "name": "", "ref": None, "change_minor": 0, "total_minor": total, "included_minor": 0}
    return CheckoutLine(kind, name, quantity, unit, unit, total, 0, total, steps=(step,), offered_minor=total)


def order_request(
    session: Session, learner_id: int, *lines: RequestedItem, key: str = "key-1", **about: Any
) -> OrderRequest:
    """An order of these lines at the prices that `pricing` has now."""
    pricing = about.pop("pricing", Pricing())
    request = OrderRequest(
        learner_id=learner_id,
        form_key=key,
        seen=placement.Seen(),
        lines=lines,
        billing={"name": "Ada", "country": "US"},
        **{"terms_date": "2026-01-01", **about},
    )
    return replace(request, seen=pricing(session, request, NOON).seen)


def place(session: Session, request: OrderRequest, pricing: Pricing | None = None, at: datetime = NOON) -> Any:
    return placement.place(session, request, pricing or Pricing(), Context(at, SETTINGS))


def buy(session: Session, learner_id: int, *lines: RequestedItem, **about: Any) -> Order:
    """A placed order."""
    pricing = about.pop("pricing", Pricing())
    at = about.pop("at", NOON)
    result = place(session, order_request(session, learner_id, *lines, pricing=pricing, **about), pricing, at)
    assert isinstance(result, Placed), result
    return session.get_one(Order, result.order_id)


@dataclass(frozen=True)
class Ref:
    id: int
    order_id: int
    learner_id: int


def payment_of(session: Session, order: Order, number: int = 1) -> Payment:
    return session.scalars(select(Payment).where(Payment.order_id == order.id, Payment.number == number)).one()


def ref_of(session: Session, order: Order, number: int = 1) -> Ref:
    return Ref(payment_of(session, order, number).id, order.id, order.learner_id)


def snapshot(order: Order, number: int = 1, **about: Any) -> Snapshot:
    """A paid session of the order."""
    facts: dict[str, Any] = {
        "session_id": f"cs_{order.code}_{number}",
        "state": "complete",
        "payment": "paid",
        "amount_minor": order.total_minor,
        "currency": order.currency,
        "livemode": False,
        "expires_at": NOON + timedelta(minutes=31),
        "reference": Reference("shop-1", order.code, number),
        "intent_id": f"pi_{order.code}_{number}",
        "charge_id": f"ch_{order.code}_{number}",
        "paid_at": LATER,
        "method": "Visa 4242",
    }
    return Snapshot(**{**facts, **about})


def apply(session: Session, order: Order, found: Snapshot, number: int = 1, at: datetime = LATER) -> str:
    return settlement.apply(session, ref_of(session, order, number), found, SHOP, at)


def pay(session: Session, order: Order, at: datetime = LATER) -> str:
    return apply(session, order, snapshot(order), at=at)


def add_payment(session: Session, order: Order, number: int) -> None:
    """Another attempt to pay."""
    columns = {"gateway": "stripe", "amount_minor": order.total_minor, "currency": order.currency, "created_at": NOON}
    session.add(Payment(order_id=order.id, number=number, state="open", key=f"{order.code}-{number}", **columns))
    session.flush()


def stock_of(session: Session, item_id: int) -> int | None:
    return session.scalar(select(ShopItem.stock).where(ShopItem.id == item_id))


def uses_of(session: Session, coupon_id: int) -> int:
    return session.scalars(select(Coupon.uses).where(Coupon.id == coupon_id)).one()


def another_learner(session: Session) -> Learner:
    return factories.learner(session, "Grace Hopper")
