"""/admin/learners/{id}: everything about one learner, and what support does for them. Opening it is recorded."""

from domain.display_text import count_text, percent_text
from domain.identity.sessions import ActiveSession
from domain.learning.certificates.certificate_views import CertificateView
from domain.learning.views.records import CourseSummary
from domain.orders.views.state_texts import STATES as ORDER_STATES
from domain.routes import Page
from domain.support.learners import learner_page
from domain.support.learners.learner_page import GrantRow, LearnerMembership, LearnerOrder, LearnerPage, SupportedPerson
from domain.support.learners.mails import LearnerMail
from domain.text_direction import isolated
from host.api.admin.actions import ACTIONS, Action, StaffAction
from host.api.admin.people import learners
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.learners import PATH
from host.loaders.support.mail import PATH as MAIL_PATH
from host.loaders.support.mail import STATES as MAIL_STATES
from host.loaders.support.mail import kind_text
from host.loaders.support.order_tones import PATH as ORDERS_PATH
from host.loaders.support.order_tones import TONES
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import ShortTable, facts, placed, short_table
from host.loaders.ui.table_cells import BadgeTone, Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


def _actions(request: PageRequest, found: LearnerPage) -> list[Action]:
    """Without those that have nothing to choose from. Those that end sessions are declared in host/identity, which is
    above this layer."""
    courses = {
        str(course.facts.id): _course_text(course) for course in found.courses if course.enrolment.completed_at is None
    }
    grants = {str(row.id): _grant_text(row) for row in found.grants if row.is_open and row.source != "seat"}
    # Also those whose end has come.
    lasting = {str(row.id): _grant_text(row) for row in found.grants if row.ended_at is None and row.source != "seat"}
    members = {str(row.id): row.organisation for row in found.memberships if row.ended_at is None}
    valid = {row.code: row.course_name for row in found.certificates.issued if row.revoked_at is None}
    offered: list[tuple[StaffAction, dict[str, dict[str, str]]]] = [
        (learners.enrol, {}),
        (learners.complete, {"course": courses}),
        (learners.extend_access, {"grant": lasting}),
        (learners.end_access, {"grant": grants}),
        (learners.restrict, {"membership": members}),
        *([(ACTIONS["admin/learners/{id}/sign-out"], {})] if found.sessions else []),
        (learners.correct_certificate, {"certificate": valid}),
        (learners.revoke_certificate, {"certificate": valid}),
        (ACTIONS["admin/learners/{id}/erase"], {}),
    ]
    return [
        declared.form(found.person.id, options=choices, text=_text(declared))
        for declared, choices in offered
        if may(request, declared.options["permission"]) and all(choices.values())
    ]


def _text(declared: StaffAction) -> str:
    """What is asked before it is said above the fields too."""
    return declared.options.get("text") or declared.options.get("question", "")


def _course_text(course: CourseSummary) -> str:
    return f"{isolated(course.facts.name)}, {percent_text(course.percent)} done"


def _grant_text(row: GrantRow) -> str:
    origin = {
        "order": f"order {row.order_code or 'not recorded'}",
        "gift": "given by staff" if row.is_by_staff else "gift",
    }
    return f"{isolated(row.course)}: {origin[row.source]}"


_COURSE_STATES: dict[str, tuple[str, BadgeTone]] = {
    "new": ("Not started", "neutral"),
    "underway": ("In progress", "info"),
    "completed": ("Completed", "good"),
    "ended": ("Access ended", "neutral"),
}
_CERTIFICATE_STATES: dict[str, tuple[str, BadgeTone]] = {
    "valid": ("Valid", "good"),
    "expired": ("Expired", "neutral"),
    "revoked": ("Revoked", "bad"),
}
_AREAS = {"learner": "Shop", "organisation": "Organisation", "admin": "Administration"}


class AdminLearnerProps(ActionPageProps):
    """`exportCall`: the call below /api that gives all stored data; null for an account that was deleted."""

    exportCall: str | None
    exportName: str


@page("admin-learner")
async def load(request: PageRequest, route: Page) -> PageResult[AdminLearnerProps]:
    """Raises NotFound, ServiceUnavailable."""
    if request.actor is None:
        raise LookupError(f"{route.id} was loaded without an actor")
    learner_id = number(request)
    found = await request.db.write_as(request.actor, learner_page.open_page, learner_id, request.at)
    person = found.person
    props: AdminLearnerProps = {
        "title": route.title,
        "heading": person.name or ("A deleted account" if person.is_erased else person.student_number),
        "backHref": PATH,
        "backText": "Find somebody else",
        "facts": facts(_FACTS, person),
        "texts": [],
        "tables": _tables(found),
        "actions": [] if person.is_erased else _actions(request, found),
        "exportCall": None if person.is_erased else f"/admin/learners/{learner_id}/export",
        "exportName": f"learner-{learner_id}-{request.at:%Y-%m-%d}.json",
    }
    return area_page.page(request, route, props)


