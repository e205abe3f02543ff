"""What a page of an area says about its area, in document and page data: layout, sign-in page and navigation."""

from typing_extensions import TypedDict

from domain.identity.current_session import CurrentSession
from domain.permissions import permissions_of
from domain.routes import AreaPage, SiteArea, area_pages


class NavLink(TypedDict):
    href: str
    label: str


class NavGroup(TypedDict):
    title: str
    links: list[NavLink]


class AreaProps(TypedDict):
    """`signIn`: null for a public area. `nav`: the pages that the session may open, in the order of routes.json; empty
    without a session."""

    id: str
    title: str
    layout: str
    home: str
    signIn: str | None
    nav: list[NavGroup]


def area_props(area: SiteArea, session: CurrentSession | None) -> AreaProps:
    return {
        "id": area.id,
        "title": area.title,
        "layout": area.layout,
        "home": area.home,
        "signIn": area.sign_in,
        "nav": [] if session is None else _navigation(area, session),
    }


def _navigation(area: SiteArea, session: CurrentSession) -> list[NavGroup]:
    groups: dict[str, list[NavLink]] = {}
    for page in area_pages():
        if page.nav is not None and page.served and page.area is area and _may_open(page, session):
            groups.setdefault(page.nav.group, []).append({"href": page.path, "label": page.nav.label})
    return [{"title": title, "links": links} for title, links in groups.items()]


def _may_open(page: AreaPage, session: CurrentSession) -> bool:
    area = page.area.session
    return area is not None and (page.permission is None or page.permission in permissions_of(area, session.area_roles))
