"""Orders as staff see them: the list with its filters, and one order with who did what."""

from datetime import timedelta

import pytest

from domain.checkout.priced import RequestedItem
from domain.database.list_page import ListQuery, read_list_page
from domain.errors import NotFound
from domain.orders import events, shipping
from domain.orders.locks import OrderRef
from domain.orders.shipping import Parcel
from domain.orders.views.staff_list import CODE_LENGTH, ORDERS
from domain.orders.views.staff_order import staff_order
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.support import factories, order_rows
from tests.support.factories import NOON

CODES = {"old": "BADECUFIGOHAKELIMONU", "open": "DABECUFIGOHAKELIMONU", "new": "FABECUFIGOHAKELIMONU"}


@pytest.fixture
def orders(session):
    """A paid order of Ada, an open one of Grace a day later, and another of Ada to her second address."""
    ada = factories.learner(session).id
    grace = factories.learner(session, "Grace Hopper", student_number="ml-g7").id
    order_rows.order(session, ada, CODES["old"], total_minor=10_000, refunded_minor=2500)
    order_rows.open_order(
        session, grace, code=CODES["open"], email="Grace@example.test", placed_at=NOON + timedelta(days=1)
    )
    order_rows.order(session, ada, CODES["new"], email="Work@example.test", placed_at=NOON + timedelta(days=2))


def listed(session, **filters):
    page = read_list_page(session, ORDERS, ListQuery(size=9, sort="placed", filters=filters))
    assert page.total == len(page.rows)
    names = {code: name for name, code in CODES.items()}
    return [names[row.code] for row in page.rows]


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["new", "open", "old"]),
        ({"q": CODES["old"].lower()}, ["old"]),
        ({"q": "grace@EXAMPLE.test"}, ["open"]),
        ({"q": " S-ada-lovelace "}, ["new", "old"]),
        ({"q": "ML-G7"}, ["open"]),
        ({"q": "ml-g"}, []),
        ({"q": "Ä" * CODE_LENGTH}, []),
        ({"q": "Ä@example.test"}, []),
        ({"state": "paid"}, ["new", "old"]),
        ({"state": "paid", "q": CODES["open"]}, []),
        ({"since": "2026-03-02"}, ["new", "open"]),
        ({"until": "2026-03-02"}, ["open", "old"]),
        ({"since": "2026-03-02", "until": "2026-03-02"}, ["open"]),
    ],
)
def test_orders_are_found_by_code_email_student_number_state_and_day(session, orders, filters, expected):
    assert listed(session, **filters) == expected


def test_a_row_names_the_buyer_and_what_went_back(session, orders):
    page = read_list_page(session, ORDERS, ListQuery(size=9, filters={"q": CODES["old"]}))
    (row,) = page.rows
    assert (row.name, row.student_number, row.email) == ("Ada Lovelace", "s-ada-lovelace", "ada@example.test")
    assert (row.total, row.refunded, row.state_text, row.placed_at) == (10_000, 2500, "Partly refunded", NOON)


def test_a_disputed_order_says_so(session, orders):
    order = order_rows.order(session, factories.learner(session, "Kim").id, "G" * 20, disputed_at=NOON)
    page = read_list_page(session, ORDERS, ListQuery(size=9, filters={"q": order.code}))
    assert page.rows[0].state_text == "Disputed"


def test_staff_see_whose_order_it_is_and_who_did_what(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    selling.pay(session, order)
    found = staff_order(session, order.code.lower(), LATER, SETTINGS)
    assert (found.buyer.name, found.buyer.student_number) == ("Ada Lovelace", "S-ADA-LOVELACE")
    assert found.order.code == order.code
    place, settle = found.timeline[0], next(event for event in found.timeline if event.text == "Paid")
    assert (place.text, place.actor, place.change, place.amount) == ("Ordered", "Buyer", "", 4000)
    assert (settle.actor, settle.change) == ("Payment gateway", "Waiting for payment → Paid")


def test_the_timeline_names_the_staff_and_says_in_words_what_happened(session):
    order = order_rows.order(session, factories.learner(session).id, CODES["old"])
    grace = factories.learner(session, "Grace Hopper").id
    written = [
        ("shipped", events.staff(grace), "Sent", "Grace Hopper"),
        ("refund_paid_manually", events.staff(10**9), "Refund paid by hand", "Staff member 1000000000"),
        ("paid_late", events.GATEWAY, "Paid late", "Payment gateway"),
        ("delivered", events.COMMAND, "Delivered", "Command line"),
        ("parcel_corrected", events.staff(grace), "Parcel corrected with Post", "Grace Hopper"),
        ("refund_accepted", events.GATEWAY, "Booked what the bank took", "Payment gateway"),
        ("mail_sent", events.SYSTEM, "Emailed the buyer the receipt", "This site"),
        ("refund_retried", events.staff(grace), "Failed refund tried again", "Grace Hopper"),
    ]
    facts = {
        "parcel_corrected": {"carrier": "Post"},
        "refund_accepted": {"reason": "dispute"},
        "mail_sent": {"mail": "mail.order_paid"},
    }
    for kind, actor, _, _ in written:
        events.append(session, order, kind, actor, LATER, facts.get(kind, {}))
    timeline = staff_order(session, order.code, LATER, SETTINGS).timeline[-len(written) :]
    assert [(event.text, event.actor) for event in timeline] == [(text, name) for _, _, text, name in written]


def test_staff_do_not_see_the_codes_of_vouchers(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.voucher))
    selling.pay(session, order)
    assert [line.voucher_codes for line in staff_order(session, order.code, LATER, SETTINGS).order.lines] == [()]


def test_an_unknown_order_is_not_found(session):
    with pytest.raises(NotFound, match="There is no order NOWHERE"):
        staff_order(session, "NOWHERE", LATER, SETTINGS)


def test_staff_read_what_the_buyer_was_told_about_an_address_once(session):
    doubt = "Our list does not have this PIN code in Puducherry."
    billing = {"name": "Ada", "country": "IN", "doubt": doubt}
    order_rows.order(session, factories.learner(session).id, CODES["old"], billing=billing, delivery=billing)
    found = staff_order(session, CODES["old"], NOON)
    assert (found.doubts, found.order.billing) == ((doubt,), ("Ada", "INDIA"))


def test_staff_see_the_buyers_other_orders_and_the_last_carrier(session, world):
    first = selling.buy(session, world.learner, RequestedItem(world.book))
    selling.pay(session, first)
    shipping.ship(session, OrderRef(first.id, first.learner_id, "USD"), events.COMMAND, LATER, Parcel(carrier="Post"))
    second = selling.buy(session, world.learner, RequestedItem(world.book), key="key-2", at=LATER)
    selling.pay(session, second)
    found = staff_order(session, second.code, LATER, SETTINGS)
    assert [order.code for order in found.others] == [first.code]
    assert (found.to_send, found.on_the_way, found.last_carrier) == ({1: 1}, (), "Post")
    assert found.payments[0].gateway_id == f"pi_{second.code}_1"
