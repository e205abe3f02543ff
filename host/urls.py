"""URLs of the shop's pages, and pictures as pages refer to them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

from typing_extensions import TypedDict

from domain.catalogue.listing import FACETS, SORTS, ShopQuery
from domain.images.image_rows import smaller_widths

COURSE_PATH = "/course-details?course="
ITEM_PATH = "/shop-details/"
INSTRUCTOR_PATH = "/instructors/"


class Picture(TypedDict):
    src: str
    width: int
    height: int
    alt: str


def picture(src: str, width: int, height: int, alt: str) -> Picture:
    """The address of a generated picture holds slugs, which may be of any script."""
    return {"src": src if src.isascii() else quote(src, safe="/:?&=%"), "width": width, "height": height, "alt": alt}


# The width of a picture in a list, for screens with two pixels to one of CSS.
LIST_WIDTH = 800
# The width of a person's picture beside their name.
PORTRAIT_WIDTH = 400


def list_picture(src: str, width: int, height: int, alt: str, needed: int = LIST_WIDTH) -> Picture:
    """A picture for lists: the smaller rendition, `needed` pixels wide, of one that staff sent."""
    if needed not in smaller_widths(src, width):
        return picture(src, width, height, alt)
    smaller = f"{src.removesuffix('.webp')}-{needed}.webp"
    return picture(smaller, needed, max(1, round(height * needed / width)), alt)


def entry_picture(image: Mapping[str, Any] | None, needed: int) -> Picture | None:
    """The picture of a category or an instructor; None without one."""
    return None if image is None else list_picture(image["src"], image["width"], image["height"], image["alt"], needed)


# Escaping a slug costs as much as the rest of a card.
@lru_cache(10_000)
def href_of(kind: str, product_id: int, slug: str) -> str:
    return COURSE_PATH + quote(slug) if kind == "course" else f"{ITEM_PATH}{product_id}"


def address(query: ShopQuery) -> str:
    """The canonical address of a list: parameters in fixed order, without page 1 and the default sort."""
    pairs = [(facet, value) for facet in FACETS for value in query.selected(facet)]
    if query.sort != SORTS[0]:
        pairs.append(("sort", query.sort))
    if query.page > 1:
        pairs.append(("page", str(query.page)))
    return "/shop?" + urlencode(pairs) if pairs else "/shop"
