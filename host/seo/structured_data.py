"""Courses and shop items as search engines read them. Held to schema-dts by tests/structured_data/."""

from dataclasses import dataclass

from host.seo import CONTEXT, Json, absolute, duration, money, return_policy
from host.settings import Settings


@dataclass(frozen=True)
class About:
    """What search engines are told and the page does not need. Times: ISO 8601; `sale_from` of a running sale."""

    url: str
    description: str
    sale_from: str | None = None
    published_at: str | None = None


def offer(settings: Settings, props: Json, about: About, *, available: bool = True) -> Json:
    """The price of now, and while it is a sale's, from when to when it holds."""
    made: Json = {
        "@type": "Offer",
        "price": money(props["price"]),
        "priceCurrency": settings.currency,
        "availability": f"{CONTEXT}/{'InStock' if available else 'OutOfStock'}",
        "url": about.url,
    }
    if about.sale_from:
        made["validFrom"] = about.sale_from
    if props["saleUntil"]:
        made["priceValidUntil"] = props["saleUntil"]
    return made


def course(settings: Settings, props: Json, about: About) -> Json:
    """A retired course keeps its facts and loses its offer."""
    made: Json = {
        "@context": CONTEXT,
        "@type": "Course",
        "name": props["name"],
        "description": about.description,
        "url": about.url,
        "image": absolute(settings, props["picture"]["src"]),
        "provider": {"@type": "Organization", "name": props["provider"], "sameAs": settings.site_origin + "/"},
        "about": props["category"]["name"],
        "educationalLevel": props["level"],
        **_told(props, about),
        **_rating(props),
    }
    if props["retired"] is None:
        made["offers"] = {**offer(settings, props, about), "category": "Paid" if props["price"] else "Free"}
        made["hasCourseInstance"] = _instance(props, about)
    return made


def _told(props: Json, about: About) -> Json:
    """What not every course says of itself."""
    told = {
        "inLanguage": props["language"],
        "datePublished": about.published_at,
        "dateModified": props["updatedAt"],
        "teaches": props["outcomes"],
        "coursePrerequisites": props["prerequisites"],
        "numberOfCredits": float(props["credits"]) if props["credits"] else None,
        "totalHistoricalEnrollment": props["enrolled"],
        "syllabusSections": [_syllabus(section) for section in props["sections"]],
    }
    return {name: value for name, value in told.items() if value}


def _syllabus(section: Json) -> Json:
    made = {"@type": "Syllabus", "name": section["title"]}
    return {**made, "timeRequired": duration(section["minutes"])} if section["minutes"] else made


def _rating(props: Json) -> Json:
    """Only while there are reviews, which the page shows."""
    if props["rating"] is None or not props["ratingCount"]:
        return {}
    value = {"@type": "AggregateRating", "ratingValue": props["rating"], "reviewCount": props["ratingCount"]}
    return {"aggregateRating": value}


def _instance(props: Json, about: About) -> Json:
    place = {"@type": "VirtualLocation", "url": about.url}
    made: Json = {"@type": "CourseInstance", "courseMode": "Online", "location": place}
    if props["durationMin"]:
        made["courseWorkload"] = duration(props["durationMin"])
    if props["instructors"]:
        made["instructor"] = [_instructor(one) for one in props["instructors"]]
    return made


def _instructor(one: Json) -> Json:
    made = {"@type": "Person", "name": one["name"]}
    return {**made, "jobTitle": one["title"]} if one["title"] else made


def product(settings: Settings, props: Json, about: About, refund_days: int | None) -> Json:
    made = offer(settings, props, about, available=props["stock"] != 0)
    if refund_days is not None:
        made["hasMerchantReturnPolicy"] = return_policy(settings, refund_days)
    return {
        "@context": CONTEXT,
        "@type": "Product",
        "name": props["name"],
        "description": about.description,
        "category": props["category"]["name"],
        "sku": props["sku"],
        "url": about.url,
        "image": [absolute(settings, picture["src"]) for picture in props["pictures"]],
        "brand": {"@type": "Brand", "name": settings.site_name},
        "offers": made,
    }
