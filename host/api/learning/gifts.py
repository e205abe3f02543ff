"""Accepting a gift with the token of its mail."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from contracts.tasks import Topic
from domain.learning.gifts import claiming
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.learning.course_schemas import LearningLink
from host.learning.offers.gift_schemas import course_links
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies


class GiftToken(Strict):
    token: Annotated[str, Field(max_length=200)]


class ClaimedGift(BaseModel):
    """The courses that the learner has now."""

    courses: list[LearningLink]


@call("learning/gifts/claim", GiftToken, ClaimedGift, caller="learner", refusals=(404, 429))
async def claim(request: web.Request, body: GiftToken) -> ClaimedGift:
    """Accept a gift; the same learner again gets the same answer. 404, always the same, for a token that is wrong or
    used or whose gift was taken back; 403 with the reason for its giver, and for who has all of it already."""
    learner, at = request[request_keys.AUTH_SESSION], datetime.now(UTC)
    await policies.limit(request, *policies.LEARNING_CODES)
    courses = await request.app[DATABASE].write(claiming.claim, learner.learner_id, body.token, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return ClaimedGift(courses=course_links(courses))
