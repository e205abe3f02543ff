"""/admin/retired: courses and items that are sold no more."""

from datetime import UTC, date, datetime

from domain.catalogue.retirement_rules import RetirementStatus
from domain.display_text import day_text
from domain.publishing.editing.retired_list import RetiredRow, retired_list
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.publishing.course_frame import PATHS
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice, search

PATH = "/admin/retired"
_KINDS = {"course": "Course", "item": "Item"}
ANSWERS: dict[RetirementStatus, tuple[str, BadgeTone]] = {
    "landing": ("Landing page", "good"),
    "unlisted": ("Not in search engines", "neutral"),
    "redirect": ("Redirect (301)", "info"),
    "gone": ("Gone (410)", "warning"),
}
DECIDED: dict[str, str] = {
    "auto": "By the rule",
    "landing": "By hand: landing page",
    "redirect": "By hand: redirect",
    "gone": "By hand: gone",
}


def product_path(row: RetiredRow, tab: str = "") -> str:
    return f"{PATHS[row.kind]}/{row.id}{tab}"


def _closure(row: RetiredRow) -> tuple[str, str] | None:
    return None if row.closes_at is None else (day_text(row.closes_at), product_path(row, "/publication"))


def _changes_on(row: RetiredRow) -> date | None:
    return None if row.next_status is None else row.next_status.at.date()


def _changes_to(row: RetiredRow) -> str | None:
    return None if row.next_status is None else ANSWERS[row.next_status.status][0]


def _proposed(row: RetiredRow) -> str | None:
    return None if (proposed := row.proposed) is None else ANSWERS[proposed][0]


KIND: Column[RetiredRow] = cells.text("kind", "Kind", lambda row: _KINDS[row.kind])
RETIRED: Column[RetiredRow] = cells.time("retired", "Retired", lambda row: row.retired_at)
REASON: Column[RetiredRow] = cells.text("reason", "Why", lambda row: row.reason)
OWNERS: Column[RetiredRow] = cells.count(
    "owners", "People with access", lambda row: row.owners if row.kind == "course" else None
)
CLOSES: Column[RetiredRow] = cells.link("closes", "Access ends for all", _closure)
PAGE: Column[RetiredRow] = cells.badge("page", "Its page", lambda row: ANSWERS[row.status])
DECIDED_BY: Column[RetiredRow] = cells.text("decided", "Decided", lambda row: DECIDED[row.choice])
CHANGES_ON: Column[RetiredRow] = cells.day("until", "Changes by itself on", _changes_on)
CHANGES_TO: Column[RetiredRow] = cells.text("then", "Then it answers", _changes_to)

LIST = AreaList(
    TableSpec(
        caption="Retired",
        source=retired_list(lambda: datetime.now(UTC)),
        columns=(
            cells.link("name", "Name", lambda row: (row.name, f"{PATH}/{row.id}")),
            # Cards show the first time, and states, without a label: the day of the retirement, and what is so today.
            *(KIND, RETIRED, PAGE, CHANGES_ON, CHANGES_TO),
            cells.text("proposed", "Proposed", _proposed),
            *(DECIDED_BY, REASON, OWNERS, CLOSES),
        ),
        filters=(
            search("q", "Name"),
            choice("kind", "Kind", _KINDS),
            choice("decided", "Decided", DECIDED),
            choice("proposed", "Proposal", {"open": "Another answer is proposed"}),
        ),
        empty={
            "title": "Nothing is retired",
            "text": "Courses and items that are sold no more are listed here, with what their pages answer.",
            "action": {"text": "All courses", "href": PATHS["course"]},
        },
    )
)
list_page("admin-retired", LIST)
