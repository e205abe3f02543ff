"""Texts of the head, and the structured data that any page may have; courses and items: host/structured_data.py."""

from typing import Any

from domain.catalogue import CategoryCount
from domain.page_texts import TITLE_ROOM, cut, width
from host.settings import Settings

CONTEXT = "https://schema.org"
# Search engines show a list of courses only from three on (SEO contract, 4a).
LIST_LEAST = 3
Json = dict[str, Any]


def title(settings: Settings, text: str) -> str:
    """With the shop's name behind it where there is room for both."""
    whole = f"{text} | {settings.site_name}"
    return whole if width(whole) <= TITLE_ROOM else cut(text, TITLE_ROOM)


def absolute(settings: Settings, path: str) -> str:
    return path if path.startswith("http") else settings.site_origin + path


def money(minor: int) -> str:
    return f"{minor // 100}.{minor % 100:02d}"


def duration(minutes: int) -> str:
    """ISO 8601: 95 -> PT1H35M."""
    hours, rest = divmod(minutes, 60)
    return "PT" + (f"{hours}H" if hours else "") + (f"{rest}M" if rest or not hours else "")


def breadcrumbs(settings: Settings, crumbs: list[dict[str, str]]) -> Json:
    entries = [
        {"@type": "ListItem", "position": at, "name": one["name"], "item": absolute(settings, one["href"])}
        for at, one in enumerate(crumbs, 1)
    ]
    return {"@context": CONTEXT, "@type": "BreadcrumbList", "itemListElement": entries}


def organization(settings: Settings, refund_days: int | None) -> Json:
    """`refund_days` as the policy page says it: what is promised to machines is what people read."""
    contact = {
        "@type": "ContactPoint",
        "contactType": "customer support",
        "email": settings.site_email,
        "url": settings.site_origin + "/contact",
    }
    made: Json = {
        "@context": CONTEXT,
        "@type": "Organization",
        "name": settings.site_name,
        "slogan": settings.site_tagline,
        "url": settings.site_origin + "/",
        "logo": absolute(settings, settings.site_logo),
        "email": settings.site_email,
        "contactPoint": contact,
    }
    return made if refund_days is None else {**made, "hasMerchantReturnPolicy": return_policy(settings, refund_days)}


def return_policy(settings: Settings, refund_days: int) -> Json:
    """The country is that of the shop's locale: en-US -> US."""
    region = settings.locale.rpartition("-")[2]
    country = {"applicableCountry": region} if len(region) == 2 and region.isupper() else {}
    return {
        "@type": "MerchantReturnPolicy",
        **country,
        "returnPolicyCategory": f"{CONTEXT}/MerchantReturnFiniteReturnWindow",
        "merchantReturnDays": refund_days,
        "merchantReturnLink": settings.site_origin + "/refund-grievance-policy",
    }


def website(settings: Settings) -> Json:
    return {"@context": CONTEXT, "@type": "WebSite", "name": settings.site_name, "url": settings.site_origin + "/"}


def item_list(settings: Settings, name: str, cards: list[Json], first: int = 1) -> Json:
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


def shop_title(category: CategoryCount | None, page: int) -> str:
    """What must tell pages of a list apart is never cut off."""
    suffix = "" if page == 1 else f", page {page}"
    name = f"{category.name} courses and materials" if category else "Courses and shop"
    return cut(name, TITLE_ROOM - width(suffix)) + suffix
