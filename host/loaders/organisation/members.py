"""/organization/members: the people of the organisation."""

from domain.organisations.members import MEMBERS
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.organisation.member_columns import MEMBER_COLUMNS, ROLE_NAMES, member_name
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_spec import TableSpec, choice, search

PATH = "/organization/members"

LIST = AreaList(
    TableSpec(
        caption="Members",
        source=MEMBERS,
        columns=(cells.link("name", "Name", lambda row: (member_name(row), f"{PATH}/{row.id}")), *MEMBER_COLUMNS),
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
list_page("organization-members", LIST)
