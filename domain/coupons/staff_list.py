"""All coupons as a list for staff, and one of them with what was made of it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from domain.coupons.changes import UNKNOWN
from domain.coupons.queries import normalised
from domain.database.list_page import ListSource
from domain.display_text import money_text, percent_text
from domain.errors import NotFound
from domain.locales import shop_locale
from domain.money import rounded, shop_currency, to_minor
from domain.tables import Category, Coupon, CouponProduct, Order, OrderLine, Organisation, Product, Reservation

# Lines of orders that are read to add up what a coupon took off.
MAX_LINES = 10_000
_coupons = Coupon.__table__.c


class CouponRow(NamedTuple):
    """`uses`: reserved and used; it may count expired reservations. `applies_to`: all, course, item or category, of
    which `category` is the name. `organisation` None: for everybody."""

    id: int
    code: str
    kind: str
    value: Decimal
    once_per_order: bool
    minimum: Decimal
    applies_to: str
    category: str | None
    organisation: str | None
    starts_at: datetime | None
    ends_at: datetime | None
    total_limit: int | None
    learner_limit: int | None
    uses: int
    is_special: bool
    campaign: str
    state: str
    created_at: datetime

    @property
    def value_text(self) -> str:
        """ "12.5%", or an amount of the shop's currency: "$25.00"."""
        if self.kind == "percent":
            return percent_text(self.value)
        currency = shop_currency()
        return money_text(to_minor(rounded(self.value, currency), currency), currency, shop_locale())

    @property
    def scope(self) -> str:
        texts = {"all": "Everything", "course": "Courses", "item": "Shop items"}
        return texts.get(self.applies_to) or self.category or self.applies_to


@dataclass(frozen=True)
class CouponUse:
    """`reserved`: for carts and unpaid orders, `used`: of paid orders; `discount_minor`: what those lines of paid
    orders cost less, of the newest MAX_LINES if `is_cut`."""

    reserved: int
    used: int
    orders: int
    discount_minor: int
    is_cut: bool


@dataclass(frozen=True)
class CouponDetail:
    coupon: CouponRow
    products: tuple[str, ...]
    use: CouponUse


_ROWS = select(
    *(_coupons.id, _coupons.display_code, _coupons.kind, _coupons.value, _coupons.once_per_order),
    *(_coupons.minimum, _coupons.applies_to),
    select(Category.name).where(Category.id == _coupons.category_id).scalar_subquery(),
    select(Organisation.name).where(Organisation.id == _coupons.organisation_id).scalar_subquery(),
    *(_coupons.starts_at, _coupons.ends_at, _coupons.total_limit, _coupons.learner_limit, _coupons.uses),
    *(_coupons.is_special, _coupons.campaign, _coupons.state, _coupons.created_at),
)

COUPONS: ListSource[CouponRow] = ListSource(
    rows=_ROWS,
    make=CouponRow._make,
    key=_coupons.id,
    sorts={"campaign": _coupons.campaign},
    filters={
        "q": lambda text: _coupons.code == normalised(text),
        "state": _coupons.state.__eq__,
        "campaign": lambda text: _coupons.campaign == text.strip(),
    },
)


def coupon_detail(session: Session, coupon_id: int, at: datetime) -> CouponDetail:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_coupons.id == coupon_id)).one_or_none()
    if row is None:
        raise NotFound(UNKNOWN)
    named = select(Product.name).join(CouponProduct, CouponProduct.product_id == Product.id)
    products = session.scalars(named.where(CouponProduct.coupon_id == coupon_id).order_by(Product.name))
    return CouponDetail(CouponRow._make(row), tuple(products), _use(session, coupon_id, at))


def scopes(session: Session) -> tuple[dict[str, str], dict[str, str]]:
    """Categories and approved organisations by slug, for a form."""
    categories = session.execute(select(Category.slug, Category.name).order_by(Category.position, Category.id))
    named = select(Organisation.slug, Organisation.name).where(Organisation.state == "approved")
    organisations = session.execute(named.order_by(Organisation.name))
    return dict(categories.all()), dict(organisations.all())


def _use(session: Session, coupon_id: int, at: datetime) -> CouponUse:
    is_use = (Reservation.kind == "coupon", Reservation.resource_id == coupon_id)
    is_live = or_(Reservation.expires_at.is_(None), Reservation.expires_at > at)
    columns = (Reservation.state, func.count(Reservation.id), func.count(Reservation.order_id.distinct()))
    counts = {
        state: (uses, orders)
        for state, uses, orders in session.execute(select(*columns).where(*is_use, is_live).group_by(Reservation.state))
    }
    used, orders = counts.get("committed", (0, 0))
    discount, is_cut = _discount(session, coupon_id)
    return CouponUse(counts.get("reserved", (0, 0))[0], used, orders, discount, is_cut)


def _discount(session: Session, coupon_id: int) -> tuple[int, bool]:
    """Refunded lines have released their uses and do not count."""
    of_coupon = select(Reservation.order_id).where(
        Reservation.kind == "coupon", Reservation.resource_id == coupon_id, Reservation.state == "committed"
    )
    lines = (
        select(OrderLine.steps, OrderLine.offer_step)
        .join(Order, Order.id == OrderLine.order_id)
        .where(Order.id.in_(of_coupon), Order.state == "paid", OrderLine.ended_at.is_(None))
        .where(OrderLine.offer_id == coupon_id, OrderLine.offer_step.in_(("code", "coupon")))
        .order_by(OrderLine.id.desc())
        .limit(MAX_LINES + 1)
    )
    rows = session.execute(lines).all()
    shown = rows[:MAX_LINES]
    changes = (step["change_minor"] for steps, name in shown for step in steps if step["step"] == name)
    return -sum(changes), len(rows) > MAX_LINES
