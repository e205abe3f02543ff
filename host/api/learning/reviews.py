"""A learner's own review of a course, and reports of the reviews of others."""

from datetime import UTC, datetime
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field

from domain.learning.reviews import moderation, writing
from domain.learning.reviews.moderation import MAX_REASON
from domain.learning.reviews.texts import MAX_TEXT, MAX_TITLE, ReviewDraft
from domain.learning.reviews.writing import ReviewOptions
from host.api.cart_schemas import OutcomeSchema, outcome
from host.api.fields import WHOLE, EmptyRequest, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.learning.review_schemas import CourseReview, course_review
from host.rate_limits import policies

# What is longer or no number of stars is refused by the rules, with a sentence for the field: the description names
# their limits, this bounds the work.
MAX_SENT = 20_000


def _text(max_length: int) -> Any:
    return Field(max_length=MAX_SENT, json_schema_extra={"maxLength": max_length})


class ReviewText(Strict):
    """`rating`: 1-5 stars. `title` and `text` are plain and may be empty."""

    rating: Annotated[int, Field(ge=0, le=9, json_schema_extra={"minimum": 1, "maximum": 5}), WHOLE]
    title: Annotated[str, _text(MAX_TITLE)] = ""
    text: Annotated[str, _text(MAX_TEXT)] = ""


class ReviewReport(Strict):
    """`reason` may be empty."""

    reason: Annotated[str, _text(MAX_REASON)] = ""


@call("learning/courses/{id}/review", ReviewText, CourseReview, method="PUT", caller="learner", refusals=(429,))
async def put_review(request: web.Request, body: ReviewText) -> CourseReview:
    """Write or change the learner's review of a course that they study; the same again changes nothing. 404 for a
    course that they never had, 403 with the reason while they cannot review it. Pages show it within two minutes."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    draft = ReviewDraft(body.rating, body.title, body.text)
    learner_id, course_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    at, db = datetime.now(UTC), request.app[DATABASE]
    own = await db.write(writing.put, learner_id, course_id, draft, at)
    return course_review(ReviewOptions(None, own))


@call("learning/courses/{id}/review", EmptyRequest, CourseReview, method="DELETE", caller="learner", refusals=(429,))
async def delete_review(request: web.Request, _body: EmptyRequest) -> CourseReview:
    """Delete the learner's review of a course; without one nothing is changed. 404 for a course they never had."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    learner_id, course_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    at, db = datetime.now(UTC), request.app[DATABASE]
    await db.write(writing.delete, learner_id, course_id, at)
    options = await db.read(writing.options, learner_id, course_id, at)
    return course_review(options or ReviewOptions(None, None))


@call("reviews/{id}/report", ReviewReport, OutcomeSchema, caller="learner", refusals=(429,))
async def report_review(request: web.Request, body: ReviewReport) -> OutcomeSchema:
    """Report a review that should not be shown. After reports of three learners of the course somebody looks at it
    first. 404 for a review that is not shown, 403 for the learner's own."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    learner_id, review_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    await request.app[DATABASE].write(moderation.report, review_id, learner_id, body.reason, datetime.now(UTC))
    return OutcomeSchema(**outcome(None))
