"""Months of partner links are frozen as they are shown: once, when everything of them is counted, and never again."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain.attribution.rules import AttributionRules
from domain.database.database import Database
from domain.permissions import Tenant
from domain.reports import partner_months
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.partner_report import MoneyOfMonth, PartnerFigures, money_lines, partner_report
from domain.tables import (
    Document,
    Order,
    OrderLine,
    Organisation,
    PartnerMonth,
    Refund,
    RefundLine,
    Visit,
    VisitDay,
    VisitRollup,
)
from domain.visits import erasure
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.domain.reports.report_worlds import sell
from tests.domain.visits.days.worlds import NOON, add, event, link, visit
from tests.support import factories

RULES, K = DayRules(), 5
MINUTE = timedelta(minutes=1)
IN_APRIL, IN_MAY = datetime(2026, 4, 10, 12, tzinfo=UTC), datetime(2026, 5, 10, 12, tzinfo=UTC)
SESSIONS, BUYERS, REFUNDED = 24, 20, 12
COURSE = "/course-details?course=vat"
NOTHING = MoneyOfMonth("USD", None, None)
MARCH = PartnerFigures("2026-03", K, 24, 15, 15, 15, (MoneyOfMonth("USD", 15, 150_000),), (NOTHING,))


def fill(session: Session) -> tuple[int, list[int]]:
    """24 people follow the link of an organisation on March 2; 20 of them buy for 100.00 each. The organisation, and
    the buyers."""
    organisation = factories.organisation(session, "linker").id
    factories.organisation(session, "other")
    factories.course(session, factories.category(session).id, "vat")
    buyers = []
    for number in range(SESSIONS):
        at, name, about = NOON + number * MINUTE, f"tab-{number}", {"partner": "linker"}
        learner = factories.learner(session, f"Visitor {number}").id
        rows = [
            link(3 * number + 1, at, "/d?k=linker", **about),
            visit(
                3 * number + 2,
                at + MINUTE,
                "/course-details?course=vat",
                name,
                referral_id=event(3 * number + 1),
                **about,
            ),
        ]
        if number < BUYERS:
            rows.append(visit(3 * number + 3, at + 2 * MINUTE, "/checkout", name, learner_id=learner, **about))
            sell(session, learner, f"{'BCDFGHJKLMNPQRSTVWXYZ'[number]}", at + 3 * MINUTE)
            buyers.append(learner)
        for row in rows:
            add(session, row)
    return organisation, buyers


def compute(database: Database, at: datetime) -> None:
    DayBuilder(database, RULES, lambda: at).build_due()
    CreditDayBuilder(database, RULES, lambda: at, AttributionRules()).build_due()


def freeze(database: Database, at: datetime, k: int = K) -> list[tuple[str, int]]:
    """As the periodic task does it: month and number of rows."""
    with database.read_session() as session:
        due = partner_months.due_months(session, RULES, k, at)
    return [(one.month, database.write_sync(partner_months.freeze, one)) for one in due]


def shown(database: Database, organisation: int) -> list[PartnerFigures]:
    with database.read_session() as session:
        return partner_report(session, Tenant(organisation))


def give_back(session: Session, count: int, at: datetime) -> None:
    """All that was paid for the first so many orders, with credit notes of this time."""
    for number, order in enumerate(session.scalars(select(Order).order_by(Order.paid_at).limit(count)).all(), 1):
        facts = {"amount_minor": 10_000, "tax_minor": 0}
        about = {
            "number": 1,
            "state": "succeeded",
            "reason": "request",
            "actor": "learner",
            "key": f"key{number}",
            "note": "",
        }
        refund = Refund(order_id=order.id, requested_at=at, changed_at=at, **facts, **about)
        session.add(refund)
        session.flush()
        line = session.scalars(select(OrderLine.id).where(OrderLine.order_id == order.id)).one()
        session.add(RefundLine(refund_id=refund.id, line_id=line, quantity=1, **facts))
        note = {"kind": "credit_note", "number": f"C{number}", "year": at.year, "seq": number, "issued_at": at}
        session.add(Document(order_id=order.id, refund_id=refund.id, body={}, digest="0" * 64, **note))
        order.changed_at = at


@pytest.fixture
def organisation(database: Database) -> int:
    with database.write_session() as session:
        return fill(session)[0]


@pytest.mark.each_database
def test_a_month_is_frozen_once_with_what_may_be_shown(database, organisation):
    compute(database, IN_APRIL)
    # Visits, sales and refunds, of each of two organisations.
    assert freeze(database, IN_APRIL) == [("2026-03", 3), ("2026-03", 3)]
    assert freeze(database, IN_APRIL) == []
    assert shown(database, organisation) == [MARCH]


def test_who_nobody_followed_has_a_month_that_shows_nothing(database, organisation):
    compute(database, IN_APRIL)
    freeze(database, IN_APRIL)
    [month] = shown(database, organisation + 1)
    assert month == PartnerFigures("2026-03", K, None, None, None, None, (NOTHING,), (NOTHING,))


@pytest.mark.each_database
def test_what_two_processes_found_due_is_stored_once(database, organisation):
    compute(database, IN_APRIL)
    with database.read_session() as session:
        due = partner_months.due_months(session, RULES, K, IN_APRIL)
    assert [database.write_sync(partner_months.freeze, due[0]) for _ in range(2)] == [3, 0]


def test_nothing_is_frozen_before_the_month_is_over_its_days_computed_and_its_paths_closed(database, organisation):
    assert freeze(database, IN_APRIL) == []
    during, soon = datetime(2026, 3, 31, 23, 59, tzinfo=UTC), datetime(2026, 4, 1, 0, 5, tzinfo=UTC)
    for at in (during, soon):
        compute(database, at)
        assert freeze(database, at) == []
    with database.write_session() as session:
        session.execute(update(VisitRollup).where(VisitRollup.day == NOON.date()).values(dirty_at=IN_APRIL))
    CreditDayBuilder(database, RULES, lambda: IN_APRIL, AttributionRules()).build_due()
    assert freeze(database, IN_APRIL) == []
    compute(database, IN_APRIL)
    assert len(freeze(database, IN_APRIL)) == 2


def test_paths_that_are_open_keep_their_month_open(database, organisation):
    compute(database, IN_APRIL)
    with database.write_session() as session:
        session.execute(update(partner_months.CreditRollup).values(open_paths=1))
    assert freeze(database, IN_APRIL) == []


@pytest.mark.each_database
def test_a_frozen_month_stays_whatever_happens_later(database, organisation):
    compute(database, IN_APRIL)
    freeze(database, IN_APRIL)
    with database.write_session() as session:
        give_back(session, REFUNDED, IN_APRIL)
        buyer = session.scalars(select(Order.learner_id).order_by(Order.id).limit(1)).one()
        erasure.anonymise_visits(session, buyer, IN_APRIL)
        session.execute(delete(Visit))
        session.execute(delete(VisitDay))
    assert freeze(database, IN_APRIL, k=3) == []
    assert shown(database, organisation) == [MARCH]


@pytest.mark.each_database
def test_a_late_refund_is_a_line_of_its_own_month(database, organisation):
    compute(database, IN_APRIL)
    freeze(database, IN_APRIL)
    with database.write_session() as session:
        give_back(session, REFUNDED, IN_APRIL)
    compute(database, IN_MAY)
    assert freeze(database, IN_MAY) == [("2026-04", 3), ("2026-04", 3)]
    april = PartnerFigures("2026-04", K, None, None, None, None, (NOTHING,), (MoneyOfMonth("USD", 10, 100_000),))
    assert shown(database, organisation) == [april, MARCH]
    assert [line.refunds.orders for line in money_lines(april)] == [10]


def test_months_before_the_approval_are_not_counted(database, organisation):
    with database.write_session() as session:
        session.get_one(Organisation, organisation).decided_at = datetime(2026, 4, 2, tzinfo=UTC)
    compute(database, IN_APRIL)
    freeze(database, IN_APRIL)
    assert shown(database, organisation) == []


@pytest.mark.each_database
def test_the_months_of_an_organisation_end_with_it(database, organisation):
    compute(database, IN_APRIL)
    freeze(database, IN_APRIL)
    with database.write_session() as session:
        session.execute(delete(Organisation).where(Organisation.id == organisation))
    with database.read_session() as session:
        assert session.scalars(select(PartnerMonth.organisation_id).distinct()).all() == [organisation + 1]


def test_a_month_of_a_zone_with_summer_time_is_an_hour_shorter():
    window = partner_months.window_of(DayRules("Europe/Berlin"), "2026-03")
    assert window.until - window.since == timedelta(days=31, hours=-1)
