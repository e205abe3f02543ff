"""How far the days that a report reads have been computed, for its page."""

from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.day_progress import ADVICE
from domain.reports.visit_reports.wording import empty_text
from host.reports.models import ReportProgressProps


def progress_of(answer: ReportAnswer) -> ReportProgressProps | None:
    """None: all of them."""
    found = answer.progress
    if found is None:
        return None
    return {"title": found.title, "text": found.text, "advice": ADVICE, "isBlank": bool(empty_text(answer))}
