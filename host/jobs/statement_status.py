"""A statement of the bank as its page and its calls show it."""

from datetime import datetime

from pydantic import BaseModel

from domain import money
from domain.display_text import money_text
from domain.jobs.job_rows import JobState, JobView
from domain.payments.transfers.matching import Outcome

# In the order in which they are listed: of a check, and of what was done.
COUNTS: dict[Outcome, str] = {
    "settled": "Pay an order",
    "more": "Pay an order, with a rest to give back",
    "part": "Less than their order: it waits for the rest",
    "unknown": "Without a reference that we know",
    "paid": "For an order that is paid already",
    "ended": "For an order that has ended",
    "currency": "In another currency than their details or order",
    "sum": "With details of another amount",
    "reversed": "Money that its bank took back",
    "noted": "Debits, which need nothing",
    "known": "Known from an earlier file",
}
# What books something, or waits for somebody.
NEW = frozenset(COUNTS) - {"known"}


class StatementCount(BaseModel):
    label: str
    count: int


class StatementStatus(BaseModel):
    """`processed` of `total` entries; null before they are known. `counts`: of entries by what they do, `sums`: of what
    pays orders, in words. `canBook`: a check that is done has found something new."""

    id: int
    name: str
    uploadId: int
    isCheck: bool
    state: JobState
    processed: int
    total: int | None
    rate: float | None
    counts: list[StatementCount]
    sums: list[str]
    skipped: int
    canBook: bool
    error: str | None


def statement_status(view: JobView, at: datetime, locale: str) -> StatementStatus:
    report, is_check = view.report, bool(view.input["is_check"])
    outcomes: dict[Outcome, int] = report.get("outcomes", {})
    return StatementStatus(
        id=view.id,
        name=str(view.input["name"]),
        uploadId=int(view.input["upload_id"]),
        isCheck=is_check,
        state=view.state,
        processed=view.processed,
        total=view.total,
        rate=view.rate(at),
        counts=[StatementCount(label=text, count=outcomes[name]) for name, text in COUNTS.items() if name in outcomes],
        sums=[money_text(minor, money.currency(code), locale) for code, minor in report.get("sums", {}).items()],
        skipped=int(report.get("skipped", 0)),
        canBook=is_check and view.state == "done" and any(outcomes.get(name) for name in NEW),
        error=report.get("error"),
    )
