"""What staff change about coupons in their area: recorded, and within the limits of their roles."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import audit
from domain.audit import Subject
from domain.coupons.create import CouponDraft, create
from domain.errors import InvalidInput, NotFound, Refused
from domain.permissions import Role
from domain.tables import Coupon

UNKNOWN = "There is no such coupon."
# The role whose coupons may take off more than COUPON_MAX_PERCENT.
UNLIMITED_ROLE = "administrator"
Action = Literal["pause", "resume", "end"]
ACTIONS: tuple[Action, ...] = get_args(Action)
# Action -> the states from which it leads, and the state to which.
_TRANSITIONS: Mapping[Action, tuple[tuple[str, ...], str]] = {
    "pause": (("active",), "paused"),
    "resume": (("draft", "paused"), "active"),
    "end": (("draft", "active", "paused"), "ended"),
}


@dataclass(frozen=True)
class CouponAuthor:
    """`max_percent`: COUPON_MAX_PERCENT. `at`: when they act."""

    roles: Collection[Role]
    max_percent: int
    at: datetime

    def percent_refusal(self, kind: str, value: Decimal) -> str | None:
        """Why this person may not put such a coupon into use; None when they may."""
        if kind != "percent" or value <= self.max_percent or UNLIMITED_ROLE in self.roles:
            return None
        return f"Take off at most {self.max_percent} percent, or ask an administrator."


def actions_of(state: str) -> list[Action]:
    """What can be done with a coupon in this state."""
    return [action for action in ACTIONS if state in _TRANSITIONS[action][0]]


def create_as_staff(session: Session, code: str, draft: CouponDraft, author: CouponAuthor, reason: str = "") -> int:
    """The id of a new coupon, recorded. Raises InvalidInput, Refused for a code that exists already."""
    if (refusal := author.percent_refusal(draft.kind, draft.value)) is not None:
        raise InvalidInput({"value": refusal})
    try:
        coupon = create(session, code, draft, author.at)
    except NotFound as error:
        raise InvalidInput({"form": str(error)}) from None
    subject = Subject("coupon", coupon.id)
    audit.record(session, "coupon.create", subject, after=terms_of(coupon), reason=reason)
    return coupon.id


def change_state(session: Session, coupon_id: int, action: Action, author: CouponAuthor, reason: str) -> bool:
    """Pause, resume or end a coupon, recorded; False when it is in that state already. What is reserved or ordered with
    it stays. Raises NotFound, Refused."""
    coupon = lock_coupon(session, coupon_id)
    before, target = _TRANSITIONS[action]
    if coupon.state == target:
        audit.no_change(session)
        return False
    if coupon.state not in before:
        raise Refused(f"A coupon that is {coupon.state} cannot do this.")
    if target == "active" and (refusal := author.percent_refusal(coupon.kind, coupon.value)) is not None:
        raise Refused(refusal)
    former, coupon.state = coupon.state, target
    _record_state(session, action, coupon, former, reason)
    return True


def lock_coupon(session: Session, coupon_id: int) -> Coupon:
    """Raises NotFound."""
    query = select(Coupon).where(Coupon.id == coupon_id).with_for_update()
    coupon = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if coupon is None:
        raise NotFound(UNKNOWN)
    return coupon


def _record_state(session: Session, action: Action, coupon: Coupon, former: str, reason: str) -> None:
    subject, now = Subject("coupon", coupon.id), {"state": coupon.state}
    audit.record(session, f"coupon.{action}", subject, before={"state": former}, after=now, reason=reason)


def terms_of(coupon: Coupon) -> dict[str, object]:
    """What is recorded of a new coupon."""
    names = ("kind", "value", "minimum", "applies_to", "starts_at", "ends_at", "total_limit", "learner_limit")
    return {"code": coupon.display_code, **{name: getattr(coupon, name) for name in (*names, "campaign", "state")}}
