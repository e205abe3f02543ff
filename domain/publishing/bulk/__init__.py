"""One change of many courses or shop items: they are chosen, then changed one by one by a job, each by the rules of the
single change, and each row says what came of it."""

from domain.publishing.bulk.actions import BulkAction, start, undo
from domain.publishing.bulk.choice import MAX_IDS, MAX_ROWS, Choice, choose
from domain.publishing.bulk.job import KIND, steps
from domain.publishing.bulk.rest import choose_rest
from domain.publishing.bulk.views import BulkRow, BulkView, bulk_view, rows_of

__all__ = [
    "KIND",
    "MAX_IDS",
    "MAX_ROWS",
    "BulkAction",
    "BulkRow",
    "BulkView",
    "Choice",
    "bulk_view",
    "choose",
    "choose_rest",
    "rows_of",
    "start",
    "steps",
    "undo",
]
