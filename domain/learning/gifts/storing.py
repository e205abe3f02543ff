"""Gifts as purchases and staff make them, and as refunds take them back."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import bundles, grants
from domain.learning.gifts import erasing, sending
from domain.learning.gifts.tokens import valid_until
from domain.learning.grants import GrantSource, Opened
from domain.tables import Gift, Learner, Order, OrderLine
from domain.text_direction import isolated

WAITING, SENT, CLAIMED, RETURNED = "waiting", "sent", "claimed", "returned"


@dataclass(frozen=True)
class StaffGift:
    """What a member of staff gives to a learner, and why."""

    giver_id: int
    product_id: int
    reason: str


def store_for_line(session: Session, order: Order, line: OrderLine, at: datetime) -> None:
    """Store the gift of a paid line, for the address in `line.gift`, and its mail; a second call changes nothing."""
    about = line.gift
    if about is None or line.product_id is None or _of_line(session, line.id) is not None:
        return
    send_at = datetime.fromisoformat(about["send_at"]) if about.get("send_at") else at
    gift = Gift(
        order_line_id=line.id,
        product_id=line.product_id,
        giver_id=order.learner_id,
        recipient_email=about["recipient_email"],
        message=about.get("message", ""),
        send_at=send_at,
        state=WAITING,
    )
    session.add(gift)
    session.flush()
    sending.enqueue(session, gift)


def return_of_line(session: Session, line_id: int, at: datetime, reason: str) -> None:
    """The line was refunded: the gift can no longer be claimed, and gives no access any more."""
    gift = _of_line(session, line_id)
    if gift is None:
        return
    gift.state = RETURNED
    session.flush()
    # Who claims locks the gift alone: on MariaDB the snapshot of this transaction may not have that grant.
    claimed = () if gift.learner_id is None else _opened(session, gift, gift.learner_id)
    grants.end(session, GrantSource("gift", gift.id), at, reason, also=claimed)
    erasing.erase_if_giver_left(session, gift)


def give_line_again(session: Session, line: OrderLine, at: datetime) -> Iterator[str]:
    """After `return_of_line`, because its money came back: the gift is where it was before, with its link, its mail to
    come, or the courses of whoever has accepted it. Yields, in a sentence for staff, why that cannot be."""
    gift = _of_line(session, line.id)
    if gift is None or gift.state != RETURNED:
        return
    name = isolated(line.name)
    if gift.learner_id is not None:
        if session.scalars(select(Learner.issuer).where(Learner.id == gift.learner_id)).one() == "":
            yield f"The gift of {name} is not given again: whoever accepted it has deleted their account."
            return
        gift.state = CLAIMED
        session.flush()
        ids = bundles.course_ids(session, gift.product_id)
        grants.grant(session, gift.learner_id, ids, GrantSource("gift", gift.id), at, is_renewed=True)
    elif gift.token is not None:
        gift.state = SENT
        if at >= valid_until(gift.send_at):
            yield f"The link of the gift of {name} has ended meanwhile: give it to its recipient another way."
    elif not gift.recipient_email:
        yield f"The gift of {name} is not given again: the address of its recipient was erased."
    else:
        gift.state = WAITING
        # The mail of a day to come is still on its way.
        if gift.send_at <= at:
            gift.send_at = at
            sending.enqueue(session, gift)
    session.flush()


def give_by_staff(
    session: Session, learner: Learner, staff_gift: StaffGift, at: datetime, *, is_mailed: bool = True
) -> int:
    """Open the product's courses to a learner at once; the gift's id. `is_mailed`: by a mail with the reason."""
    gift = Gift(
        product_id=staff_gift.product_id,
        giver_id=staff_gift.giver_id,
        recipient_email=learner.email,
        message=staff_gift.reason,
        send_at=at,
        state=CLAIMED,
        learner_id=learner.id,
        claimed_at=at,
    )
    session.add(gift)
    session.flush()
    course_ids = bundles.course_ids(session, staff_gift.product_id)
    source = GrantSource("gift", gift.id)
    grants.grant(session, learner.id, course_ids, source, at)
    if is_mailed:
        grants.enqueue_mail(session, source, at)
    return gift.id


def _opened(session: Session, gift: Gift, learner_id: int) -> list[Opened]:
    return [Opened(learner_id, course_id) for course_id in bundles.course_ids(session, gift.product_id)]


def _of_line(session: Session, line_id: int) -> Gift | None:
    newest = select(Gift).where(Gift.order_line_id == line_id).with_for_update()
    return session.scalar(newest.execution_options(populate_existing=True))
