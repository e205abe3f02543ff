"""/admin/staff/{id} and /admin/staff/new: the roles of one person, and giving somebody the first one."""

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.routes import Page
from domain.staff import listing as staff_listing
from domain.staff.listing import GrantedRole, StaffMember
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.typed_values import is_number
from host.api.admin.actions import Action
from host.api.admin.staff import add_role, add_somebody, remove_role
from host.loaders.admin.staff import PATH, ROLE_NAMES, second_factor
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class StaffMemberProps(ActionPageProps):
    """`note`: why this person can change nothing here, "" when they can."""

    note: str


class NewStaffProps(TypedDict):
    title: str
    backHref: str
    form: Action


@page("admin-staff-member")
async def load(request: PageRequest, route: Page) -> PageResult[StaffMemberProps]:
    """Raises NotFound, ServiceUnavailable."""
    member, granted, events = await request.db.read(_read, _learner_id(request.values["id"]))
    is_own = request.session is not None and request.session.auth.learner_id == member.learner_id
    id_ = member.learner_id
    held = {role: name for role, name in ROLE_NAMES.items() if role in member.roles}
    others = {role: name for role, name in ROLE_NAMES.items() if role not in held}
    give = [add_role.form(id_, options={"role": others})] if others else []
    props: StaffMemberProps = {
        "title": route.title,
        "heading": member.name or member.student_number,
        "backHref": PATH,
        "backText": "All staff",
        "facts": facts(_FACTS, member),
        "tables": [short_table("roles", "Roles", "No roles.", _ROLES, granted), events_table(events)],
        "texts": [],
        "actions": [] if is_own else [*give, remove_role.form(id_, options={"role": held})],
        "note": "Nobody changes their own roles. Ask another administrator." if is_own else "",
    }
    return area_page.page(request, route, props)


@page("admin-staff-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[NewStaffProps]:
    form = add_somebody.form(options={"role": ROLE_NAMES})
    props: NewStaffProps = {"title": route.title, "backHref": PATH, "form": form}
    return area_page.page(request, route, props)


def _read(session: Session, learner_id: int) -> tuple[StaffMember, list[GrantedRole], list[AuditEntry]]:
    member = staff_listing.member(session, learner_id)
    return (
        member,
        staff_listing.granted_roles(session, learner_id),
        [*subject_entries(session, Subject("staff", learner_id))],
    )


def _learner_id(text: str) -> int:
    if not is_number(text):
        raise NotFound("There is nobody of the staff with this number.")
    return int(text)


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
