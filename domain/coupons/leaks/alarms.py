"""What staff do about an alarm, recorded: pause the code, replace it by a new one, or dismiss the alarm."""

from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.coupons import changes
from domain.coupons.changes import CouponAuthor
from domain.coupons.create import random_code
from domain.coupons.queries import code_columns
from domain.errors import InvalidInput, NotFound, Refused
from domain.tables import Coupon, CouponAlarm, CouponProduct

MAX_REASON = 500
UNKNOWN = "There is no such alarm."
# Terms that a code and the one that replaces it do not share.
_OWN = {"total_limit", "state"}
_SHARED = tuple(name for name in changes.TERMS if name not in _OWN)


@dataclass(frozen=True)
class AlarmDecision:
    """Who decides about the alarm `id`, and why."""

    id: int
    learner_id: int
    author: CouponAuthor
    reason: str


def pause(session: Session, decision: AlarmDecision) -> bool:
    """Pause the code; False when somebody has decided already. For `Database.write_as`. Raises NotFound, Refused and
    InvalidInput."""
    alarm = _lock(session, decision)
    if alarm.state != "open":
        recording.no_change(session)
        return False
    changes.change_state(session, alarm.coupon_id, "pause", decision.author, decision.reason)
    _decide(session, alarm, decision, "paused")
    return True


def dismiss(session: Session, decision: AlarmDecision) -> bool:
    """It is no leak; False when somebody has decided already. For `Database.write_as`. Raises as `pause`."""
    alarm = _lock(session, decision)
    if alarm.state != "open":
        recording.no_change(session)
        return False
    _decide(session, alarm, decision, "dismissed")
    return True


def replace(session: Session, decision: AlarmDecision) -> str | None:
    """End the code, and create one of the same terms with what is left of its limit; the new code. None when somebody
    has decided already. For `Database.write_as`. Raises as `pause`."""
    alarm = _lock(session, decision)
    if alarm.state != "open":
        recording.no_change(session)
        return None
    coupon = changes.lock_coupon(session, alarm.coupon_id)
    code = _copy(session, coupon, decision)
    changes.change_state(session, coupon.id, "end", decision.author, decision.reason)
    _decide(session, alarm, decision, "replaced")
    return code


def _copy(session: Session, coupon: Coupon, decision: AlarmDecision) -> str:
    left = None if coupon.total_limit is None else coupon.total_limit - coupon.uses
    if left is not None and left < 1:
        raise Refused("Nothing of its limit is left: pause it instead.")
    changes.require_coupon(session, coupon, decision.author)
    code = random_code(coupon.display_code.partition("-")[0][:32])
    terms = {name: getattr(coupon, name) for name in _SHARED}
    created = {"state": "active", "created_at": decision.author.at}
    row = Coupon(**terms, **code_columns(code), **created, total_limit=left, uses=0)
    session.add(row)
    session.flush()
    products = session.scalars(select(CouponProduct.product_id).where(CouponProduct.coupon_id == coupon.id)).all()
    if products:
        session.execute(insert(CouponProduct), [{"coupon_id": row.id, "product_id": product} for product in products])
    changes.record_creation(session, row, decision.reason)
    return code


def _lock(session: Session, decision: AlarmDecision) -> CouponAlarm:
    reason = decision.reason.strip()
    if not 0 < len(reason) <= MAX_REASON:
        raise InvalidInput({"reason": f"Give a reason in at most {MAX_REASON} characters."})
    query = select(CouponAlarm).where(CouponAlarm.id == decision.id).with_for_update()
    alarm = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if alarm is None:
        raise NotFound(UNKNOWN)
    return alarm


def _decide(session: Session, alarm: CouponAlarm, decision: AlarmDecision, state: str) -> None:
    former, alarm.state = alarm.state, state
    alarm.decided_by, alarm.decided_at, alarm.reason = decision.learner_id, decision.author.at, decision.reason.strip()
    subject = Subject("coupon_alarm", alarm.id)
    recording.record(
        session,
        "coupon_alarm.decide",
        subject,
        before={"state": former},
        after={"state": state},
        reason=decision.reason,
    )
