"""A batch of coupons as a job: as many codes as one transaction makes quickly a step, and the file of all of them,
which is handed out once."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.coupons.changes import CouponAuthor, require_draft
from domain.coupons.create import CouponDraft, check_batch, create_batch
from domain.database.list_page import ListSource
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.jobs import job_rows
from domain.jobs.claims import Claim, JobStep
from domain.jobs.job_rows import JobView, NewJob
from domain.jobs.listing import JobRow, jobs_of_kind
from domain.tables import Coupon, Job

KIND = "coupon_batch"
STEP = 500
BATCHES: ListSource[JobRow] = jobs_of_kind(KIND)
TAKEN = "The file of this batch was taken before. It is handed out once; the list of coupons has the codes."


@dataclass(frozen=True)
class NewBatch:
    """`number` codes with the terms of `draft`, which begin with `prefix`. `key`: of the form; the same one makes one
    batch."""

    number: int
    prefix: str
    draft: CouponDraft
    key: str


def start_as_staff(session: Session, new: NewBatch, learner_id: int, author: CouponAuthor, reason: str) -> int:
    """The id of the job, recorded. For `Database.write_as`. Raises InvalidInput."""
    require_draft(session, new.draft, author)
    try:
        check_batch(session, new.number, new.prefix, new.draft, author.at)
    except NotFound as error:
        raise InvalidInput({"form": str(error)}) from None
    name = f"{count_text(new.number)} codes {new.prefix.strip('-').upper()}".strip()
    about = {
        "name": name,
        "number": new.number,
        "prefix": new.prefix,
        "draft": draft_as_json(new.draft),
        "reason": reason,
    }
    return job_rows.start_as_staff(session, NewJob(KIND, about, new.key, learner_id), author.at)


def steps(claim: Claim, at: datetime) -> Iterator[JobStep]:
    """Each step makes the next codes; `processed` are made."""
    number, prefix = int(claim.input["number"]), str(claim.input["prefix"])
    draft = draft_of_json(claim.input["draft"])

    def make(size: int, session: Session) -> Mapping[str, Any]:
        create_batch(session, size, prefix, draft, at, batch_id=claim.id)
        return claim.report

    for done in range(claim.processed, number, STEP):
        size = min(STEP, number - done)
        yield JobStep(partial(make, size), done + size, number)


def take_codes(session: Session, batch_id: int, key: str, at: datetime) -> list[str]:
    """All codes of a batch that is done, recorded: once, and again for the same `key`, as an answer may get lost. For
    `Database.write_as`. Raises NotFound, Refused."""
    batch = _lock(session, batch_id)
    if batch.state != "done":
        raise Refused("The codes are not all made yet.")
    if batch.report.get("taken_at") and batch.report.get("taken_key") != key:
        raise Refused(TAKEN)
    report = {**batch.report, "taken_at": at.isoformat(), "taken_key": key}
    session.execute(update(Job).where(Job.id == batch_id).values(report=report))
    codes = list(session.scalars(select(Coupon.display_code).where(Coupon.batch_id == batch_id).order_by(Coupon.id)))
    recording.record(session, "coupon_batch.take", Subject("job", batch_id), after={"codes": len(codes)})
    return codes


def batch(session: Session, batch_id: int) -> JobView:
    """Raises NotFound."""
    return job_rows.job_view(session, batch_id, (KIND,))


def _lock(session: Session, batch_id: int) -> Job:
    query = select(Job).where(Job.id == batch_id, Job.kind == KIND).with_for_update()
    row = session.scalars(query, execution_options={"populate_existing": True}).one_or_none()
    if row is None:
        raise NotFound("There is no such batch.")
    return row


def draft_as_json(draft: CouponDraft) -> dict[str, Any]:
    texts = {"value": str(draft.value), "minimum": str(draft.minimum), "currency": draft.currency.code}
    times = {
        name: None if (at := getattr(draft, name)) is None else at.isoformat() for name in ("starts_at", "ends_at")
    }
    return {**asdict(draft), **texts, **times, "products": list(draft.products)}


def draft_of_json(values: Mapping[str, Any]) -> CouponDraft:
    read: dict[str, Any] = {
        **{name: datetime.fromisoformat(values[name]) if values[name] else None for name in ("starts_at", "ends_at")},
        **{name: Decimal(values[name]) for name in ("value", "minimum")},
        "currency": money.currency(values["currency"]),
        "products": tuple(values["products"]),
        # A batch that an earlier build began has none, and takes an amount off each unit.
        "once_per_order": values.get("once_per_order", False),
    }
    return CouponDraft(**{**values, **read})
