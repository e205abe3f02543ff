"""What identifies a person leaves old orders and documents, and nothing else of them."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from domain.checkout.priced import RequestedItem
from domain.documents import erasure
from domain.documents.body import digest_of
from domain.orders.explanation.explain import explain
from domain.orders.export.export import export
from domain.orders.export.period import Period
from domain.tables import Document, Order, OrderLine, Refund
from host.documents import pdf
from tests.domain.orders import taxed
from tests.support import factories
from tests.support.factories import NOON

OLD = NOON - timedelta(days=3_700)
TEN_YEARS_AGO = NOON - timedelta(days=3_650)
GIFT = {"recipient_email": "grace@example.test", "message": "Enjoy", "send_at": None}


@pytest.fixture
def world(session):
    return taxed.fill(session)


@pytest.fixture
def order(session, world):
    """A gift and two books, one of which came back."""
    lines = (RequestedItem(world.course, gift=GIFT), RequestedItem(world.book, 2))
    order = taxed.buy(session, world.learner, *lines)
    taxed.give_back(session, order, {2: 1})
    session.execute(update(Refund).values(note="My parrot ate it."))
    issue(session, order, OLD)
    return order


def issue(session, order, at, kinds=("invoice", "credit_note")):
    """The documents of these kinds are of that time."""
    for document in session.scalars(select(Document).where(Document.order_id == order.id, Document.kind.in_(kinds))):
        document.issued_at, document.year = at, at.year
    session.flush()


def personal_texts(session, order) -> str:
    session.expire_all()
    rows = [session.get_one(Order, order.id), *session.scalars(select(OrderLine)), *session.scalars(select(Refund))]
    rows += session.scalars(select(Document).where(Document.order_id == order.id))
    return " ".join(str(getattr(row, column.key)) for row in rows for column in row.__table__.columns)


@pytest.mark.each_database
def test_old_orders_and_documents_lose_the_person_and_keep_their_amounts(session, world, order):
    learner = session.get_one(factories.Learner, world.learner)
    secrets = ("Ada", learner.email, learner.student_number.upper(), "grace@example.test", "Enjoy", "parrot")
    before = personal_texts(session, order)
    assert [secret for secret in secrets if secret not in before] == []
    totals = list(session.scalars(select(Document.body["total_minor"]).order_by(Document.id)))
    assert erasure.erase_old(session, TEN_YEARS_AGO) == 1
    after = personal_texts(session, order)
    assert [secret for secret in secrets if secret in after] == []
    assert (order.billing, order.delivery, order.email) == ({"country": "DE"}, {"country": "DE"}, "")
    assert list(session.scalars(select(Document.body["total_minor"]).order_by(Document.id))) == totals
    for document in session.scalars(select(Document)):
        assert document.digest == digest_of(document.body)
        assert pdf.render(document.body).startswith(b"%PDF")


def test_an_erased_order_is_still_explained_and_exported(session, order):
    erasure.erase_old(session, TEN_YEARS_AGO)
    assert explain(session, order.code).differences == ()
    assert export(session, "documents", Period(), lambda _row: None).is_right


def test_a_second_run_finds_nothing(session, order):
    assert [erasure.erase_old(session, TEN_YEARS_AGO) for _ in range(2)] == [1, 0]


def test_an_order_with_a_newer_document_stays(session, order):
    issue(session, order, TEN_YEARS_AGO, ("credit_note",))
    assert erasure.erase_old(session, TEN_YEARS_AGO) == 0
    assert order.email != ""


def test_younger_orders_stay(session, order):
    issue(session, order, TEN_YEARS_AGO)
    assert erasure.erase_old(session, TEN_YEARS_AGO) == 0


def test_a_run_erases_a_limited_number(session, world, monkeypatch):
    monkeypatch.setattr(erasure, "ERASE_BATCH", 2)
    for number in range(3):
        learner = factories.learner(session, f"Buyer {number}").id
        issue(session, taxed.buy(session, learner, RequestedItem(world.course)), OLD)
    assert [erasure.erase_old(session, TEN_YEARS_AGO) for _ in range(3)] == [2, 1, 0]
