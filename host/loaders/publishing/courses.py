"""/admin/courses: all courses, the newest first."""

from domain.publishing.bulk.operations import PURPOSES
from domain.publishing.editing.course_list import COURSE_LIST, STATES, CourseRow, categories
from domain.routes import Page
from host.api.admin.courses import create_course
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import BulkAction, TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/courses"
# By the purposes of bulk changes. Each leads to /admin/bulk/{id}, which offers what can be done with the rows.
BULK_ACTIONS: tuple[BulkAction, ...] = (
    {"id": "catalogue", "label": "Change…", "isDangerous": False},
    {"id": "prices", "label": "Change prices…", "isDangerous": False},
)
TONES: dict[str, BadgeTone] = {"draft": "neutral", "scheduled": "info", "published": "good", "retired": "warning"}


def badge(status: str) -> tuple[str, BadgeTone]:
    return STATES[status], TONES[status]


def _missing(row: CourseRow) -> str | None:
    return "; ".join(row.missing) or None


def category_choices(request: PageRequest) -> dict[str, str]:
    """Also categories in which nothing is on sale."""
    return {category.slug: category.name for category in request.site.categories}


LIST = AreaList(
    TableSpec(
        caption="Courses",
        source=COURSE_LIST,
        columns=(
            cells.link("name", "Course", lambda row: (row.name or row.slug, f"{PATH}/{row.id}")),
            cells.badge("status", "State", lambda row: badge(row.status)),
            cells.text("category", "Category", lambda row: row.category),
            cells.text("missing", "Lacks for its page", _missing),
            cells.count("enrolled", "Learners", lambda row: row.enrolled),
            cells.time("updated", "Changed", lambda row: row.updated_at),
            cells.time("published", "Published", lambda row: row.published_at, hidden=True),
            cells.text("slug", "Address", lambda row: row.slug, hidden=True),
        ),
        filters=(search("q", "Name"), choice("status", "State", STATES), choice("category", "Category", {})),
        empty={
            "title": "No courses yet",
            "text": "Every course is listed here, also those that are not published.",
            "action": {"text": "Create the first course", "href": f"{PATH}/new"},
        },
        bulk_actions=BULK_ACTIONS,
    ),
    bulk_permissions=PURPOSES,
    choices={"category": category_choices},
)
list_page("admin-courses", LIST)


@page("admin-course-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Without a form while there is no category. Raises ServiceUnavailable."""
    names = {category.slug: category.name for category in await request.db.read(categories)}
    # What it may be called, such as a search that found nothing: what was typed before belongs to another course.
    name = request.query.get("name", "")[:255]
    form = create_course.form(values={"name": name}, options={"category": names}, id=f"new {name}".strip())
    return area_page.page(request, route, new_page(route.title, PATH, "All courses", [form] if names else []))
