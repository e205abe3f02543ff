"""Disputes: what the gateway's money says is booked, in parts, and corrected when it changes."""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from adapters import mail_templates
from domain import mail
from domain.checkout.priced import RequestedItem
from domain.mail import MailSite
from domain.orders import events
from domain.orders.explanation.documents import document_differences
from domain.orders.explanation.order_rows import rows_of
from domain.orders.explanation.refunds import refund_differences
from domain.orders.export.agreement import BooksAgreement
from domain.orders.export.pages import document_pages
from domain.orders.export.period import Period
from domain.outbox.leases import Lease
from domain.payments.gateway import DisputeSnapshot
from domain.tables import (
    Certificate,
    Coupon,
    Document,
    Enrolment,
    OrderEvent,
    OrderLine,
    Outbox,
    Refund,
    Reservation,
    VoucherCode,
)
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER
from tests.domain.orders.views.reading import view
from tests.domain.payments.settled import all_of, kinds, owned, refunds
from tests.support import factories

SITE = MailSite("Meridian", "https://shop.example", "staff@shop.example")
# A course of 40.00 and a voucher of 90.00, all of which is withdrawn when the dispute opens.
OPEN = DisputeSnapshot("dp_1", "open", 13_000, "USD", LATER, "fraudulent", 13_000, 1)
LOST = replace(OPEN, state="closed")
APPEALED = replace(OPEN, state="appealed")
WON = replace(LOST, taken_minor=0, movements=2)


@pytest.fixture
def order(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.voucher))
    selling.pay(session, order)
    return order


def apply(session, order, *disputes: DisputeSnapshot) -> None:
    for dispute in disputes:
        selling.apply(session, order, selling.snapshot(order, disputes=(dispute,)))
    session.expire_all()


def agree(session, order) -> None:
    """Refunds, documents and timeline explain each other, and documents and money sum to the same."""
    rows = rows_of(session, order.code)
    assert [*refund_differences(session, rows), *document_differences(session, rows)] == []
    assert events.first_wrong(rows.order, rows.events) is None
    agreement = BooksAgreement()
    for page in document_pages(session, Period()):
        agreement.add_page(session, page)
    agreement.finish(session, Period())
    assert (agreement.problems, agreement.is_right) == ([], True)


def disputes_of(session) -> list[str]:
    told = [row.kind for row in session.scalars(select(OrderEvent).order_by(OrderEvent.number))]
    return [kind for kind in told if "dispute" in kind]


def credited(session) -> list[int]:
    rows = session.scalars(select(Document).where(Document.kind == "credit_note").order_by(Document.id))
    return [row.body["total_minor"] for row in rows]


def test_a_part_that_is_lost_is_booked_as_that_part_and_nothing_ends(session, world, order):
    part = replace(LOST, amount_minor=2_000, taken_minor=2_000)
    apply(session, order, part, part)
    assert (order.state, order.refunded_minor, owned(session, world)) == ("paid", 2_000, {world.course})
    assert (refunds(session), credited(session)) == ([(1, "dispute", "succeeded", 2_000)], [2_000])
    assert [(line.refunded_minor, line.refunded_quantity) for line in all_of(session, OrderLine)] == [
        (615, 0),
        (1_385, 0),
    ]
    assert order.disputed_at is not None
    agree(session, order)


def test_the_timeline_of_a_lost_dispute_says_that_the_bank_took_the_money_and_nothing_is_on_its_way(session, order):
    apply(session, order, OPEN, LOST)
    texts = [event.text for event in view(session, order).events]
    assert texts[-2:] == ["Your bank took $130.00 back", "The order ended with the dispute"]
    assert [text for text in texts if "on its way" in text] == []


def test_while_it_is_open_nothing_is_booked(session, order):
    apply(session, order, OPEN)
    assert (order.refunded_minor, refunds(session), disputes_of(session)) == (0, [], ["disputed"])


def test_more_than_the_charge_takes_what_is_left_and_no_more(session, order):
    apply(session, order, replace(LOST, amount_minor=14_000, taken_minor=14_000))
    assert (order.state, refunds(session)) == ("refunded", [(1, "dispute", "succeeded", 13_000)])
    agree(session, order)


