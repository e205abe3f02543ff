"""/course-details: everything that sells and explains a course at once, reviews and related courses as they come."""

from datetime import datetime
from typing import Any
from urllib.parse import quote

from domain import catalogue, money
from domain.catalogue import CourseDetail
from host import seo
from host.loaders import Answer, Asked, Loaded, Moved, Props
from host.loaders.cards import COURSE_PATH, card, cards, picture
from host.loaders.errors import not_found
from host.markup import html_of
from host.shell import Head

SLUG_LENGTH = 191


async def load(asked: Asked) -> Answer:
    slug = asked.query.get("course", "")
    if not slug:
        return await _by_id(asked)
    detail = await asked.db.glance(catalogue.course, slug[:SLUG_LENGTH])
    if detail is None:
        return await not_found(asked)
    props = _props(asked, detail)
    product = detail.product

    async def reviews() -> Props:
        return reviews_props(*await asked.db.glance(catalogue.reviews, product.id))

    async def related() -> list[Props]:
        rows = await asked.db.glance(catalogue.related, product.id, product.category_id, "course")
        return cards(rows, asked.site.by_id, asked.at)

    return Loaded("course-details", _head(asked, props), props, deferred={"reviews": reviews, "related": related})


async def _by_id(asked: Asked) -> Answer:
    """`?id={ID}` is the old address of a course: 301 to its slug."""
    text = asked.query.get("id", "")
    if text.isascii() and text.isdigit() and len(text) <= 15:
        slug = await asked.db.read(catalogue.slug_of, int(text), "course")
        if slug is not None:
            return Moved(COURSE_PATH + quote(slug))
    return await not_found(asked)


def reviews_props(items: Any, counts: list[int]) -> Props:
    return {"items": [review_props(one) for one in items], "counts": counts}


def review_props(one: Any) -> Props:
    return {
        "id": one.id,
        "author": one.author,
        "rating": one.rating,
        "title": one.title,
        "body": one.body,
        "at": stamp(one.at),
    }


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _props(asked: Asked, detail: CourseDetail) -> Props:
    product, course, category = detail.product, detail.course, detail.category
    is_retired = product.status == "retired"
    on_sale = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, asked.at)
    category_href = f"/shop?category={quote(category.slug)}"
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "subtitle": product.subtitle,
        "descriptionHtml": html_of(course.description),
        "isGenerated": course.is_generated,
        "outcomes": course.outcomes,
        "prerequisites": course.prerequisites,
        "audience": course.audience,
        "level": product.level or "all",
        "language": product.language,
        "category": {"slug": category.slug, "name": category.name, "href": category_href},
        "instructors": [
            {"slug": one.slug, "name": one.name, "title": one.title, "bio": one.bio} for one in detail.instructors
        ],
        "provider": course.provider or asked.settings.site_name,
        "durationMin": product.duration_min,
        "lessonCount": product.lesson_count or 0,
        "credits": f"{course.credits:g}" if course.credits else None,
        "sections": [_section(one) for one in course.sections],
        "preview": _preview(course.sections),
        "listPrice": money.to_minor(product.list_price),
        "price": money.to_minor(catalogue.price_now(product, asked.at)),
        "saleUntil": stamp(product.sale_until) if on_sale and product.sale_until else None,
        "picture": picture(product.image, product.image_width, product.image_height, product.image_alt),
        "rating": None if product.rating is None else float(product.rating),
        "ratingCount": product.rating_count,
        "enrolled": product.enrolled,
        "updatedAt": stamp(product.updated_at),
        "faq": course.faq,
        "crumbs": [
            {"name": "Home", "href": "/"},
            {"name": "Catalogue", "href": "/shop"},
            {"name": category.name, "href": category_href},
            {"name": product.name, "href": COURSE_PATH + quote(product.slug)},
        ],
        "retired": {"successors": [card(one, asked.site.by_id, asked.at) for one in detail.successors]}
        if is_retired
        else None,
    }


def _section(section: dict[str, Any]) -> Props:
    lessons = [
        {"title": one["title"], "minutes": one.get("minutes", 0), "preview": bool(one.get("preview"))}
        for one in section["lessons"]
    ]
    return {"title": section["title"], "minutes": sum(one["minutes"] for one in lessons), "lessons": lessons}


def _preview(sections: list[dict[str, Any]]) -> Props | None:
    for section in sections:
        for lesson in section["lessons"]:
            if lesson.get("preview"):
                return {"title": lesson["title"], "text": lesson["preview"]}
    return None


def _head(asked: Asked, props: Props) -> Head:
    settings = asked.settings
    url = settings.site_origin + COURSE_PATH + quote(props["slug"])
    return Head(
        title=seo.title(settings, props["name"]),
        description=props["subtitle"],
        canonical=url,
        image=seo.absolute(settings, props["picture"]["src"]),
        json_ld=(seo.course(settings, props, url), seo.breadcrumbs(settings, props["crumbs"])),
    )
