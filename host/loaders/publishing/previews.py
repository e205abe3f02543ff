"""/admin/courses/{id}/preview and /admin/items/{id}/preview: pages as the shop would show them, also of drafts.

They are pages of the area, so that public pages need no cookie to decide who may see a draft.
"""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.catalogue import details, redirects
from domain.catalogue import details as catalogue_details
from domain.catalogue.retirement import retired_page
from domain.catalogue.retirement_rules import RetirementStatus, retirement_status
from domain.errors import NotFound
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.course import course_props, reviews_props
from host.loaders.course_props import CourseProps, Reviews
from host.loaders.item import ItemProps, item_props
from host.loaders.publishing.course_frame import PATHS, course_id, path_id
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

_HIDDEN = "Visitors cannot open this page yet."
NOTES = {"draft": _HIDDEN, "scheduled": _HIDDEN, "published": "The shop shows the same page."}
RETIRED: dict[RetirementStatus, str] = {
    "landing": "It is retired: the shop shows this page without an offer.",
    "unlisted": "It is retired: the shop shows this page without an offer, and search engines do not list it.",
    "redirect": "It is retired: instead of this page visitors come to its successor.",
    "gone": "It is retired: instead of this page visitors are told that it is no longer offered.",
}


class CoursePreviewProps(TypedDict):
    """`note`: what visitors can see of it."""

    title: str
    backHref: str
    note: str
    course: CourseProps
    reviews: Reviews


class ItemPreviewProps(TypedDict):
    """As `CoursePreviewProps`."""

    title: str
    backHref: str
    note: str
    item: ItemProps


@page("admin-course-preview")
async def load_course(request: PageRequest, route: Page) -> PageResult[CoursePreviewProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CoursePreviewProps:
        detail = details.course_in_any_state(session, course_id(request))
        if detail is None:
            raise NotFound("There is no such course.")
        product = detail.product
        return {
            "title": route.title,
            "backHref": f"{PATHS['course']}/{product.id}",
            "note": _note(session, product, request.at),
            "course": course_props(request, detail),
            "reviews": reviews_props(*catalogue_details.reviews(session, product.id)),
        }

    return area_page.page(request, route, await request.db.read(read))


@page("admin-item-preview")
async def load_item(request: PageRequest, route: Page) -> PageResult[ItemPreviewProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> ItemPreviewProps:
        detail = details.item_in_any_state(session, path_id(request, "id", "There is no such item."))
        if detail is None:
            raise NotFound("There is no such item.")
        product = detail.product
        return {
            "title": route.title,
            "backHref": f"{PATHS['item']}/{product.id}",
            "note": _note(session, product, request.at),
            "item": item_props(request, detail),
        }

    return area_page.page(request, route, await request.db.read(read))


def _note(session: Session, product: Any, at: datetime) -> str:
    if product.status != "retired":
        return NOTES[product.status]
    has_successor = redirects.successor(session, product) is not None
    return RETIRED[retirement_status(retired_page(session, product, has_successor=has_successor), at)]
