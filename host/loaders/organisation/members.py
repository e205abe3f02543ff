"""/organization/members: the people of the organisation."""

from domain.organisations.members import MEMBERS, MemberRow
from host.loaders.areas.area_list import AreaList
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_spec import TableSpec, choice, search

PATH = "/organization/members"
ROLE_NAMES = {"owner": "Owner", "manager": "Manager", "member": "Member"}


def _name(row: MemberRow) -> str:
    return row.name or row.email or "No name yet"


LIST = AreaList(
    TableSpec(
        caption="Members",
        source=MEMBERS,
        columns=(
            cells.text("name", "Name", _name),
            cells.text("email", "Email", lambda row: row.email or None),
            cells.text("team", "Team", lambda row: row.team or None),
            cells.text("role", "Role", lambda row: ROLE_NAMES[row.role]),
            cells.text("sees", "Sees in the shop", lambda row: "Contract only" if row.is_restricted else "Everything"),
            cells.text("shares", "Shares progress", lambda row: "Yes" if row.shares_progress else "No", hidden=True),
            cells.time("joined", "Joined", lambda row: row.joined_at),
        ),
        filters=(choice("role", "Role", ROLE_NAMES), search("team", "Team")),
        empty={
            "title": "Nobody yet",
            "text": "Everybody who belongs to your organisation is listed here.",
            "action": None,
        },
        # Names and addresses of people.
        has_csv=False,
    )
)
