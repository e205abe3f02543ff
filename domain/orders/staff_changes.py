"""What staff change about an order beside its money, in their area and by commands, each recorded in the audit.

All functions are for `Database.write_as`. `actor`: as in order events.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, Refused
from domain.orders import expiry, shipping
from domain.orders.expiry import DueOrder
from domain.orders.locks import OrderRef
from domain.orders.settings import Context
from domain.orders.shipping import MAX_CARRIER, MAX_TRACKING, PackedUnits, Parcel
from domain.tables import Order


def cancel(session: Session, ref: OrderRef, actor: str, context: Context, *, reason: str = "") -> bool:
    """Cancel an order that is placed and not paid; False when it is neither any more."""
    is_cancelled = expiry.cancel(session, DueOrder(ref.id, ref.learner_id), "cancel", actor, context)
    if is_cancelled:
        recording.record(session, "order.cancel", _subject(session, ref), reason=reason)
    else:
        recording.no_change(session)
    return is_cancelled


def ship(session: Session, ref: OrderRef, actor: str, at: datetime, parcel: Parcel | None = None) -> list[PackedUnits]:
    """Raises Refused, InvalidInput."""
    checked = _checked(parcel or Parcel())
    lines = shipping.ship(session, ref, actor, at, checked)
    recording.record(session, "order.ship", _subject(session, ref), after=_facts(lines, checked))
    return lines


def correct_parcel(session: Session, ref: OrderRef, actor: str, at: datetime, parcel: Parcel) -> list[PackedUnits]:
    """Raises Refused, InvalidInput."""
    checked = _checked(parcel)
    lines = shipping.correct_parcel(session, ref, actor, at, checked)
    recording.record(session, "order.correct_parcel", _subject(session, ref), after=_facts(lines, checked))
    return lines


def deliver(session: Session, ref: OrderRef, actor: str, at: datetime, number: int | None = None) -> list[PackedUnits]:
    """Raises Refused."""
    lines = shipping.deliver(session, ref, actor, at, number)
    recording.record(session, "order.deliver", _subject(session, ref), after={"lines": [line.number for line in lines]})
    return lines


def use_voucher(session: Session, ref: OrderRef, code: str, actor: str, at: datetime) -> None:
    """Raises NotFound for a code that nobody has, Refused for that of another order and for one that cannot be used."""
    if shipping.ref_of_voucher(session, code).id != ref.id:
        raise Refused("This code belongs to another order.")
    shipping.use_voucher(session, ref, code, actor, at)
    recording.record(session, "order.use_voucher", _subject(session, ref))


def _checked(parcel: Parcel) -> Parcel:
    """On one line each. Raises InvalidInput for what is too long."""
    carrier, tracking = " ".join(parcel.carrier.split()), " ".join(parcel.tracking.split())
    wrong = {
        name: f"At most {most} characters."
        for name, text, most in (("carrier", carrier, MAX_CARRIER), ("tracking", tracking, MAX_TRACKING))
        if len(text) > most
    }
    if wrong:
        raise InvalidInput(wrong)
    return replace(parcel, carrier=carrier, tracking=tracking)


def _subject(session: Session, ref: OrderRef) -> Subject:
    return Subject("order", session.get_one(Order, ref.id).code)


def _facts(lines: Sequence[PackedUnits], parcel: Parcel) -> dict[str, object]:
    units = {str(line.number): line.quantity for line in lines}
    return {"units": units, "carrier": parcel.carrier or None, "tracking": parcel.tracking or None}
