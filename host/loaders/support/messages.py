"""/admin/messages and /admin/messages/{id}: what visitors wrote, and the answers of the staff."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.display_text import moment_text
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.support import messages
from domain.support.messages import MessageRow, Thread
from host.api.admin.actions import Action
from host.api.admin.messages import answer, close, reopen
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import DELETED, events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, TextPart
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/messages"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "new": ("New", "warning"),
    "answered": ("Answered", "good"),
    "closed": ("Closed", "neutral"),
}
_STATE: Column[MessageRow] = cells.badge("state", "State", lambda row: STATES[row.state])
_SENT: Column[MessageRow] = cells.time("sent", "Sent", lambda row: row.sent_at)
_NAME: Column[MessageRow] = cells.text("name", "From", lambda row: row.name)
_EMAIL: Column[MessageRow] = cells.text("email", "Email", lambda row: row.email)

LIST = AreaList(
    TableSpec(
        caption="Messages",
        source=messages.MESSAGES,
        columns=(
            cells.link("subject", "Subject", lambda row: (row.subject, f"{PATH}/{row.id}")),
            *(_STATE, _SENT, _NAME, _EMAIL),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No messages yet",
            "text": "What visitors write on the contact page is listed here.",
            "action": None,
        },
        names_people=True,
    )
)
list_page("admin-messages", LIST)


@page("admin-message")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    thread, events = await request.db.read(_read, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": thread.message.subject,
        "backHref": PATH,
        "backText": "All messages",
        "facts": facts((_STATE, _SENT, _NAME, _EMAIL), thread.message),
        "texts": _texts(thread),
        "tables": [events_table(events)],
        "actions": _actions(thread.message),
    }
    return area_page.page(request, route, props)


def _texts(thread: Thread) -> list[TextPart]:
    replies: list[TextPart] = [
        {
            "id": f"reply-{place}",
            "title": f"Answer of {reply.author or DELETED}, {moment_text(reply.sent_at)}",
            "text": reply.text,
        }
        for place, reply in enumerate(thread.replies, 1)
    ]
    return [{"id": "message", "title": "Message", "text": thread.text}, *replies]


def _actions(message: MessageRow) -> list[Action]:
    hint = f"It is sent to {message.email}. Greeting and the name of the shop are added."
    other = reopen if message.state == "closed" else close
    return [answer.form(message.id, hints={"text": hint}), other.form(message.id)]


def _read(session: Session, message_id: int) -> tuple[Thread, list[AuditEntry]]:
    events = [*subject_entries(session, Subject("message", message_id))]
    return messages.thread(session, message_id), events
