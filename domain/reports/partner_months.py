"""Freezes what the links of organisations brought, month by month. Rows are what is shown (partner_figures.py); a
frozen month is never computed anew, whatever is refunded, erased, deleted or set later.

A month is frozen when it is over, all its days of visits are computed, and the paths of all its orders are closed. A
refund belongs to the month of its credit note, whenever the order was paid.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.money import shop_currency
from domain.reports import sales_lines
from domain.reports.months import months_over
from domain.reports.partner_figures import LinkSessions, MoneyOfOrder, shown_money, shown_sessions
from domain.tables import (
    CreditRollup,
    OrderPath,
    OrderPathTouchpoint,
    Organisation,
    PartnerMonth,
    VisitDay,
    VisitRollup,
)
from domain.visits.days.channels import NONE
from domain.visits.days.due import SETTLED_AFTER
from domain.visits.days.paths import UNKNOWN
from domain.visits.raw.local_days import SHOP, DayRules, DayWindow

VISITS, SALES, REFUNDS, ALL = "visits", "sales", "refunds", "all"
# One run freezes so many months: a shop that is upgraded has years of them.
MONTHS_OF_RUN = 12
_DAY = timedelta(days=1)
_CHUNK = 500


@dataclass(frozen=True)
class PartnerName:
    """An organisation, as its link names it; `since`: the month of its approval, "" where that is not known."""

    id: int
    slug: str
    since: str


@dataclass(frozen=True)
class OpenMonth:
    """A month that is to be frozen for these organisations."""

    month: str
    partners: tuple[PartnerName, ...]


@dataclass
class LinkMonth:
    """What came by one link in a month, exactly. `sales`, `refunds`: by currency."""

    sessions: LinkSessions = field(default_factory=LinkSessions)
    sales: dict[str, list[MoneyOfOrder]] = field(default_factory=dict)
    refunds: dict[str, list[MoneyOfOrder]] = field(default_factory=dict)


@dataclass(frozen=True)
class DuePartnerMonth:
    """What `freeze` stores: the exact figures leave this process as shown ones alone. `k`: the steps. `at`: when."""

    organisation_id: int
    month: str
    exact: LinkMonth = field(repr=False)
    k: int
    at: datetime


def due_months(session: Session, rules: DayRules, k: int, at: datetime) -> list[DuePartnerMonth]:
    """The oldest first. In a session that reads one state."""
    found: list[DuePartnerMonth] = []
    for due in open_months(session, rules, at)[:MONTHS_OF_RUN]:
        if not is_computed(session, rules, due.month):
            continue
        exact = link_months(session, rules, due.month, {partner.slug for partner in due.partners})
        found += [DuePartnerMonth(one.id, due.month, exact[one.slug], k, at) for one in due.partners]
    return found


def open_months(session: Session, rules: DayRules, at: datetime) -> list[OpenMonth]:
    """Months that are over and not frozen, from that of the approval and of the first day of visits on. Which months
    there are says nothing about visits."""
    first: date | None = session.scalar(select(func.min(VisitRollup.day)).where(VisitRollup.site == SHOP))
    if first is None:
        return []
    columns = (Organisation.id, Organisation.slug, Organisation.decided_at)
    query = select(*columns).where(Organisation.state == "approved").order_by(Organisation.id)
    partners = [
        PartnerName(row.id, row.slug, "" if row.decided_at is None else rules.day_of(row.decided_at).isoformat()[:7])
        for row in session.execute(query)
    ]
    frozen = select(PartnerMonth.organisation_id, PartnerMonth.month).where(PartnerMonth.dimension == VISITS)
    known = {(row.organisation_id, row.month) for row in session.execute(frozen)}
    months = (
        OpenMonth(
            month,
            tuple(one for one in partners if one.since <= month and (one.id, month) not in known),
        )
        for month in months_over(first, rules.day_of(at))
    )
    return [month for month in months if month.partners]


def days_of(month: str) -> tuple[date, date]:
    """The first and the last day of a month such as 2026-11."""
    year, number = map(int, month.split("-"))
    return date(year, number, 1), date(year + number // 12, number % 12 + 1, 1) - _DAY


def window_of(rules: DayRules, month: str) -> DayWindow:
    first, last = days_of(month)
    return DayWindow(rules.window(first).since, rules.window(last).until)


def is_computed(session: Session, rules: DayRules, month: str) -> bool:
    """Whether all that a month may have is counted: its days are computed as they will stay, a later computation has
    looked for days without a row, and no path of its orders is open."""
    first, last = days_of(month)
    until = window_of(rules, month).until
    of_shop = (VisitRollup.site == SHOP,)
    rows = session.scalars(select(VisitRollup).where(*of_shop, VisitRollup.day.between(first, last))).all()
    seen_later = select(VisitRollup.day).where(*of_shop, VisitRollup.built_at >= until + SETTLED_AFTER).limit(1)
    if not all(_is_settled(row, rules) for row in rows) or session.scalar(seen_later) is None:
        return False
    looked_at: datetime | None = session.scalar(select(func.max(CreditRollup.checked_at)))
    is_open = or_(CreditRollup.open_paths > 0, CreditRollup.dirty_at.is_not(None), CreditRollup.built_at.is_(None))
    waiting = select(CreditRollup.day).where(CreditRollup.day.between(first, last), is_open).limit(1)
    return looked_at is not None and looked_at >= until + SETTLED_AFTER and session.scalar(waiting) is None


def _is_settled(row: VisitRollup, rules: DayRules) -> bool:
    if row.finalised_at is not None:
        return True
    if row.built_at is None or row.dirty_at is not None or row.zone != rules.zone:
        return False
    return row.built_at >= rules.window(row.day).until + SETTLED_AFTER


def link_months(session: Session, rules: DayRules, month: str, slugs: Collection[str]) -> Mapping[str, LinkMonth]:
    """What came by each of these links in a month."""
    found = {slug: LinkMonth() for slug in slugs}
    for slug, sessions in _sessions(session, month).items():
        if slug in found:
            found[slug].sessions = sessions
    window = window_of(rules, month)
    for slug, sales in _sales(session, window).items():
        if slug in found:
            found[slug].sales = sales
    for slug, refunds in _refunds(session, window).items():
        if slug in found:
            found[slug].refunds = refunds
    return found


def _sessions(session: Session, month: str) -> dict[str, LinkSessions]:
    """By slug, of people."""
    reached = (VisitDay.reached_product, VisitDay.reached_cart, VisitDay.reached_checkout)
    sums = [func.sum(column) for column in (VisitDay.sessions, *reached)]
    of_links = (VisitDay.site == SHOP, VisitDay.dimension == "partner", VisitDay.audience == "people")
    query = select(VisitDay.key, *sums).where(*of_links, VisitDay.day.between(*days_of(month)))
    return {row[0]: LinkSessions(*map(int, row[1:])) for row in session.execute(query.group_by(VisitDay.key))}


def _sales(session: Session, window: DayWindow) -> dict[str, dict[str, list[MoneyOfOrder]]]:
    """By slug and currency: what was paid for each order, before any refund. Orders for nothing are left out."""
    paid = select(OrderPath.order_id).where(OrderPath.paid_at >= window.since, OrderPath.paid_at < window.until)
    links = _links(session, session.scalars(paid).all())
    amounts: defaultdict[tuple[int, str, int], int] = defaultdict(int)
    for line in sales_lines.lines_of_orders(session, sorted(links)):
        net_minor = line.gross_minor - line.discount_minor - line.tax_minor
        amounts[line.order_id, line.currency, line.learner_id] += net_minor
    return _by_link(links, amounts)


def _refunds(session: Session, window: DayWindow) -> dict[str, dict[str, list[MoneyOfOrder]]]:
    """By slug and currency: what went back for each order, whenever it was paid."""
    amounts: defaultdict[tuple[int, str, int], int] = defaultdict(int)
    for returned in sales_lines.returns(session, window.since, window.until):
        line = returned.line
        amounts[line.order_id, line.currency, line.learner_id] += returned.net_minor
    return _by_link(_links(session, [order_id for order_id, _, _ in amounts]), amounts)


def _links(session: Session, order_ids: Sequence[int]) -> dict[int, str]:
    """Order -> the slug of the last partner link of its path; orders without any are left out."""
    found: dict[int, str] = {}
    touchpoint = OrderPathTouchpoint
    for part in parts_of(order_ids, _CHUNK):
        query = select(touchpoint.order_id, touchpoint.partner).where(
            touchpoint.order_id.in_(part), touchpoint.partner.not_in((NONE, UNKNOWN, ""))
        )
        for row in session.execute(query.order_by(touchpoint.order_id, touchpoint.position)):
            found[row.order_id] = row.partner
    return found


def _by_link(
    links: Mapping[int, str], amounts: Mapping[tuple[int, str, int], int]
) -> dict[str, dict[str, list[MoneyOfOrder]]]:
    found: dict[str, dict[str, list[MoneyOfOrder]]] = {}
    for (order_id, currency, buyer), amount_minor in amounts.items():
        if amount_minor > 0 and order_id in links:
            orders = found.setdefault(links[order_id], {}).setdefault(currency, [])
            orders.append(MoneyOfOrder(buyer, amount_minor))
    return found


def freeze(session: Session, due: DuePartnerMonth) -> int:
    """Write the rows of a month, with their number; 0: another process has done it. The organisation is locked."""
    locked = select(Organisation.id).where(Organisation.id == due.organisation_id).with_for_update()
    if session.scalar(locked) is None:
        return 0
    own = PartnerMonth.organisation_id == due.organisation_id
    is_month = (own, PartnerMonth.month == due.month, PartnerMonth.dimension == VISITS)
    if session.scalar(select(PartnerMonth.month).where(*is_month).with_for_update()) is not None:
        return 0
    before = session.scalars(select(PartnerMonth).where(own, PartnerMonth.dimension != VISITS)).all()
    visits = shown_sessions(due.exact.sessions, due.k)
    rows = [_row(due, VISITS, ALL, **asdict(visits))]
    # That there is money of another currency is shown with the money alone.
    for currency in sorted({shop_currency().code, *due.exact.sales, *due.exact.refunds}):
        earlier = [row for row in before if row.key == currency]
        sales = shown_money(due.exact.sessions.sessions, due.exact.sales.get(currency, ()), due.k)
        left = (sales.orders or 0) + sum(_sign(row) * (row.orders or 0) for row in earlier)
        refunds = shown_money(left, due.exact.refunds.get(currency, ()), due.k)
        for dimension, shown in ((SALES, sales), (REFUNDS, refunds)):
            if shown.orders is not None or currency == shop_currency().code:
                rows.append(_row(due, dimension, currency, **asdict(shown)))
    session.add_all(rows)
    session.flush()
    return len(rows)


def _sign(row: PartnerMonth) -> int:
    return 1 if row.dimension == SALES else -1


def _row(due: DuePartnerMonth, dimension: str, key: str, **figures: int | None) -> PartnerMonth:
    about = {"organisation_id": due.organisation_id, "month": due.month, "dimension": dimension, "key": key}
    return PartnerMonth(**about, frozen_at=due.at, k=due.k, **figures)
