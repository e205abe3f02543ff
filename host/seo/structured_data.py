"""Structured data of courses and shop items, checked against schema-dts by tests/structured_data/."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from config.settings import Settings
from domain.catalogue.gtin import gtin_of
from host.seo.head_texts import CONTEXT, Json, absolute, duration, money, return_policy


@dataclass(frozen=True)
class OfferContext:
    """What the structured data needs beside the page's props. Times: ISO 8601; `sale_from` of a running sale."""

    url: str
    description: str
    sale_from: str | None = None
    published_at: str | None = None


def offer(settings: Settings, props: Mapping[str, Any], context: OfferContext, *, available: bool = True) -> Json:
    """The present price, with the period of the sale while there is one."""
    result: Json = {
        "@type": "Offer",
        "price": money(props["price"], settings.shop.currency),
        "priceCurrency": settings.currency,
        "availability": f"{CONTEXT}/{'InStock' if available else 'OutOfStock'}",
        "url": context.url,
    }
    if context.sale_from:
        result["validFrom"] = context.sale_from
    if props["saleUntil"]:
        result["priceValidUntil"] = props["saleUntil"]
    result["priceSpecification"] = {
        "@type": "UnitPriceSpecification",
        "price": result["price"],
        "priceCurrency": result["priceCurrency"],
        "valueAddedTaxIncluded": settings.prices_include_tax,
    }
    return result


def course(settings: Settings, props: Mapping[str, Any], context: OfferContext) -> Json:
    """A course; a retired one has no offer and no instance."""
    result: Json = {
        "@context": CONTEXT,
        "@type": "Course",
        "name": props["name"],
        "description": context.description,
        "url": context.url,
        "image": absolute(settings, props["picture"]["src"]),
        "provider": {"@type": "Organization", "name": props["provider"], "sameAs": settings.site_origin + "/"},
        "about": props["category"]["name"],
        "educationalLevel": props["level"],
        **_description_of(props, context),
        **_rating(props),
    }
    if props["retired"] is None:
        result["offers"] = {**offer(settings, props, context), "category": "Paid" if props["price"] else "Free"}
        result["hasCourseInstance"] = _instance(settings, props, context)
    return result


def _description_of(props: Mapping[str, Any], context: OfferContext) -> Json:
    """Properties that not every course has."""
    values = {
        "inLanguage": props["language"],
        "datePublished": context.published_at,
        "dateModified": props["updatedAt"],
        "teaches": props["outcomes"],
        "coursePrerequisites": props["prerequisites"],
        "numberOfCredits": props["credits"],
        "totalHistoricalEnrollment": props["enrolled"],
        "syllabusSections": [_syllabus(section) for section in props["sections"]],
    }
    return {name: value for name, value in values.items() if value}


def _syllabus(section: Mapping[str, Any]) -> Json:
    syllabus = {"@type": "Syllabus", "name": section["title"]}
    return {**syllabus, "timeRequired": duration(section["minutes"])} if section["minutes"] else syllabus


def _rating(props: Mapping[str, Any]) -> Json:
    """The rating, if there are reviews, which the page shows."""
    if props["rating"] is None or not props["ratingCount"]:
        return {}
    value = {"@type": "AggregateRating", "ratingValue": props["rating"], "reviewCount": props["ratingCount"]}
    return {"aggregateRating": value}


def _instance(settings: Settings, props: Mapping[str, Any], context: OfferContext) -> Json:
    place = {"@type": "VirtualLocation", "url": context.url}
    instance: Json = {"@type": "CourseInstance", "courseMode": "Online", "location": place}
    if props["durationMin"]:
        instance["courseWorkload"] = duration(props["durationMin"])
    if props["instructors"]:
        instance["instructor"] = [_instructor(settings, person) for person in props["instructors"]]
    return instance


def _instructor(settings: Settings, props: Mapping[str, Any]) -> Json:
    href = props["href"]
    return _person(settings, props, {"url": href and settings.site_origin + href})


def _person(settings: Settings, props: Mapping[str, Any], more: Json) -> Json:
    title, picture = props["title"], props["picture"]
    facts = {"jobTitle": title, "image": picture and absolute(settings, picture["src"]), **more}
    person = {"@type": "Person", "name": props["name"]}
    return {**person, **{name: value for name, value in facts.items() if value}}


def profile(settings: Settings, props: Mapping[str, Any], url: str) -> Json:
    """The page of an instructor."""
    about = {"url": url, "description": props["bio"]}
    return {"@context": CONTEXT, "@type": "ProfilePage", "url": url, "mainEntity": _person(settings, props, about)}


def product(settings: Settings, props: Mapping[str, Any], context: OfferContext, refund_days: int | None) -> Json:
    offers = offer(settings, props, context, available=props["stock"] != 0)
    gtin = gtin_of(props["sku"], props["itemKind"])
    if refund_days is not None:
        offers["hasMerchantReturnPolicy"] = return_policy(settings, refund_days)
    return {
        "@context": CONTEXT,
        "@type": "Product",
        "name": props["name"],
        "description": context.description,
        "category": props["category"]["name"],
        "sku": props["sku"],
        "url": context.url,
        "image": [absolute(settings, picture["src"]) for picture in props["pictures"]],
        "brand": {"@type": "Brand", "name": settings.site_name},
        **({"gtin": gtin} if gtin else {}),
        "offers": offers,
    }
