"""A week of sales and the visits that led to some of them, for tests of attribution."""

from datetime import timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.attribution.rules import AttributionRules
from domain.database.database import Database
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.tables import Base, CreditDay, OrderCredit, OrderPathTouchpoint
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.domain.reports import selling_days
from tests.domain.reports.selling_days import ONE_DAY, Week, at_day
from tests.domain.visits.days.worlds import add, event, link, visit
from tests.support import factories
from tests.support.factories import NOON

RULES = DayRules()
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
# All paths are closed by then.
LATER = at_day(9)
FAR = "https://www.google.com/"


def fill(session: Session) -> Week:
    """The buyer of the mixed order followed a partner's link four hours before it, a link of a newsletter two hours
    before, and signed in only at the checkout. Who ordered for nothing used the link with their own number."""
    week = selling_days.fill(session)
    factories.organisation(session, "linker")
    add(
        session,
        link(1, NOON - 4 * HOUR, "/d?k=linker&utm_source=chamber", page="doorway", partner="linker", referrer=FAR),
        visit(2, NOON - 4 * HOUR + MINUTE, "/shop", "tab", referral_id=event(1), partner="linker", referrer=FAR),
        visit(3, NOON - 2 * HOUR, "/?utm_source=news&utm_medium=email&utm_campaign=march", "tab", partner="linker"),
        visit(4, NOON - MINUTE, "/checkout", "tab", learner_id=week.learner),
    )
    free = session.get_one(factories.Learner, week.free.learner_id)
    own = {"student_number": free.student_number, "learner_id": free.id}
    add(session, visit(5, NOON - 3 * MINUTE, "/shop", "free", **own))
    return week


def build_visits(database: Database, at=LATER, rules: DayRules = RULES) -> None:
    DayBuilder(database, rules, lambda: at).build_due()


def builder(
    database: Database, at=LATER, rules: DayRules = RULES, attribution: AttributionRules | None = None
) -> CreditDayBuilder:
    return CreditDayBuilder(database, rules, lambda: at, attribution or AttributionRules())


def build(database: Database, at=LATER, **about: Any) -> int:
    build_visits(database, at)
    return builder(database, at, **about).build_due()


def stored(database: Database, *tables: type[Base]) -> list[tuple[Any, ...]]:
    """Every row of these tables, by its key."""
    found: list[tuple[Any, ...]] = []
    with database.read_session() as session:
        for table in tables or (OrderPathTouchpoint, OrderCredit, CreditDay):
            key = list(table.__table__.primary_key.columns)
            found += [(table.__tablename__, *row) for row in session.execute(select(table.__table__).order_by(*key))]
    return found


def steps(database: Database, order_id: int) -> list[tuple[str, str, str, bool]]:
    """Channel, campaign, partner and whether it is by the buyer's own link, in the order of the path."""
    columns = [getattr(OrderPathTouchpoint, name) for name in ("channel", "campaign", "partner", "is_own")]
    query = select(*columns).where(OrderPathTouchpoint.order_id == order_id).order_by(OrderPathTouchpoint.position)
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(query)]


def sums(database: Database, dimension: str, model: str, currency: str = "USD") -> dict[str, tuple[int, int]]:
    """Key -> amount and thousandths of orders, over all days."""
    is_this = (CreditDay.dimension == dimension, CreditDay.model == model, CreditDay.currency == currency)
    columns = (CreditDay.key, CreditDay.amount_minor, CreditDay.orders_milli)
    found: dict[str, tuple[int, int]] = {}
    with database.read_session() as session:
        for key, amount, milli in session.execute(select(*columns).where(*is_this)):
            before = found.get(key, (0, 0))
            found[key] = (before[0] + amount, before[1] + milli)
    return found


__all__ = ["LATER", "ONE_DAY", "at_day"]
