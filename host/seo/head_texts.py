"""Titles, and the structured data of any page; that of courses and items is in host/seo/structured_data.py."""

from collections.abc import Mapping, Sequence
from typing import Any

from config.settings import Settings
from domain.catalogue.details import InstructorRow
from domain.catalogue.listing import CategoryCount
from domain.catalogue.search_snippets import MAX_DESCRIPTION_WIDTH, MAX_TITLE_WIDTH, truncate, width
from domain.money import Currency, from_minor, to_text
from domain.text_direction import isolated

CONTEXT = "https://schema.org"
# Search engines show a list of courses only from three on (SEO contract, 4a).
MIN_LIST_ITEMS = 3
Json = dict[str, Any]


def title(settings: Settings, text: str) -> str:
    """The page's title, with the shop's name behind it if both fit."""
    if width(f"{text} | {settings.site_name}") > MAX_TITLE_WIDTH:
        return truncate(text, MAX_TITLE_WIDTH)
    return f"{isolated(text)} | {isolated(settings.site_name)}"


def absolute(settings: Settings, path: str) -> str:
    return path if path.startswith("http") else settings.site_origin + path


def money(minor: int, currency: Currency) -> str:
    """As schema.org wants it: a point, no separators, no symbol."""
    return to_text(from_minor(minor, currency), currency)


def duration(minutes: int) -> str:
    """ISO 8601: 95 -> PT1H35M."""
    hours, rest = divmod(minutes, 60)
    return "PT" + (f"{hours}H" if hours else "") + (f"{rest}M" if rest or not hours else "")


def breadcrumbs(settings: Settings, crumbs: Sequence[Mapping[str, Any]]) -> Json:
    entries = [
        {"@type": "ListItem", "position": at, "name": crumb["name"], "item": absolute(settings, crumb["href"])}
        for at, crumb in enumerate(crumbs, 1)
    ]
    return {"@context": CONTEXT, "@type": "BreadcrumbList", "itemListElement": entries}


def organization(settings: Settings, refund_days: int | None) -> Json:
    """The shop. `refund_days` comes from the policy page, so that both promise the same."""
    contact = {
        "@type": "ContactPoint",
        "contactType": "customer support",
        "email": settings.site_email,
        "url": settings.site_origin + "/contact",
    }
    shop: Json = {
        "@context": CONTEXT,
        "@type": "Organization",
        "name": settings.site_name,
        "slogan": settings.site_tagline,
        "url": settings.site_origin + "/",
        "logo": absolute(settings, settings.site_logo),
        "email": settings.site_email,
        "contactPoint": contact,
    }
    return shop if refund_days is None else {**shop, "hasMerchantReturnPolicy": return_policy(settings, refund_days)}


def return_policy(settings: Settings, refund_days: int) -> Json:
    """Returns within `refund_days`, as the law of the seller's country has it."""
    return {
        "@type": "MerchantReturnPolicy",
        "applicableCountry": settings.shop_country,
        "returnPolicyCategory": f"{CONTEXT}/MerchantReturnFiniteReturnWindow",
        "merchantReturnDays": refund_days,
        "merchantReturnLink": settings.site_origin + "/refund-grievance-policy",
    }


def website(settings: Settings) -> Json:
    return {"@context": CONTEXT, "@type": "WebSite", "name": settings.site_name, "url": settings.site_origin + "/"}


def item_list(settings: Settings, name: str, cards: Sequence[Mapping[str, Any]], first: int = 1) -> Json:
    entries = [
        {"@type": "ListItem", "position": at, "name": card["name"], "url": absolute(settings, card["href"])}
        for at, card in enumerate(cards, first)
    ]
    return {
        "@context": CONTEXT,
        "@type": "ItemList",
        "name": name,
        "numberOfItems": len(entries),
        "itemListElement": entries,
    }


def shop_title(category: CategoryCount | None, page: int, heading: str) -> str:
    """The title of a list's page. The page's number is never cut off: it distinguishes the pages. `heading`: that
    of a filtered list, "" for the whole one."""
    suffix = "" if page == 1 else f", page {page}"
    name = f"{isolated(category.name)} courses and materials" if category else heading or "Courses and shop"
    return truncate(name, MAX_TITLE_WIDTH - width(suffix)) + suffix


def instructor_description(settings: Settings, person: InstructorRow, courses: int) -> str:
    """What somebody has written of themselves, else how many courses they teach here."""
    count = "1 course" if courses == 1 else f"{courses} courses"
    who = f"{isolated(person.name)}, {isolated(person.title)}," if person.title else isolated(person.name)
    text = person.bio or f"{who} teaches {count} at {isolated(settings.site_name)}."
    return truncate(text, MAX_DESCRIPTION_WIDTH)
