"""Calls about a learner's courses and memberships. What ends sessions is in host/identity/account/by_staff.py."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from domain.display_text import day_text, moment_text
from domain.learning.certificates.issuing import MAX_NAME
from domain.permissions import Permission
from domain.support.learners import account, courses
from host.api.admin.actions import PRODUCTS, FormField, RecordedReason, action
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import Instant, Strict
from host.app_keys import DATABASE
from host.http import request_keys

# The oldest sign-in for calls that take away what cannot be given back.
MAX_AUTH_AGE_S = 600
WRITE = Permission.LEARNERS_WRITE
Number = Annotated[str, Field(pattern="^[0-9]{1,15}$")]
Code = Annotated[str, Field(min_length=1, max_length=40), FormField("Certificate", "choice")]


class Enrol(Strict):
    """`product`: slug of a course or a bundle, `course:` or `item:` before it where both have it."""

    product: Annotated[str, Field(min_length=1, max_length=191), FormField("Course or bundle", "pick", source=PRODUCTS)]
    reason: Annotated[
        Reason,
        FormField("Reason", hint="They can read it in the copy of their data, and it is recorded for good."),
    ]


class EndAccess(Strict):
    """`grant`: its number."""

    grant: Annotated[Number, FormField("Access", "choice")]
    reason: RecordedReason


class ExtendAccess(Strict):
    """`grant`: its number. `until` null: without an end."""

    grant: Annotated[Number, FormField("Access", "choice")]
    until: Annotated[Instant | None, FormField("Until", hint="Empty: without an end.")] = None
    reason: RecordedReason


class CompleteCourse(Strict):
    """`course`: its number."""

    course: Annotated[Number, FormField("Course", "choice")]
    reason: Annotated[Reason, FormField("Reason", hint="They can read it, and it is recorded for good.")]


class RevokeCertificate(Strict):
    """`why`: what its public page says."""

    certificate: Code
    why: Annotated[
        Literal["fraud", "holder"],
        FormField(
            "What its page says",
            options={"holder": "At the wish of its holder", "fraud": "It was obtained by deception"},
        ),
    ]
    reason: RecordedReason


class CorrectCertificate(Strict):
    certificate: Code
    name: Annotated[
        str, Field(max_length=MAX_NAME), FormField("Full name", hint="As it shall stand on the certificate.")
    ]
    reason: RecordedReason


class RestrictMember(Strict):
    """`sees`: the courses of the contract alone, or everything. `membership`: its number."""

    membership: Annotated[Number, FormField("Member of", "choice")]
    sees: Annotated[
        Literal["contract", "everything"],
        FormField("Sees and buys", options={"contract": "The courses of the contract", "everything": "Everything"}),
    ]
    reason: RecordedReason


@action(
    "admin/learners/{id}/enrol",
    Enrol,
    "Enrol by hand",
    "Open the course",
    text="They get it at no charge, at once and without an end.",
    permission=WRITE,
)
async def enrol(request: web.Request, body: Enrol) -> StaffOutcome:
    """Open a course, or those of a bundle, to a learner at no charge. Who has it gets nothing."""
    learner_id, actor, _ = target(request)
    is_new = await request.app[DATABASE].write_as(actor, courses.enrol, learner_id, body.product, body.reason, actor)
    return StaffOutcome(text="The course is open to them." if is_new else "They have it already.")


@action(
    "admin/learners/{id}/end-access",
    EndAccess,
    "End access",
    "End access",
    question="Nothing is refunded by it. What they wrote stays readable for 30 days; progress and certificates stay.",
    is_dangerous=True,
    permission=WRITE,
)
async def end_access(request: web.Request, body: EndAccess) -> StaffOutcome:
    """End one grant of access; others of the same course stay. 403 for a seat of an organisation."""
    learner_id, actor, at = target(request)
    ended = await request.app[DATABASE].write_as(actor, courses.end_grant, learner_id, int(body.grant), body.reason, at)
    return StaffOutcome(text="The access has ended." if ended else "It had ended before.")


@action("admin/learners/{id}/extend-access", ExtendAccess, "Change until when", "Save", permission=WRITE)
async def extend_access(request: web.Request, body: ExtendAccess) -> StaffOutcome:
    """Another end for one grant of access, also for one whose end has come. 403 for a seat of an organisation."""
    learner_id, actor, _ = target(request)
    changed = await request.app[DATABASE].write_as(
        actor, courses.extend, learner_id, int(body.grant), body.until, actor, reason=body.reason
    )
    if not changed:
        return StaffOutcome(text="It has that end already.")
    end = "has no end" if body.until is None else f"lasts until {moment_text(body.until)}"
    return StaffOutcome(text=f"The access {end}.")


@action(
    "admin/learners/{id}/complete",
    CompleteCourse,
    "Complete by hand",
    "Complete course",
    question="It counts as completed, with its certificate. This cannot be undone.",
    is_dangerous=True,
    permission=WRITE,
)
async def complete(request: web.Request, body: CompleteCourse) -> StaffOutcome:
    """Complete a course for a learner, who can read the reason. A completed one stays as it is."""
    learner_id, actor, _ = target(request)
    completed_at = await request.app[DATABASE].write_as(
        actor, courses.complete, learner_id, int(body.course), body.reason, actor
    )
    return StaffOutcome(text=f"The course is completed, as of {day_text(completed_at)}.")


@action(
    "admin/learners/{id}/revoke-certificate",
    RevokeCertificate,
    "Revoke a certificate",
    "Revoke certificate",
    question="Everybody who opens its address sees that it was revoked. This cannot be undone.",
    is_dangerous=True,
    permission=Permission.CERTIFICATES_REVOKE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def revoke_certificate(request: web.Request, body: RevokeCertificate) -> StaffOutcome:
    """Revoke a certificate for good. Its public page says why."""
    learner_id, actor, at = target(request)
    code, db = body.certificate, request.app[DATABASE]
    revoked = await db.write_as(
        actor, courses.revoke_certificate, learner_id, code, at, why=body.why, reason=body.reason
    )
    return StaffOutcome(text="The certificate is revoked." if revoked else "It was revoked before.")


@action(
    "admin/learners/{id}/correct-certificate",
    CorrectCertificate,
    "Correct a name",
    "Replace certificate",
    question="They get a certificate with another code, and a mail. The page of the old one says that it was replaced.",
    is_dangerous=True,
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


@action("admin/learners/{id}/restrict", RestrictMember, "What a member sees", "Change", permission=WRITE)
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
