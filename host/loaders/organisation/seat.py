"""/organization/seats/{id}: one seat, what the rules say about it, its history, and what a manager may do."""

from domain.display_text import percent_text
from domain.routes import Page
from domain.seats.views import seat as seats
from domain.seats.views.seat import SeatCourse, SeatHistoryRow, SeatView
from host.api.organisation.seats import reclaim, remind
from host.loaders.areas import area_page
from host.loaders.organisation.seat_texts import NOT_SHARED, PATH, STATES, last_use, seat_name
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

EVENTS = {
    "assigned": "Assigned",
    "reserved": "Set aside for an invitation",
    "reminded": "Reminder sent",
    "noticed": "Notice sent: goes back in 14 days",
    "confirmed": "The holder still needs it",
    "paused": "Paused by the holder",
    "resumed": "Pause ended",
    "returned": "Free again",
    "reclaimed": "Taken back",
    "spent": "Course completed",
    "freed": "Course completed, free again",
    "removed": "Removed from the contract",
}


@page("organization-seat")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    view = await request.db.read(seats.seat_view, request.tenant, number(request), request.at)
    props: ActionPageProps = {
        "title": route.title,
        "heading": seat_name(view.seat.number),
        "backHref": PATH,
        "backText": "All seats",
        "facts": facts(_FACTS, view),
        "texts": [{"id": "rule", "title": "What the rules say", "text": rule_text(view)}],
        "tables": [
            short_table("courses", "Courses that it opens", "It opens no course yet.", _COURSES, view.courses),
            short_table("history", "History", "Nothing has happened yet.", _HISTORY, view.history),
        ],
        "actions": [remind.form(view.seat.id), reclaim.form(view.seat.id)] if view.seat.state == "active" else [],
    }
    return area_page.page(request, route, props)


def rule_text(view: SeatView) -> str:
    """Whether the seat goes back by itself, in words."""
    contract = view.contract
    if view.seat.state != "active":
        return "Nobody has this seat now, so no rule applies."
    if view.rule is not None:
        days = contract.start_days if view.rule == "not_started" else contract.idle_days
        what = "it was not started" if view.rule == "not_started" else "nothing was done"
        return f"It goes to the next member who waits: {what} for {days} days."
    if view.is_protected:
        return (
            "It stays with its holder, whoever waits: no seat goes back in its first 30 days, from 80 % done on, "
            "within 14 days of a quiz, and while its holder pauses."
        )
    if view.is_started is None:
        return (
            "If somebody waits, it goes back when it was not started within "
            f"{contract.start_days} days, or {contract.idle_days} days without activity and a notice later. Its holder "
            "has not agreed that you see how far they are."
        )
    if not view.is_started:
        return f"Somebody who waits may get it {contract.start_days} days after it was assigned, unless it is started."
    return f"After {contract.idle_days} days without activity its holder gets a notice, if somebody waits."


def _activity(view: SeatView) -> str | None:
    if view.seat.learner_id is None:
        return None
    return last_use(view.seat.state, view.last_active_at) if view.is_shared else NOT_SHARED


_FACTS: tuple[Column[SeatView], ...] = (
    cells.badge("state", "State", lambda view: STATES.get(view.seat.state, ("Removed", "neutral"))),
    cells.text("holder", "Person", lambda view: view.holder or None),
    cells.text("email", "Email", lambda view: view.email or None),
    cells.time("assigned", "Assigned", lambda view: view.seat.assigned_at),
    cells.text("active", "Last active in week", _activity),
    cells.time("back", "May go back", lambda view: view.goes_back_at),
    cells.time("confirmed", "Still needed, said", lambda view: view.seat.confirmed_at),
    cells.time("paused", "Paused until", lambda view: view.seat.paused_until),
)
_COURSES: tuple[Column[SeatCourse], ...] = (
    cells.text("name", "Course", lambda row: row.name),
    cells.text("percent", "Done", lambda row: NOT_SHARED if row.percent is None else percent_text(row.percent)),
)
_HISTORY: tuple[Column[SeatHistoryRow], ...] = (
    cells.time("at", "Time", lambda row: row.occurred_at),
    cells.text("event", "What", lambda row: EVENTS.get(row.kind, row.kind)),
    cells.text("holder", "Holder", lambda row: row.holder or None),
    cells.text("actor", "By", lambda row: row.actor or None),
    cells.text("reason", "Reason", lambda row: row.reason or None),
)
