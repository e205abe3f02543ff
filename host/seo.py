"""Structured data and head texts. One function of the page's facts, shared by document and client navigation."""

from typing import Any

from domain.catalogue import CategoryCount
from host.settings import Settings

CONTEXT = "https://schema.org"
Json = dict[str, Any]


def title(settings: Settings, text: str) -> str:
    return f"{text} | {settings.site_name}"


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


def organization(settings: Settings) -> Json:
    return {
        "@context": CONTEXT,
        "@type": "Organization",
        "name": settings.site_name,
        "url": settings.site_origin + "/",
        "logo": absolute(settings, settings.site_logo),
        "email": settings.site_email,
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


def offer(settings: Settings, price: int, until: str | None, url: str, available: bool = True) -> Json:
    made: Json = {
        "@type": "Offer",
        "price": money(price),
        "priceCurrency": settings.currency,
        "availability": f"{CONTEXT}/{'InStock' if available else 'OutOfStock'}",
        "url": url,
    }
    return made if until is None else {**made, "priceValidUntil": until[:10]}


def _rating(props: Json) -> Json:
    if props["rating"] is None or not props["ratingCount"]:
        return {}
    value = {"@type": "AggregateRating", "ratingValue": props["rating"], "reviewCount": props["ratingCount"]}
    return {"aggregateRating": value}


def course(settings: Settings, props: Json, url: str) -> Json:
    """A retired course keeps its facts and loses its offer."""
    made: Json = {
        "@context": CONTEXT,
        "@type": "Course",
        "name": props["name"],
        "description": props["subtitle"],
        "url": url,
        "image": absolute(settings, props["picture"]["src"]),
        "provider": {"@type": "Organization", "name": props["provider"], "sameAs": settings.site_origin + "/"},
        "educationalLevel": props["level"],
        **_rating(props),
    }
    if props["language"]:
        made["inLanguage"] = props["language"]
    if props["sections"]:
        made["syllabusSections"] = [_syllabus(section) for section in props["sections"]]
    if props["retired"] is None:
        made["offers"] = {
            **offer(settings, props["price"], props["saleUntil"], url),
            "category": "Paid" if props["price"] else "Free",
        }
        made["hasCourseInstance"] = _instance(props)
    return made


def _syllabus(section: Json) -> Json:
    made = {"@type": "Syllabus", "name": section["title"]}
    return {**made, "timeRequired": duration(section["minutes"])} if section["minutes"] else made


def _instance(props: Json) -> Json:
    made: Json = {"@type": "CourseInstance", "courseMode": "Online"}
    if props["durationMin"]:
        made["courseWorkload"] = duration(props["durationMin"])
    if props["instructors"]:
        made["instructor"] = [{"@type": "Person", "name": one["name"]} for one in props["instructors"]]
    return made


def product(settings: Settings, props: Json, url: str) -> Json:
    return {
        "@context": CONTEXT,
        "@type": "Product",
        "name": props["name"],
        "description": props["subtitle"],
        "sku": props["sku"],
        "image": [absolute(settings, picture["src"]) for picture in props["pictures"]],
        "brand": {"@type": "Brand", "name": settings.site_name},
        "offers": offer(settings, props["price"], props["saleUntil"], url, props["stock"] != 0),
    }


def shop_title(category: CategoryCount | None, page: int) -> str:
    name = f"{category.name} courses and materials" if category else "Courses and shop"
    return name if page == 1 else f"{name}, page {page}"
