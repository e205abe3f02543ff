"""/organization/contracts: the terms of the organisation, in words."""

from domain.display_text import day_text
from domain.organisations.contracts import contracts_of
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.organisation.contract_columns import contract_columns, product_columns
from host.loaders.ui.detail_props import DetailProps, short_table
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


@page("organization-contracts")
async def load(request: PageRequest, route: Page) -> PageResult[DetailProps]:
    """Raises ServiceUnavailable."""
    contracts = await request.db.read(contracts_of, request.tenant)
    empty = "Your organisation has no contract yet. The shop makes one with you."
    tables = [short_table("contracts", "All contracts", empty, contract_columns(request), contracts)]
    for row in contracts:
        if row.products:
            title = f"Products from {day_text(row.starts_at)}"
            tables.append(short_table(f"products-{row.id}", title, "", product_columns(request), row.products))
    props: DetailProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": "/organization",
        "backText": "Overview",
        "facts": [],
        "tables": tables,
    }
    return area_page.page(request, route, props)
