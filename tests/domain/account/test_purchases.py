"""What the export of an account says about purchases, and what stays of them when the account is deleted."""

import pytest
from sqlalchemy import func, select

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.learning import grants
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.storing import StaffGift
from domain.learning.grants import GrantSource
from domain.orders.settings import Context
from domain.tables import CheckoutDraft, Enrolment, Gift, Order
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.shops import USD

GIFT = {"recipient_email": "grace@example.test", "message": "Enjoy", "send_at": None}


@pytest.fixture
def ada(session) -> int:
    """A learner with a course by an order, a gift for somebody, a gift of staff and a draft of the checkout."""
    learner, staff = factories.learner(session), factories.learner(session, "Admin")
    category = factories.category(session).id
    course, other = (factories.course(session, category, slug).id for slug in ("vat", "payroll"))
    order = order_rows.order(session, learner.id, total_minor=20_000)
    line = order_rows.order_line(session, order.id, product_id=course)
    grants.grant(session, learner.id, [course], GrantSource("order", line.id), NOON)
    present = order_rows.order_line(session, order.id, 2, product_id=other, gift=GIFT)
    for _ in range(2):
        gift_storing.store_for_line(session, order, present, NOON)
    gift_storing.give_by_staff(session, learner, StaffGift(staff.id, other, "Sorry"), NOON)
    times = {"changed_at": NOON, "expires_at": NOON}
    session.add(CheckoutDraft(learner_id=learner.id, values={"billing.city": "London"}, rendered={}, **times))
    session.flush()
    return learner.id


def test_the_export_names_orders_grants_gifts_and_the_draft(session, ada):
    data = export(session, ada, NOON, USD)
    assert [(row["source"], row["endedAt"]) for row in data["grants"]] == [("order", None), ("gift", None)]
    found = [(row["direction"], row["recipient"], row["state"]) for row in data["gifts"]]
    assert found == [("given", "grace@example.test", "waiting"), ("received", "ada-lovelace@example.test", "claimed")]
    assert [(row["code"], row["total"], row["billing"]["city"]) for row in data["orders"]] == [
        ("BADECUFIGOHAKELIMONU", 20_000, "London")
    ]
    assert [(row["number"], row["total"]) for row in data["orderLines"]] == [(1, 10_000), (2, 10_000)]
    assert [row["values"] for row in data["checkoutDraft"]] == [{"billing.city": "London"}]
    assert [row["accessUntil"] for row in data["enrolments"]] == [None, None]
    assert (data["refunds"], data["voucherCodes"], data["documents"], data["orderEvents"]) == ([], [], [], [])


def test_the_export_names_nothing_of_others(session, ada):
    grace = factories.learner(session, "Grace Hopper").id
    data = export(session, grace, NOON, USD)
    assert [data[name] for name in ("orders", "orderLines", "grants", "gifts", "checkoutDraft")] == [[]] * 5


@pytest.mark.each_database
def test_a_deleted_account_keeps_orders_and_gifts_for_others_and_loses_its_draft(session, ada):
    anonymise_account(session, ada, "ada-lovelace@example.test", Context(NOON))
    session.expire_all()
    assert session.scalar(select(func.count()).select_from(CheckoutDraft)) == 0
    assert session.scalars(select(Order.billing)).one() == order_rows.ADDRESS
    assert [tuple(row) for row in session.execute(select(Gift.recipient_email, Gift.message).order_by(Gift.id))] == [
        ("grace@example.test", "Enjoy"),
        ("", ""),
    ]
    assert session.scalar(select(func.count()).select_from(Enrolment)) == 2


def test_a_returned_gift_ends_its_access(session, ada):
    line_id = session.scalars(select(Gift.order_line_id).where(Gift.order_line_id.is_not(None))).one()
    gift = session.scalars(select(Gift).where(Gift.order_line_id == line_id)).one()
    grace = factories.learner(session, "Grace Hopper").id
    grants.grant(session, grace, [gift.product_id], GrantSource("gift", gift.id), NOON)
    gift_storing.return_of_line(session, line_id, NOON, "refund")
    assert gift.state == "returned"
    assert grants.owned_ids(session, grace, [gift.product_id], NOON) == set()
    assert len(grants.owned_ids(session, ada, [gift.product_id], NOON)) == 1
