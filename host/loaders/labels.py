"""Labels of facets, of their values and of sorts."""

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
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "CAD": "CA$", "AUD": "A$"}
_VALUES = {
    "level": {
        "beginner": "Beginner",
        "intermediate": "Intermediate",
        "advanced": "Advanced",
        "all": "All levels",
    },
    "language": {
        "en": "English",
        "de": "Deutsch",
        "es": "Español",
        "fr": "Français",
        "it": "Italiano",
        "ja": "日本語",
        "pt": "Português",
        "zh": "中文",
    },
    "price": {
        "free": "Free",
        "under-50": "Under {symbol}50",
        "50-150": "{symbol}50 to {symbol}150",
        "150-300": "{symbol}150 to {symbol}300",
        "over-300": "{symbol}300 and more",
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


def label(site: SiteState, facet: str, value: str) -> str:
    if facet == "category":
        category = site.by_slug.get(value)
        return category.name if category else value
    if facet == "price":
        currency = site.props["currency"]
        return _VALUES[facet][value].format(symbol=_SYMBOLS.get(currency, f"{currency}\u00a0"))
    return _VALUES[facet].get(value, value)
