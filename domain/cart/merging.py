"""What a guest put together joins the learner's cart: a union, line by line, nothing silent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from domain.cart.guests import cart_of, keep_coupon
from domain.cart.lines import Put, put_all
from domain.cart.owners import Owner, Wanted


@dataclass(frozen=True)
class Merged:
    """added: new in the cart; kept: it was there, the larger quantity stands; refused: `message` says why."""

    id: int
    outcome: Literal["added", "kept", "refused"]
    message: str = ""


def merge(session: Session, learner_id: int, lines: Sequence[Wanted], guest: str | None, at: datetime) -> list[Merged]:
    """One answer for each line, in their order. The guest's coupon comes along when the learner has none.

    A second time with the same lines changes nothing.
    """
    done = put_all(session, learner_id, lines, at)
    if guest is not None:
        _take_coupon(session, learner_id, guest, at)
    return [_merged(line, put) for line, put in zip(lines, done, strict=True)]


def _merged(line: Wanted, put: Put) -> Merged:
    if put.refusal is not None:
        return Merged(line.id, "refused", put.refusal)
    fewer = f"Only {put.quantity} of {put.name} are left." if put.quantity < line.quantity else ""
    return Merged(line.id, "kept" if put.was_there else "added", fewer)


def _take_coupon(session: Session, learner_id: int, guest: str, at: datetime) -> None:
    theirs = cart_of(session, Owner(guest=guest), at)
    if theirs is None:
        return
    own = cart_of(session, Owner(learner_id), at)
    if theirs.coupon_id is not None and (own is None or own.coupon_id is None):
        keep_coupon(session, Owner(learner_id), theirs.coupon_id, at)
    session.delete(theirs)
    session.flush()
