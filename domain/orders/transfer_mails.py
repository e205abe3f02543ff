"""Mails about the bank transfer that an order waits for, to its buyer."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import OrderItem, decode
from contracts.tasks import OutboxKind
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.orders import mails
from domain.orders.closing import awaits_transfer
from domain.orders.transfers import transfer_view
from domain.outbox.leases import Lease
from domain.tables import Order, Payment


def _example(case: ExampleCase) -> Values:
    holder = {"label": "Account holder", "text": case.site.name}
    transfer = {
        "account": [holder, {"label": "IBAN", "text": "DE89 3704 0044 0532 0130 00"}],
        "reference": "RF84 7QX4 M2KD 9P7Q X4M2 KD9P",
        "due": case.amount(24_900),
        "received": "" if case.is_bare else case.amount(9_900),
        "until": case.day(3),
    }
    return {**mails.order_example(case), "transfer": transfer}


@mail(
    "Buyer",
    {
        OutboxKind.TRANSFER_DUE: "An order is placed that is paid by bank transfer.",
        OutboxKind.TRANSFER_REMINDER: "The money of a bank transfer is not here some days before the end.",
        OutboxKind.TRANSFER_SHORT: "A bank transfer was less than the order.",
    },
    example=_example,
    on_accepted=mails.record_sent,
)
def about_transfer(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None once the order is paid or has ended: then nothing is to be transferred."""
    order, found = session.get(Order, decode(OrderItem, lease.body).order_id), mails.about_order(session, lease, site)
    if order is None or found is None:
        return None
    payments = list(session.scalars(select(Payment).where(Payment.order_id == order.id)))
    view = transfer_view(session, order, payments, site.bank, site.locale)
    if view is None or not awaits_transfer(order, payments):
        return None
    transfer = {
        "account": [{"label": label, "text": text} for label, text in view.account],
        "reference": view.reference,
        "due": view.due_text,
        "received": view.received_text if view.received else "",
        "until": view.until_text,
    }
    return Mail(found.to, {**found.values, "transfer": transfer})
