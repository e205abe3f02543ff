"""/organization/invitations, one of them, and /organization/members/invite."""

from datetime import datetime

from domain.display_text import day_text
from domain.organisations.contracts import ContractView, contracts_of
from domain.organisations.invitation_list import INVITATIONS, InvitationRow, invitation_of
from domain.permissions import Permission, permissions_of
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.organisation.invitations import cancel, invite, resend
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.organisation.member_columns import ROLE_NAMES
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/organization/invitations"
MEMBERS_PATH = "/organization/members"
NO_CONTRACT = "Your organisation has no running contract that people could join through."
STATES: dict[str, tuple[str, BadgeTone]] = {
    "sent": ("Open", "info"),
    "accepted": ("Accepted", "good"),
    "declined": ("Declined", "warning"),
    "expired": ("Expired", "neutral"),
    "cancelled": ("Taken back", "neutral"),
    "refused": ("Could not be delivered", "bad"),
}
_TO: Column[InvitationRow] = cells.text("email", "Email", lambda row: row.email or None)
_NAME: Column[InvitationRow] = cells.text("name", "Name", lambda row: row.name or None)
_TEAM: Column[InvitationRow] = cells.text("team", "Team", lambda row: row.team or None)
_ROLE: Column[InvitationRow] = cells.text("role", "Role", lambda row: ROLE_NAMES[row.role])
_SENDS: Column[InvitationRow] = cells.text(
    "sends", "Mails", lambda row: f"{row.sends} of 3" if row.sends else "Waits to be sent"
)
_SENT: Column[InvitationRow] = cells.time("sent", "Last sent", lambda row: row.sent_at if row.sends else None)
_EXPIRES: Column[InvitationRow] = cells.time("expires", "Valid until", lambda row: row.expires_at)
_INVITER: Column[InvitationRow] = cells.text("inviter", "Invited by", lambda row: row.inviter)

LIST = AreaList(
    TableSpec(
        caption="Invitations",
        source=INVITATIONS,
        columns=(
            cells.link("email", "Email", lambda row: (row.email or "A deleted account", f"{PATH}/{row.id}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            *(_NAME, _TEAM, _ROLE, _SENDS, _SENT, _EXPIRES),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No invitations yet",
            "text": "Whom you invite by mail is listed here, until they answer and after it.",
            "action": {"text": "Invite somebody", "href": f"{MEMBERS_PATH}/invite"},
        },
        # Addresses of people.
        has_csv=False,
    )
)
list_page("organization-invitations", LIST)


@page("organization-invitation")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row = await request.db.read(invitation_of, request.tenant, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": row.email or "Invitation",
        "backHref": PATH,
        "backText": "All invitations",
        "facts": facts(
            (_state(request.at), _NAME, _TEAM, _ROLE, _SENDS, _SENT, _EXPIRES, _INVITER),
            row,
        ),
        "texts": [],
        "tables": [],
        "actions": _actions(row, request.at),
    }
    return area_page.page(request, route, props)


def _state(at: datetime) -> Column[InvitationRow]:
    return cells.badge("state", "State", lambda row: STATES[row.state_at(at)])


def _actions(row: InvitationRow, at: datetime) -> list[Action]:
    if row.state_at(at) != "sent":
        return []
    again = [resend.form(row.id)] if 0 < row.sends < 3 else []
    return [*again, cancel.form(row.id)]


@page("organization-invite")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises ServiceUnavailable."""
    running = [row for row in await request.db.read(contracts_of, request.tenant) if row.is_running(request.at)]
    props: ActionPageProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": MEMBERS_PATH,
        "backText": "Members",
        "facts": [],
        "texts": [] if running else [{"id": "none", "title": "Nobody can be invited now", "text": NO_CONTRACT}],
        "tables": [],
        "actions": [_invite(request, running)] if running else [],
    }
    return area_page.page(request, route, props)


def _invite(request: PageRequest, running: list[ContractView]) -> Action:
    roles = () if request.session is None else request.session.area_roles
    is_owner = Permission.OWNERSHIP_WRITE in permissions_of("organisation", roles)
    without = {"role": is_owner, "contractId": len(running) > 1}
    return invite.form(
        options={"contractId": contract_options(running)},
        without=[name for name, is_asked in without.items() if not is_asked],
    )


def contract_options(running: list[ContractView]) -> dict[str, str]:
    """Id -> words, of the contracts that people may join through."""
    return {str(row.id): f"From {day_text(row.starts_at)}, number {row.id}" for row in running}
