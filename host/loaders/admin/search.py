"""/admin/search: orders, learners, products, coupons and organisations by what staff type, a few of each.

Nobody is recorded for what is found, as on the page of learners: opening somebody's page is.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from domain.orders.views.state_texts import listed_text
from domain.permissions import Permission, permissions_of
from domain.publishing.editing.course_list import STATES as PRODUCT_STATES
from domain.routes import Page
from domain.support import search
from domain.support.learners.finding import LearnerHit
from domain.support.search import CouponHit, Hits, OrderHit, OrganisationHit, ProductHit
from host.loaders.admin.coupons import STATES as COUPON_STATES
from host.loaders.areas import area_page
from host.loaders.organisations.organisation import STATES as ORGANISATION_STATES
from host.loaders.publishing.courses import TONES as PRODUCT_TONES
from host.loaders.support.order_tones import TONES as ORDER_TONES
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Column
from host.loaders.ui.table_query import address
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

_NAMES = {
    "orders": "orders by code or email address",
    "learners": "learners by email address, student number or name",
    "products": "courses and items by name",
    "coupons": "coupons by code",
    "organisations": "organisations by name",
}


class SearchGroup(TypedDict):
    """What was found of one kind. `more`: to the list that has the rest, null when these are all."""

    table: ShortTable
    more: "ListLink | None"


class ListLink(TypedDict):
    text: str
    href: str


class AdminSearchProps(TypedDict):
    """`note`: what can be found, or why nothing was, else ""."""

    title: str
    q: str
    groups: list[SearchGroup]
    note: str


@page("admin-search")
async def load(request: PageRequest, route: Page) -> PageResult[AdminSearchProps]:
    """Raises ServiceUnavailable."""
    text = request.query.get("q", "").strip()[: search.MAX_TEXT]
    roles = () if request.session is None else request.session.area_roles
    permissions = permissions_of("admin", roles)
    found = await request.db.read(search.find, text, permissions) if text else {}
    props: AdminSearchProps = {
        "title": route.title,
        "q": text,
        "groups": [_group(kind, hits, text) for kind, hits in found.items()],
        "note": "" if found else _note(text, permissions),
    }
    return area_page.page(request, route, props)


def _note(text: str, permissions: Collection[Permission]) -> str:
    names = [_NAMES[kind] for kind, (needed, _) in search.KINDS.items() if needed in permissions]
    what = f"Your roles find {'; '.join(names)}." if names else "Your roles find nothing here."
    return f"Nothing was found. {what}" if len(text) >= search.MIN_TEXT else what


def _group(kind: str, hits: Hits, text: str) -> SearchGroup:
    shown = _SHOWN[kind]
    table = short_table(f"found-{kind}", shown.title, "", shown.columns, hits.rows)
    if not hits.is_more or shown.path is None:
        return {"table": table, "more": None}
    return {"table": table, "more": {"text": shown.more, "href": address(shown.path, [("q", text)])}}


@dataclass(frozen=True)
class HitList:
    """`path`: of the list that finds the others by the same text, with its link `more`; None: there is none."""

    title: str
    more: str
    path: str | None
    columns: tuple[Column[Any], ...]


def _link(label: str, text: Callable[[Any], str], href: Callable[[Any], str]) -> Column[Any]:
    return cells.link("name", label, lambda row: (text(row), href(row)))


def _product_href(row: ProductHit) -> str:
    return f"/admin/{row.kind}s/{row.id}"


_ORDERS: tuple[Column[OrderHit], ...] = (
    _link("Order", lambda row: row.code, lambda row: f"/admin/orders/{row.code}"),
    cells.badge(
        "state", "State", lambda row: (listed_text(row.state, row.refunded, row.total), ORDER_TONES[row.state])
    ),
    cells.time("placed", "Placed", lambda row: row.placed_at),
    cells.minor("total", "Total", lambda row: row.total),
)
_LEARNERS: tuple[Column[LearnerHit], ...] = (
    _link("Learner", lambda row: row.name or row.student_number, lambda row: f"/admin/learners/{row.id}"),
    cells.text("email", "Email", lambda row: row.email or None),
    cells.text("number", "Student number", lambda row: row.student_number),
)
_PRODUCTS: tuple[Column[ProductHit], ...] = (
    _link("Product", lambda row: row.name or row.slug, _product_href),
    cells.badge("state", "State", lambda row: (PRODUCT_STATES[row.status], PRODUCT_TONES[row.status])),
    cells.text("kind", "Kind", lambda row: row.kind.capitalize()),
    cells.text("slug", "Address", lambda row: row.slug),
)
_COUPONS: tuple[Column[CouponHit], ...] = (
    _link("Coupon", lambda row: row.code, lambda row: f"/admin/coupons/{row.id}"),
    cells.badge("state", "State", lambda row: COUPON_STATES[row.state]),
    cells.text("campaign", "Campaign", lambda row: row.campaign or None),
)
_ORGANISATIONS: tuple[Column[OrganisationHit], ...] = (
    _link("Organisation", lambda row: row.name, lambda row: f"/admin/organisations/{row.id}"),
    cells.badge("state", "State", lambda row: ORGANISATION_STATES[row.state]),
    cells.text("slug", "Short name", lambda row: row.slug),
)
# The codes of coupons are whole in their list.
_SHOWN = {
    "orders": HitList("Orders", "All orders to this address", "/admin/orders", _ORDERS),
    "learners": HitList("Learners", "More learners", "/admin/learners", _LEARNERS),
    "products": HitList("Courses and items", "All courses with this name", "/admin/courses", _PRODUCTS),
    "coupons": HitList("Coupons", "", None, _COUPONS),
    "organisations": HitList(
        "Organisations", "All organisations with this name", "/admin/organisations", _ORGANISATIONS
    ),
}
