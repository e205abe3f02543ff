"""Lists coupons as a table, for administrators."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.queries import normalised
from domain.tables import Category, Coupon, Organisation


@dataclass(frozen=True)
class ListedCoupon:
    """One coupon; `covers`: all, course, item or the slug of a category. `uses` may count expired reservations."""

    code: str
    kind: str
    value: Decimal
    once_per_order: bool
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


def list_coupons(session: Session, campaign: str = "", state: str = "", code: str = "") -> Iterator[ListedCoupon]:
    """In the order of creation; rows are streamed, so that 100,000 coupons need little memory."""
    query = (
        select(Coupon, Category.slug, Organisation.slug)
        .outerjoin(Category, Category.id == Coupon.category_id)
        .outerjoin(Organisation, Organisation.id == Coupon.organisation_id)
        .order_by(Coupon.id)
    )
    for column, value in ((Coupon.campaign, campaign), (Coupon.state, state), (Coupon.code, normalised(code))):
        query = query.where(column == value) if value else query
    for row, category, organisation in session.execute(query.execution_options(yield_per=1_000)):
        values = {name: getattr(row, name) for name in ListedCoupon.__dataclass_fields__ if hasattr(row, name)}
        covers = category if row.applies_to == "category" else row.applies_to
        yield ListedCoupon(**{**values, "code": row.display_code, "covers": covers, "organisation": organisation or ""})
