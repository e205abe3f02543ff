"""What can be done for a learner now, by whoever looks at their page."""

from domain.display_text import percent_text
from domain.learning.certificates.issuing import MAX_NAME
from domain.learning.views.records import CourseSummary
from domain.permissions import Permission
from domain.support.learners.learner_page import GrantRow, LearnerPage
from host.api.admin.actions import PRODUCTS
from host.loaders.support.page_ids import may
from host.loaders.ui.action_props import Action, ActionField, action, field
from host.rendering.page_request import PageRequest

_RECORDED = "It is recorded for good. Name nobody in it."
_WHY = {"holder": "At the wish of its holder", "fraud": "It was obtained by deception"}
_SEES = {"contract": "The courses of the contract", "everything": "Everything"}
_CERTIFICATES = {"revoke": "Revoke them and remove the name", "keep": "Keep them valid, with the name"}


def actions(request: PageRequest, found: LearnerPage) -> list[Action]:
    path = f"/admin/learners/{found.person.id}"
    shown: list[Action | None] = []
    if may(request, Permission.LEARNERS_WRITE):
        shown += [_enrol(path), _complete(path, found), _end_access(path, found), _restrict(path, found)]
        shown.append(_sign_out(path) if found.sessions else None)
    if may(request, Permission.CERTIFICATES_REVOKE):
        shown += [_correct(path, found), _revoke(path, found)]
    if may(request, Permission.LEARNERS_ERASE):
        shown.append(_erase(path))
    return [entry for entry in shown if entry is not None]


def _reason(hint: str = _RECORDED) -> ActionField:
    return field("reason", "Reason", hint=hint)


def _enrol(path: str) -> Action:
    product = field("product", "Course or bundle", kind="pick", source=PRODUCTS, max_length=191)
    return action(
        "Enrol by hand",
        f"{path}/enrol",
        "Open the course",
        text="They get it at no charge, at once and without an end.",
        fields=[product, _reason("They can read it in the copy of their data, and it is recorded for good.")],
    )


def _complete(path: str, found: LearnerPage) -> Action | None:
    courses = [course for course in found.courses if course.enrolment.completed_at is None]
    if not courses:
        return None
    options = {str(course.facts.id): _course_text(course) for course in courses}
    fields = [
        field("course", "Course", kind="choice", options=options),
        _reason("They can read it, and it is recorded for good."),
    ]
    text = "It counts as completed, with its certificate. This cannot be undone."
    return action("Complete by hand", f"{path}/complete", "Complete course", fields=fields, question=text, text=text)


def _course_text(course: CourseSummary) -> str:
    return f"{course.facts.name}, {percent_text(course.percent)} done"


def _end_access(path: str, found: LearnerPage) -> Action | None:
    live = [row for row in found.grants if row.is_open and row.source != "seat"]
    if not live:
        return None
    fields = [
        field("grant", "Access", kind="choice", options={str(row.id): _grant_text(row) for row in live}),
        _reason(),
    ]
    text = "Nothing is refunded by it. What they wrote stays readable for 30 days; progress and certificates stay."
    return action("End access", f"{path}/end-access", "End access", fields=fields, question=text, text=text)


def _grant_text(row: GrantRow) -> str:
    origin = {
        "order": f"order {row.order_code or 'not recorded'}",
        "gift": "given by staff" if row.is_by_staff else "gift",
    }
    return f"{row.course}: {origin[row.source]}"


def _restrict(path: str, found: LearnerPage) -> Action | None:
    members = {str(row.id): row.organisation for row in found.memberships if row.ended_at is None}
    if not members:
        return None
    fields = [
        field("membership", "Member of", kind="choice", options=members),
        field("sees", "Sees and buys", kind="choice", options=_SEES),
        _reason(),
    ]
    return action("What a member sees", f"{path}/restrict", "Change", fields=fields)


def _sign_out(path: str) -> Action:
    text = "All their sessions end, in every browser."
    return action("Sign out everywhere", f"{path}/sign-out", "Sign out", fields=[_reason()], question=text, text=text)


def _correct(path: str, found: LearnerPage) -> Action | None:
    name = field("name", "Full name", hint="As it shall stand on the certificate.", max_length=MAX_NAME)
    text = "They get a certificate with another code, and a mail. The page of the old one says that it was replaced."
    about = ("Correct a name", f"{path}/correct-certificate", "Replace certificate")
    return _with_certificate(found, about, name, text)


def _revoke(path: str, found: LearnerPage) -> Action | None:
    why = field("why", "What its page says", kind="choice", options=_WHY)
    text = "Everybody who opens its address sees that it was revoked. This cannot be undone."
    about = ("Revoke a certificate", f"{path}/revoke-certificate", "Revoke certificate")
    return _with_certificate(found, about, why, text)


def _with_certificate(found: LearnerPage, about: tuple[str, str, str], detail: ActionField, text: str) -> Action | None:
    """None without a valid certificate. `about`: title, call and button."""
    valid = {row.code: row.course_name for row in found.certificates.issued if row.revoked_at is None}
    if not valid:
        return None
    fields = [field("certificate", "Certificate", kind="choice", options=valid), detail, _reason()]
    return action(*about, fields=fields, question=text, text=text)


def _erase(path: str) -> Action:
    fields = [
        field(
            "confirm",
            "Email address of the account",
            hint="Type it, so that nobody deletes the wrong one.",
            max_length=254,
        ),
        field("certificates", "Certificates", kind="choice", options=_CERTIFICATES),
        _reason(),
    ]
    text = (
        "Everything about the person is deleted or made anonymous, also what they wrote to us. Orders with invoices "
        "stay as long as the law says. This cannot be undone."
    )
    return action("Delete the account", f"{path}/erase", "Delete account", fields=fields, question=text, text=text)
