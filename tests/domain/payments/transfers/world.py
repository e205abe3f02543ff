"""An organisation that orders seats by bank transfer, and what arrives on the account."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from sqlalchemy import select

from domain.audit import recording
from domain.bank_transfers.account import BankAccount
from domain.bank_transfers.references import reference_of
from domain.bank_transfers.statements import Statement, StatementEntry, keys_of
from domain.checkout import seat_purchase
from domain.checkout.placement import Placed
from domain.documents.issuer import Issuer
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.orders.refunds.staff_limits import Authority
from domain.orders.settings import Context, OrderSettings
from domain.payments.transfers import booking
from domain.permissions import Tenant
from domain.tables import BankEntry, Order, OrderEvent, Outbox, Payment
from tests.domain.seats.test_seat_orders import SELLS, TERMS, form
from tests.domain.seats.world import World, build
from tests.support import factories
from tests.support.factories import NOON

BANK = BankAccount("Meridian Learning", "DE89370400440532013000", "COBADEFFXXX")
SETTINGS = OrderSettings(issuer=Issuer("Meridian Learning"), bank=BANK)
CONTEXT = Context(NOON, SETTINGS)
# After the last day of an order that waits since NOON.
LATE = Context(NOON + timedelta(days=15), SETTINGS)
DAY = date(2026, 1, 12)


@dataclass(frozen=True)
class Awaited:
    """An order of three seats of 25.00, and the job that reads the statement."""

    order: Order
    world: World
    job_id: int


def awaited(session, name: str = "Olga Owner") -> Awaited:
    world = build(session, seats=1, **SELLS)
    return Awaited(placed(session, world, name), world, job(session))


def placed(session, world: World, name: str = "Olga Owner", **about) -> Order:
    buyer = factories.learner(session, name).id
    wanted = form(world, buyer, by_transfer=True, **about)
    result = seat_purchase.place_seats(session, Tenant(world.organisation), wanted, TERMS, CONTEXT)
    assert isinstance(result, Placed)
    assert result.payment_id is None
    return session.get_one(Order, result.order_id)


def job(session, key: str = "job") -> int:
    person = factories.learner(session, f"Fin {key}").id
    job_id = job_rows.start(session, NewJob("bank_statement", {}, key, person), NOON)
    # Nobody is to run it.
    job_rows.stop(session, job_id, ["bank_statement"], NOON)
    return job_id


def entry(order: Order | None, amount: str = "75.00", **about) -> StatementEntry:
    facts = {"kind": "credit", "booked_on": DAY, "currency": "USD", "payer": "Northwind"}
    text = "thanks" if order is None else f"Invoice {reference_of(order.code).lower()}"
    return StatementEntry(**{**facts, "text": text, "amount_minor": int(Decimal(amount) * 100), **about})


def book(session, job_id: int, *entries: StatementEntry, context: Context = CONTEXT):
    """The outcomes, of a statement with these entries."""
    keys = keys_of(Statement(BANK.iban, entries))
    actor = factories.actor(1, "finance")
    return [
        recording.run(session, actor, booking.book, found, key, job_id, context)
        for found, key in zip(entries, keys, strict=True)
    ]


def decide(session, fn, *args):
    return recording.run(session, factories.actor(1, "finance"), fn, *args)


def authority(learner_id: int = 1) -> Authority:
    return Authority(f"staff:{learner_id}", ("finance",), signed_in_recently=True)


def later(days: int) -> Context:
    return replace(CONTEXT, at=NOON + timedelta(days=days))


def entries(session) -> list[tuple[str, str, int, int, int]]:
    """(state, why, amount, used, back) of each."""
    rows = session.scalars(select(BankEntry).order_by(BankEntry.id).execution_options(populate_existing=True))
    return [(row.state, row.why, row.amount_minor, row.used_minor, row.back_minor) for row in rows]


def payment(session, order: Order) -> Payment:
    return session.scalars(select(Payment).where(Payment.order_id == order.id)).one()


def kinds(session, order: Order) -> list[str]:
    query = select(OrderEvent.kind).where(OrderEvent.order_id == order.id).order_by(OrderEvent.number)
    return list(session.scalars(query))


def mails(session) -> list[str]:
    query = select(Outbox.kind).where(Outbox.topic == "mail").order_by(Outbox.id)
    return [kind.partition(".")[2] for kind in session.scalars(query)]
