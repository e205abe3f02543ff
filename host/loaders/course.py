"""/course-details: the course at once, its reviews and related courses as deferred parts."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sqlalchemy.orm import Session

from domain import catalogue, money
from domain.catalogue import (
    CatalogueScope,
    Category,
    CategoryCount,
    CourseDetail,
    redirects,
    retirement,
    search_snippets,
)
from domain.catalogue.retirement import RetirementStatus
from domain.catalogue.search_snippets import Snippet
from host.images import social_card as og
from host.images.social_card import CardSubject
from host.loaders.cards import Card, card
from host.loaders.cards import related as related_cards
from host.loaders.course_props import CourseProps, Lesson, LessonPreview, Review, Reviews, Section
from host.loaders.crumbs import CATALOGUE, HOME, category_crumb
from host.loaders.errors import gone, not_found
from host.rendering.markdown import markdown_to_html
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect
from host.rendering.shell import INDEXED, Head
from host.seo import head_texts, structured_data
from host.seo.structured_data import OfferContext
from host.site_state import CategoryRef, category_link
from host.urls import COURSE_PATH, picture

SLUG_LENGTH = 191
# Of a review whose author has deleted their account.
FORMER_LEARNER = "A former learner"


async def load(request: PageRequest) -> LoaderResult:
    slug = request.query.get("course", "")
    if not slug:
        return await _by_id(request)
    loaded = await request.db.read_inline(_load_course, slug[:SLUG_LENGTH], request.scope, request.at)
    if loaded is None:
        return await not_found(request)
    if isinstance(loaded, str):
        return Redirect(COURSE_PATH + quote(loaded))
    if loaded.retirement_status == "gone":
        return await gone(request, "This course is no longer offered.")
    props = _props(request, loaded.detail)
    product = loaded.detail.product

    async def reviews() -> Reviews:
        return reviews_props(*await request.db.read_inline(catalogue.reviews, product.id))

    async def related() -> list[Card]:
        return await request.db.read_inline(
            related_cards, request.site, (product.id, product.category_id, "course"), request.scope, request.at
        )

    head = _head(request, loaded, props)
    return PageResult("course-details", head, props, deferred={"reviews": reviews, "related": related})


@dataclass(frozen=True)
class LoadedCourse:
    """A course with its head texts. `retirement_status` None: on sale."""

    detail: CourseDetail
    texts: Snippet
    retirement_status: RetirementStatus | None


def _load_course(session: Session, slug: str, scope: CatalogueScope | None, at: datetime) -> LoadedCourse | str | None:
    """The course, or the slug to redirect to; no redirect leads to a course that is gone."""
    detail = catalogue.course(session, slug)
    if detail is None:
        moved = redirects.redirect_target(session, "course", slug)
        detail = catalogue.course(session, moved.slug) if moved else None
    if detail is None or not catalogue.is_in_scope(session, scope, detail.product.id):
        return None
    detail = (
        replace(detail, successors=catalogue.filter_in_scope(session, scope, detail.successors)) if scope else detail
    )
    product = detail.product
    status = None
    if product.status == "retired":
        status = retirement.retirement_status(retirement.last_activity(session, product), bool(detail.successors), at)
    if product.slug != slug and status != "gone":
        return str(product.slug)
    texts = search_snippets.of_product(session, product.id) or search_snippets.fallback_snippet(
        product.name, product.subtitle
    )
    return LoadedCourse(detail, texts, status)


async def _by_id(request: PageRequest) -> LoaderResult:
    """`?id={ID}` was a course's address once: 301 to its slug."""
    text = request.query.get("id", "")
    if text.isascii() and text.isdigit() and len(text) <= 15:
        slug = await request.db.read(catalogue.slug_of, int(text), "course")
        if slug is not None and await request.db.read(catalogue.is_in_scope, request.scope, int(text)):
            return Redirect(COURSE_PATH + quote(slug))
    return await not_found(request)


def reviews_props(items: Any, counts: list[int]) -> Reviews:
    return {"items": [review_props(review) for review in items], "counts": counts}


