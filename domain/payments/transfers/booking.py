"""Books entries of statements: an entry is stored once, whatever files have it, and pays its order in the transaction
that stores it.

The learner and the order are locked before anything else is read; the unique key of the entry decides between two
statements that are booked at once.
"""

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.bank_transfers.statements import StatementEntry
from domain.database.database import affected_rows
from domain.orders import events, locks, notices
from domain.orders.settings import Context
from domain.payments import late_payments, returned_money
from domain.payments.transfers import matching
from domain.payments.transfers.matching import Match, Outcome
from domain.tables import BankEntry, Order, Payment


def book(session: Session, entry: StatementEntry, key: str, job_id: int, context: Context) -> Outcome:
    """Store an entry that this job has read, and do what follows, recorded; one that is known changes nothing. For
    `Database.write_as`."""
    recording.no_change(session)
    found = matching.match(session, entry)
    order = None if found.order_id is None else _lock(session, found.order_id)
    if order is not None:
        # Somebody else may have paid or ended the order before the lock.
        found = matching.match(session, entry)
    if matching.is_known(session, key):
        return "known"
    try:
        with session.begin_nested():
            row = _insert(session, entry, key, job_id, context)
    except IntegrityError:
        return "known"
    if found.outcome == "noted":
        row.state, row.why = "noted", ""
    elif found.outcome == "reversed":
        _take_back(session, row, entry, order, context)
    elif order is None or found.outcome not in ("settled", "more", "part"):
        row.state, row.why, row.order_id = "open", found.outcome, found.order_id
    else:
        use(session, order, row, found, context)
    session.flush()
    return found.outcome


def _lock(session: Session, order_id: int) -> Order:
    return locks.lock_order(session, locks.learner_of(session, order_id), order_id)


def _insert(session: Session, entry: StatementEntry, key: str, job_id: int, context: Context) -> BankEntry:
    about = {**vars(entry), "key": key, "job_id": job_id}
    times = {"created_at": context.at, "changed_at": context.at}
    row = BankEntry(**about, **times, state="open", why="unknown", used_minor=0, back_minor=0, note="")
    session.add(row)
    session.flush()
    return row


def use(session: Session, order: Order, row: BankEntry, found: Match, context: Context) -> None:
    """Count the money of an entry for its locked order: the order is paid when all of it is here."""
    row.order_id, row.used_minor, row.changed_at = order.id, found.used_minor, context.at
    if found.outcome == "part":
        row.state, row.why = "part", "less"
        facts = {"amount_minor": found.used_minor, "due_minor": found.missing_minor}
        events.append(session, order, "part_paid", events.SYSTEM, context.at, facts)
        notices.mail_order(session, OutboxKind.TRANSFER_SHORT, order, context.at)
        _record(session, order, row, "bank_entry.part")
        return
    # What is left of the last entry is given back.
    row.state, row.why = ("open", "more") if found.outcome == "more" else ("used", "")
    session.flush()
    _use_parts(session, order, row, context)
    _settle(session, order, context)
    _record(session, order, row, "bank_entry.settle")


def _use_parts(session: Session, order: Order, row: BankEntry, context: Context) -> None:
    """What came before counts too: the parts, and what came for an order that had ended."""
    others = update(BankEntry).where(BankEntry.order_id == order.id, BankEntry.id != row.id)
    left = BankEntry.amount_minor - BankEntry.back_minor
    used = {"state": "used", "why": "", "used_minor": left, "changed_at": context.at}
    affected_rows(session, others.where(BankEntry.state == "part").values(**used))
    affected_rows(session, others.where(*matching.IS_ENDED).values(**used))


def _settle(session: Session, order: Order, context: Context) -> None:
    """The money buys the order, also after its end while everything is there; else staff give it back."""
    payment = session.scalars(
        select(Payment).where(Payment.id == _payment(session, order).id).with_for_update(),
        execution_options={"populate_existing": True},
    ).one()
    # The statement is the bank's word: there is nothing to compare it with later.
    payment.state, payment.paid_at, payment.reconciled_at = "paid", context.at, context.at
    session.flush()
    if late_payments.settle(session, order, payment, context):
        returned_money.refund_owned_lines(session, order, payment, context)


def _payment(session: Session, order: Order) -> Payment:
    payment = matching.payment_of(session, order.id)
    if payment is None:
        raise AssertionError(f"order {order.code} waits for no bank transfer")
    return payment


def _take_back(session: Session, row: BankEntry, entry: StatementEntry, order: Order | None, context: Context) -> None:
    """The bank has taken money back. What has bought nothing yet is simply not there any more; an order that it has
    paid stays as it is, until somebody decides about it."""
    taken = matching.reversed_entry(session, entry)
    row.state, row.why, row.order_id = "open", "reversed", None if order is None else order.id
    if taken is None:
        return
    if order is not None:
        facts = {"amount_minor": entry.amount_minor}
        events.append(session, order, "transfer_reversed", events.SYSTEM, context.at, facts)
    # Somebody may decide about it now.
    session.refresh(taken, with_for_update=True)
    if taken.state in matching.CLOSED:
        return
    if taken.state == "part" or not taken.used_minor:
        taken.state, taken.why, taken.used_minor = "returned", "", 0
        taken.back_minor, taken.changed_at = taken.amount_minor, context.at
        taken.note = "Its bank took it back."
        row.state, row.why = "noted", ""


def _record(session: Session, order: Order, row: BankEntry, action: str) -> None:
    after = {"entry": row.id, "amount_minor": row.amount_minor, "used_minor": row.used_minor}
    recording.record(session, action, Subject("order", order.code), after=after)