def _tables(found: LearnerPage) -> list[ShortTable]:
    members = short_table("organisations", "Organisations", "A member of none.", _MEMBERSHIPS, found.memberships)
    sessions = short_table("sessions", "Sessions", "Not signed in anywhere.", _SESSIONS, found.sessions)
    return [
        short_table("courses", "Courses", "They have no course.", _COURSES, found.courses),
        short_table("grants", "Where the access came from", "Nothing gave access.", _GRANTS, found.grants),
        short_table("certificates", "Certificates", "No certificates.", _CERTIFICATES, found.certificates.issued),
        short_table("orders", "Orders", "No orders.", _ORDERS, found.orders),
        placed("side", members),
        placed("side", sessions),
        short_table("mails", "Mail", "None that is still stored.", _MAILS, found.mails),
        events_table(found.events),
    ]


def _source(row: GrantRow) -> str:
    if row.source == "order":
        return f"Order {row.order_code}" if row.order_code else "An order before orders were recorded"
    if row.source == "seat":
        return "A seat of an organisation"
    return f"By staff: {row.message}" if row.is_by_staff else "A gift"


def _grant_state(row: GrantRow) -> tuple[str, BadgeTone]:
    return ("Open", "good") if row.is_open else ("Ended", "neutral")


_FACTS: tuple[Column[SupportedPerson], ...] = (
    cells.text("email", "Email", lambda row: row.email or None),
    cells.badge(
        "verified", "Address", lambda row: ("Verified", "good") if row.email_verified else ("Not verified", "warning")
    ),
    cells.text("number", "Student number", lambda row: row.student_number),
    cells.time("since", "Since", lambda row: row.created_at),
)
_COURSES: tuple[Column[CourseSummary], ...] = (
    cells.text("course", "Course", lambda row: row.facts.name),
    cells.badge("state", "State", lambda row: _COURSE_STATES[row.state]),
    cells.progress("progress", "Progress", lambda row: row.percent / 100),
    cells.day_of("started", "Begun", lambda row: row.enrolment.started_at),
    cells.day_of("completed", "Completed", lambda row: row.enrolment.completed_at),
    cells.day_of("until", "Access until", lambda row: row.enrolment.access_until),
)
_GRANTS: tuple[Column[GrantRow], ...] = (
    cells.text("course", "Course", lambda row: row.course),
    cells.text("source", "From", _source),
    cells.badge("state", "State", _grant_state),
    cells.day_of("granted", "Given", lambda row: row.granted_at),
    cells.day_of("until", "Until", lambda row: row.until),
    cells.day_of("ended", "Ended", lambda row: row.ended_at),
    cells.text("reason", "Reason", lambda row: row.reason or None),
)
_CERTIFICATES: tuple[Column[CertificateView], ...] = (
    cells.link("course", "Course", lambda row: (row.course_name, f"/verify-certificate/{row.code}")),
    cells.badge("state", "State", lambda row: _CERTIFICATE_STATES[row.state]),
    cells.text("holder", "Name on it", lambda row: row.holder_name or None),
    cells.day_of("issued", "Issued", lambda row: row.issued_at),
    cells.day_of("expires", "Expires", lambda row: row.expires_at),
    cells.text("reason", "Reason", lambda row: row.reason or None),
)
_ORDERS: tuple[Column[LearnerOrder], ...] = (
    cells.link("code", "Order", lambda row: (row.code, f"{ORDERS_PATH}/{row.code}")),
    cells.badge("state", "State", lambda row: (ORDER_STATES[row.state].text, TONES[row.state])),
    cells.time("placed", "Placed", lambda row: row.placed_at),
    cells.minor("total", "Total", lambda row: row.total),
    cells.minor("refunded", "Refunded", lambda row: row.refunded or None),
)
_MEMBERSHIPS: tuple[Column[LearnerMembership], ...] = (
    cells.text("name", "Organisation", lambda row: row.organisation),
    cells.text("role", "Role", lambda row: row.role.capitalize()),
    cells.text("sees", "Sees", lambda row: "The courses of its contract" if row.is_restricted else "Everything"),
    cells.time("joined", "Joined", lambda row: row.joined_at),
    cells.time("ended", "Left", lambda row: row.ended_at),
)
_SESSIONS: tuple[Column[ActiveSession], ...] = (
    cells.text("browser", "Browser", lambda row: row.browser or "Unknown"),
    cells.text("area", "Area", lambda row: _AREAS.get(row.area, row.area)),
    cells.time("since", "Since", lambda row: row.created_at),
    cells.time("until", "Until", lambda row: row.expires_at),
)
_MAILS: tuple[Column[LearnerMail], ...] = (
    cells.link("number", "Mail", lambda row: (count_text(row.id), f"{MAIL_PATH}/{row.id}")),
    cells.text("kind", "About", lambda row: kind_text(row.kind)),
    cells.badge("state", "State", lambda row: MAIL_STATES[row.state]),
    cells.time("written", "Written", lambda row: row.created_at),
)
