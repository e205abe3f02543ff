"""/organization/members/{id}: one member, and what can be changed about them."""

from domain.organisations.members import MemberRow, member_of
from domain.permissions import Permission, permissions_of
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.organisation.members import put_role, put_team, remove
from host.loaders.areas import area_page
from host.loaders.organisation.member_columns import MEMBER_COLUMNS, ROLE_NAMES, member_name
from host.loaders.support.page_ids import number
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/organization/members"


@page("organization-member")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row = await request.db.read(member_of, request.tenant, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": member_name(row),
        "backHref": PATH,
        "backText": "All members",
        "facts": facts(MEMBER_COLUMNS, row),
        "texts": [],
        "tables": [],
        "actions": _actions(request, row),
    }
    return area_page.page(request, route, props)


def _actions(request: PageRequest, row: MemberRow) -> list[Action]:
    """Nobody changes their own role or removes themselves; owners alone change roles, and remove who is no member."""
    actions, session = [put_team.form(row.id)], request.session
    if session is None or session.auth.learner_id == row.learner_id:
        return actions
    is_owner = Permission.OWNERSHIP_WRITE in permissions_of("organisation", session.area_roles)
    if is_owner:
        roles = {role: text for role, text in ROLE_NAMES.items() if role != row.role}
        actions.append(put_role.form(row.id, options={"role": roles}))
    if is_owner or row.role == "member":
        actions.append(remove.form(row.id, leads_to=PATH))
    return actions
