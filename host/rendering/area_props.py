"""What a page of an area says about its area, in document and page data: layout, sign-in page and navigation."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NotRequired

from typing_extensions import TypedDict

from domain.account.current_session import CurrentSession
from domain.permissions import Role, permissions_of
from domain.route_rows import NavEntry
from domain.routes import AreaPage, SiteArea, area_pages


class NavLink(TypedDict):
    """`below`: the address of the link before it that holds this one: it is shown while one of both is current.
    `also`: another address, which belongs to the link with the pages below it."""

    href: str
    label: str
    below: str | None
    also: NotRequired[str]


class NavGroup(TypedDict):
    title: str
    links: list[NavLink]


class AreaProps(TypedDict):
    """`signIn`: null for a public area. `nav`: the pages that the session may open, in the order of routes.json; empty
    without a session. `timeZone`: the shop's, in which people may have times written instead of UTC."""

    id: str
    title: str
    layout: str
    home: str
    signIn: str | None
    nav: list[NavGroup]
    timeZone: str


def area_props(area: SiteArea, session: CurrentSession | None, time_zone: str) -> AreaProps:
    return {
        "id": area.id,
        "title": area.title,
        "layout": area.layout,
        "home": area.home,
        "signIn": area.sign_in,
        "nav": [] if session is None else _navigation(area, session.area_roles),
        "timeZone": time_zone,
    }


# For each set of roles that people have. Nobody changes what it returns: it becomes JSON.
@lru_cache(maxsize=256)
def _navigation(area: SiteArea, roles: tuple[Role, ...]) -> list[NavGroup]:
    if area.session is None:
        return []
    permissions = permissions_of(area.session, roles)
    pages = [
        page
        for page in area_pages()
        if page.area is area and page.served and (page.permission is None or page.permission in permissions)
    ]
    groups: dict[str, list[NavLink]] = {}
    for page, entry, holder in _in_order(pages):
        link: NavLink = {"href": page.path, "label": entry.label, "below": None if holder is None else holder.path}
        if entry.also:
            link["also"] = entry.also
        groups.setdefault(entry.group, []).append(link)
    return [{"title": title, "links": links} for title, links in groups.items()]


def _in_order(pages: list[AreaPage]) -> Iterator[tuple[AreaPage, NavEntry, AreaPage | None]]:
    """Each page of the navigation, its entry, and the page that holds it. Whoever may not open that one has the entry
    for itself."""
    listed: dict[str, tuple[AreaPage, NavEntry]] = {page.id: (page, page.nav) for page in pages if page.nav is not None}
    held = {page_id: entry.below for page_id, (_, entry) in listed.items() if entry.below in listed}
    for page_id, (page, entry) in listed.items():
        if page_id not in held:
            yield page, entry, None
            yield from ((*listed[below], page) for below, holder in held.items() if holder == page_id)
