"""What pages show of the site to restricted members and visitors of a partner link: whose courses they see, and the
categories of these alone."""

from dataclasses import replace

import orjson

from domain.catalogue import scope as catalogue_scope
from domain.catalogue.listing import ShopQuery
from domain.catalogue.scope import ScopeSummary
from domain.display_text import count_text
from domain.errors import ServiceUnavailable
from domain.money import price_scale
from domain.text_direction import isolated
from host.rendering.page_request import PageRequest
from host.site_state import SiteProps, SiteState, linked_categories

NOTHING = "Your organisation has no contract that is running, so there is nothing to see here at the moment."


async def with_scoped_site(page: PageRequest) -> PageRequest:
    """The request with the site as its visitor sees it; unchanged for whoever sees all of the catalogue, while the
    database is unavailable, and on private pages: the markup around their data is everybody's."""
    if page.scope is None or (page.route is not None and page.route.private):
        return page
    try:
        query = ShopQuery(price_scale=price_scale(page.site.currency), scope=page.scope)
        cells = await page.site.counts.cells(page.db, query, page.site.edits, page.at)
        found = catalogue_scope.summary(cells.by_category(), await page.db.read(catalogue_scope.owners, page.scope))
    except ServiceUnavailable:
        return page
    return replace(page, site=_scoped(page.site, found, page.settings.locale))


def _scoped(site: SiteState, found: ScopeSummary, locale: str) -> SiteState:
    """`counts` stays that of all visitors: its keys name the scope."""
    categories = tuple(replace(category, count=found.by_category.get(category.id, 0)) for category in site.categories)
    props: SiteProps = {
        **site.props,
        "categories": linked_categories(categories),
        "scope": {"text": sentence(found, locale), "logo": found.logo},
    }
    return replace(site, categories=categories, props=props, json=orjson.dumps(props))


def sentence(found: ScopeSummary, locale: str) -> str:
    """Why the shop is what it is."""
    if not found.organisations:
        return NOTHING
    names = [isolated(name) for name in found.organisations]
    owners = " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
    total = found.courses + found.items
    if total == 0:
        return f"{owners} has no courses here at the moment."
    what = "courses and materials" if found.items else "courses"
    if total == 1:
        return f"You see the one {'material' if found.items else 'course'} of {owners}."
    return f"You see the {count_text(total, locale)} {what} of {owners}."
