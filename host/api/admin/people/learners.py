"""Calls about a learner's courses and memberships. What ends sessions is in host/identity/account/by_staff.py."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from domain.display_text import day_text
from domain.learning.certificates.revoking import Reason as PublicReason
from domain.permissions import Permission
from domain.support.learners import account, courses
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys

# The oldest sign-in for calls that take away what cannot be given back.
MAX_AUTH_AGE_S = 600
# Characters of a typed name: the rule's own limit answers with words.
MAX_TYPED = 1_000
Number = Annotated[str, Field(pattern="^[0-9]{1,15}$")]


class Enrol(Strict):
    """`product`: slug of a course or a bundle, `course:` or `item:` before it where both have it."""

    product: Annotated[str, Field(min_length=1, max_length=191)]
    reason: Reason


class EndAccess(Strict):
    """`grant`: its number."""

    grant: Number
    reason: Reason


class CompleteCourse(Strict):
    """`course`: its number."""

    course: Number
    reason: Reason


class RevokeCertificate(Strict):
    """`why`: what its public page says."""

    certificate: Annotated[str, Field(min_length=1, max_length=40)]
    why: Literal["fraud", "holder"]
    reason: Reason


class CorrectCertificate(Strict):
    """`name`: as it shall stand on the certificate that takes the place of this one."""

    certificate: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(max_length=MAX_TYPED)]
    reason: Reason


class RestrictMember(Strict):
    """`sees`: the courses of the contract alone, or everything. `membership`: its number."""

    membership: Number
    sees: Literal["contract", "everything"]
    reason: Reason


@call("admin/learners/{id}/enrol", Enrol, StaffOutcome, area="admin", permission=Permission.LEARNERS_WRITE)
async def enrol(request: web.Request, body: Enrol) -> StaffOutcome:
    """Open a course, or those of a bundle, to a learner at no charge. Who has it gets nothing."""
    learner_id, actor, _ = target(request)
    is_new = await request.app[DATABASE].write_as(actor, courses.enrol, learner_id, body.product, body.reason, actor)
    return StaffOutcome(text="The course is open to them." if is_new else "They have it already.")


@call("admin/learners/{id}/end-access", EndAccess, StaffOutcome, area="admin", permission=Permission.LEARNERS_WRITE)
async def end_access(request: web.Request, body: EndAccess) -> StaffOutcome:
    """End one grant of access; others of the same course stay. 403 for a seat of an organisation."""
    learner_id, actor, at = target(request)
    ended = await request.app[DATABASE].write_as(actor, courses.end_grant, learner_id, int(body.grant), body.reason, at)
    return StaffOutcome(text="The access has ended." if ended else "It had ended before.")


@call("admin/learners/{id}/complete", CompleteCourse, StaffOutcome, area="admin", permission=Permission.LEARNERS_WRITE)
async def complete(request: web.Request, body: CompleteCourse) -> StaffOutcome:
    """Complete a course for a learner, who can read the reason. A completed one stays as it is."""
    learner_id, actor, _ = target(request)
    completed_at = await request.app[DATABASE].write_as(
        actor, courses.complete, learner_id, int(body.course), body.reason, actor
    )
    return StaffOutcome(text=f"The course is completed, as of {day_text(completed_at)}.")


@call(
    "admin/learners/{id}/revoke-certificate",
    RevokeCertificate,
    StaffOutcome,
    area="admin",
    permission=Permission.CERTIFICATES_REVOKE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def revoke_certificate(request: web.Request, body: RevokeCertificate) -> StaffOutcome:
    """Revoke a certificate for good. Its public page says why."""
    learner_id, actor, at = target(request)
    why: PublicReason = body.why
    code, db = body.certificate, request.app[DATABASE]
    revoked = await db.write_as(actor, courses.revoke_certificate, learner_id, code, at, why=why, reason=body.reason)
    return StaffOutcome(text="The certificate is revoked." if revoked else "It was revoked before.")


@call(
    "admin/learners/{id}/correct-certificate",
    CorrectCertificate,
    StaffOutcome,
    area="admin",
    permission=Permission.CERTIFICATES_REVOKE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def correct_certificate(request: web.Request, body: CorrectCertificate) -> StaffOutcome:
    """Replace a certificate by one with another name and another code. 403 for one that was revoked."""
    learner_id, actor, _ = target(request)
    code, db = body.certificate, request.app[DATABASE]
    is_new = await db.write_as(
        actor, courses.correct_certificate, learner_id, code, actor, name=body.name, reason=body.reason
    )
    return StaffOutcome(text="The certificate is replaced." if is_new else "It has this name already.")


@call("admin/learners/{id}/restrict", RestrictMember, StaffOutcome, area="admin", permission=Permission.LEARNERS_WRITE)
async def restrict(request: web.Request, body: RestrictMember) -> StaffOutcome:
    """Whether a member sees and buys only what the contract of their organisation has."""
    learner_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]
    changed = await request.app[DATABASE].write_as(
        actor,
        account.restrict,
        learner_id,
        int(body.membership),
        body.reason,
        is_restricted=body.sees == "contract",
    )
    return StaffOutcome(text="What they see has changed." if changed else "It was so before.")
