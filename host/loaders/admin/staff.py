"""/admin/staff: who has which role."""

from domain.identity.sign_in import has_second_factor
from domain.staff.listing import MEMBERS, StaffMember
from domain.staff.roles import STAFF_ROLES
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice

PATH = "/admin/staff"
ROLE_NAMES = {role: role.capitalize() for role in STAFF_ROLES}


def second_factor(member: StaffMember) -> tuple[str, BadgeTone] | None:
    """Whether the last sign-in had a second factor; None before there was one."""
    if member.last_sign_in is None:
        return None
    return ("Yes", "good") if has_second_factor(member.amr) else ("No", "warning")


def role_names(roles: tuple[str, ...]) -> str:
    return ", ".join(ROLE_NAMES.get(role, role) for role in roles)


LIST = AreaList(
    TableSpec(
        caption="Staff",
        source=MEMBERS,
        columns=(
            cells.link("name", "Name", lambda row: (row.name or row.student_number, f"{PATH}/{row.learner_id}")),
            cells.text("roles", "Roles", lambda row: role_names(row.roles)),
            cells.time("since", "Staff since", lambda row: row.since),
            cells.text("by", "By", lambda row: row.granted_by),
            cells.time("signIn", "Last sign-in", lambda row: row.last_sign_in),
            cells.badge("secondFactor", "Second factor", second_factor),
            cells.text("email", "Email", lambda row: row.email or None, hidden=True),
            cells.text("number", "Student number", lambda row: row.student_number, hidden=True),
        ),
        filters=(choice("role", "Role", ROLE_NAMES),),
        empty={
            "title": "Nobody yet",
            "text": "Everybody with a role in this area is listed here.",
            "action": {"text": "Give somebody a role", "href": f"{PATH}/new"},
        },
        names_people=True,
    )
)
list_page("admin-staff", LIST)