def test_a_lost_dispute_that_is_won_on_appeal_gives_everything_back(session, world, order):
    apply(session, order, OPEN, LOST, APPEALED)
    assert (order.state, order.disputed_at is not None, owned(session, world)) == ("refunded", True, set())
    apply(session, order, WON, WON)
    assert (order.state, order.refunded_minor, order.disputed_at) == ("paid", 0, None)
    assert (order.paid_at, order.ended_at, owned(session, world)) == (LATER, None, {world.course})
    assert refunds(session) == [(1, "dispute", "succeeded", 13_000), (2, "dispute_won", "succeeded", -13_000)]
    assert (credited(session), [code.void_at for code in all_of(session, VoucherCode)]) == ([13_000, -13_000], [None])
    assert disputes_of(session) == [
        *("disputed", "dispute_closed", "dispute_lost", "dispute_appealed", "dispute_won"),
        *("dispute_money_back", "dispute_reversed"),
    ]
    assert kinds(session).count("mail.dispute") == 4
    agree(session, order)


def test_the_document_that_takes_a_credit_note_back_is_named_as_what_it_is(session, order):
    apply(session, order, LOST, WON)
    shown = view(session, order, LATER)
    assert [(document.kind, document.title) for document in shown.documents] == [
        ("invoice", "Invoice"),
        ("credit_note", "Credit note"),
        ("credit_note", "Reversal of a credit note"),
    ]


def reversed_by_each(session) -> list[list[str]]:
    """Which credit notes each one names as those that it takes back, by their place among them."""
    notes = session.scalars(select(Document).where(Document.kind == "credit_note").order_by(Document.id)).all()
    places = {row.number: place for place, row in enumerate(notes)}
    named = [row.body.get("reverses", []) for row in notes]
    assert all(note["issued_on"] == LATER.date().isoformat() for found in named for note in found)
    return [[places[note["number"]] for note in found] for found in named]


PART = replace(LOST, amount_minor=2_000, taken_minor=2_000)


@pytest.mark.parametrize(
    ("snapshots", "expected"),
    [
        ([LOST, WON], [[], [0]]),
        ([LOST, replace(LOST, taken_minor=3_000, movements=2), replace(WON, movements=3)], [[], [0], [0]]),
        ([PART, replace(LOST, movements=2), replace(WON, movements=3)], [[], [], [0, 1]]),
        ([LOST, WON, replace(LOST, movements=3), replace(WON, movements=4)], [[], [0], [], [2]]),
    ],
)
def test_a_document_that_takes_credit_notes_back_names_them(session, order, snapshots, expected):
    apply(session, order, *snapshots)
    assert reversed_by_each(session) == expected


def test_one_that_is_won_in_part_gives_that_part_back(session, world, order):
    apply(session, order, LOST, replace(LOST, taken_minor=3_000, movements=2))
    assert (order.state, order.refunded_minor, credited(session)) == ("paid", 3_000, [13_000, -10_000])
    assert (owned(session, world), [line.refunded_quantity for line in all_of(session, OrderLine)]) == (
        {world.course},
        [0, 0],
    )
    agree(session, order)
    apply(session, order, replace(WON, movements=3))
    assert (order.refunded_minor, credited(session)) == (0, [13_000, -10_000, -3_000])
    agree(session, order)


def test_a_snapshot_that_knows_fewer_movements_undoes_nothing(session, order):
    apply(session, order, OPEN, WON, LOST, OPEN)
    assert (order.state, order.refunded_minor, order.disputed_at) == ("paid", 0, None)
    assert disputes_of(session) == ["disputed", "dispute_won"]


def test_without_movements_as_the_measure_an_older_snapshot_takes_the_money_again(session, order):
    """The negative control: each snapshot has as many movements."""
    apply(session, order, WON, replace(LOST, movements=2))
    assert (order.state, order.refunded_minor) == ("refunded", 13_000)


