"""/course-details: everything that sells and explains a course at once, reviews and related courses as they come."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sqlalchemy.orm import Session

from domain import addresses, catalogue, money, page_texts, retirement
from domain.catalogue import CategoryCount, CourseDetail, Narrowed
from domain.page_texts import Texts
from domain.retirement import Standing
from domain.tables import Category
from host import seo, structured_data
from host.loaders import Answer, Asked, Loaded, Moved, Props
from host.loaders.cards import COURSE_PATH, card, picture
from host.loaders.cards import related as others
from host.loaders.errors import gone, not_found
from host.markup import html_of
from host.og import facts as og
from host.og.facts import Subject
from host.shell import INDEXED, Head
from host.site import shelf_link
from host.structured_data import About

SLUG_LENGTH = 191


async def load(asked: Asked) -> Answer:
    slug = asked.query.get("course", "")
    if not slug:
        return await _by_id(asked)
    found = await asked.db.glance(_found, slug[:SLUG_LENGTH], asked.only, asked.at)
    if found is None:
        return await not_found(asked)
    if isinstance(found, str):
        return Moved(COURSE_PATH + quote(found))
    if found.standing == "gone":
        return await gone(asked, "This course is no longer offered.")
    props = _props(asked, found.detail)
    product = found.detail.product

    async def reviews() -> Props:
        return reviews_props(*await asked.db.glance(catalogue.reviews, product.id))

    async def related() -> list[Props]:
        return await asked.db.glance(
            others, asked.site, (product.id, product.category_id, "course"), asked.only, asked.at
        )

    head = _head(asked, found, props)
    return Loaded("course-details", head, props, deferred={"reviews": reviews, "related": related})


@dataclass(frozen=True)
class Found:
    """`standing` None: on sale."""

    detail: CourseDetail
    texts: Texts
    standing: Standing | None


def _found(session: Session, slug: str, only: Narrowed | None, at: datetime) -> Found | str | None:
    """The course, or the slug that it has now; what is gone is led to no more."""
    detail = catalogue.course(session, slug)
    if detail is None:
        moved = addresses.moved_to(session, "course", slug)
        detail = catalogue.course(session, moved.slug) if moved else None
    if detail is None or not catalogue.within(session, only, detail.product.id):
        return None
    detail = replace(detail, successors=catalogue.keep(session, only, detail.successors)) if only else detail
    product = detail.product
    standing = None
    if product.status == "retired":
        standing = retirement.standing(retirement.last_life(session, product), bool(detail.successors), at)
    if product.slug != slug and standing != "gone":
        return str(product.slug)
    texts = page_texts.of_product(session, product.id) or page_texts.made_up(product.name, product.subtitle)
    return Found(detail, texts, standing)


async def _by_id(asked: Asked) -> Answer:
    """`?id={ID}` is the old address of a course: 301 to its slug."""
    text = asked.query.get("id", "")
    if text.isascii() and text.isdigit() and len(text) <= 15:
        slug = await asked.db.read(catalogue.slug_of, int(text), "course")
        if slug is not None and await asked.db.read(catalogue.within, asked.only, int(text)):
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


def shelf_of(asked: Asked, category: Category) -> Props:
    """The link to a category; of one so new that the site does not know its count yet, as if it were empty."""
    known = asked.site.by_id.get(category.id)
    return shelf_link(known or CategoryCount(category.id, category.slug, category.name, category.description, 0))


def stamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def optional_stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def sale_start(product: Any, at: datetime) -> str | None:
    """When the running sale began."""
    is_running = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, at)
    return optional_stamp(product.sale_from) if is_running else None


def _props(asked: Asked, detail: CourseDetail) -> Props:
    product, course, category = detail.product, detail.course, detail.category
    is_retired = product.status == "retired"
    on_sale = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, asked.at)
    shelf = shelf_of(asked, category)
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
        "category": shelf,
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
            {name: value for name, value in shelf.items() if name != "slug"},
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


def _head(asked: Asked, found: Found, props: Props) -> Head:
    settings, product, category = asked.settings, found.detail.product, found.detail.category
    url = settings.site_origin + COURSE_PATH + quote(props["slug"])
    about = About(url, found.texts.description, sale_start(product, asked.at), optional_stamp(product.published_at))
    place = (category.slug, category.name)
    shared = og.of_product(settings, Subject("course", product.id, product.name, product.slug, product.level, *place))
    return Head(
        title=seo.title(settings, found.texts.title),
        description=about.description,
        canonical=url,
        robots="noindex, follow" if found.standing == "unlisted" else INDEXED,
        image=settings.site_origin + shared.path,
        json_ld=(structured_data.course(settings, props, about), seo.breadcrumbs(settings, props["crumbs"])),
    )
