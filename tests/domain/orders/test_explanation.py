"""An order is computed again by the engine of its time; whatever was changed since is named, to the minor unit."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select, update

from domain.checkout.priced import RequestedItem
from domain.errors import NotFound
from domain.orders.explanation.explain import explain
from domain.pricing.engine_versions import UnknownEngine
from domain.tables import Document, Order, OrderEvent, OrderLine, Payment, Refund, RefundLine, TaxRate
from tests.domain.orders import selling, taxed


@pytest.fixture
def world(session):
    return taxed.fill(session)


@pytest.fixture
def order(session, world):
    """A course and three books, two of which came back one by one."""
    lines = (RequestedItem(world.course), RequestedItem(world.book, 3))
    order = taxed.buy(session, world.learner, *lines)
    for _ in range(2):
        taxed.give_back(session, order, {2: 1})
    return order


def differences(session, order) -> list[str]:
    session.expire_all()
    return [difference.where for difference in explain(session, order.code).differences]


@pytest.mark.each_database
def test_an_order_that_nobody_changed_is_equal(session, order):
    assert [document.number for document in explain(session, order.code.lower()).rows.documents] == [
        "2026-000001",
        "C2026-000001",
        "C2026-000002",
    ]
    assert differences(session, order) == []


def test_the_rates_of_an_order_are_named_with_those_that_they_replaced(session, world):
    ordinary = session.scalars(
        select(TaxRate.id).where(TaxRate.tax_class.in_(("goods", "delivery"))).order_by(TaxRate.id)
    ).all()
    exception = {"country": "DE", "tax_class": "goods", "label": "Exception", "percent": 0, "replaces": True}
    session.add(TaxRate(**exception, starts_on=date(2020, 1, 1), postal_from="27498"))
    session.flush()
    new = max(session.scalars(select(TaxRate.id)))
    order = taxed.place(session, world.learner, RequestedItem(world.book))
    assert [rates.text for rates in explain(session, order.code).rates] == [
        f"VAT 7% (rate {ordinary[0]})",
        f"VAT 19% (rate {ordinary[1]})",
    ]
    session.execute(update(TaxRate).where(TaxRate.id == new).values(postal_from="", region=""))
    excepted = taxed.place(session, world.learner, RequestedItem(world.book), key="key-2")
    assert [rates.text for rates in explain(session, excepted.code).rates][:1] == [
        f"Exception 0% (rate {new}) in place of VAT 7% (rate {ordinary[0]})"
    ]


def test_orders_that_were_never_paid_are_equal_too(session, world):
    order = taxed.place(session, world.learner, RequestedItem(world.book))
    assert differences(session, order) == []


def test_two_payments_one_of_which_went_back_are_equal(session, order):
    selling.add_payment(session, order, 2)
    assert selling.apply(session, order, selling.snapshot(order, 2), 2, taxed.BACK_AT) == "duplicate"
    assert differences(session, order) == []


def test_a_refund_that_is_approved_and_one_that_failed_are_equal(session, order):
    refund = taxed.give_back(session, order, {1: 1}, "approved", taxed.BACK_AT + timedelta(days=1))
    assert differences(session, order) == []
    taxed.tell(session, order, refund, "failed", taxed.BACK_AT + timedelta(days=2))
    assert differences(session, order) == []


def in_quote(order):
    """The total of the first stored step, one minor unit more."""
    output = order.quote["output"]
    first, *others = output["lines"]
    step, *steps = first["steps"]
    changed = {**first, "steps": [{**step, "total": "40.01"}, *steps]}
    return {"quote": {**order.quote, "output": {**output, "lines": [changed, *others]}}}


def in_body(document):
    return {"body": {**document.body, "total_minor": document.body["total_minor"] + 1}}


# What was changed -> (the rows, the new values, what is named).
CHANGES = {
    "the total of an order": (Order, lambda row: {"total_minor": row.total_minor + 1}, "order, total_minor"),
    "a stored step": (Order, in_quote, "quote, lines"),
    "the place of its tax": (Order, lambda _row: {"tax_place": "FR"}, "order, tax_place"),
    "the tax of a line": (OrderLine, lambda row: {"tax_minor": row.tax_minor + 1}, "line 1, tax_minor"),
    "the code of a line": (OrderLine, lambda _row: {"line_code": "SPRING"}, "line 1, line_code"),
    "the breakdown of a line": (OrderLine, lambda _row: {"steps": []}, "line 1, steps"),
    "the refunds that a line counts": (OrderLine, lambda _row: {"refunded_quantity": 1}, "line 1, refunded_quantity"),
    "a refund": (Refund, lambda row: {"amount_minor": row.amount_minor + 1}, "refund 1, amount_minor"),
    "the share of a line": (
        RefundLine,
        lambda row: {"amount_minor": row.amount_minor + 1},
        "refund 1, line 2, amount_minor",
    ),
    "what a payment counts": (
        Payment,
        lambda row: {"refunded_minor": row.refunded_minor + 1},
        "payment 1, refunded_minor",
    ),
    "what was paid": (
        Payment,
        lambda row: {"amount_minor": row.amount_minor + 1},
        "payments that bought the order",
    ),
    "a document": (Document, in_body, "2026-000001, total_minor"),
    "an event": (OrderEvent, lambda _row: {"kind": "cancel"}, "timeline, first wrong event"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_later_change_is_named(session, order, name):
    table, values, where = CHANGES[name]
    row = session.scalars(select(table).limit(1)).first()
    keys = [column == getattr(row, column.key) for column in table.__table__.primary_key.columns]
    session.execute(update(table).where(*keys).values(**values(row)))
    assert where in differences(session, order)


def test_a_document_that_was_changed_no_longer_has_its_digest(session, order):
    document = session.scalars(select(Document).limit(1)).first()
    document.body = {**document.body, "seller": {"name": "Somebody else"}}
    session.flush()
    assert differences(session, order) == ["2026-000001, digest"]


def test_an_invoice_that_is_gone_is_named(session, order):
    session.delete(session.scalars(select(Document).where(Document.kind == "invoice")).one())
    session.flush()
    assert differences(session, order) == ["number of invoices"]


def test_an_engine_of_a_newer_build_is_refused(session, order):
    order.quote = {**order.quote, "engine": 99}
    session.flush()
    with pytest.raises(UnknownEngine):
        explain(session, order.code)


def test_an_unknown_code_is_refused(session, world):
    with pytest.raises(NotFound, match="There is no order AAAA"):
        explain(session, "AAAA")
