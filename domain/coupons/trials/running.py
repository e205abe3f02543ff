"""The special offer as visitors see it: a trial shows and hides it by turns."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons import queries
from domain.coupons.terms import Terms
from domain.coupons.trials.schedule import TrialPlan
from domain.tables import CouponTrial

_PLANS = select(CouponTrial.starts_at, CouponTrial.ends_at, CouponTrial.block_hours, CouponTrial.seed)


def shown_offer(session: Session, at: datetime) -> Terms | None:
    """The special offer that every visitor sees now; None without one, and while a trial hides it."""
    offer = queries.special_offer(session, at)
    return None if offer is None or _is_hidden(session, at) else offer


def _is_hidden(session: Session, at: datetime) -> bool:
    """Typed codes stay valid meanwhile."""
    is_running = (CouponTrial.ends_at > at, CouponTrial.starts_at <= at, CouponTrial.stopped_at.is_(None))
    return any(not TrialPlan(*row).is_on(at) for row in session.execute(_PLANS.where(*is_running)))
