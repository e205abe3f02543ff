"""Personal data of purchases, when an account is deleted. Invoices, and the addresses of their orders, stay."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from domain.learning.gifts import erasing
from domain.tables import CheckoutDraft, KnownAddress


def erase_purchases(session: Session, learner_id: int) -> None:
    session.execute(delete(CheckoutDraft).where(CheckoutDraft.learner_id == learner_id))
    session.execute(delete(KnownAddress).where(KnownAddress.learner_id == learner_id))
    erasing.erase_of_account(session, learner_id)
