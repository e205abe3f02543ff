"""Removes what identifies a person from orders and their documents: amounts, numbers, places of tax and events stay.

The email address of an erased order is empty, which no other order's is.
"""

from copy import deepcopy
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session, aliased

from domain.documents.body import Body, digest_of
from domain.documents.e_invoice import STRUCTURED
from domain.tables import BankEntry, Document, Order, OrderLine, Refund

# A transaction that erases more would make others wait.
ERASE_BATCH = 100
ERASED = "(erased)"


def years_before(at: datetime, years: int) -> datetime:
    """So many years earlier on the same day and at the same time; for 29 February on the 28th."""
    day = 28 if (at.month, at.day) == (2, 29) else at.day
    return at.replace(year=at.year - years, day=day)


def erase_old(session: Session, before: datetime) -> int:
    """Erase at most ERASE_BATCH orders whose last document was issued before that time. Returns their number."""
    newer = aliased(Document)
    is_over = ~select(newer.id).where(newer.order_id == Order.id, newer.issued_at >= before).exists()
    # The year is in the index; the time is not.
    is_old = (Document.kind == "invoice", Document.year <= before.year, Document.issued_at < before)
    query = select(Order).join(Document, Document.order_id == Order.id).where(*is_old, Order.email_key != "", is_over)
    orders = session.scalars(query.order_by(Order.id).limit(ERASE_BATCH).with_for_update(of=Order)).all()
    for order in orders:
        erase_order(session, order)
        for document in session.scalars(select(Document).where(Document.order_id == order.id)):
            document.body = without_person(document.body)
            document.digest = digest_of(document.body)
    session.flush()
    return len(orders)


def erase_order(session: Session, order: Order) -> None:
    """Without its documents. The order is locked."""
    order.email = order.email_key = ""
    order.purchase_order = order.purchase_order_key = ""
    order.billing = country_of(order.billing)
    order.delivery = None if order.delivery is None else country_of(order.delivery)
    order.quote = without_vat_id(order.quote)
    for line in session.scalars(select(OrderLine).where(OrderLine.order_id == order.id)):
        line.gift = gift_without_person(line.gift)
    has_words = or_(Refund.note != "", Refund.answer != "")
    for refund in session.scalars(select(Refund).where(Refund.order_id == order.id, has_words)):
        refund.note = ""
        # That something was answered says what was not given back.
        refund.answer = refund.answer and ERASED
    session.execute(update(BankEntry).where(BankEntry.order_id == order.id).values(payer="", text=""))
    session.flush()


def gift_without_person(gift: dict[str, Any] | None) -> dict[str, Any] | None:
    """The gift of a line; None for a line that is none."""
    return None if gift is None else {"recipient_email": "", "message": "", "send_at": gift.get("send_at")}


def without_vat_id(quote: dict[str, Any]) -> dict[str, Any]:
    """The document of a price without the VAT id of the buyer."""
    if not (quote.get("inputs", {}).get("tax") or {}).get("buyer_vat_id"):
        return quote
    erased = deepcopy(quote)
    erased["inputs"]["tax"]["buyer_vat_id"] = ERASED
    return erased


def country_of(address: dict[str, Any]) -> dict[str, Any]:
    return {name: address[name] for name in ("country",) if name in address}


def without_person(body: Body) -> Body:
    """The body of a document without who bought."""
    vat_id = body["buyer"]["vat_id"]
    notes = [note.replace(vat_id, ERASED) if vat_id else note for note in body["notes"]]
    buyer = {"number": "", "address": [], "email": "", "vat_id": ""}
    kept = {name: value for name, value in body.items() if name not in ("delivery_latin", "purchase_order", STRUCTURED)}
    return {**kept, "buyer": buyer, "delivery": None if body["delivery"] is None else [], "notes": notes}
