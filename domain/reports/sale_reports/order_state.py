"""Says with a report how far the days are computed that it is read from: those of paths of orders."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.display_text import count_text
from domain.reports.visit_reports.answers import ReportAnswer
from domain.tables import CreditRollup


def with_order_state(session: Session, answer: ReportAnswer, since: date, until: date) -> ReportAnswer:
    """The answer with a note where some of these days, both included, are to be computed again."""
    in_span = (CreditRollup.day >= since, CreditRollup.day <= until)
    is_changed = (CreditRollup.built_at.is_not(None), CreditRollup.dirty_at.is_not(None))
    last_built = session.scalar(select(func.max(CreditRollup.built_at)).where(*in_span))
    waiting = session.scalar(select(func.count()).select_from(CreditRollup).where(*in_span, *is_changed)) or 0
    built = [at for at in (answer.built_at, last_built) if at is not None]
    return replace(answer, built_at=min(built, default=None), notes=[*answer.notes, *_notes(waiting)])


def _notes(waiting: int) -> Sequence[str]:
    if not waiting:
        return ()
    days = "1 day" if waiting == 1 else f"{count_text(waiting)} days"
    return [f"What led to the orders of {days} is to be computed again; the figures may change within minutes."]
