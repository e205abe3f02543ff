"""/admin/staff/{id} and /admin/staff/new: the roles of one person, and giving somebody the first one."""

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain import staff
from domain.audit import Subject
from domain.errors import NotFound
from domain.routes import Page
from domain.staff import GrantedRole, StaffMember
from domain.staff.recorded_events import AuditEntry, subject_entries
from host.loaders.admin.staff import PATH, ROLE_NAMES, second_factor
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import DetailProps, facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class RoleOption(TypedDict):
    value: str
    label: str


class StaffMemberProps(DetailProps):
    """`hasRoles` and `otherRoles`: those that can be taken and given; both empty for the person themselves."""

    learnerId: int
    name: str
    studentNumber: str
    hasRoles: list[RoleOption]
    otherRoles: list[RoleOption]


class NewStaffProps(TypedDict):
    title: str
    backHref: str
    roles: list[RoleOption]


@page("admin-staff-member")
async def load(request: PageRequest, route: Page) -> PageResult[StaffMemberProps]:
    """Raises NotFound, ServiceUnavailable."""
    member, granted, events = await request.db.read(_read, _learner_id(request.values["id"]))
    is_own = request.session is not None and request.session.auth.learner_id == member.learner_id
    props: StaffMemberProps = {
        "title": route.title,
        "heading": member.name or member.student_number,
        "backHref": PATH,
        "backText": "All staff",
        "facts": facts(_FACTS, member),
        "tables": [short_table("roles", "Roles", "No roles.", _ROLES, granted), events_table(events)],
        "learnerId": member.learner_id,
        "name": member.name or member.student_number,
        "studentNumber": member.student_number,
        "hasRoles": [] if is_own else _options([role for role in ROLE_NAMES if role in member.roles]),
        "otherRoles": [] if is_own else _options([role for role in ROLE_NAMES if role not in member.roles]),
    }
    return area_page.page(request, route, props)


@page("admin-staff-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[NewStaffProps]:
    props: NewStaffProps = {"title": route.title, "backHref": PATH, "roles": _options([*ROLE_NAMES])}
    return area_page.page(request, route, props)


def _read(session: Session, learner_id: int) -> tuple[StaffMember, list[GrantedRole], list[AuditEntry]]:
    member = staff.member(session, learner_id)
    return (
        member,
        staff.granted_roles(session, learner_id),
        [*subject_entries(session, Subject("staff", learner_id))],
    )


def _learner_id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise NotFound("There is nobody of the staff with this number.")
    return int(text)


def _options(roles: list[str]) -> list[RoleOption]:
    return [{"value": role, "label": ROLE_NAMES[role]} for role in roles]


_FACTS: tuple[Column[StaffMember], ...] = (
    cells.text("number", "Student number", lambda row: row.student_number),
    cells.text("email", "Email", lambda row: row.email or None),
    cells.time("since", "Staff since", lambda row: row.since),
    cells.time("signIn", "Last sign-in", lambda row: row.last_sign_in),
    cells.badge("secondFactor", "Second factor", second_factor),
)
_ROLES: tuple[Column[GrantedRole], ...] = (
    cells.text("role", "Role", lambda row: ROLE_NAMES.get(row.role, row.role)),
    cells.time("since", "Since", lambda row: row.granted_at),
    cells.text("by", "Given by", lambda row: row.granted_by or "Not recorded"),
)
