"""What staff decide about entries that no rule could book: the order that one pays, money that was given back, and what
is nothing to the shop."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import money_text
from domain.errors import Conflict, InvalidInput, NotFound
from domain.orders import events, locks
from domain.orders.locks import OrderRef
from domain.orders.refunds import staff_limits
from domain.orders.refunds.staff_limits import Authority
from domain.orders.settings import Context
from domain.payments.transfers import booking, matching
from domain.payments.transfers.matching import Match, Outcome
from domain.tables import BankEntry, Order
from domain.tables.commerce.transfers import NOTE_LENGTH

MAX_WORDS = NOTE_LENGTH
UNKNOWN = "There is no such entry."
DECIDED = "Somebody has decided about this entry meanwhile. Load the page again."
# Whys of money that an order may still use.
ASSIGNABLE = ("unknown", "currency", "sum", "ended", "paid")
REFUSALS: dict[Outcome, str] = {
    "paid": "This order is paid already.",
    "unknown": "This order is not paid by bank transfer.",
    "currency": "The money is in another currency than the order.",
    "ended": "The order has ended, and this is less than it costs. Give the money back.",
}


def entry_of(session: Session, entry_id: int) -> BankEntry:
    """Raises NotFound."""
    entry = session.get(BankEntry, entry_id)
    if entry is None:
        raise NotFound(UNKNOWN)
    return entry


def can_assign(entry: BankEntry) -> bool:
    return entry.kind == "credit" and entry.state == "open" and entry.why in ASSIGNABLE


def can_return(entry: BankEntry) -> bool:
    return entry.kind == "credit" and entry.state in ("open", "part")


def can_ignore(entry: BankEntry) -> bool:
    """Money that an order has used in part has a rest that is owed."""
    return entry.state == "open" and entry.why != "more"


def preview(session: Session, entry_id: int, code: str, context: Context) -> list[str]:
    """What it does to take an entry for the money of this order, in sentences. Raises NotFound, Conflict,
    InvalidInput."""
    entry, ref = entry_of(session, entry_id), _ref(session, code)
    _require(can_assign(entry))
    order = session.get_one(Order, ref.id)
    found = _match(session, order, entry)
    currency = money.currency(order.currency)

    def text(minor: int) -> str:
        return money_text(minor, currency, context.settings.locale)

    if found.outcome == "part":
        return [
            f"{text(found.used_minor)} count for order {order.code}; it waits for {text(found.missing_minor)} more."
        ]
    left = entry.amount_minor - found.used_minor
    rest = [f"{text(left)} are left, and have to be given back."] if left else []
    return [f"Order {order.code} over {text(order.total_minor)} is paid, and what it is for begins.", *rest]


@dataclass(frozen=True)
class Assignment:
    """`code`: of the order that the entry `entry_id` pays; `reason`: why, in words."""

    entry_id: int
    code: str
    reason: str


def assign(session: Session, wanted: Assignment, authority: Authority, context: Context) -> Outcome:
    """Take an entry for the money of an order. For `Database.write_as`. Raises NotFound, Refused for somebody's own
    order, Conflict once somebody has decided, InvalidInput for an order that the money cannot pay."""
    words, ref = _words(wanted.reason), _ref(session, wanted.code)
    order = locks.lock_order(session, ref.learner_id, ref.id)
    staff_limits.require_other(authority, order)
    entry = _lock(session, wanted.entry_id)
    _require(can_assign(entry))
    # Its own money must not count twice.
    if entry.order_id == order.id and entry.why == "ended":
        entry.order_id = None
        session.flush()
    found = _match(session, order, entry)
    entry.note = words
    booking.use(session, order, entry, found, context)
    after = {"order": order.code, "amount_minor": entry.amount_minor}
    recording.record(session, "bank_entry.assign", Subject("bank_entry", entry.id), after=after, reason=words)
    return found.outcome


def note_returned(session: Session, entry_id: int, proof: str, authority: Authority, context: Context) -> None:
    """The money of an entry, or what is left of it, was given back. For `Database.write_as`. Raises NotFound, Refused,
    Conflict, InvalidInput without words."""
    words = _words(proof)
    order = _lock_order_of(session, entry_id)
    if order is not None:
        staff_limits.require_other(authority, order)
    entry = _lock(session, entry_id)
    _require(can_return(entry) and entry.order_id == (None if order is None else order.id))
    was_part = entry.state == "part"
    if was_part:
        entry.used_minor = 0
    entry.back_minor = entry.amount_minor - entry.used_minor
    entry.state, entry.why = ("used" if entry.used_minor else "returned"), ""
    entry.note, entry.changed_at = words, context.at
    session.flush()
    if order is not None and was_part:
        facts = {"amount_minor": entry.back_minor}
        events.append(session, order, "part_returned", authority.actor, context.at, facts)
    after = {"back_minor": entry.back_minor}
    recording.record(session, "bank_entry.return", Subject("bank_entry", entry.id), after=after, reason=words)


def ignore(session: Session, entry_id: int, reason: str, context: Context) -> None:
    """An entry is nothing to an order of the shop, or was dealt with elsewhere. For `Database.write_as`. Raises
    NotFound, Conflict, InvalidInput without words."""
    words, entry = _words(reason), _lock(session, entry_id)
    _require(can_ignore(entry))
    entry.state, entry.why, entry.note, entry.changed_at = "ignored", "", words, context.at
    session.flush()
    recording.record(session, "bank_entry.ignore", Subject("bank_entry", entry.id), reason=words)


def _match(session: Session, order: Order, entry: BankEntry) -> Match:
    """Raises InvalidInput for an order that the money cannot pay."""
    found = matching.match_order(session, order, entry.amount_minor, entry.currency)
    if found.outcome in REFUSALS:
        raise InvalidInput({"order": REFUSALS[found.outcome]})
    return found


def _ref(session: Session, code: str) -> OrderRef:
    try:
        return locks.ref_of(session, code.strip())
    except NotFound as error:
        raise InvalidInput({"order": str(error)}) from None


def _lock_order_of(session: Session, entry_id: int) -> Order | None:
    """The order is locked before its entries."""
    order_id = entry_of(session, entry_id).order_id
    return None if order_id is None else locks.lock_order(session, locks.learner_of(session, order_id), order_id)


def _lock(session: Session, entry_id: int) -> BankEntry:
    query = select(BankEntry).where(BankEntry.id == entry_id).with_for_update()
    entry = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if entry is None:
        raise NotFound(UNKNOWN)
    return entry


def _require(is_allowed: bool) -> None:
    if not is_allowed:
        raise Conflict(DECIDED)


def _words(text: str) -> str:
    words = " ".join(text.split())
    if not 0 < len(words) <= NOTE_LENGTH:
        raise InvalidInput({"reason": f"Say why, in at most {NOTE_LENGTH} characters."})
    return words
