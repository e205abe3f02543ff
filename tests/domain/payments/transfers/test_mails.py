"""Mails about a bank transfer: where it goes, what is missing, and nothing once it is here."""

import pytest

from adapters import mail_templates
from contracts.payloads import OrderItem, encode
from contracts.tasks import OutboxKind
from domain import mail
from domain.mail import MailSite
from domain.outbox.leases import Lease
from tests.domain.payments.transfers.world import BANK, awaited, book, entry
from tests.support.factories import NOON

SITE = MailSite("Meridian", "https://shop.example", "staff@shop.example", bank=BANK)
KINDS = (OutboxKind.TRANSFER_DUE, OutboxKind.TRANSFER_REMINDER, OutboxKind.TRANSFER_SHORT)


def composed(session, order, kind):
    lease = Lease(7, str(kind), encode(OrderItem(order_id=order.id)), NOON, 1, "token")
    return mail.compose(session, lease, SITE)


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_account_reference_amount_and_day_until_the_money_is_here(session, kind):
    found = awaited(session)
    book(session, found.job_id, entry(found.order, "50.00"))
    outgoing = composed(session, found.order, kind)
    rendered = mail_templates.render(outgoing.template, outgoing.values)
    reference = outgoing.values["transfer"]["reference"]
    for text in (
        "IBAN: DE89 3704 0044 0532 0130 00",
        f"Reference: {reference}",
        "Amount: $25.00",
        "By: March 15, 2026",
    ):
        assert text in rendered.text
    for text in (reference, "$25.00", "DE89 3704 0044 0532 0130 00"):
        assert text in rendered.html
    assert ("$50.00" in rendered.text) == (kind is OutboxKind.TRANSFER_SHORT)
    book(session, found.job_id, entry(found.order, "25.00"))
    assert composed(session, found.order, kind) is None
