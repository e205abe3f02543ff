"""Mails about orders: each kind of outbox row has one, as text and as HTML, with what its receiver needs."""

import re
from dataclasses import replace
from html import unescape

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.payloads import FindingItem, OrderItem, RefundItem, encode
from contracts.tasks import OutboxKind
from domain import mail
from domain.checkout.priced import RequestedItem
from domain.mail import MailSite
from domain.orders import events, mails
from domain.outbox.leases import Lease
from domain.tables import Order, OrderEvent, PaymentFinding, Refund, VoucherCode
from tests.domain.orders import selling
from tests.support.factories import NOON

SITE = MailSite("Meridian & Co", "https://shop.example", "staff@shop.example")
# Kinds of mails about orders, by who gets them and what their payload names.
ABOUT = {kind: found.compose for kind, found in mail.mails().items() if found.compose.__module__ == mails.__name__}
ABOUT_REFUND = {kind for kind, made_by in ABOUT.items() if made_by in (mails.about_refund, mails.about_refund_to_staff)}
TO_BUYER = sorted(kind for kind, made_by in ABOUT.items() if made_by in (mails.about_order, mails.about_refund))
TO_STAFF = sorted({*ABOUT} - {*TO_BUYER})
URL = re.compile(r"https?://[^\s\"<]+")


@pytest.fixture
def order(session) -> Order:
    """A paid order of two vouchers, of which a refund of 90.00 is requested, with a finding about it."""
    world = selling.fill(session)
    order = selling.buy(session, world.learner, RequestedItem(world.voucher, 2))
    order.billing = {"name": "Ada <b>\nBcc: x@example.test", "country": "US"}
    selling.pay(session, order)
    columns = {"state": "requested", "reason": "request", "note": "", "actor": "learner", "tax_minor": 0}
    session.add(
        Refund(order_id=order.id, number=1, key="k", amount_minor=9000, requested_at=NOON, changed_at=NOON, **columns)
    )
    about = {"dispute": "dp_1", "amount_minor": 4500, "taken_minor": 0}
    events.append(session, order, "disputed", events.GATEWAY, NOON, about)
    session.add(PaymentFinding(kind="amount", gateway_id="ch_1", order_id=order.id, detected_at=NOON))
    session.flush()
    return order


def lease_of(session, order, kind) -> Lease:
    body = encode(OrderItem(order_id=order.id))
    if kind in ABOUT_REFUND:
        body = encode(RefundItem(refund_id=session.query(Refund).one().id))
    if kind is OutboxKind.FINDING:
        body = encode(FindingItem(finding_id=session.query(PaymentFinding).one().id))
    return Lease(7, str(kind), body, NOON, 1, "token")


def composed(session, order, kind, site=SITE):
    """The mail and what its templates make of it."""
    outgoing = mail.compose(session, lease_of(session, order, kind), site)
    return outgoing, mail_templates.render(outgoing.template, outgoing.values)


