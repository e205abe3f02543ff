"""/organization/profile: what the organisation says of itself, how people join it, and its own prices."""

from sqlalchemy.orm import Session

from domain.display_text import day_text
from domain.organisations import profile
from domain.organisations.contracts import ContractView, contracts_of
from domain.organisations.joining import codes
from domain.organisations.profile import Profile
from domain.permissions import Tenant
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.organisation import profile as calls
from host.loaders.areas import area_page
from host.loaders.organisation.contract_columns import covers_text, product_columns, terms_text
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import ShortTable, facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class OrganisationProfileProps(ActionPageProps):
    """`logo`: a path on this site, "" without one. `partnerLink`: for others; with `preview`, what it leads to."""

    logo: str
    name: str
    partnerLink: str
    isShopRestricted: bool


@page("organization-profile")
async def load(request: PageRequest, route: Page) -> PageResult[OrganisationProfileProps]:
    """Raises ServiceUnavailable."""
    own, contracts = await request.db.read(_read, request.tenant)
    running = [row for row in contracts if row.is_running(request.at)]
    props: OrganisationProfileProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": "/organization",
        "backText": "Overview",
        "facts": facts(_FACTS, own),
        "texts": [],
        "tables": [_codes(running), *_prices(request, running)],
        "actions": [*_name_and_domains(own), *_code_actions(running)],
        "logo": own.logo,
        "name": own.name,
        "partnerLink": f"{request.settings.site_origin}/d?k={own.slug}",
        "isShopRestricted": any(row.is_restricted for row in running),
    }
    return area_page.page(request, route, props)


def _read(session: Session, tenant: Tenant) -> tuple[Profile, tuple[ContractView, ...]]:
    return profile.profile_of(session, tenant), contracts_of(session, tenant)


_FACTS: tuple[Column[Profile], ...] = (
    cells.text("name", "Name", lambda row: row.name),
    cells.text("slug", "Short name", lambda row: row.slug),
    cells.text("domains", "Email domains", lambda row: ", ".join(row.domains) or None),
    cells.text("requested", "Domains that we look at", lambda row: ", ".join(row.requested_domains) or None),
)
_CODES: tuple[Column[ContractView], ...] = (
    cells.text("contract", "Contract", lambda row: f"From {day_text(row.starts_at)}, number {row.id}"),
    cells.text("code", "Code", lambda row: None if row.join_code is None else codes.shown(row.join_code)),
    cells.count("uses", "People who joined with it", lambda row: row.join_code_uses if row.join_code else None),
)


def _codes(running: list[ContractView]) -> ShortTable:
    return short_table("codes", "Join codes", "No contract runs at the moment.", _CODES, running)


def _prices(request: PageRequest, running: list[ContractView]) -> list[ShortTable]:
    currency, locale = request.settings.shop.currency, request.settings.locale
    terms: Column[ContractView] = cells.text("terms", "Terms", lambda row: terms_text(row, currency, locale))
    covers: Column[ContractView] = cells.text("covers", "Covers", covers_text)
    table = short_table("prices", "Your prices", "No contract runs at the moment.", (_CODES[0], terms, covers), running)
    named = [
        short_table(f"prices-{row.id}", f"Products of contract {row.id}", "", product_columns(request), row.products)
        for row in running
        if row.products
    ]
    return [table, *named]


def _name_and_domains(own: Profile) -> list[Action]:
    actions = [calls.put_name.form(), calls.request_domain.form()]
    if all_domains := [*own.requested_domains, *own.domains]:
        actions.append(calls.remove_domain.form(options={"domain": {name: name for name in all_domains}}))
    return actions


def _code_actions(running: list[ContractView]) -> list[Action]:
    return [action for row in running for action in _of_contract(row)]


def _of_contract(row: ContractView) -> list[Action]:
    key, about = f"organization-contracts-{row.id}", f"contract {row.id}"
    if row.join_code is None:
        first = calls.new_code.form(
            row.id,
            id=f"{key}-new-code",
            title=f"Join code of {about}",
            text="Whoever has the code joins without an invitation.",
            button="Make a code",
            question=None,
            is_dangerous=False,
        )
        return [first]
    return [
        calls.new_code.form(row.id, id=f"{key}-new-code", title=f"New join code of {about}"),
        calls.no_code.form(row.id, id=f"{key}-no-code", title=f"No join code of {about}"),
    ]
