"""The demo's orders: in every state, explained by their engine, and in agreement with their documents."""

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from contracts.payloads import RefundItem
from domain.identity import learners
from domain.orders import locks
from domain.orders.explanation.explain import explain
from domain.orders.export import export as order_export
from domain.orders.export.export import KINDS
from domain.orders.export.period import Period
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.orders.states import STATES
from domain.payments import refund_calls
from domain.payments.attempts import PayingShop
from domain.seed.orders import load as seed_orders_load
from domain.seed.orders.load import REFUND_TERMS
from domain.tables import (
    Document,
    Enrolment,
    EnrolmentGrant,
    Gift,
    Learner,
    Order,
    OrderEvent,
    OrderLine,
    Outbox,
    Payment,
    Product,
    Refund,
    VoucherCode,
)
from host import content
from tests.domain.orders.selling import SETTINGS
from tests.support.factories import NOON
from tests.support.shops import USD


def number(session, table, *conditions) -> int:
    return session.scalar(select(func.count()).select_from(table).where(*conditions))


def test_ninety_orders_of_half_a_year_are_in_every_state(demo):
    states = Counter(demo.scalars(select(Order.state)))
    assert (states.total(), set(states)) == (90, set(STATES))
    first, last = demo.execute(select(func.min(Order.placed_at), func.max(Order.placed_at))).one()
    assert NOON - timedelta(days=185) < first < NOON - timedelta(days=180)
    assert NOON - timedelta(days=1) < last < NOON
    assert demo.scalars(select(OrderEvent.occurred_at).order_by(OrderEvent.occurred_at.desc()).limit(1)).one() < NOON


def test_they_have_all_that_belongs_to_orders(demo):
    for table in (Refund, VoucherCode):
        assert number(demo, table) > 5
    assert set(demo.scalars(select(Refund.state))) == {"requested", "declined", "succeeded", "failed", "manual"}
    # An open one and a lost one; the third was won, which clears its mark.
    assert number(demo, Order, Order.disputed_at.is_not(None)) == 2
    assert number(demo, Gift, Gift.order_line_id.is_not(None)) == 1
    assert number(demo, VoucherCode, VoucherCode.used_at.is_not(None)) == 3
    shipped = demo.execute(select(func.count(OrderLine.shipped_at), func.count(OrderLine.delivered_at))).one()
    assert (shipped[0], shipped[1]) == (16, 16)
    offers = set(demo.scalars(select(OrderLine.offer_step)))
    assert offers == {"", "organisation", "code", "coupon"}
    assert set(demo.scalars(select(Order.tax_kind))) == {"standard", "reverse_charge", "none"}


def test_the_same_codes_and_numbers_are_given_in_every_load(demo):
    first = demo.scalars(select(Order).order_by(Order.placed_at).limit(1)).one()
    assert first.code == "BXQ6X6PANEHWS528QT8X"
    dates = demo.execute(select(Document.kind, Document.seq, Document.issued_at).order_by(Document.id)).all()
    for kind in ("invoice", "credit_note"):
        times = [row.issued_at for row in dates if row.kind == kind]
        assert times == sorted(times)


def test_each_is_explained_to_the_minor_unit(demo):
    explained = [explain(demo, code) for code in demo.scalars(select(Order.code))]
    assert [row.differences for row in explained] == [()] * 90


@pytest.mark.parametrize("kind", KINDS)
def test_documents_agree_with_the_money(demo, kind):
    rows = []
    agreement = order_export.export(demo, kind, Period(), rows.append)
    assert (agreement.is_right, agreement.problems) == (True, [])
    # A refund that failed after its credit note.
    failed = demo.scalar(select(func.sum(Refund.amount_minor)).where(Refund.state == "failed"))
    assert agreement.sums[0].under_way == -failed
    assert len(rows) > 10


def test_ada_studies_what_she_bought(demo):
    ada = learners.find_by_identity(demo, learners.DEVELOPMENT_ISSUER, "ada")
    lines = select(OrderLine.id).join(Order, Order.id == OrderLine.order_id).where(Order.learner_id == ada.id)
    is_bought = (EnrolmentGrant.source == "order", EnrolmentGrant.source_id.in_(lines))
    slugs = select(Product.slug).join(Enrolment).join(EnrolmentGrant).where(*is_bought)
    assert sorted(demo.scalars(slugs)) == ["delegation-that-holds", "sql-for-spreadsheet-people"]


def test_no_gateway_is_asked_about_them_and_no_mail_is_sent(demo):
    assert set(demo.scalars(select(Payment.gateway))) == {"demo"}
    assert number(demo, Payment, Payment.poll_at.is_not(None)) == 0
    assert number(demo, Outbox) == 0


def test_a_shop_with_an_order_gets_none(own_demo):
    with own_demo.write_session() as session:
        seed_orders_load.add(session, NOON + timedelta(days=400), USD)
        assert number(session, Order) == 90


def test_their_refund_terms_are_those_of_the_policy_page():
    assert content.refund_terms() == REFUND_TERMS


def test_a_refund_of_demo_money_succeeds_without_a_gateway(own_demo):
    with own_demo.read_session() as session:
        ada = session.scalars(select(Learner).where(Learner.subject == "ada")).one()
        codes = select(Order.code).where(Order.learner_id == ada.id).order_by(Order.placed_at.desc())
        ref = locks.ref_of(session, session.scalars(codes).first())
    context = Context(NOON, SETTINGS)
    refund = own_demo.write_sync(by_staff.refund_order, ref, StaffRefund("command", "a test"), context)
    with own_demo.read_session() as session:
        bodies = session.scalars(select(Outbox.body).where(Outbox.kind == "payments.refund"))
        assert [body["refund_id"] for body in bodies] == [RefundItem(refund_id=refund.id).refund_id]
        refund_ref = refund_calls.ref_of(session, refund.id)
    shop = PayingShop("shop-1", "", SETTINGS)
    assert own_demo.write_sync(refund_calls.prepare, refund_ref, shop, NOON) is None
    with own_demo.read_session() as session:
        assert session.get_one(Refund, refund.id).state == "succeeded"
        assert number(session, Document, Document.refund_id == refund.id) == 1
        assert session.get_one(Order, ref.id).state == "refunded"
