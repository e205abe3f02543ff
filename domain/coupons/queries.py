"""Coupons as the records have them, read into terms."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from domain.coupons.terms import Terms
from domain.prepared import Prepared, first_number, row_type
from domain.pricing import Offer
from domain.tables import Category, Coupon, CouponProduct, CouponUse

CODE_LENGTH = 64
_SCOPES = {"all": "everything", "course": "courses", "item": "shop items"}


def folded(code: str) -> str:
    """How codes are kept and compared: typed in any case, with spaces around it, it is the same code."""
    return code.strip().casefold()


def by_code(session: Session, code: str, at: datetime) -> Terms | None:
    """Whatever the code, the same two questions: how long an answer takes does not tell what exists."""
    key = folded(code)
    if not key or len(key) > CODE_LENGTH:
        return None
    # What is prepared asks the driver, past what the session still holds back.
    session.flush()
    found = _BY_CODE.all(session, code=key, at=at)
    row, slug, name, uses = found[0] if found else (None, "", "", 0)
    products = frozenset(_NAMED.all(session, id=0 if row is None else row.id))
    if row is None:
        return None
    categories = {} if row.category_id is None else {row.category_id: (slug, name)}
    return replace(_of(row, products, categories), uses=uses)


def is_live(at: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return or_(CouponUse.state == "committed", CouponUse.expires_at > at)


def _uses(at: BindParameter[datetime]) -> ColumnElement[int]:
    """The counter still counts holds that have run out; where it matters they are left out."""
    live = select(func.count()).where(CouponUse.coupon_id == Coupon.id, is_live(at)).correlate(Coupon)
    is_left = or_(Coupon.total_limit.is_(None), Coupon.uses < Coupon.total_limit)
    return case((is_left, Coupon.uses), else_=live.scalar_subquery())


_CouponRow = row_type(Coupon)


def _found(cells: Iterable[Any]) -> tuple[Any, str, str, int]:
    *row, slug, name, uses = cells
    return _CouponRow._make(row), slug, name, uses


_BY_CODE = Prepared(
    select(*Coupon.__table__.c, Category.slug, Category.name, _uses(bindparam("at", type_=CouponUse.expires_at.type)))
    .outerjoin(Category, Category.id == Coupon.category_id)
    .where(Coupon.code == bindparam("code")),
    _found,
)
_NAMED = Prepared(select(CouponProduct.product_id).where(CouponProduct.coupon_id == bindparam("id")), first_number)


def by_ids(session: Session, ids: Collection[int], at: datetime) -> dict[int, Terms]:
    """Coupon id -> its terms."""
    if not ids:
        return {}
    found = session.scalars(select(Coupon).where(Coupon.id.in_(ids)))
    return {terms.id: terms for terms in _terms(session, found, at) if terms.id is not None}


def special(session: Session, at: datetime) -> Terms | None:
    """The special offer of the moment: of several the newest that anybody can use."""
    query = (
        select(Coupon)
        .where(
            Coupon.is_special,
            Coupon.state == "active",
            Coupon.organisation_id.is_(None),
            or_(Coupon.starts_at.is_(None), Coupon.starts_at <= at),
            or_(Coupon.ends_at.is_(None), Coupon.ends_at > at),
        )
        .order_by(Coupon.id.desc())
    )
    found = _terms(session, session.scalars(query), at)
    return next((one for one in found if one.total_limit is None or one.uses < one.total_limit), None)


class Use(NamedTuple):
    """A committed use or a live hold; product 0 is the whole cart, order 0 none yet."""

    coupon_id: int
    product_id: int
    order_id: int


def uses_by(session: Session, learner_id: int, ids: Collection[int], at: datetime) -> list[Use]:
    """What counts against the learner's own limits of these coupons."""
    mine = (CouponUse.learner_id == learner_id, CouponUse.coupon_id.in_(ids), is_live(at))
    columns = (CouponUse.coupon_id, CouponUse.product_id, CouponUse.order_id)
    return [Use(*row) for row in session.execute(select(*columns).where(*mine))] if ids else []


def live_uses(session: Session, coupon_id: int, at: datetime) -> int:
    """Committed uses and live holds: what counts against the limit."""
    live = select(func.count()).select_from(CouponUse).where(CouponUse.coupon_id == coupon_id, is_live(at))
    return session.scalar(live) or 0


def _terms(session: Session, coupons: Iterable[Coupon], at: datetime) -> list[Terms]:
    rows = list(coupons)
    products = _products(session, [one.id for one in rows])
    categories = _categories(session, {one.category_id for one in rows if one.category_id is not None})
    return [_exact(session, _of(one, products.get(one.id, frozenset()), categories), at) for one in rows]


def _exact(session: Session, terms: Terms, at: datetime) -> Terms:
    """As _uses, of terms that were read already."""
    if terms.total_limit is None or terms.uses < terms.total_limit or terms.id is None:
        return terms
    return replace(terms, uses=live_uses(session, terms.id, at))


def _of(row: Any, products: frozenset[int], categories: dict[int, tuple[str, str]]) -> Terms:
    slug, name = categories.get(row.category_id or 0, ("", ""))
    scope = name if row.covers == "category" else _SCOPES[row.covers]
    offer = Offer(
        name=row.shown,
        kind="percent" if row.kind == "percent" else "amount",
        value=row.value,
        minimum=row.minimum,
        covers=slug if row.covers == "category" else row.covers,
        products=products,
        scope="certain products" if products else scope,
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


def _products(session: Session, ids: Collection[int]) -> dict[int, frozenset[int]]:
    named: dict[int, set[int]] = {}
    for row in session.scalars(select(CouponProduct).where(CouponProduct.coupon_id.in_(ids))) if ids else ():
        named.setdefault(row.coupon_id, set()).add(row.product_id)
    return {one: frozenset(products) for one, products in named.items()}


def _categories(session: Session, ids: Collection[int]) -> dict[int, tuple[str, str]]:
    found = (
        session.execute(select(Category.id, Category.slug, Category.name).where(Category.id.in_(ids))) if ids else ()
    )
    return {row.id: (row.slug, row.name) for row in found}
