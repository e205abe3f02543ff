"""What calls and files of reports are refused with, where there is no answer yet."""

from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.figure_sources import ReportUnavailable
from host.http.problems import Problem
from host.reports.models import DaysComputed

# Days that wait are computed at least once a minute.
RETRY_AFTER = {"Retry-After": "60"}
BEING_COMPUTED = "being_computed"
UNAVAILABLE = "report_unavailable"


def unavailable(error: ReportUnavailable) -> Problem:
    """503: the worker that has the files does not answer, or they cannot be read."""
    return Problem(503, str(error), headers=RETRY_AFTER, code=UNAVAILABLE)


def being_computed(answer: ReportAnswer) -> Problem:
    """503: no day of a report has been computed yet. The member `progress` says how far that is."""
    detail = "" if answer.progress is None else answer.progress.sentence
    return Problem(503, detail, headers=RETRY_AFTER, code=BEING_COMPUTED, progress=days_computed(answer))


def days_computed(answer: ReportAnswer) -> DaysComputed | None:
    found = answer.progress
    if found is None:
        return None
    return {"computed": found.computed, "days": found.total, "waiting": list(found.waiting)}
