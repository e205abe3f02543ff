"""Introduction and description of a list: the category's own text, else one made of its counts."""

from domain.catalogue.facet_cells import Counts
from domain.catalogue.listing import CategoryCount, ShopQuery
from domain.catalogue.search_snippets import MAX_DESCRIPTION_WIDTH, truncate, width
from domain.display_text import count_text
from domain.text_direction import isolated
from host.rendering.page_request import PageRequest

_LEVELS = {"beginner": "for beginners", "intermediate": "intermediate", "advanced": "advanced"}

ALL = "All courses and materials"
_KINDS = {
    "course": "Courses",
    "book": "Books",
    "voucher": "Exam vouchers",
    "bundle": "Bundles",
    "physical": "Equipment",
}
_LEVEL_HEADINGS = {
    "beginner": "Courses for beginners",
    "intermediate": "Intermediate courses",
    "advanced": "Advanced courses",
}


def heading(request: PageRequest, query: ShopQuery) -> str:
    """The heading of a list: what its one filter of a kind says, with the category if there is one."""
    chosen = {facet: getattr(query, facet) for facet in query.active_facets}
    categories = chosen.pop("category", ())
    category = request.site.by_slug[categories[0]].name if len(categories) == 1 else ""
    what = ""
    if len(chosen) == 1:
        ((facet, values),) = chosen.items()
        texts = {"kind": _KINDS, "level": _LEVEL_HEADINGS}.get(facet, {})
        what = texts.get(values[0], "") if len(values) == 1 else ""
    if what and category:
        return f"{what} in {category}"
    return what or category or ALL


def intro(request: PageRequest, category: CategoryCount | None, counts: Counts) -> str:
    """The text below the heading. An imported category may have no description: then its counts are given."""
    if category is None:
        return request.settings.site_tagline + "."
    return category.description or _counts_text(category.name, counts, request.settings.locale)


def _counts_text(name: str, counts: Counts, locale: str) -> str:
    total, facets = counts
    levels = [
        f"{count_text(facets['level'][level], locale)} {words}"
        for level, words in _LEVELS.items()
        if facets["level"].get(level)
    ]
    free = facets["price"].get("free", 0)
    phrases = [_title_count(total, name, locale)]
    if levels:
        phrases.append(", ".join(levels))
    if free:
        phrases.append(f"{count_text(free, locale)} of them free")
    return "; ".join(phrases) + "."


def _title_count(total: int, name: str, locale: str) -> str:
    return f"{count_text(total, locale)} {'course' if total == 1 else 'courses and materials'} in {isolated(name)}"


def description(request: PageRequest, category: CategoryCount | None, total: int, place: tuple[int, int]) -> str:
    """The meta description, different on each page of a list. `place`: page and number of pages."""
    page, pages = place
    suffix = f" Page {page} of {pages}." if page > 1 else ""
    shop, locale = request.settings.site_name, request.settings.locale
    if category is None:
        text = (
            f"{count_text(total, locale)} courses, books and exam vouchers from {shop}: "
            "see prices, levels, workloads and syllabuses."
        )
    elif category.description:
        text = f"{category.description} {_title_count(total, category.name, locale)}."
    else:
        text = f"{_title_count(total, category.name, locale)} from {shop}: compare prices, levels and workloads."
    return truncate(text, MAX_DESCRIPTION_WIDTH - width(suffix)) + suffix
