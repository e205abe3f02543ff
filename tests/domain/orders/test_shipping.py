"""Parcels: which goods are sent, with whom, what their buyer reads, and the list of what is to pack."""

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters import mail_templates
from contracts.payloads import OrderItem, encode
from contracts.tasks import OutboxKind
from domain import mail
from domain.audit import recording
from domain.checkout.priced import RequestedItem
from domain.database.list_page import ListQuery, read_list_page
from domain.errors import InvalidInput, Refused
from domain.mail import MailSite
from domain.orders import events, parcels, shipping, staff_changes
from domain.orders.refunds.refundable import refundable
from domain.orders.settings import Context
from domain.orders.shipping import Parcel
from domain.orders.views import order as order_views
from domain.orders.views import parcel_list
from domain.outbox.leases import Lease
from domain.permissions import Permission
from domain.staff import overview
from domain.staff.overview import WaitingCount
from domain.tables import AuditEvent, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import SETTINGS, SOON, answer, by_command, lines_of, paid, ref
from tests.support import factories

STAFF = events.staff(7)
LATE = SOON + timedelta(days=1)
POST = Parcel(carrier="Post", tracking="RR 12")


@pytest.fixture
def world(session):
    return selling.fill(session, stock=9)


@pytest.fixture
def order(session, world):
    """Two books, a voucher, and one more book as a line of its own."""
    other = factories.item(session, factories.category(session, "more").id, "map", detail={"fulfilment": "shipped"}).id
    lines = (RequestedItem(world.book, 2), RequestedItem(world.voucher), RequestedItem(other))
    order = paid(session, world, *lines)
    order.delivery = {"name": "Ada", "street_address": "1 Main St", "city": "Springfield", "country": "US"}
    return order


def listed(session, **filters):
    page = read_list_page(session, parcel_list.PARCELS, ListQuery(size=9, filters=filters))
    assert page.total == len(page.rows)
    return [(row.name, row.quantity, row.state) for row in page.rows]


def in_parcels(session, order):
    """Number, carrier and number at the carrier of each parcel, with the units of its lines."""
    numbers = {line.id: line.number for line in lines_of(session, order)}
    packed = parcels.packed_lines(session, numbers)
    return [
        (
            *(row.number, row.carrier, row.tracking),
            sorted((numbers[entry.line_id], entry.quantity) for entry in packed if entry.parcel.id == row.id),
        )
        for row in parcels.parcels_of(session, order.id)
    ]


def mailed(session, order, at):
    """The text of the mail about goods that was written at a time."""
    lease = Lease(1, str(OutboxKind.GOODS_SHIPPED), encode(OrderItem(order_id=order.id)), at, 1, "token")
    outgoing = mail.compose(session, lease, MailSite("Shop", "https://shop.example", "staff@shop.example"))
    return mail_templates.render(outgoing.template, outgoing.values).text


@pytest.mark.each_database
def test_an_order_goes_in_two_parcels_and_each_mail_is_about_its_own(session, order):
    sent = shipping.ship(session, ref(order), STAFF, SOON, replace(POST, units={1: None}))
    assert [(line.number, line.quantity) for line in sent] == [(1, 2)]
    shipping.ship(session, ref(order), STAFF, LATE)
    first, second = mailed(session, order, SOON), mailed(session, order, LATE)
    assert "2 x The Book\n" in first
    assert "It comes with Post.\n\nThe number of the parcel is RR 12.\n" in first
    assert "The Book" not in second
    assert "comes with" not in second
    assert [line.shipped_at for line in lines_of(session, order)[:3]] == [SOON, None, LATE]
    assert in_parcels(session, order) == [(1, "Post", "RR 12", [(1, 2)]), (2, "", "", [(3, 1)])]


