"""Personal data of purchases, when an account is deleted. Invoices, and the addresses of their orders, stay."""

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain.learning.gifts import erasing
from domain.tables import CheckoutDraft, KnownAddress, Order, OrderParcel


def erase_purchases(session: Session, learner_id: int) -> None:
    session.execute(delete(CheckoutDraft).where(CheckoutDraft.learner_id == learner_id))
    session.execute(delete(KnownAddress).where(KnownAddress.learner_id == learner_id))
    # A carrier tells whoever has the number where the parcel went.
    of_learner = OrderParcel.order_id.in_(select(Order.id).where(Order.learner_id == learner_id))
    session.execute(update(OrderParcel).where(of_learner, OrderParcel.tracking != "").values(tracking=""))
    erasing.erase_of_account(session, learner_id)
