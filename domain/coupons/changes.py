"""What staff and commands change about coupons: recorded, and within the limits of who does it.

Nothing else creates a coupon or changes the state of one: calls, commands, jobs and alarms all come here.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.coupons.create import CouponDraft, create, create_batch
from domain.coupons.queries import normalised
from domain.coupons.reach import Reach, lowest_price, reach_of_coupon, reach_of_draft
from domain.display_text import percent_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.permissions import Role
from domain.tables import Coupon

UNKNOWN = "There is no such coupon."
# The role whose coupons may take off more than COUPON_MAX_PERCENT.
UNLIMITED_ROLE = "administrator"
# The columns that no rule reads, and those of the code itself.
_OTHER = {"id", "code", "display_code", "uses", "batch_id", "created_at"}
TERMS = tuple(column.key for column in Coupon.__table__.c if column.key not in _OTHER)
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

    @classmethod
    def of_command(cls, at: datetime) -> "CouponAuthor":
        """Whoever may run commands may give away everything anyway."""
        return cls((UNLIMITED_ROLE,), 100, at)

    def refusal(self, session: Session, kind: str, value: Decimal, reach: Reach) -> str | None:
        """Why this person may not put such a coupon into use; None when they may.

        An amount is measured by the cheapest product that the coupon applies to, at its price of now: of every other
        one it takes off a smaller share.
        """
        if UNLIMITED_ROLE in self.roles:
            return None
        most = f"Take off at most {percent_text(self.max_percent)}"
        if kind == "percent":
            return None if value <= self.max_percent else f"{most}, or ask an administrator."
        lowest = lowest_price(session, reach, self.at)
        if lowest is None:
            return "It applies to nothing that has a price. Take off a percentage, or ask an administrator."
        if value * 100 <= lowest * self.max_percent:
            return None
        return f"{most} of the cheapest product that it applies to ({_plain(lowest)}), or ask an administrator."


def _plain(price: Decimal) -> str:
    """With two decimals, or with as many as the price has."""
    cents = price.quantize(Decimal("0.01"))
    return f"{cents if cents == price else price.normalize():f}"


def actions_of(state: str) -> list[Action]:
    """What can be done with a coupon in this state."""
    return [action for action in ACTIONS if state in _TRANSITIONS[action][0]]


def create_as_staff(session: Session, code: str, draft: CouponDraft, author: CouponAuthor, reason: str = "") -> int:
    """The id of a new coupon, recorded. Raises InvalidInput, Refused for a code that exists already."""
    require_draft(session, draft, author)
    try:
        coupon = create(session, code, draft, author.at)
    except NotFound as error:
        raise InvalidInput({"form": str(error)}) from None
    record_creation(session, coupon, reason)
    return coupon.id


def require_draft(session: Session, draft: CouponDraft, author: CouponAuthor) -> None:
    """Raises InvalidInput for terms that this person may not put into use, or that name what there is not."""
    try:
        reach = reach_of_draft(session, draft)
    except NotFound as error:
        raise InvalidInput({"form": str(error)}) from None
    if (refusal := author.refusal(session, draft.kind, draft.value, reach)) is not None:
        raise InvalidInput({"value": refusal})


def require_coupon(session: Session, coupon: Coupon, author: CouponAuthor) -> None:
    """Raises Refused for a coupon that this person may not put into use."""
    refusal = author.refusal(session, coupon.kind, coupon.value, reach_of_coupon(session, coupon))
    if refusal is not None:
        raise Refused(refusal)


def record_creation(session: Session, coupon: Coupon, reason: str) -> None:
    recording.record(session, "coupon.create", Subject("coupon", coupon.id), after=terms_of(coupon), reason=reason)


def create_codes(session: Session, number: int, prefix: str, draft: CouponDraft, author: CouponAuthor) -> list[str]:
    """New random codes with the same terms, all in this transaction, as one event. For `Database.write_as`. Raises
    InvalidInput, NotFound."""
    require_draft(session, draft, author)
    codes = create_batch(session, number, prefix, draft, author.at)
    subject = Subject("campaign", draft.campaign or prefix)
    terms = {row.name: getattr(draft, row.name) for row in fields(draft) if row.name != "currency"}
    recording.record(session, "coupon_batch.create", subject, after={"codes": len(codes), **terms})
    return codes


def change_state(session: Session, coupon_id: int, action: Action, author: CouponAuthor, reason: str) -> bool:
    """Pause, resume or end a coupon, recorded; False when it is in that state already. What is reserved or ordered with
    it stays. Raises NotFound, Refused."""
    is_changed = _change(session, lock_coupon(session, coupon_id), action, author, reason)
    if not is_changed:
        recording.no_change(session)
    return is_changed


@dataclass(frozen=True)
class ChangedCoupons:
    """`number`: coupons that are in the wanted state now. `left`: those of the campaign from whose state nothing leads
    there, such as ended ones."""

    number: int
    left: int


def change_states(
    session: Session, code_or_campaign: str, action: Action, author: CouponAuthor, reason: str
) -> ChangedCoupons:
    """Pause, resume or end the coupon with a code and those of a campaign, each recorded. For `Database.write_as`.
    Raises NotFound for neither, and Refused where nothing leads to that state or this person may not do it."""
    named = (Coupon.code == normalised(code_or_campaign)) | (Coupon.campaign == code_or_campaign.strip())
    query = select(Coupon).where(named).order_by(Coupon.id).with_for_update()
    found = session.scalars(query, execution_options={"populate_existing": True}).all()
    if not found:
        raise NotFound(f"There is no coupon and no campaign {code_or_campaign}.")
    sources, target = _TRANSITIONS[action]
    able = [coupon for coupon in found if coupon.state in (*sources, target)]
    if not able:
        raise Refused(_refusal_of(found[0].state))
    recording.no_change(session)
    for coupon in able:
        _change(session, coupon, action, author, reason)
    return ChangedCoupons(len(able), len(found) - len(able))


def _change(session: Session, coupon: Coupon, action: Action, author: CouponAuthor, reason: str) -> bool:
    sources, target = _TRANSITIONS[action]
    if coupon.state == target:
        return False
    if coupon.state not in sources:
        raise Refused(_refusal_of(coupon.state))
    if target == "active":
        require_coupon(session, coupon, author)
    former, coupon.state = coupon.state, target
    subject, now = Subject("coupon", coupon.id), {"state": coupon.state}
    recording.record(session, f"coupon.{action}", subject, before={"state": former}, after=now, reason=reason)
    return True


def _refusal_of(state: str) -> str:
    return f"A coupon that is {state} cannot do this."


def lock_coupon(session: Session, coupon_id: int) -> Coupon:
    """Raises NotFound."""
    query = select(Coupon).where(Coupon.id == coupon_id).with_for_update()
    coupon = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if coupon is None:
        raise NotFound(UNKNOWN)
    return coupon


def terms_of(coupon: Coupon) -> dict[str, object]:
    """What is recorded of a new coupon."""
    return {"code": coupon.display_code, **{name: getattr(coupon, name) for name in TERMS}}
