"""/admin/items and the tabs of an item that courses do not have; and the picture of both."""

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.display_text import count_text
from domain.permissions import Permission
from domain.publishing.bulk.operations import PURPOSES
from domain.publishing.editing import course_list, item_contents
from domain.publishing.editing.course_list import STATES
from domain.publishing.editing.item_list import ITEM_LIST
from domain.publishing.editing.item_texts import ITEM_KINDS
from domain.publishing.editing.stored_item import StoredItem, stored_item
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.admin.catalogue import items
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.publishing.course_frame import PATHS, CourseFrame, frame, may, path_id, product_of
from host.loaders.publishing.courses import BULK_ACTIONS, badge, category_choices
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.urls import Picture, picture

PATH = PATHS["item"]


class ItemTextsProps(TypedDict):
    """`descriptionHtml`: as the shop shows it. `form` null: the texts are shown alone."""

    title: str
    frame: CourseFrame
    descriptionHtml: str
    form: Action | None


class ItemFileProps(TypedDict):
    """A file that the buyers of an item can download."""

    sha256: str
    name: str
    mediaType: str
    bytes: int


class ItemDeliveryProps(TypedDict):
    """`text`: how many there are; shown alone where `form` is null. `courses`: the form of what a bundle opens.
    `files`: of an item that is downloaded. Null for others, and for those who may not change it."""

    title: str
    frame: CourseFrame
    text: str
    form: Action | None
    courses: Action | None
    files: list[ItemFileProps] | None


class ProductImageProps(TypedDict):
    """`isGenerated`: the shop made the picture of the name and the category."""

    title: str
    frame: CourseFrame
    picture: Picture
    isGenerated: bool
    mayEdit: bool


LIST = AreaList(
    TableSpec(
        caption="Items",
        source=ITEM_LIST,
        columns=(
            cells.link("name", "Item", lambda row: (row.name or row.slug, f"{PATH}/{row.id}")),
            cells.badge("status", "State", lambda row: badge(row.status)),
            cells.text("kind", "Kind", lambda row: ITEM_KINDS.get(row.item_kind, row.item_kind)),
            cells.text("sku", "Stock number", lambda row: row.sku),
            cells.count("stock", "In stock", lambda row: row.stock),
            cells.text("missing", "Lacks for its page", lambda row: "; ".join(row.missing) or None),
            cells.time("updated", "Changed", lambda row: row.updated_at),
            cells.text("category", "Category", lambda row: row.category, hidden=True),
        ),
        filters=(
            search("q", "Name or stock number"),
            choice("status", "State", STATES),
            choice("kind", "Kind", ITEM_KINDS),
            choice("category", "Category", {}),
        ),
        empty={
            "title": "No items yet",
            "text": "Books, exam vouchers, bundles and materials are listed here, also those that are not published.",
            "action": {"text": "Create the first item", "href": f"{PATH}/new"},
        },
        bulk_actions=BULK_ACTIONS,
    ),
    bulk_permissions=PURPOSES,
    choices={"category": category_choices},
)
list_page("admin-items", LIST)


@page("admin-item-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises ServiceUnavailable."""
    names = {category.slug: category.name for category in await request.db.read(course_list.categories)}
    form = items.create_item.form(id="new", options={"category": names})
    return area_page.page(request, route, new_page(route.title, PATH, "All items", [form]))


@page("admin-item")
async def load_texts(request: PageRequest, route: Page) -> PageResult[ItemTextsProps]:
    """Raises NotFound, ServiceUnavailable."""

    is_editor = may(request, Permission.CATALOGUE_WRITE)

    def read(session: Session) -> ItemTextsProps:
        stored = _item(session, request)
        return {
            "title": route.title,
            "frame": frame(stored, ""),
            "descriptionHtml": markdown_to_html(stored.record.description),
            "form": texts_form(session, stored) if is_editor else None,
        }

    return area_page.page(request, route, await request.db.read(read))


def texts_form(session: Session, stored: StoredItem) -> Action:
    categories = {category.slug: category.name for category in course_list.categories(session)}
    return items.change_item_texts.form(
        stored.product.id,
        values=items.stored_texts(session, stored),
        options={"category": categories},
        version=stored.product.version,
    )


@page("admin-item-delivery")
async def load_delivery(request: PageRequest, route: Page) -> PageResult[ItemDeliveryProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> ItemDeliveryProps:
        stored = _item(session, request)
        values, fulfilment = items.stored_delivery(session, stored), stored.item.fulfilment
        form = items.change_item_delivery.form(stored.product.id, values=values, version=stored.product.version)
        is_editor = may(request, Permission.CATALOGUE_WRITE)
        return {
            "title": route.title,
            "frame": frame(stored, "delivery"),
            "text": "As many as people want."
            if values["stock"] is None
            else f"{count_text(values['stock'])} in stock.",
            "form": form if is_editor else None,
            "courses": _courses_form(session, stored) if is_editor and fulfilment == "courses" else None,
            "files": _files(session, stored) if is_editor and fulfilment == "download" else None,
        }

    return area_page.page(request, route, await request.db.read(read))


def _courses_form(session: Session, stored: StoredItem) -> Action:
    values, version = items.stored_courses(session, stored), stored.product.version
    return items.change_item_courses.form(stored.product.id, values=values, version=version)


def _files(session: Session, stored: StoredItem) -> list[ItemFileProps]:
    return [
        {"sha256": file.sha256, "name": file.name, "mediaType": file.media_type, "bytes": file.bytes}
        for file in item_contents.files_of(session, stored.product.id)
    ]


@page("admin-course-images", "admin-item-images")
async def load_image(request: PageRequest, route: Page) -> PageResult[ProductImageProps]:
    """The page about the picture of a course or an item. Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> ProductImageProps:
        stored = product_of(session, request)
        product = stored.product
        return {
            "title": route.title,
            "frame": frame(stored, "images"),
            "picture": picture(product.image, product.image_width, product.image_height, product.image_alt),
            "isGenerated": product.image.startswith("/pictures/"),
            "mayEdit": may(request, Permission.CATALOGUE_WRITE),
        }

    return area_page.page(request, route, await request.db.read(read))


def _item(session: Session, request: PageRequest) -> StoredItem:
    return stored_item(session, path_id(request, "id", "There is no such item."))
