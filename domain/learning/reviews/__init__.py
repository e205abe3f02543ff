"""Reviews of courses by those who study them."""

from domain.learning.reviews.counting import update_ratings
from domain.learning.reviews.moderation import MAX_REASON, hide, list_pending, publish, report
from domain.learning.reviews.texts import MAX_TEXT, MAX_TITLE, ReviewDraft
from domain.learning.reviews.writing import OwnReview, ReviewOptions, delete, options, put

__all__ = [
    "MAX_REASON",
    "MAX_TEXT",
    "MAX_TITLE",
    "OwnReview",
    "ReviewDraft",
    "ReviewOptions",
    "delete",
    "hide",
    "list_pending",
    "options",
    "publish",
    "put",
    "report",
    "update_ratings",
]