def review_props(review: Any) -> Review:
    return {
        "id": review.id,
        "author": review.author or FORMER_LEARNER,
        "rating": review.rating,
        "title": review.title,
        "body": review.body,
        "at": iso_utc(review.reviewed_at),
        "editedAt": None if review.edited_at is None else iso_utc(review.edited_at),
        "isVerified": bool(review.is_verified),
    }


def category_link_of(request: PageRequest, category: Category) -> CategoryRef:
    """The link to a category; to one that the site state does not have yet, as to an empty one."""
    known = request.site.by_id.get(category.id)
    return category_link(known or CategoryCount(category.id, category.slug, category.name, category.description, 0))


def iso_utc(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def optional_iso_utc(at: datetime | None) -> str | None:
    return None if at is None else iso_utc(at)


def sale_start(product: Any, at: datetime) -> str | None:
    """When the running sale began."""
    is_running = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, at)
    return optional_iso_utc(product.sale_from) if is_running else None


def _props(request: PageRequest, detail: CourseDetail) -> CourseProps:
    product, course, category = detail.product, detail.course, detail.category
    is_retired = product.status == "retired"
    on_sale = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, request.at)
    link = category_link_of(request, category)
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "subtitle": product.subtitle,
        "descriptionHtml": markdown_to_html(course.description),
        "isGenerated": course.is_generated,
        "outcomes": course.outcomes,
        "prerequisites": course.prerequisites,
        "audience": course.audience,
        "level": product.level or "all",
        "language": product.language,
        "category": link,
        "instructors": [
            {"slug": person.slug, "name": person.name, "title": person.title, "bio": person.bio}
            for person in detail.instructors
        ],
        "provider": course.provider or request.settings.site_name,
        "durationMin": product.duration_min,
        "lessonCount": product.lesson_count or 0,
        "credits": f"{course.credits:g}" if course.credits else None,
        "sections": [_section(section) for section in course.sections],
        "preview": _preview(course.sections),
        "listPrice": money.to_minor(product.list_price, request.site.currency),
        "price": money.to_minor(catalogue.price_now(product, request.at), request.site.currency),
        "saleUntil": iso_utc(product.sale_until) if on_sale and product.sale_until else None,
        "picture": picture(product.image, product.image_width, product.image_height, product.image_alt),
        "rating": None if product.rating is None else float(product.rating),
        "ratingCount": product.rating_count,
        "enrolled": product.enrolled,
        "updatedAt": iso_utc(product.updated_at),
        "faq": course.faq,
        "crumbs": [
            HOME,
            CATALOGUE,
            category_crumb(link),
            {"name": product.name, "href": COURSE_PATH + quote(product.slug)},
        ],
        "retired": {"successors": [card(row, request.site, request.at) for row in detail.successors]}
        if is_retired
        else None,
    }


def _section(section: dict[str, Any]) -> Section:
    lessons: list[Lesson] = [
        {"title": lesson["title"], "minutes": lesson.get("minutes", 0), "preview": bool(lesson.get("preview"))}
        for lesson in section["lessons"]
    ]
    return {"title": section["title"], "minutes": sum(lesson["minutes"] for lesson in lessons), "lessons": lessons}


def _preview(sections: list[dict[str, Any]]) -> LessonPreview | None:
    for section in sections:
        for lesson in section["lessons"]:
            if lesson.get("preview"):
                return {"title": lesson["title"], "text": lesson["preview"]}
    return None


def _head(request: PageRequest, loaded: LoadedCourse, props: CourseProps) -> Head:
    settings, product, category = request.settings, loaded.detail.product, loaded.detail.category
    url = settings.site_origin + COURSE_PATH + quote(props["slug"])
    context = OfferContext(
        url, loaded.texts.description, sale_start(product, request.at), optional_iso_utc(product.published_at)
    )
    in_category = (category.slug, category.name)
    shared = og.of_product(
        settings, CardSubject("course", product.id, product.name, product.slug, product.level, *in_category)
    )
    return Head(
        title=head_texts.title(settings, loaded.texts.title),
        description=context.description,
        canonical=url,
        robots="noindex, follow" if loaded.retirement_status == "unlisted" else INDEXED,
        image=settings.site_origin + shared.path,
        json_ld=(structured_data.course(settings, props, context), head_texts.breadcrumbs(settings, props["crumbs"])),
    )