def test_a_free_line_beside_paid_ones_ends_with_them_and_comes_back_with_them(session, world):
    """P9: it has no share of the money, but the order is not refunded without it."""
    free = factories.course(session, factories.category(session, "free").id, "free", list_price=Decimal(0)).id
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(free))
    selling.pay(session, order)
    dispute = replace(LOST, amount_minor=order.total_minor, taken_minor=order.total_minor)
    apply(session, order, dispute)
    assert (order.state, owned(session, world)) == ("refunded", set())
    assert [line.ended_at is not None for line in all_of(session, OrderLine)] == [True, True]
    apply(session, order, replace(dispute, taken_minor=0, movements=2))
    assert (order.state, [line.refunded_quantity for line in all_of(session, OrderLine)]) == ("paid", [0, 0])
    agree(session, order)


def test_a_certificate_that_was_revoked_with_the_course_is_valid_again(session, world, order):
    enrolment = session.scalars(select(Enrolment)).one()
    certificate = factories.certificate(session, enrolment)
    apply(session, order, LOST)
    assert session.get_one(Certificate, certificate.id).revoked_reason == "refunded"
    apply(session, order, WON)
    restored = session.get_one(Certificate, certificate.id)
    assert (restored.revoked_at, restored.revoked_reason) == (None, "")


@dataclass(frozen=True)
class Lowered(selling.Pricing):
    """The voucher of an order is below the coupon `cart` of the whole cart."""

    cart: int = 0

    def _line(self, session, line):
        priced = super()._line(session, line)
        if priced.offer_step:
            return priced
        return replace(priced, offer_step="coupon", offer_id=self.cart, cart_code="CART")


def lowered(session, world, **about):
    """A paid order of a course below a line's code and a voucher below a coupon of the whole cart; the two coupons."""
    code, cart = (factories.coupon(session, name, **about) for name in ("SPRING1", "CART"))
    items = RequestedItem(world.course, coupon_id=code.id), RequestedItem(world.voucher)
    pricing = Lowered({world.course: code.id}, cart=cart.id)
    order = selling.buy(session, world.learner, *items, coupon_id=cart.id, pricing=pricing)
    selling.pay(session, order)
    return order, code, cart


def lose_and_win(session, order, *, between=lambda: None):
    lost = replace(LOST, amount_minor=order.total_minor, taken_minor=order.total_minor)
    apply(session, order, lost)
    between()
    apply(session, order, replace(lost, taken_minor=0, movements=2))
    back = session.scalars(select(OrderEvent).where(OrderEvent.kind == events.MONEY_BACK)).one()
    agree(session, order)
    return back.facts.get("not_given", [])


def uses_of(session, *coupons) -> list[int]:
    return [session.get_one(Coupon, coupon.id, populate_existing=True).uses for coupon in coupons]


@pytest.mark.each_database
def test_uses_of_coupons_count_again_after_a_won_appeal(session, world):
    order, code, cart = lowered(session, world)
    seen = []
    assert lose_and_win(session, order, between=lambda: seen.extend(uses_of(session, code, cart))) == []
    assert (seen, uses_of(session, code, cart)) == ([0, 0], [1, 1])
    rows = session.scalars(select(Reservation).where(Reservation.kind == "coupon")).all()
    assert {(row.order_id, row.state, row.expires_at) for row in rows} == {(order.id, "committed", None)}
    assert len(rows) == 2


def test_a_use_whose_limit_was_reached_meanwhile_stays_released_and_staff_read_it(session, world):
    order, code, cart = lowered(session, world, total_limit=1)

    def use_up() -> None:
        other = factories.learner(session, "Grace").id
        factories.coupon_use(session, code.id, other, expires_at=LATER + timedelta(days=1))
        code.uses = 1
        session.flush()

    text = "The use of the coupon SPRING does not count again: its limit was reached meanwhile."
    assert lose_and_win(session, order, between=use_up) == [text]
    assert uses_of(session, code, cart) == [1, 1]
    row = session.scalars(select(Outbox).where(Outbox.kind == "mail.dispute").order_by(Outbox.id.desc())).first()
    sent = mail.compose(session, Lease(row.id, row.kind, row.body, LATER, 1, "token"), SITE)
    rendered = mail_templates.render(sent.template, sent.values)
    assert f"given again, but for this:\n- {text}" in rendered.text
    assert f"<li>{text}</li>" in rendered.html


def test_no_other_refund_may_be_negative(session, order):
    apply(session, order, LOST)
    with pytest.raises(Exception, match="ck_refunds_amounts"):
        session.execute(Refund.__table__.update().values(amount_minor=-1, tax_minor=0))
