"""What every tab of a course or item shows: its name and state, the tabs, and what its page still lacks."""

from typing import Literal, cast

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.errors import NotFound
from domain.permissions import Permission, permissions_of
from domain.publishing.editing.stored_course import stored_course
from domain.publishing.editing.stored_item import stored_item
from domain.publishing.editing.stored_product import StoredProduct
from domain.typed_values import is_number
from host.loaders.publishing.courses import badge
from host.loaders.ui.table_cells import BadgeTone
from host.rendering.page_request import PageRequest
from host.urls import href_of

# The last part of the address -> the words of the tab; "" is the page of the product itself.
_SHARED = {
    "images": "Picture",
    "price": "Price",
    "publication": "Publication",
    "snippet": "Search snippet",
}
TABS = {
    "course": {"": "Texts", "outcomes": "Outcomes and FAQ", "lessons": "Lessons"}
    | _SHARED
    | {"reviews": "Reviews", "history": "History"},
    "item": {"": "Texts", "delivery": "Stock and delivery"} | _SHARED | {"history": "History"},
}
PATHS = {"course": "/admin/courses", "item": "/admin/items"}


class CourseTab(TypedDict):
    href: str
    text: str
    isCurrent: bool


class CourseState(TypedDict):
    id: str
    text: str
    tone: BadgeTone


class CourseFrame(TypedDict):
    """What stands around every page about a course or shop item. `missing`: in words. `publicHref`: its page in the
    shop; None while people cannot open it.
    """

    courseId: int
    kind: Literal["course", "item"]
    version: int
    heading: str
    backHref: str
    state: CourseState
    missing: list[str]
    publicHref: str | None
    tabs: list[CourseTab]


def frame(stored: StoredProduct, current: str) -> CourseFrame:
    product = stored.product
    text, tone = badge(product.status)
    path = f"{PATHS[product.kind]}/{product.id}"
    is_public = product.status in ("published", "retired")
    return {
        "courseId": product.id,
        "kind": cast(Literal["course", "item"], product.kind),
        "version": product.version,
        "heading": product.name or product.slug,
        "backHref": PATHS[product.kind],
        "state": {"id": product.status, "text": text, "tone": tone},
        "missing": list(stored.missing) if product.status in ("draft", "scheduled") else [],
        "publicHref": href_of(product.kind, product.id, product.slug) if is_public else None,
        "tabs": [
            {"href": f"{path}/{part}" if part else path, "text": words, "isCurrent": part == current}
            for part, words in TABS[product.kind].items()
        ],
    }


def product_of(session: Session, request: PageRequest) -> StoredProduct:
    """The course or item of the page. Raises NotFound."""
    if request.path.startswith(f"{PATHS['item']}/"):
        return stored_item(session, path_id(request, "id", "There is no such item."))
    return stored_course(session, course_id(request))


def course_id(request: PageRequest) -> int:
    """The id in the address. Raises NotFound."""
    return path_id(request, "id", "There is no such course.")


def path_id(request: PageRequest, name: str, unknown: str) -> int:
    """A number in the address. Raises NotFound with the text `unknown`."""
    text = request.values[name]
    if not is_number(text):
        raise NotFound(unknown)
    return int(text)


def may(request: PageRequest, permission: Permission) -> bool:
    """Whether this session has the permission."""
    actor = request.actor
    return actor is not None and permission in permissions_of("admin", actor.roles)
