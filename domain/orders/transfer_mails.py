"""Mails about the bank transfer that an order waits for, to its buyer."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import OrderItem, decode
from contracts.tasks import OutboxKind
from domain.mail import Mail, MailSite, mail
from domain.orders import mails
from domain.orders.closing import awaits_transfer
from domain.orders.transfers import transfer_view
from domain.outbox.leases import Lease
from domain.tables import Order, Payment


@mail(
    *(OutboxKind.TRANSFER_DUE, OutboxKind.TRANSFER_REMINDER, OutboxKind.TRANSFER_SHORT), on_accepted=mails.record_sent
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
