"""Enrolling in a free course by one press: the call, and what the plain form of the course's page ends in."""

from datetime import UTC, datetime

from aiohttp import web
from pydantic import BaseModel

from contracts.tasks import Topic
from domain.checkout import free_enrolment
from domain.checkout.free_enrolment import Enrolled
from domain.errors import Refused
from domain.identity.sessions import AuthSession
from domain.learning.addresses import begin_href
from domain.orders.settings import Context
from host.api.fields import Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies


class EnrolRequest(Strict):
    """`course`: its id."""

    course: Id


class EnrolledCourse(BaseModel):
    """`redirect`: where the learner begins. `isNew` False: the learner had it already."""

    redirect: str
    isNew: bool


@call("enrol", EnrolRequest, EnrolledCourse, caller="learner", refusals=(404, 409, 429, 503))
async def enrol(request: web.Request, body: EnrolRequest) -> EnrolledCourse:
    """Enrol in a free course, without a cart or a form. 409 for what is no course, what costs something, and
    what this learner cannot have, 404 for an account that was deleted meanwhile. Repeating the call changes nothing."""
    try:
        enrolled = await enrol_learner(request, request[request_keys.AUTH_SESSION], body.course)
    except Refused as refusal:
        raise Problem(409, str(refusal)) from refusal
    return EnrolledCourse(redirect=begin_href([enrolled.slug]), isNew=enrolled.is_new)


async def enrol_learner(request: web.Request, auth: AuthSession, course_id: int) -> Enrolled:
    """Raises Refused, RateLimited, ServiceUnavailable."""
    app = request.app
    await policies.limit(request, *policies.CHECKOUTS, learner=auth)
    shop, context = app[SETTINGS].shop, Context(datetime.now(UTC), app[SETTINGS].orders)
    enrolled = await app[DATABASE].write(free_enrolment.enrol, auth.learner_id, course_id, shop, context)
    # The mail is in the outbox already: waking only saves waiting.
    app[OUTBOX_WAKER].wake(Topic.MAIL)
    return enrolled
