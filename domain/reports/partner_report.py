"""What an organisation sees of the months of its link, as they were frozen."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.permissions import Tenant
from domain.reports.partner_months import SALES, VISITS
from domain.tables import Organisation, PartnerMonth


class MoneyOfMonth(NamedTuple):
    """Sales or refunds of a month in one currency, as PartnerMonth has them."""

    currency: str
    orders: int | None
    amount_minor: int | None


NOTHING_SHOWN = MoneyOfMonth("", None, None)


@dataclass(frozen=True)
class PartnerFigures:
    """A month as PartnerMonth has it. `sales`, `refunds`: by currency, that of the shop also when nothing is shown."""

    month: str
    k: int
    sessions: int | None
    product: int | None
    cart: int | None
    checkout: int | None
    sales: tuple[MoneyOfMonth, ...]
    refunds: tuple[MoneyOfMonth, ...]


@dataclass(frozen=True)
class MoneyLine:
    """The sales and refunds of a month in one currency, for a row of a table."""

    figures: PartnerFigures
    currency: str
    sales: MoneyOfMonth
    refunds: MoneyOfMonth


def partner_report(session: Session, tenant: Tenant) -> list[PartnerFigures]:
    """All frozen months, the newest first."""
    query = select(PartnerMonth).where(PartnerMonth.organisation_id == tenant.organisation_id)
    rows = session.scalars(query.order_by(PartnerMonth.month.desc(), PartnerMonth.key)).all()
    sales: defaultdict[str, list[MoneyOfMonth]] = defaultdict(list)
    refunds: defaultdict[str, list[MoneyOfMonth]] = defaultdict(list)
    for row in rows:
        if row.dimension != VISITS:
            found = sales if row.dimension == SALES else refunds
            found[row.month].append(MoneyOfMonth(row.key, row.orders, row.amount_minor))
    return [
        PartnerFigures(
            row.month,
            row.k,
            *(row.sessions, row.product, row.cart, row.checkout),
            tuple(sales[row.month]),
            tuple(refunds[row.month]),
        )
        for row in rows
        if row.dimension == VISITS
    ]


def slug_of(session: Session, tenant: Tenant) -> str:
    """By which the link names the organisation."""
    return session.scalars(select(Organisation.slug).where(Organisation.id == tenant.organisation_id)).one()


def money_lines(figures: PartnerFigures) -> list[MoneyLine]:
    """A line for each currency of a month."""
    sales = {money.currency: money for money in figures.sales}
    refunds = {money.currency: money for money in figures.refunds}
    return [
        MoneyLine(figures, currency, sales.get(currency, NOTHING_SHOWN), refunds.get(currency, NOTHING_SHOWN))
        for currency in sorted({*sales, *refunds})
    ]
