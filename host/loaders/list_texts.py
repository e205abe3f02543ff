"""What a list says about itself: in a few words of the shop's own, else of what is counted in it."""

from domain.catalogue import CategoryCount
from domain.page_texts import DESCRIPTION_ROOM, cut, width
from host.counts import Counts
from host.loaders import Asked

_LEVELS = {"beginner": "for beginners", "intermediate": "intermediate", "advanced": "advanced"}


def intro(asked: Asked, category: CategoryCount | None, counts: Counts) -> str:
    """Below the heading. An imported category comes without a word about it: then the numbers speak."""
    if category is None:
        return asked.settings.site_tagline + "."
    return category.description or _counted(category.name, counts)


def _counted(name: str, counts: Counts) -> str:
    total, facets = counts
    levels = [f"{facets['level'][level]:,} {words}" for level, words in _LEVELS.items() if facets["level"].get(level)]
    free = facets["price"].get("free", 0)
    told = [_title_count(total, name)]
    if levels:
        told.append(", ".join(levels))
    if free:
        told.append(f"{free:,} of them free")
    return "; ".join(told) + "."


def _title_count(total: int, name: str) -> str:
    return f"{total:,} {'course' if total == 1 else 'courses and materials'} in {name}"


def description(asked: Asked, category: CategoryCount | None, total: int, place: tuple[int, int]) -> str:
    """For search engines; `place`: page and number of pages. Every page of every list has its own."""
    page, pages = place
    suffix = f" Page {page} of {pages}." if page > 1 else ""
    shop = asked.settings.site_name
    if category is None:
        told = f"{total:,} courses, books and exam vouchers from {shop}: see prices, levels, workloads and syllabuses."
    elif category.description:
        told = f"{category.description} {_title_count(total, category.name)}."
    else:
        told = f"{_title_count(total, category.name)} from {shop}: compare prices, levels and workloads."
    return cut(told, DESCRIPTION_ROOM - width(suffix)) + suffix
