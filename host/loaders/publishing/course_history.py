"""/admin/courses/{id}/history, also of items: the recorded events of a product, and its former addresses."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.publishing.editing import course_list
from domain.publishing.editing.stored_product import StoredProduct
from domain.routes import Page
from domain.staff.recorded_events import subject_entries
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.publishing.course_frame import product_of
from host.loaders.publishing.course_records import CourseRecordsProps, records_props
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


@page("admin-course-history", "admin-item-history")
async def load(request: PageRequest, route: Page) -> PageResult[CourseRecordsProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CourseRecordsProps:
        stored = product_of(session, request)
        events = [*subject_entries(session, Subject(stored.product.kind, stored.product.id))]
        former = course_list.former_slugs(session, stored.product.id)
        columns: tuple[Column[StoredProduct], ...] = (
            cells.time("created", "First published", lambda row: row.product.published_at),
            cells.time("changed", "Changed", lambda row: row.product.updated_at),
            cells.text("former", "Former addresses", lambda _: ", ".join(former) or None),
        )
        return records_props(route, stored, "history", facts(columns, stored), [events_table(events)])

    return area_page.page(request, route, await request.db.read(read))
