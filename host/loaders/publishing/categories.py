"""/admin/categories and /admin/instructors, and the page of each."""

from dataclasses import dataclass
from urllib.parse import quote

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.publishing.entries import category_edits
from domain.publishing.entries.category_edits import CATEGORY, CATEGORY_LIST, INSTRUCTOR, INSTRUCTOR_LIST, EntryKind
from domain.routes import Page
from host.api.admin.actions import Action, StaffAction
from host.api.admin.catalogue import categories as calls
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.publishing.course_frame import path_id
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.table_spec import TableSpec, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest, PrivateLoader
from host.rendering.page_result import PageResult
from host.urls import INSTRUCTOR_PATH, LIST_WIDTH, Picture, entry_picture

CATEGORIES, INSTRUCTORS = "/admin/categories", "/admin/instructors"


class EntryEditProps(TypedDict):
    """The page on which a category or an instructor is edited. `slug`: its short name, which never changes.
    `shopHref`: its page in the shop, which it has while something of it is on sale."""

    title: str
    heading: str
    backHref: str
    entryId: int
    slug: str
    picture: Picture | None
    shopHref: str | None
    form: Action


CATEGORY_TABLE = AreaList(
    TableSpec(
        caption="Categories",
        source=CATEGORY_LIST,
        columns=(
            cells.link("name", "Category", lambda row: (row.name, f"{CATEGORIES}/{row.id}")),
            cells.text("slug", "Short name", lambda row: row.slug),
            cells.count("position", "Place", lambda row: row.position),
            cells.count("products", "Courses and items", lambda row: row.uses),
            cells.text("text", "Text", lambda row: row.text or None),
        ),
        filters=(search("q", "Name"),),
        empty={
            "title": "No categories yet",
            "text": "Every course and item is in one category.",
            "action": {"text": "Create the first category", "href": f"{CATEGORIES}/new"},
        },
    )
)
list_page("admin-categories", CATEGORY_TABLE)
INSTRUCTOR_TABLE = AreaList(
    TableSpec(
        caption="Instructors",
        source=INSTRUCTOR_LIST,
        columns=(
            cells.link("name", "Instructor", lambda row: (row.name, f"{INSTRUCTORS}/{row.id}")),
            cells.text("slug", "Short name", lambda row: row.slug),
            cells.text("text", "What they are", lambda row: row.text or None),
            cells.count("courses", "Courses", lambda row: row.uses),
        ),
        filters=(search("q", "Name"),),
        empty={
            "title": "No instructors yet",
            "text": "Courses name the people who teach them.",
            "action": {"text": "Create the first instructor", "href": f"{INSTRUCTORS}/new"},
        },
    )
)
list_page("admin-instructors", INSTRUCTOR_TABLE)


@dataclass(frozen=True)
class EntryPages:
    """The pages about one kind: `path` of the list, `shop_path` before the slug in the shop, and what begins and
    changes one."""

    kind: EntryKind
    path: str
    shop_path: str
    create: StaffAction
    change: StaffAction


PAGES = {
    "admin-category": EntryPages(CATEGORY, CATEGORIES, "/shop?category=", calls.create_category, calls.change_category),
    "admin-instructor": EntryPages(
        INSTRUCTOR, INSTRUCTORS, INSTRUCTOR_PATH, calls.create_instructor, calls.change_instructor
    ),
}


def new_entry(pages: EntryPages) -> PrivateLoader:
    """The page that begins one."""

    async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
        form = pages.create.form(id="new")
        back_text = f"All {pages.path.rpartition('/')[2]}"
        return area_page.page(request, route, new_page(route.title, pages.path, back_text, [form]))

    return load


def one_entry(pages: EntryPages) -> PrivateLoader:
    """The page of one."""

    async def load(request: PageRequest, route: Page) -> PageResult[EntryEditProps]:
        """Raises NotFound, ServiceUnavailable."""

        def read(session: Session) -> EntryEditProps:
            entry_id = path_id(request, "id", f"There is no such {pages.kind.noun}.")
            row = category_edits.entry(session, pages.kind, entry_id)
            texts = category_edits.texts_of(row)
            return {
                "title": route.title,
                "heading": row.name,
                "backHref": pages.path,
                "entryId": row.id,
                "slug": row.slug,
                "picture": entry_picture(row.image, LIST_WIDTH),
                "shopHref": pages.shop_path + quote(row.slug) if category_edits.is_in_shop(session, row) else None,
                "form": pages.change.form(row.id, values=vars(texts), version=category_edits.version_of(texts)),
            }

        return area_page.page(request, route, await request.db.read(read))

    return load


for _page_id, _pages in PAGES.items():
    page(f"{_page_id}-new")(new_entry(_pages))
    page(_page_id)(one_entry(_pages))
