"""Columns of members: for their organisation, and for the staff."""

from domain.organisations.members import MemberRow
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import Column

ROLE_NAMES = {"owner": "Owner", "manager": "Manager", "member": "Member"}


def member_name(row: MemberRow) -> str:
    return row.name or row.email or "No name yet"


MEMBER_COLUMNS: tuple[Column[MemberRow], ...] = (
    cells.text("email", "Email", lambda row: row.email or None),
    cells.text("team", "Team", lambda row: row.team or None),
    cells.text("role", "Role", lambda row: ROLE_NAMES[row.role]),
    cells.text("sees", "Sees in the shop", lambda row: "Contract only" if row.is_restricted else "Everything"),
    cells.text("shares", "Shares progress", lambda row: "Yes" if row.shares_progress else "No", hidden=True),
    cells.time("joined", "Joined", lambda row: row.joined_at),
)
