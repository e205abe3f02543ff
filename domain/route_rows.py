"""The rows of contracts/routes.json: the public pages, the shop's own, and the areas with their pages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from domain.permissions import AREAS, Area, Permission, roles_with

ROUTES_FILE = Path(__file__).parent.parent / "contracts" / "routes.json"


class InvalidRow(ValueError):
    """A row of routes.json contradicts itself or another; the text names it. Ends the start."""


@dataclass(frozen=True)
class Page:
    """One row of routes.json. `served` is False for pages that are not built yet: they answer 404."""

    id: str
    path: str
    layout: str
    title: str
    server_rendered: bool
    indexable: bool
    served: bool
    # Parameters that its content depends on, in the order of its canonical URL; `repeatable` ones take several values.
    query: tuple[str, ...] = ()
    repeatable: tuple[str, ...] = ()
    # Only for signed-in people: its data comes with their session, is never cached and never reaches Node.
    private: bool = False
    # A private page that people who are not signed in have too: its loader is called without a session.
    for_guests: bool = False
    # A style sheet of the build beside that of every page; "": none.
    style: str = ""
    # Bytes of brotli that it may load before it runs, which the build checks; None: as many as it needs.
    javascript_budget: int | None = None
    # Sources that its Content-Security-Policy allows beside those of every page: (directive, names of sources).
    csp: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(self.path.strip("/").split("/"))


@dataclass(frozen=True)
class SiteArea:
    """A part of the site below `home` with a layout, style sheet and bundle of its own.

    `session`: the area of domain.permissions that one signs in to at `sign_in`; both None for a public area. `style`: a
    style sheet of the build beside that of every page. `chunks`: the group of modules that its pages share.
    `javascript_budget`: bytes of brotli that a page may load before it runs.
    """

    id: str
    title: str
    layout: str
    session: Area | None
    sign_in: str | None
    home: str
    style: str | None
    chunks: str
    javascript_budget: int


@dataclass(frozen=True)
class NavEntry:
    """Where the side navigation of an area lists a page. `below`: the id of the page whose entry holds its own.
    `also`: another address, which belongs to the entry with the pages below it, "": none."""

    group: str
    label: str
    below: str | None = None
    also: str = ""


@dataclass(frozen=True, kw_only=True)
class AreaPage(Page):
    """A page of an area. `permission`: what its session needs besides; None: the area alone. `any_session`: a session
    of another area will do, for a person's own data. `before_choice`: of the area of organisations, also for whoever
    has not chosen one yet."""

    area: SiteArea
    permission: Permission | None = None
    nav: NavEntry | None = None
    any_session: bool = False
    before_choice: bool = False


@lru_cache(1)
def table() -> tuple[Page, ...]:
    """The public pages: those of the specification."""
    return tuple(Page(**_columns(row)) for row in _file()["pages"])


@lru_cache(1)
def own_pages() -> tuple[Page, ...]:
    """The shop's own public pages beside those of the specification."""
    return tuple(Page(**_columns(row)) for row in _file()["own_pages"])


def public_pages() -> tuple[Page, ...]:
    return (*table(), *own_pages())


@lru_cache(1)
def by_id() -> dict[str, Page]:
    """The public pages by their ids."""
    return {page.id: page for page in public_pages()}


@lru_cache(1)
def areas() -> tuple[SiteArea, ...]:
    """Raises InvalidRow."""
    return tuple(_area(row) for row in _file()["areas"])


@lru_cache(1)
def area_pages() -> tuple[AreaPage, ...]:
    """The pages of all areas; they are in no index and no sitemap. Raises InvalidRow."""
    by_area = {area.id: area for area in areas()}
    pages = tuple(_area_page(row, by_area) for row in _file()["area_pages"])
    for values in zip(*((page.id, page.path) for page in (*public_pages(), *pages)), strict=True):
        if len(set(values)) < len(values):
            raise InvalidRow("two pages have one id or one path")
    return pages


def _file() -> dict[str, Any]:
    rows: dict[str, Any] = json.loads(ROUTES_FILE.read_text("utf-8"))
    return rows


def _columns(row: Mapping[str, Any]) -> dict[str, Any]:
    lists = {name: tuple(row.get(name, ())) for name in ("query", "repeatable")}
    csp = tuple((directive, tuple(sources)) for directive, sources in row.get("csp", {}).items())
    return {**row, **lists, "csp": csp}


def _area(row: Mapping[str, Any]) -> SiteArea:
    area = SiteArea(**row)
    if (area.session is None) != (area.sign_in is None) or area.session not in (*AREAS, None):
        raise InvalidRow(f"the area {area.id} needs both the area of its sessions and the page of its sign-in, or none")
    return area


def _area_page(row: Mapping[str, Any], by_area: Mapping[str, SiteArea]) -> AreaPage:
    area = by_area.get(row["area"])
    if area is None or not f"{row['path']}/".startswith(f"{area.home}/"):
        raise InvalidRow(f"the page {row['id']} is in no area, or not below its home")
    permission = None if row.get("permission") is None else Permission(row["permission"])
    if permission is not None and (area.session is None or not roles_with(area.session, permission)):
        raise InvalidRow(f"the page {row['id']} needs {permission}, which no role of its area has")
    is_private = area.session is not None
    about = {"layout": area.layout, "server_rendered": not is_private, "indexable": False, "private": is_private}
    nav = None if row.get("nav") is None else NavEntry(**row["nav"])
    return AreaPage(**{**_columns(row), **about, "area": area, "permission": permission, "nav": nav})
