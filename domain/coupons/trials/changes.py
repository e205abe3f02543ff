"""What staff do about a trial, recorded: start it and stop it."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.coupons.queries import special_offer
from domain.coupons.terms import Terms
from domain.coupons.trials.schedule import BLOCK_HOURS, HOUR, MAX_PAIRS, MIN_PAIRS, TrialPlan, plan_of
from domain.errors import InvalidInput, NotFound, Refused
from domain.tables import CouponTrial

UNKNOWN = "There is no such trial."
NO_OFFER = "There is no special offer now: create a coupon that is shown to everybody first."
BUSY = "Another trial runs or is planned: two at once could not be told apart. Stop it first, or wait for its end."
MAX_AHEAD = timedelta(days=90)
_SEED_BYTES = 16


@dataclass(frozen=True)
class TrialDraft:
    """`pairs`: of blocks of `block_hours` hours."""

    starts_at: datetime
    pairs: int
    block_hours: int

    def plan(self, seed: str) -> TrialPlan:
        return plan_of(self.starts_at, self.pairs, self.block_hours, seed)


def require_startable(session: Session, draft: TrialDraft, at: datetime) -> Terms:
    """The offer that a trial would be of. Raises InvalidInput, Refused."""
    problems: dict[str, str] = {}
    if draft.starts_at.replace(minute=0, second=0, microsecond=0) != draft.starts_at:
        problems["startsAt"] = "A trial begins at a whole hour: visits are counted by hours."
    elif not at <= draft.starts_at <= at + MAX_AHEAD:
        problems["startsAt"] = f"A trial begins within the next {MAX_AHEAD.days} days."
    if not MIN_PAIRS <= draft.pairs <= MAX_PAIRS:
        problems["pairs"] = f"A trial has {MIN_PAIRS} to {MAX_PAIRS} pairs of blocks."
    if draft.block_hours not in BLOCK_HOURS:
        problems["blockHours"] = f"A block has {', '.join(map(str, BLOCK_HOURS))} hours."
    if problems:
        raise InvalidInput(problems)
    offer = special_offer(session, at)
    if offer is None or offer.id is None:
        raise Refused(NO_OFFER)
    if _planned(session, at):
        raise Refused(BUSY)
    return offer


def _planned(session: Session, at: datetime) -> list[int]:
    """Trials that run or are planned. Locked, so that of two that are started at the same moment one is refused."""
    is_open = (CouponTrial.ends_at > at, CouponTrial.stopped_at.is_(None))
    return list(session.scalars(select(CouponTrial.id).where(*is_open).with_for_update()))


def start(session: Session, draft: TrialDraft, learner_id: int, at: datetime, reason: str = "") -> int:
    """The id of a new trial. For `Database.write_as`. Raises InvalidInput, Refused."""
    offer = require_startable(session, draft, at)
    plan = draft.plan(secrets.token_hex(_SEED_BYTES))
    trial = CouponTrial(
        coupon_id=offer.id,
        starts_at=plan.starts_at,
        ends_at=plan.ends_at,
        block_hours=plan.block_hours,
        seed=plan.seed,
        created_by=learner_id,
        created_at=at,
    )
    session.add(trial)
    session.flush()
    facts = {"coupon": offer.name, "starts": plan.starts_at, "ends": plan.ends_at, "blockHours": plan.block_hours}
    recording.record(session, "coupon_trial.start", Subject("coupon_trial", trial.id), after=facts, reason=reason)
    return trial.id


def stop(session: Session, trial_id: int, at: datetime, reason: str) -> bool:
    """Show the offer to everybody from now on; False when the trial is over already. For `Database.write_as`. Raises
    NotFound."""
    query = select(CouponTrial).where(CouponTrial.id == trial_id).with_for_update()
    trial = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if trial is None:
        raise NotFound(UNKNOWN)
    if trial.stopped_at is not None or trial.ends_at <= at:
        recording.no_change(session)
        return False
    trial.stopped_at = at
    subject = Subject("coupon_trial", trial.id)
    recording.record(session, "coupon_trial.stop", subject, after={"stopped": at}, reason=reason)
    return True


def usual_start(at: datetime, midnight: datetime) -> datetime:
    """The next local midnight, so that blocks are halves of days; where that is no whole hour the next whole hour."""
    whole = midnight.replace(minute=0, second=0, microsecond=0)
    return midnight if whole == midnight else at.replace(minute=0, second=0, microsecond=0) + HOUR
