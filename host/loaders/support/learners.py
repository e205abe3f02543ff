"""/admin/learners: finding a learner by what they say of themselves. There is no list of all."""

from typing_extensions import TypedDict

from domain.identity.names import has_enough_letters
from domain.routes import Page
from domain.support.learners import finding
from domain.support.learners.finding import LearnerHit
from host.loaders.areas import area_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/learners"
MAX_QUERY = 254
_COLUMNS: tuple[Column[LearnerHit], ...] = (
    cells.link("name", "Name", lambda row: (row.name or row.student_number, f"{PATH}/{row.id}")),
    cells.text("email", "Email", lambda row: row.email or None),
    cells.text("number", "Student number", lambda row: row.student_number),
)


class LearnersProps(TypedDict):
    """`hits` null: nothing was searched yet. `note`: what to do when nobody or too many were found, else ""."""

    title: str
    q: str
    hits: ShortTable | None
    note: str


@page("admin-learners")
async def load(request: PageRequest, route: Page) -> PageResult[LearnersProps]:
    """Raises ServiceUnavailable."""
    text = request.query.get("q", "").strip()[:MAX_QUERY]
    props: LearnersProps = {"title": route.title, "q": text, "hits": None, "note": finding.TOO_SHORT}
    if text:
        hits, is_more = await request.db.read_briefly(request.path, finding.find, text)
        props["hits"] = short_table("hits", "Found", _nobody(text), _COLUMNS, hits)
        props["note"] = f"These are the first {finding.MAX_HITS}. Write more of the name." if is_more else ""
    return area_page.page(request, route, props)


def _nobody(text: str) -> str:
    if "@" not in text and not has_enough_letters(text):
        return finding.TOO_SHORT
    return "Nobody was found. An address or number must be whole; of a name the beginnings of its words are enough."
