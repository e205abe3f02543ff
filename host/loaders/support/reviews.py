"""/admin/reviews and /admin/reviews/{id}: the reviews of courses, and showing or hiding one."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.support import moderation
from domain.support.moderation import ReportedReview, ReportOfReview
from host.api.admin.actions import Action
from host.api.admin.reviews import hide, publish
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts, short_table
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/reviews"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "pending": ("To look at", "warning"),
    "published": ("Shown", "good"),
    "hidden": ("Hidden", "neutral"),
}
NO_NAME = "Without a name"
_STATE: Column[ReportedReview] = cells.badge("state", "State", lambda row: STATES[row.state])
_COURSE: Column[ReportedReview] = cells.text("course", "Course", lambda row: row.course)
_STARS: Column[ReportedReview] = cells.count("stars", "Stars", lambda row: row.rating)
_AUTHOR: Column[ReportedReview] = cells.text("author", "By", lambda row: row.author or NO_NAME)
_REPORTS: Column[ReportedReview] = cells.count("reports", "Reports", lambda row: row.reports or None)
_WRITTEN: Column[ReportedReview] = cells.time("written", "Written", lambda row: row.reviewed_at)
_EDITED: Column[ReportedReview] = cells.time("edited", "Changed", lambda row: row.edited_at)

LIST = AreaList(
    TableSpec(
        caption="Reviews",
        source=moderation.REVIEWS,
        names_people=True,
        columns=(
            cells.link(
                "title", "Review", lambda row: (row.title or f"Review {count_text(row.id)}", f"{PATH}/{row.id}")
            ),
            *(_STATE, _COURSE, _STARS, _AUTHOR, _REPORTS, _WRITTEN),
        ),
        filters=(
            choice(
                "state",
                "State",
                {**{state: text for state, (text, _) in STATES.items()}, moderation.REPORTED: "Shown, and reported"},
            ),
        ),
        empty={
            "title": "No reviews yet",
            "text": "What learners write about their courses is listed here.",
            "action": None,
        },
    )
)
list_page("admin-reviews", LIST)


@page("admin-review")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row, reports, events = await request.db.read(_read, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": row.title or f"Review {count_text(row.id)}",
        "backHref": PATH,
        "backText": "All reviews",
        "facts": facts((_STATE, _COURSE, _STARS, _AUTHOR, _VERIFIED, _WRITTEN, _EDITED, _HIDDEN), row),
        "texts": [{"id": "text", "title": "Text", "text": row.text or "Stars without a text."}],
        "tables": [
            short_table("reports", "Reports of learners", "Nobody has reported it.", _REPORT_COLUMNS, reports),
            events_table(events),
        ],
        "actions": _actions(row),
    }
    return area_page.page(request, route, props)


def _actions(row: ReportedReview) -> list[Action]:
    shown = "Its reports are settled by that." if row.reports else "Its author is told by mail."
    showing, hiding = publish.form(row.id, text=shown), hide.form(row.id)
    if row.state == "hidden":
        return [showing]
    return [showing, hiding] if row.state == "pending" or row.reports else [hiding]


def _read(session: Session, review_id: int) -> tuple[ReportedReview, list[ReportOfReview], list[AuditEntry]]:
    row, reports = moderation.review(session, review_id)
    return row, reports, [*subject_entries(session, Subject("review", review_id))]


_VERIFIED: Column[ReportedReview] = cells.text(
    "verified", "Had the course", lambda row: "Yes" if row.is_verified else "No"
)
_HIDDEN: Column[ReportedReview] = cells.text("hidden", "Reason for hiding", lambda row: row.hidden_reason or None)
_REPORT_COLUMNS: tuple[Column[ReportOfReview], ...] = (
    cells.time("at", "Time", lambda row: row.reported_at),
    cells.text("reason", "Reason", lambda row: row.reason or None),
)