@pytest.mark.each_database
def test_goods_move_from_what_is_to_pack_to_what_has_arrived(session, world, order):
    waits = [WaitingCount("parcels", 1)]
    assert overview.waiting(session, [Permission.ORDERS_WRITE], LATE, 0) == waits
    assert listed(session, state="to_send") == [("Map", 1, "to_send"), ("The Book", 2, "to_send")]
    by_command(session, order, units={1: 1})
    shipping.ship(session, ref(order), STAFF, SOON, replace(POST, units={3: None}))
    assert overview.waiting(session, [Permission.ORDERS_WRITE], LATE, 0) == waits
    assert listed(session) == [("Map", 1, "sent"), ("The Book", 1, "to_send")]
    shipping.ship(session, ref(order), STAFF, LATE)
    shipping.deliver(session, ref(order), STAFF, LATE)
    assert listed(session, state="arrived") == [("Map", 1, "arrived"), ("The Book", 1, "arrived")]
    assert overview.waiting(session, [Permission.ORDERS_WRITE], LATE, 0) == []
    refunded = paid(session, world, RequestedItem(world.book), key="key-2")
    by_command(session, refunded)
    assert listed(session, state="cancelled") == [("The Book", 1, "cancelled")]
    assert listed(session, state="to_send") == []


def test_the_list_says_to_whom_and_with_what_number(session, order):
    shipping.ship(session, ref(order), STAFF, SOON, POST)
    row = read_list_page(session, parcel_list.PARCELS, ListQuery(size=1)).rows[0]
    assert (row.order_code, row.buyer, row.carriers, row.numbers) == (order.code, "Ada Lovelace", "Post", "RR 12")
    assert row.address[0] == "Ada"


@pytest.mark.parametrize("units", [{2: None}, {1: 1, 9: 1}, {1: 3}, {1: 0}, {1: -1}])
def test_a_parcel_with_what_cannot_be_sent_is_refused_and_nothing_is_sent(session, order, units):
    with pytest.raises(Refused, match="left to send"):
        shipping.ship(session, ref(order), STAFF, SOON, Parcel(units))
    assert [line.shipped_quantity for line in lines_of(session, order)] == [0] * 4
    assert in_parcels(session, order) == []


def test_the_number_of_a_parcel_is_corrected_until_it_has_arrived(session, order):
    shipping.ship(session, ref(order), STAFF, SOON, POST)
    right = Parcel({}, "DHL", "JD 1", number=1)
    run(session, order, staff_changes.correct_parcel, STAFF, LATE, right)
    assert in_parcels(session, order) == [(1, "DHL", "JD 1", [(1, 2), (3, 1)])]
    with pytest.raises(Refused, match="Parcel 2 of this order is not on its way"):
        shipping.correct_parcel(session, ref(order), STAFF, LATE, replace(right, number=2))
    shipping.deliver(session, ref(order), STAFF, LATE)
    with pytest.raises(Refused, match="is on its way"):
        shipping.correct_parcel(session, ref(order), STAFF, LATE, right)


def test_timeline_and_audit_keep_the_carrier_and_never_the_number(session, order):
    run(session, order, staff_changes.ship, STAFF, SOON, Parcel({}, " Post\nOffice ", " RR  12 "))
    event = events.timeline(session, order.id)[-1]
    assert event.facts == {"lines": [1, 3], "parcel": 1, "carrier": "Post Office"}
    recorded = session.query(AuditEvent).one()
    assert (recorded.action, recorded.after) == (
        "order.ship",
        {"units": {"1": 2, "3": 1}, "carrier": "Post Office", "tracking": "changed"},
    )


@pytest.fixture
def three(session, world):
    """Three books."""
    return paid(session, world, RequestedItem(world.book, 3), key="key-3")


def goods(session, order):
    line = lines_of(session, order)[0]
    return line.shipped_quantity, line.shipped_at, line.delivered_at, parcels.units_to_send(line)


