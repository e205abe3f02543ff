"""Reads coupons from the database as terms, and counts their uses."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Row, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from domain.coupons.terms import Terms
from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number, row_type
from domain.pricing.offers import Offer, OfferRef, Window
from domain.tables import Category, Coupon, CouponProduct, Order, Reservation
from domain.typed_codes import plain_code

CODE_LENGTH = 64
# The special offer is looked for among this many of the newest special coupons, in batches.
SPECIAL_NEWEST = 1_000
SPECIAL_BATCH = 100
_is_use = Reservation.kind == "coupon"
_SCOPES = {"all": "everything", "course": "courses", "item": "shop items"}


def normalised(code: str) -> str:
    """The form in which codes are stored and compared: without regard to case, spaces around them and signs that
    nobody sees. Of a text in this form it is that text."""
    # Some letters fall apart when their case is taken away: U+0390.
    return plain_code(plain_code(code).casefold())


def code_columns(code: str) -> dict[str, str]:
    """The columns of tables.Coupon that name it, for everything that writes one."""
    return {"code": normalised(code), "display_code": code}


def by_code(session: Session, code: str, at: datetime) -> Terms | None:
    """None for an unknown code. Both queries run for every code, so that the time taken does not show which exist."""
    key = normalised(code)
    if not key or len(key) > CODE_LENGTH:
        return None
    rows = _BY_CODE.all(session, code=key, at=at)
    row, slug, name, uses = rows[0] if rows else (None, "", "", 0)
    products = frozenset(_PRODUCTS.all(session, id=0 if row is None else row.id))
    if row is None:
        return None
    categories = {} if row.category_id is None else {row.category_id: (slug, name)}
    return replace(_terms_of(row, products, categories), uses=uses)


def _uses(at: BindParameter[datetime]) -> ColumnElement[int]:
    """The counter includes expired reservations until they are released; they are subtracted only at the limit."""
    is_left = or_(Coupon.total_limit.is_(None), Coupon.uses < Coupon.total_limit)
    return case((is_left, Coupon.uses), else_=_live_uses(at))


def _live_uses(at: datetime | BindParameter[datetime]) -> ColumnElement[int]:
    """The counter without expired reservations: few rows, unlike all uses of a coupon."""
    is_expired = and_(_is_use, Reservation.expires_at <= at)
    expired = select(func.count()).where(Reservation.resource_id == Coupon.id, is_expired).correlate(Coupon)
    return Coupon.uses - expired.scalar_subquery()


_CouponRow = row_type(Coupon)


def _coupon_row(cells: Iterable[Any]) -> tuple[Any, str, str, int]:
    *row, slug, name, uses = cells
    return _CouponRow._make(row), slug, name, uses


_with_category = select(
    *Coupon.__table__.c, Category.slug, Category.name, _uses(bindparam("at", type_=Reservation.expires_at.type))
).outerjoin(Category, Category.id == Coupon.category_id)
_CouponProductRow = row_type(CouponProduct)
_BY_CODE = PreparedSelect(_with_category.where(Coupon.code == bindparam("code")), _coupon_row)
_BY_IDS = SelectByIds(lambda ids: _with_category.where(Coupon.id.in_(ids)), _coupon_row)
_PRODUCTS_BY_IDS = SelectByIds(
    lambda ids: select(*CouponProduct.__table__.c).where(CouponProduct.coupon_id.in_(ids)), _CouponProductRow._make
)
_PRODUCTS = PreparedSelect(
    select(CouponProduct.product_id).where(CouponProduct.coupon_id == bindparam("id")), first_number
)


def by_ids(session: Session, ids: Collection[int], at: datetime) -> dict[int, Terms]:
    """Coupon id -> its terms."""
    if not ids:
        return {}
    products: dict[int, set[int]] = {}
    for covered in _PRODUCTS_BY_IDS.all(session, ids):
        products.setdefault(covered.coupon_id, set()).add(covered.product_id)
    found = {}
    for row, slug, name, uses in _BY_IDS.all(session, ids, at=at):
        categories = {} if row.category_id is None else {row.category_id: (slug, name)}
        terms = _terms_of(row, frozenset(products.get(row.id, ())), categories)
        found[row.id] = replace(terms, uses=uses)
    return found


def special_offer(session: Session, at: datetime) -> Terms | None:
    """The current special offer: of several the newest one that every visitor can use. A trial may hide it
    (domain/coupons/trials/running.py).

    None also when the SPECIAL_NEWEST newest ones cannot be used, so that the work of a public call is limited. One that
    is used up but for an expired reservation counts again when that was released, within a minute.
    """
    before: int | None = None
    for _ in range(SPECIAL_NEWEST // SPECIAL_BATCH):
        batch = _special_coupons(session, before)
        usable = next((row.id for row in batch if _is_usable(row, at)), None)
        if usable is not None:
            return by_ids(session, [usable], at)[usable]
        if len(batch) < SPECIAL_BATCH:
            return None
        before = batch[-1].id
    return None


def _special_coupons(session: Session, before: int | None) -> list[Row[Any]]:
    """The newest active special coupons for everybody; `before`: those with a smaller id."""
    columns = (Coupon.id, Coupon.starts_at, Coupon.ends_at, Coupon.total_limit, Coupon.uses)
    # `= 1`, which MariaDB finds by the index, and not `IS true`.
    is_special = (Coupon.is_special, Coupon.state == "active", Coupon.organisation_id.is_(None))
    query = select(*columns).where(*is_special).order_by(Coupon.id.desc()).limit(SPECIAL_BATCH)
    # From 16,000 special coupons on, MariaDB would intersect two indexes and sort all of them.
    query = query.with_hint(Coupon, "FORCE INDEX (ix_coupons_special_offer)", "mysql")
    return list(session.execute(query if before is None else query.where(Coupon.id < before)))


def _is_usable(row: Row[Any], at: datetime) -> bool:
    is_running = (row.starts_at is None or row.starts_at <= at) and (row.ends_at is None or row.ends_at > at)
    return is_running and (row.total_limit is None or row.uses < row.total_limit)


class Use(NamedTuple):
    """A use of an order, or an active reservation of a cart line (`order_id` None). `product_id` None: on the whole
    cart of the order. `is_open`: the order is not paid yet and would be replaced by the next one."""

    coupon_id: int
    product_id: int | None
    order_id: int | None
    is_open: bool


def uses_by(session: Session, learner_id: int, ids: Collection[int], at: datetime) -> list[Use]:
    """The uses that count against the learner's own limits of these coupons."""
    return _USES.all(session, ids, learner=learner_id, at=at)


