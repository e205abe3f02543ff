"""Coupons as a table, for people who look after them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.records import folded
from domain.tables import Category, Coupon, Organisation


@dataclass(frozen=True)
class Listed:
    """One coupon; `covers`: all, course, item or a category's slug. `uses` counts holds that ran out a moment ago."""

    code: str
    kind: str
    value: Decimal
    minimum: Decimal
    covers: str
    organisation: str
    starts_at: datetime | None
    ends_at: datetime | None
    total_limit: int | None
    learner_limit: int | None
    uses: int
    is_special: bool
    campaign: str
    state: str
    created_at: datetime


def listed(session: Session, campaign: str = "", state: str = "", code: str = "") -> Iterator[Listed]:
    """In the order they were made; read as they are asked for, so that a hundred thousand fit."""
    query = (
        select(Coupon, Category.slug, Organisation.slug)
        .outerjoin(Category, Category.id == Coupon.category_id)
        .outerjoin(Organisation, Organisation.id == Coupon.organisation_id)
        .order_by(Coupon.id)
    )
    for column, wanted in ((Coupon.campaign, campaign), (Coupon.state, state), (Coupon.code, folded(code))):
        query = query.where(column == wanted) if wanted else query
    for row, category, organisation in session.execute(query.execution_options(yield_per=1_000)):
        facts = {name: getattr(row, name) for name in Listed.__dataclass_fields__ if hasattr(row, name)}
        covers = category if row.covers == "category" else row.covers
        yield Listed(**{**facts, "code": row.shown, "covers": covers, "organisation": organisation or ""})
