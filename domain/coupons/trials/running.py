"""The trial that shows or hides the special offer now."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.trials.schedule import TrialPlan
from domain.tables import CouponTrial

_PLANS = select(CouponTrial.starts_at, CouponTrial.ends_at, CouponTrial.block_hours, CouponTrial.seed)


def is_offer_hidden(session: Session, at: datetime) -> bool:
    """Whether a trial hides the special offer at this moment. Typed codes stay valid."""
    is_running = (CouponTrial.ends_at > at, CouponTrial.starts_at <= at, CouponTrial.stopped_at.is_(None))
    return any(not TrialPlan(*row).is_on(at) for row in session.execute(_PLANS.where(*is_running)))
