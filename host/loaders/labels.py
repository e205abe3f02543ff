"""Labels of facets, of their values and of sorts."""

from domain.catalogue.listing import PRICE_BANDS
from domain.display_text import whole_money_text
from domain.languages import language_name
from domain.money import price_scale
from host.site_state import SiteState

FACET_LABELS = {
    "category": "Category",
    "level": "Level",
    "language": "Language",
    "price": "Price",
    "duration": "Duration",
    "kind": "Kind",
}
SORT_LABELS = {
    "popular": "Most popular",
    "newest": "Newest",
    "rating": "Best rated",
    "price-low": "Price: low to high",
    "price-high": "Price: high to low",
}
_VALUES = {
    "level": {
        "beginner": "Beginner",
        "intermediate": "Intermediate",
        "advanced": "Advanced",
        "all": "All levels",
    },
    "price": {
        "free": "Free",
        "under-50": "Under {below}",
        "50-150": "{least} to {below}",
        "150-300": "{least} to {below}",
        "over-300": "{least} and more",
    },
    "duration": {
        "under-2h": "Under 2 hours",
        "2h-5h": "2 to 5 hours",
        "5h-10h": "5 to 10 hours",
        "over-10h": "10 hours and more",
    },
    "kind": {
        "course": "Course",
        "book": "Book",
        "voucher": "Exam voucher",
        "bundle": "Bundle",
        "physical": "Equipment",
    },
}


def _amount(limit: int, site: SiteState) -> str:
    """The limit of a price band, before its scale."""
    return whole_money_text(limit * price_scale(site.currency), site.currency, site.props["locale"])


def label(site: SiteState, facet: str, value: str) -> str:
    if facet == "category":
        category = site.by_slug.get(value)
        return category.name if category else value
    if facet == "price":
        least, below = (_amount(limit or 0, site) for limit in PRICE_BANDS[value])
        return _VALUES[facet][value].format(least=least, below=below)
    if facet == "language":
        return language_name(value, site.props["locale"])
    return _VALUES[facet].get(value, value)