def _use(cells: Iterable[Any]) -> Use:
    coupon_id, product_id, order_id, open_learner_id = cells
    return Use(coupon_id, product_id, order_id, open_learner_id is not None)


_reservations = Reservation.__table__.c
_USE_COLUMNS = (
    _reservations.resource_id,
    _reservations.product_id,
    _reservations.order_id,
    Order.__table__.c.open_learner_id,
)
_USES = SelectByIds(
    lambda ids: (
        select(*_USE_COLUMNS)
        .outerjoin(Order, Order.id == Reservation.order_id)
        .where(_is_use, Reservation.resource_id.in_(ids), Reservation.learner_id == bindparam("learner"))
        .where(or_(Reservation.expires_at.is_(None), Reservation.expires_at > bindparam("at")))
    ),
    _use,
)


def active_uses(session: Session, coupon_id: int, at: datetime) -> int:
    """The number of committed uses and active reservations, which count against the limit."""
    return session.scalar(select(_live_uses(at)).where(Coupon.id == coupon_id)) or 0


def _terms_of(row: Any, products: frozenset[int], categories: dict[int, tuple[str, str]]) -> Terms:
    slug, name = categories.get(row.category_id or 0, ("", ""))
    scope = name if row.applies_to == "category" else _SCOPES[row.applies_to]
    offer = Offer(
        name=row.display_code,
        kind="percent" if row.kind == "percent" else "amount",
        value=row.value,
        minimum=row.minimum,
        applies_to=slug if row.applies_to == "category" else row.applies_to,
        products=products,
        scope="certain products" if products else scope,
        ref=OfferRef("coupon", row.id),
        window=Window(row.starts_at, row.ends_at),
        once_per_order=row.kind == "amount" and row.once_per_order,
    )
    return Terms(
        offer,
        row.starts_at,
        row.ends_at,
        row.state,
        row.organisation_id,
        row.total_limit,
        row.learner_limit,
        row.uses,
        row.id,
    )