def sentences(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<body>")[2])).split())


def test_the_timeline_of_an_order_has_words_for_every_mail_that_it_records():
    recording = (mails.record_sent, mails.record_refund_mail)
    recorded = {kind for kind, declared in mail.mails().items() if declared.options.on_accepted in recording}
    assert set(mails.TIMELINE_TEXTS) == recorded


@pytest.mark.parametrize("kind", TO_BUYER)
def test_the_buyer_gets_one_mail_in_two_forms_at_the_orders_address(session, order, kind):
    outgoing, rendered = composed(session, order, kind)
    assert (outgoing.number, outgoing.to) == (7, "ada-lovelace@example.test")
    assert order.code in rendered.subject
    assert "\n" not in rendered.subject
    assert rendered.text.startswith("Hello Ada <b> Bcc: x@example.test,\n\n")
    assert ("$90.00" in rendered.text) == (kind in ABOUT_REFUND)
    shown = sentences(rendered.html)
    told = [line for line in rendered.text.splitlines() if line.endswith((".", ","))]
    assert len(told) >= 2
    assert [line for line in told if " ".join(line.split()) not in shown] == []


@pytest.mark.parametrize("kind", sorted(ABOUT))
def test_what_people_typed_is_escaped_and_links_have_no_secret(session, order, kind):
    _, rendered = composed(session, order, kind)
    assert "<b>" not in rendered.html
    link = f"https://shop.example/login?returnTo=/order/{order.code}"
    allowed = {SITE.origin, link, f"{SITE.origin}/refund-grievance-policy"}
    assert {*URL.findall(rendered.text), *URL.findall(rendered.html)} <= allowed
    assert "<script" not in rendered.html
    assert "src=" not in rendered.html


def test_the_mail_of_a_paid_order_lists_its_lines_and_names_its_invoice(session, order):
    _, rendered = composed(session, order, OutboxKind.ORDER_PAID)
    codes = "".join(f"  Code: {row.code}\n" for row in session.query(VoucherCode))
    assert f".\n\n2 x The Voucher: $180.00\n{codes}Total: $180.00\n\nSee your order: " in rendered.text
    assert "Invoice 2026-000001 is with your order." in " ".join(rendered.text.split())
    assert "$180.00" in rendered.html


def test_the_mail_of_a_refund_of_nothing_promises_no_money(session, order):
    session.query(Refund).one().amount_minor = 0
    _, mail_of_refund = composed(session, order, OutboxKind.REFUND_ACCEPTED)
    assert "nothing is paid back" in mail_of_refund.text
    assert "refunded" not in mail_of_refund.text


def test_only_the_mail_of_a_paid_order_has_its_voucher_codes(session, order):
    codes = [row.code for row in session.query(VoucherCode)]
    assert len(codes) == 2
    for kind in ABOUT:
        _, rendered = composed(session, order, kind)
        for text in (rendered.text, rendered.html):
            assert [code for code in codes if code in text] == (codes if kind is OutboxKind.ORDER_PAID else [])


@pytest.mark.parametrize("kind", TO_STAFF)
def test_staff_are_told_at_their_address_or_not_at_all(session, order, kind):
    outgoing, rendered = composed(session, order, kind)
    assert (outgoing.to, order.code in rendered.text, "Voucher" in rendered.text) == (SITE.staff_email, True, False)
    nobody = MailSite("Meridian", "https://shop.example", "")
    assert mail.compose(session, lease_of(session, order, kind), nobody) is None


@pytest.mark.parametrize(
    ("state", "said"),
    [("placed", "stays reserved until March 1, 2026 at 12:00\N{NO-BREAK SPACE}PM UTC"), ("expired", "order again")],
)
def test_a_failed_payment_says_until_when_to_pay_in_another_way(session, order, state, said):
    order.state, order.reserved_until = state, NOON
    _, rendered = composed(session, order, OutboxKind.PAYMENT_FAILED)
    assert said in rendered.text
    assert said in rendered.html


def test_amounts_and_days_are_written_as_the_shop_writes_them(session, order):
    order.state, order.reserved_until = "placed", NOON
    german = replace(SITE, locale="de-DE")
    _, paid = composed(session, order, OutboxKind.ORDER_PAID, german)
    assert "Total: 180,00\N{NO-BREAK SPACE}$\n" in paid.text
    _, failed = composed(session, order, OutboxKind.PAYMENT_FAILED, german)
    assert "stays reserved until 1. März 2026 um 12:00 UTC" in failed.text


@pytest.mark.each_database
def test_a_sent_mail_is_an_event_of_the_order_once(session, order):
    assert [kind for kind in TO_STAFF if mail.mails()[kind].options.on_accepted is not None] == []
    for kind in (OutboxKind.ORDER_PAID, OutboxKind.ORDER_PAID, OutboxKind.REFUND_ACCEPTED):
        record = mail.mails()[kind].options.on_accepted
        record(session, replace(lease_of(session, order, kind), id=7 + (kind in ABOUT_REFUND)), NOON)
    sent = session.scalars(select(OrderEvent.facts).where(OrderEvent.kind == mails.MAIL_SENT)).all()
    assert sent == [{"mail": "mail.order_paid", "outbox": 7}, {"mail": "mail.refund_accepted", "outbox": 8}]


def test_a_finding_without_an_order_names_the_transaction_and_how_many_are_open(session, order):
    finding = session.query(PaymentFinding).one()
    finding.kind, finding.order_id = "orphan", None
    about = {"dispute": "dp_1", "amount_minor": 4500, "taken_minor": 0}
    events.append(session, order, "disputed", events.GATEWAY, NOON, about)
    session.add(PaymentFinding(kind="amount", gateway_id="ch_2", order_id=None, detected_at=NOON))
    _, rendered = composed_of_finding(session, finding)
    assert rendered.subject == "Payments: the reconciliation found 2 differences"
    for text in (rendered.text, sentences(rendered.html)):
        assert "The gateway has ch_1 for no order of this shop." in text
        assert "orders show" not in text
    session.query(PaymentFinding).update({"resolved_at": NOON})
    assert mail.compose(session, lease_of_finding(finding), SITE) is None


def lease_of_finding(finding) -> Lease:
    return Lease(7, str(OutboxKind.FINDING), encode(FindingItem(finding_id=finding.id)), NOON, 1, "token")


def composed_of_finding(session, finding):
    outgoing = mail.compose(session, lease_of_finding(finding), SITE)
    return outgoing, mail_templates.render(outgoing.template, outgoing.values)


def test_nothing_is_written_about_an_order_that_is_gone(session, order):
    assert mail.compose(session, Lease(7, "mail.finding", {"finding_id": 0, "v": 1}, NOON, 1, "token"), SITE) is None
    body = encode(OrderItem(order_id=order.id + 1))
    lease = Lease(7, "mail.order_paid", body, NOON, 1, "token")
    assert mail.compose(session, lease, SITE) is None
    mails.record_sent(session, lease, NOON)


@pytest.mark.parametrize(
    ("kind", "taken", "said"),
    [
        ("disputed", 0, "$45.00 of it is disputed. Respond at the gateway before its deadline."),
        ("dispute_appealed", 4500, "The bank is asked again. Until it decides, it has $45.00."),
        ("dispute_closed", 2000, "The bank has taken $20.00 of the disputed $45.00: it is booked."),
        ("dispute_won", 0, "The bank has taken nothing of the disputed $45.00, or given all back."),
    ],
)
def test_staff_are_told_what_the_newest_change_of_a_dispute_is(session, order, kind, taken, said):
    facts = {"dispute": "dp_1", "amount_minor": 4500, "taken_minor": taken}
    events.append(session, order, kind, events.GATEWAY, NOON, facts)
    _, rendered = composed(session, order, OutboxKind.DISPUTE)
    assert said in rendered.text
    assert said in unescape(rendered.html)
