"""What a report says that has nothing to show, or that still lacks some of its days."""

from domain.display_text import day_text
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.day_progress import ADVICE
from host.reports.models import ReportProgressProps

AUDIENCE_TEXTS = {"people": "People", "suspected": "Suspected programs", "crawlers": "Crawlers"}


def empty_text(answer: ReportAnswer) -> str:
    """Why there is nothing to show, else "". Nothing is said to be nothing before it has been counted."""
    progress, text = answer.progress, _empty_text(answer)
    return progress.text if progress is not None and progress.is_partial and (text or progress.is_blank) else text


def _empty_text(answer: ReportAnswer) -> str:
    if answer.empty is not None:
        return answer.empty
    if answer.first_day is None:
        return "No day has been counted yet. The first figures appear a minute after the first visit."
    if answer.query.until < answer.first_day and answer.query.needs_files:
        return f"Filters reach back to {day_text(answer.first_day)}: choose later days, or remove filters."
    if answer.query.until < answer.first_day:
        return f"Visits are counted since {day_text(answer.first_day)}: choose later days."
    if answer.row_count == 0 and not answer.totals.get("visits"):
        who = AUDIENCE_TEXTS[answer.query.audience].lower()
        fitting = " that fit the filters" if answer.query.filters else ""
        return f"No visits of {who}{fitting} were counted in these days."
    return ""


def progress_of(answer: ReportAnswer) -> ReportProgressProps | None:
    """How far the days have been computed, None: all of them."""
    found = answer.progress
    if found is None:
        return None
    return {"title": found.title, "text": found.text, "advice": ADVICE, "isBlank": bool(empty_text(answer))}
