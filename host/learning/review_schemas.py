"""JSON models of a learner's own review of a course."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from domain.learning.reviews import writing
from domain.learning.reviews.writing import ReviewOptions


class OwnReview(BaseModel):
    """`author`: how pages name its author. `editedAt`: when it was changed last; else null. `hiddenReason`: why it is
    not shown, in words, "" unless it is hidden. pending: somebody looks at it first."""

    id: int
    rating: int
    title: str
    text: str
    state: Literal["published", "pending", "hidden"]
    author: str
    reviewedAt: datetime
    editedAt: datetime | None
    hiddenReason: str


class CourseReview(BaseModel):
    """`refusal`: why the learner cannot write or change a review now; null when they can. `own` null: they have written
    none."""

    refusal: str | None
    own: OwnReview | None


def course_review(options: ReviewOptions) -> CourseReview:
    return CourseReview(refusal=options.refusal, own=None if options.own is None else own_review(options.own))


def own_review(review: writing.OwnReview) -> OwnReview:
    return OwnReview(
        id=review.id,
        rating=review.rating,
        title=review.title,
        text=review.text,
        state=review.state,
        author=review.author,
        reviewedAt=review.reviewed_at,
        editedAt=review.edited_at,
        hiddenReason=review.hidden_reason,
    )
