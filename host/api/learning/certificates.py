"""POST /api/learning/courses/{id}/certificate: the name on a learner's certificate."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import StringConstraints

from contracts.tasks import Topic
from domain.errors import NotFound, Refused
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates import issuing
from domain.learning.certificates.certificate_views import CertificateView
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem
from host.learning.certificate_schemas import CertificateCard
from host.learning.certificate_view import certificate_card
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

# The rule's own limit answers with words; this one only bounds the work.
MAX_TYPED = 1_000


class CertificateName(Strict):
    """`name`: as it shall stand on the certificate."""

    name: Annotated[str, StringConstraints(max_length=MAX_TYPED)]


@call("learning/courses/{id}/certificate", CertificateName, CertificateCard, caller="learner", refusals=(409, 429))
async def put_certificate_name(request: web.Request, body: CertificateName) -> CertificateCard:
    """Issue the certificate of a completed course that waits for a name, or correct its name once within 30 days: the
    code becomes another one. 404 without a completion, 409 for a second or a late correction."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    learner_id, course_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    at, settings = datetime.now(UTC), request.app[SETTINGS]
    db = request.app[DATABASE]
    try:
        await db.write(issuing.put_name, learner_id, course_id, body.name, at)
    except Refused as refusal:
        raise Problem(409, str(refusal)) from refusal
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    view: CertificateView | None = await db.read(certificate_reading.of_enrolment, learner_id, course_id, at)
    if view is None:
        raise NotFound("This course has no certificate for you yet.")
    return certificate_card(view, settings.site_origin, settings.site_name)
