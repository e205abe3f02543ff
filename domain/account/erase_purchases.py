"""Personal data of purchases, when an account is deleted. Invoices, and the addresses of their orders, stay."""

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from domain.tables import CheckoutDraft, Gift

# These are still mailed to their recipient.
UNCLAIMED = ("waiting", "sent")


def erase_purchases(session: Session, learner_id: int) -> None:
    session.execute(delete(CheckoutDraft).where(CheckoutDraft.learner_id == learner_id))
    session.execute(update(Gift).where(Gift.learner_id == learner_id).values(recipient_email="", message=""))
    is_settled = (Gift.giver_id == learner_id, Gift.order_line_id.is_not(None), Gift.state.not_in(UNCLAIMED))
    session.execute(update(Gift).where(*is_settled).values(recipient_email="", message=""))
