"""/admin/dead-letters and /admin/dead-letters/{id}: visits that could not be stored, and what can be done with them."""

import asyncio
import json
from typing import Any

from sqlalchemy.orm import Session

from domain import redaction
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.support import letters
from domain.support.letters import LetterRow
from domain.visits.dead_letters import BATCH
from domain.visits.visits import LETTER_TASK
from host.api.admin.actions import Action
from host.api.admin.dead_letters import drop, replay, replay_alike
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/dead-letters"
MAX_BODY = 4_000
STATES = {"waiting": "Waiting", "replayed": "Replayed"}


def _state(row: LetterRow) -> tuple[str, BadgeTone]:
    return (STATES["waiting"], "warning") if row.replayed_at is None else (STATES["replayed"], "good")


_STATE: Column[LetterRow] = cells.badge("state", "State", _state)
_FAILED: Column[LetterRow] = cells.time("failed", "Failed", lambda row: row.failed_at)
_TASK: Column[LetterRow] = cells.text("task", "Task", lambda row: row.task)
_REPLAYED: Column[LetterRow] = cells.time("replayed", "Replayed", lambda row: row.replayed_at)
_CAUSE: Column[LetterRow] = cells.text("reason", "Reason", lambda row: row.cause or None)
_ERROR: Column[LetterRow] = cells.text("error", "Error", lambda row: redaction.redact_text(row.error)[:300] or None)

LIST = AreaList(
    TableSpec(
        caption="Dead letters",
        source=letters.LETTERS,
        columns=(
            cells.link("number", "Letter", lambda row: (count_text(row.id), f"{PATH}/{row.id}")),
            *(_STATE, _FAILED, _TASK, _CAUSE, _REPLAYED),
        ),
        filters=(
            choice("state", "State", STATES),
            choice("task", "Task", {LETTER_TASK: LETTER_TASK}),
            search("reason", "Reason"),
        ),
        empty={
            "title": "No dead letters",
            "text": "Visits that no worker can store are listed here, each with the reason.",
            "action": None,
        },
    )
)
list_page("admin-dead-letters", LIST)


@page("admin-dead-letter")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row, stored, alike, events = await request.db.read(_read, number(request))
    # Not in `_read`: on MariaDB that runs on the event loop, and a letter of thousands of visits takes seconds.
    body = await asyncio.to_thread(_body_text, stored)
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"Dead letter {count_text(row.id)}",
        "backHref": PATH,
        "backText": "All dead letters",
        "facts": facts((_STATE, _FAILED, _TASK, _REPLAYED, _ERROR), row),
        "texts": [{"id": "body", "title": "Message, without secrets", "text": body}],
        "tables": [events_table(events)],
        "actions": [] if row.replayed_at is not None else _actions(row, alike),
    }
    return area_page.page(request, route, props)


def _actions(row: LetterRow, alike: int) -> list[Action]:
    forms = [replay.form(row.id)]
    if alike > 1:
        count = f"the first {count_text(BATCH)}" if alike > BATCH else f"all {count_text(alike)}"
        number = count_text(alike) if alike <= BATCH else f"More than {count_text(BATCH)}"
        about = f"{number} letters failed alike: {row.task}, {row.cause}."
        forms.append(replay_alike.form(row.id, text=about, button=f"Replay {count}"))
    return [*forms, drop.form(row.id, leads_to=PATH)]


def _read(session: Session, letter_id: int) -> tuple[LetterRow, Any, int, list[AuditEntry]]:
    row = letters.letter(session, letter_id)
    events = [*subject_entries(session, Subject("dead_letter", letter_id))]
    return row, letters.body_of(session, letter_id), letters.count_alike(session, row), events


def _body_text(stored: Any) -> str:
    return json.dumps(redaction.redact_json(stored), ensure_ascii=False, indent=2)[:MAX_BODY]
