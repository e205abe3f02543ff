"""What a stored URL is of: its canonical path, page and area, the product it names, and how far it is to a payment."""

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl

from domain.routes import areas, match_route, normalised_path

MAX_LENGTH = 191
UNKNOWN = "(unknown)"
LINK_OF_PARTNER, LINK_OF_STUDENT = "doorway", "share-link"


class PurchaseStep(IntEnum):
    """How far a session got; a later step includes the earlier ones."""

    VISIT = 0
    PRODUCT = 1
    CART = 2
    CHECKOUT = 3
    ORDER = 4
    PAYMENT = 5


class VisitPlace(NamedTuple):
    """`area`: that of staff or organisations, whose visits are no customers'; "" elsewhere. `product`: kind, and slug
    of a course or id of an item, which may not exist."""

    page: str
    path: str
    area: str
    product: tuple[str, str] | None
    step: PurchaseStep


# At most some 20 MB: a URL has up to 2 KB.
@lru_cache(10_000)
def place_of(url: str) -> VisitPlace:
    path, _, query = url.partition("?")
    if area := _area_of(path):
        return VisitPlace(UNKNOWN, _key(path), area, None, PurchaseStep.VISIT)
    path = normalised_path(path) or path
    match = match_route(path)
    if match is None:
        return VisitPlace(UNKNOWN, _key(path), "", None, PurchaseStep.VISIT)
    page = match.page.id
    product: tuple[str, str] | None = None
    if page == "course-details":
        slug = dict(reversed(parse_qsl(query, max_num_fields=200))).get("course", "") if _is_short(query) else ""
        product, path = ("course", slug.casefold()), f"{path}?course={slug.casefold()}"
    elif page == "shop-details":
        product = ("item", match.values["id"])
    return VisitPlace(page, _key(path), "", product, _STEPS.get(page, PurchaseStep.VISIT))


_STEPS = {"cart": PurchaseStep.CART, "checkout": PurchaseStep.CHECKOUT}


def _is_short(query: str) -> bool:
    return query.count("&") < 200


def _area_of(path: str) -> str:
    lowered = path.casefold()
    for area in areas():
        if area.session is not None and (lowered == area.home or lowered.startswith(f"{area.home}/")):
            return area.id
    return ""


def _key(path: str) -> str:
    """From a slash on: a visitor may send anything, also "(other)". Without spaces at its end, which MariaDB does not
    tell from none."""
    return f"/{path.removeprefix('/')}"[:MAX_LENGTH].rstrip()
