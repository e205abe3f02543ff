"""The purchase order number of a business: frozen with the order, named by all that is about it, and found by staff."""

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.payloads import OrderItem, encode
from contracts.tasks import OutboxKind
from domain import mail
from domain.cart import lines as cart_lines
from domain.checkout import checkout_form, known_addresses, purchase
from domain.checkout.form_fields import PURCHASE_ORDER
from domain.checkout.placement import Placed
from domain.checkout.priced import RequestedItem
from domain.checkout.purchase import PlaceForm, PurchaseTerms
from domain.database.list_page import ListQuery, read_list_page
from domain.documents.erasure import erase_old
from domain.orders.export.export import export
from domain.orders.export.period import Period
from domain.orders.settings import Context
from domain.orders.views.order import order_view
from domain.orders.views.organisation_list import ORGANISATION_ORDERS
from domain.orders.views.staff_list import CODE_LENGTH, ORDERS
from domain.outbox.leases import Lease
from domain.permissions import Permission
from domain.support import search
from domain.tables import Document, Order
from tests.domain.orders import selling, taxed
from tests.domain.orders.selling import SETTINGS
from tests.domain.orders.test_mails import SITE
from tests.domain.seats import test_seat_orders
from tests.domain.seats.world import build
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.shops import SHOP

NUMBER = "PO 4711/b"
TERMS = PurchaseTerms(SHOP, "2026-01-01")


@pytest.fixture
def order(session) -> Order:
    """A paid order of a course with a number, of which the course is back."""
    world = taxed.fill(session)
    order = taxed.buy(
        session, world.learner, RequestedItem(world.course), RequestedItem(world.book), purchase_order=NUMBER
    )
    taxed.give_back(session, order, {1: 1})
    return order


@pytest.mark.each_database
def test_a_typed_number_is_frozen_with_the_order_and_not_filled_in_again(session):
    world = selling.fill(session)
    assert cart_lines.add(session, world.learner, world.voucher, NOON) is None
    values = {**test_seat_orders.ADDRESS, PURCHASE_ORDER: f"  {NUMBER} "}
    seen = checkout_form.read(session, world.learner, SHOP, SETTINGS, NOON).quoted.price.seen
    form = PlaceForm(key="key-1", seen=seen, values=values, terms=TERMS.date)
    placed = purchase.place_cart(session, world.learner, form, TERMS, Context(NOON, SETTINGS))
    assert isinstance(placed, Placed)
    stored = session.get_one(Order, placed.order_id)
    assert (stored.purchase_order, stored.purchase_order_key) == (NUMBER, "po 4711/b")
    assert PURCHASE_ORDER not in known_addresses.read(session, world.learner)
    assert order_view(session, world.learner, placed.code, NOON, SETTINGS).purchase_order == NUMBER


def test_an_organisation_that_buys_seats_names_its_number(session):
    world = build(session, seats=1, **test_seat_orders.SELLS)
    values = {**test_seat_orders.ADDRESS, PURCHASE_ORDER: NUMBER}
    assert test_seat_orders.bought(session, world, values=values).purchase_order == NUMBER
    (row,) = read_list_page(session, ORGANISATION_ORDERS, ListQuery(size=9)).rows
    assert row.purchase_order == NUMBER


def test_invoice_credit_note_export_and_mail_name_the_number(session, order):
    bodies = [document.body for document in session.scalars(select(Document).order_by(Document.id))]
    assert [(body["kind"], body["purchase_order"]) for body in bodies] == [
        ("invoice", NUMBER),
        ("credit_note", NUMBER),
    ]
    rows: list[tuple[object, ...]] = []
    export(session, "documents", Period(), rows.append)
    assert [row[-1] for row in rows] == ["purchase_order", *[NUMBER] * (len(rows) - 1)]
    lease = Lease(7, str(OutboxKind.ORDER_PAID), encode(OrderItem(order_id=order.id)), NOON, 1, "token")
    outgoing = mail.compose(session, lease, SITE)
    rendered = mail_templates.render(outgoing.template, outgoing.values)
    assert f"Your purchase order number: {NUMBER}" in rendered.text
    assert f"Your purchase order number: {NUMBER}" in rendered.html


def test_an_order_without_a_number_has_documents_that_say_nothing_of_it(session):
    world = taxed.fill(session)
    order = taxed.buy(session, world.learner, RequestedItem(world.course))
    assert "purchase_order" not in session.scalars(select(Document.body)).one()
    assert order.purchase_order_key == ""


def test_the_number_is_erased_with_the_addresses(session, order):
    erase_old(session, NOON.replace(year=NOON.year + 1))
    assert (order.purchase_order, order.purchase_order_key) == ("", "")
    assert [body.get("purchase_order") for body in session.scalars(select(Document.body))] == [None, None]


def listed(session, text: str) -> list[str]:
    page = read_list_page(session, ORDERS, ListQuery(size=9, filters={"q": text}))
    assert page.total == len(page.rows)
    return [row.code for row in page.rows]


FOUND = {
    "as typed": ("PO 4711/b", [CODE_LENGTH * "B"]),
    "in another case, with other spaces": (" po  4711/B", [CODE_LENGTH * "B"]),
    "a part": ("PO 4711", []),
    "as long as a code": ("X" * CODE_LENGTH, [CODE_LENGTH * "C"]),
    "the code of an order without a number": (CODE_LENGTH * "D", [CODE_LENGTH * "D"]),
    "one that is somebody's student number too": ("s-ada", [CODE_LENGTH * "F", CODE_LENGTH * "D"]),
}


@pytest.mark.each_database
@pytest.mark.parametrize(("text", "codes"), FOUND.values(), ids=FOUND)
def test_staff_find_orders_by_the_whole_number(session, text, codes):
    ada, grace = (factories.learner(session, name, student_number=number).id for name, number in PEOPLE)
    for at, (letter, buyer, number) in enumerate(
        (("B", grace, NUMBER), ("C", grace, "x" * CODE_LENGTH), ("D", ada, ""), ("F", grace, "S-Ada"))
    ):
        about = {"purchase_order": number, "purchase_order_key": number.casefold()}
        order_rows.order(session, buyer, CODE_LENGTH * letter, placed_at=NOON.replace(minute=at), **about)
    assert listed(session, text) == codes


PEOPLE = (("Ada Lovelace", "s-ada"), ("Grace Hopper", "s-grace"))


def test_the_search_of_the_area_finds_it_where_nothing_else_of_orders_is_so_named(session, order):
    hits = search.find(session, "po 4711/B", frozenset(Permission))
    assert {kind: [row[0] for row in found.rows] for kind, found in hits.items()} == {"orders": [order.code]}
