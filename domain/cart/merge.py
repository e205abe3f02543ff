"""Merges a guest's cart into the learner's, with a result for every line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from domain.cart.cart_coupon import cart_of, set_cart_coupon
from domain.cart.lines import AddResult, add_all
from domain.cart.owners import Owner, RequestedLine
from domain.text_direction import isolated


@dataclass(frozen=True)
class Merged:
    """added: new in the cart; kept: it was there, with the larger quantity now; refused: `message` says why."""

    id: int
    outcome: Literal["added", "kept", "refused"]
    message: str = ""


def merge(
    session: Session, learner_id: int, lines: Sequence[RequestedLine], guest: str | None, at: datetime
) -> list[Merged]:
    """One result per line, in their order. The guest's coupon is taken over if the learner's cart has none.

    A second call with the same lines changes nothing.
    """
    results = add_all(session, learner_id, lines, at)
    if guest is not None:
        _transfer_coupon(session, learner_id, guest, at)
    return [_merged_line(line, result) for line, result in zip(lines, results, strict=True)]


def _merged_line(line: RequestedLine, result: AddResult) -> Merged:
    if result.refusal is not None:
        return Merged(line.id, "refused", result.refusal)
    fewer = f"Only {result.quantity} of {isolated(result.name)} are left." if result.is_short else ""
    return Merged(line.id, "kept" if result.was_in_cart else "added", fewer)


def _transfer_coupon(session: Session, learner_id: int, guest: str, at: datetime) -> None:
    guest_cart = cart_of(session, Owner(guest_key=guest), at)
    if guest_cart is None:
        return
    own = cart_of(session, Owner(learner_id), at)
    if guest_cart.coupon_id is not None and (own is None or own.coupon_id is None):
        set_cart_coupon(session, Owner(learner_id), guest_cart.coupon_id, at)
    session.delete(guest_cart)
    session.flush()
