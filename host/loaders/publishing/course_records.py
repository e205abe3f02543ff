"""Tabs of a course that only show: its search snippet and its reviews."""

from decimal import Decimal

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.display_text import count_text, decimal_text
from domain.publishing.editing import course_list
from domain.publishing.editing.course_list import CourseReview
from domain.publishing.editing.stored_course import StoredCourse, stored_course
from domain.publishing.editing.stored_product import StoredProduct
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.publishing.course_frame import CourseFrame, course_id, frame, product_of
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import Fact, ShortTable, facts, short_table
from host.loaders.ui.table_cells import BadgeTone, Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.urls import href_of

_REVIEW_TONES: dict[str, BadgeTone] = {"published": "good", "pending": "warning", "hidden": "neutral"}


class CourseRecordsProps(TypedDict):
    title: str
    frame: CourseFrame
    facts: list[Fact]
    tables: list[ShortTable]


@page("admin-course-snippet", "admin-item-snippet")
async def load_snippet(request: PageRequest, route: Page) -> PageResult[CourseRecordsProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CourseRecordsProps:
        stored = product_of(session, request)
        title, description = course_list.snippet(session, stored.product.id)
        columns: tuple[Column[StoredProduct], ...] = (
            cells.text("title", "Title in search results", lambda _: title or None),
            cells.text("description", "Description in search results", lambda _: description or None),
            cells.text("address", "Address", lambda row: href_of(row.product.kind, row.product.id, row.product.slug)),
        )
        return records_props(route, stored, "snippet", facts(columns, stored), [])

    return area_page.page(request, route, await request.db.read(read))


@page("admin-course-reviews")
async def load_reviews(request: PageRequest, route: Page) -> PageResult[CourseRecordsProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CourseRecordsProps:
        stored = stored_course(session, course_id(request))
        reviews = course_list.newest_reviews(session, stored.product.id)
        empty = "Learners who have the course may review it."
        table = short_table("reviews", "Newest reviews", empty, _REVIEWS, reviews)
        return records_props(route, stored, "reviews", facts(_STARS, stored), [table])

    return area_page.page(request, route, await request.db.read(read))


def records_props(
    route: Page, stored: StoredProduct, tab: str, shown: list[Fact], tables: list[ShortTable]
) -> CourseRecordsProps:
    return {"title": route.title, "frame": frame(stored, tab), "facts": shown, "tables": tables}


def _stars(rating: Decimal | None) -> str | None:
    return None if rating is None else f"{decimal_text(rating, 2)} of {count_text(5)}"


_STARS: tuple[Column[StoredCourse], ...] = (
    cells.text("rating", "Stars", lambda row: _stars(row.product.rating)),
    cells.count("count", "Reviews and ratings", lambda row: row.product.rating_count),
)
_REVIEWS: tuple[Column[CourseReview], ...] = (
    cells.time("at", "Written", lambda row: row.reviewed_at),
    cells.count("stars", "Stars", lambda row: row.rating),
    cells.badge("state", "State", lambda row: (row.state.capitalize(), _REVIEW_TONES[row.state])),
    cells.text("author", "Author", lambda row: row.author or None),
    cells.text("text", "Text", lambda row: ": ".join(part for part in (row.title, row.body) if part) or None),
    cells.text("reason", "Hidden because", lambda row: row.hidden_reason or None),
)
