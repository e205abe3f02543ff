"""What identifies people leaves gifts when their accounts are deleted."""

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.documents import erasure
from domain.tables import Gift, Learner, OrderLine

# These are still mailed to their recipient, or wait for them: what was paid for is not lost with the giver's account.
UNSETTLED = ("waiting", "sent")


def erase_of_account(session: Session, learner_id: int) -> None:
    """Address and message leave the gifts that a person received, and those that they gave and that are settled."""
    is_given = (Gift.giver_id == learner_id) & Gift.order_line_id.is_not(None) & Gift.state.not_in(UNSETTLED)
    own = select(Gift).where(or_(Gift.learner_id == learner_id, is_given)).order_by(Gift.id)
    for gift in session.scalars(own).all():
        erase(session, gift)


def erase_if_giver_left(session: Session, gift: Gift) -> None:
    """After a gift was settled: nobody needs its address and message if its giver has deleted their account."""
    # No other learner has an empty issuer: domain/account/anonymise.py empties it.
    if session.scalars(select(Learner.issuer).where(Learner.id == gift.giver_id)).one() == "":
        erase(session, gift)


def erase(session: Session, gift: Gift) -> None:
    """Also in the line of the order that it was bought with."""
    gift.recipient_email = gift.message = ""
    line = None if gift.order_line_id is None else session.get(OrderLine, gift.order_line_id)
    if line is not None:
        line.gift = erasure.gift_without_person(line.gift)
    session.flush()