@pytest.mark.each_database
def test_a_line_goes_in_several_parcels_and_has_arrived_with_the_last(session, three):
    shipping.ship(session, ref(three), STAFF, SOON, replace(POST, units={1: 2}))
    assert (goods(session, three), listed(session)) == ((2, None, None, 1), [("The Book", 1, "to_send")])
    shipping.deliver(session, ref(three), STAFF, SOON, 1)
    assert goods(session, three) == (2, None, None, 1)
    shipping.ship(session, ref(three), STAFF, LATE)
    assert (goods(session, three), listed(session)) == ((3, LATE, None, 0), [("The Book", 3, "sent")])
    shipping.deliver(session, ref(three), STAFF, LATE, 2)
    assert (goods(session, three), listed(session)) == ((3, LATE, LATE, 0), [("The Book", 3, "arrived")])
    assert in_parcels(session, three) == [(1, "Post", "RR 12", [(1, 2)]), (2, "", "", [(1, 1)])]
    with pytest.raises(Refused, match="Nothing of this order is left to send"):
        shipping.ship(session, ref(three), STAFF, LATE)


def test_each_mail_says_what_its_parcel_holds_and_whether_more_follows(session, three):
    shipping.ship(session, ref(three), STAFF, SOON, replace(POST, units={1: 2}))
    first = mailed(session, three, SOON)
    assert "2 x The Book\n" in first
    assert "The rest follows in another parcel" in first
    shipping.ship(session, ref(three), STAFF, LATE)
    second = mailed(session, three, LATE)
    assert "1 x The Book\n" in second
    assert "follows" not in second


def test_what_is_refunded_is_first_what_was_not_sent(session, three):
    shipping.ship(session, ref(three), STAFF, SOON, Parcel({1: 2}))
    shipping.deliver(session, ref(three), STAFF, SOON)
    by_command(session, three, units={1: 1}, at=LATE)
    answer(session, three, "succeeded", at=LATE)
    assert (goods(session, three), listed(session)) == ((2, SOON, SOON, 0), [("The Book", 2, "arrived")])
    assert overview.waiting(session, [Permission.ORDERS_WRITE], LATE, 0) == []


def test_goods_of_which_a_part_was_sent_have_to_be_returned(session, three):
    context = Context(LATE, SETTINGS)
    (line,) = refundable(session, three, context)
    assert (line.is_shipped, line.confirmation) == (False, None)
    shipping.ship(session, ref(three), STAFF, SOON, Parcel({1: 1}))
    (line,) = refundable(session, three, context)
    assert (line.is_shipped, line.confirmation) == (True, "returned")


def test_the_page_of_an_order_says_which_parcel_holds_what(session, three):
    shipping.ship(session, ref(three), STAFF, SOON, replace(POST, units={1: 2}))
    line = order_views.order_view(session, three.learner_id, three.code, LATE).lines[0]
    assert [(row.number, row.quantity, row.carrier, row.tracking) for row in line.parcels] == [(1, 2, "Post", "RR 12")]
    assert line.to_send == 1


def test_too_long_a_carrier_is_refused(session, order):
    with pytest.raises(InvalidInput):
        run(session, order, staff_changes.ship, STAFF, SOON, Parcel(carrier="x" * 61))
    assert lines_of(session, order)[0].shipped_at is None


def test_a_code_of_another_order_is_not_used(session, world, order):
    other = paid(session, world, RequestedItem(world.voucher), key="key-2")
    codes = {code.line_id: code for code in session.query(VoucherCode)}
    theirs = codes[lines_of(session, other)[0].id]
    with pytest.raises(Refused, match="another order"):
        run(session, order, staff_changes.use_voucher, theirs.code, STAFF, SOON)
    assert theirs.used_at is None


def test_an_unpaid_order_is_cancelled_once_with_a_reason(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    context = Context(SOON, SETTINGS)
    assert [run(session, order, staff_changes.cancel, STAFF, context, reason="Twice") for _ in range(2)] == [
        True,
        False,
    ]
    assert (order.state, session.query(AuditEvent).one().reason) == ("cancelled", "Twice")


def run(session, order, change, *about, **options):
    return recording.run(session, factories.actor(7, "support"), change, ref(order), *about, **options)
