"""What every tab of a course shows: its name and state, the tabs, and what its page still lacks."""

from typing_extensions import TypedDict

from domain.errors import NotFound
from domain.publishing.editing.stored_course import StoredCourse
from host.loaders.publishing.courses import PATH, badge
from host.loaders.ui.table_cells import BadgeTone
from host.rendering.page_request import PageRequest

# The last part of the address -> the words of the tab; "" is the page of the course itself.
TABS = {
    "": "Texts",
    "outcomes": "Outcomes and FAQ",
    "price": "Price",
    "publication": "Publication",
    "snippet": "Search snippet",
    "reviews": "Reviews",
    "history": "History",
}


class CourseTab(TypedDict):
    href: str
    text: str
    isCurrent: bool


class CourseState(TypedDict):
    id: str
    text: str
    tone: BadgeTone


class CourseFrame(TypedDict):
    """`missing`: in words. `publicHref`: the course's page in the shop; None while people cannot open it."""

    courseId: int
    version: int
    heading: str
    backHref: str
    state: CourseState
    missing: list[str]
    publicHref: str | None
    tabs: list[CourseTab]


def frame(stored: StoredCourse, current: str) -> CourseFrame:
    product = stored.product
    text, tone = badge(product.status)
    is_public = product.status in ("published", "retired")
    return {
        "courseId": product.id,
        "version": product.version,
        "heading": product.name or product.slug,
        "backHref": PATH,
        "state": {"id": product.status, "text": text, "tone": tone},
        "missing": list(stored.missing) if product.status in ("draft", "scheduled") else [],
        "publicHref": f"/course-details?course={product.slug}" if is_public else None,
        "tabs": [
            {
                "href": f"{PATH}/{product.id}{f'/{part}' if part else ''}",
                "text": words,
                "isCurrent": part == current,
            }
            for part, words in TABS.items()
        ],
    }


def course_id(request: PageRequest) -> int:
    """The id in the address. Raises NotFound."""
    text = request.values["id"]
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise NotFound("There is no such course.")
    return int(text)
