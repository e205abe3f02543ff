"""/course-details: the course at once, its reviews and related courses as deferred parts."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sqlalchemy.orm import Session

from domain import money
from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.catalogue import redirects
from domain.catalogue import scope as catalogue_scope
from domain.catalogue.details import CourseDetail, InstructorRow, ItemDetail
from domain.catalogue.listing import CategoryCount
from domain.catalogue.retirement import retired_page
from domain.catalogue.retirement_rules import RetirementStatus, retirement_status
from domain.display_text import short_text
from domain.languages import language_name
from domain.typed_codes import plain_code
from domain.typed_values import is_number
from host.images import social_card as og
from host.images.social_card import CardSubject
from host.loaders.cards import Card, card, lowest_price, related_now
from host.loaders.cards import related as related_cards
from host.loaders.course_props import (
    CourseDeferred,
    CourseProps,
    Instructor,
    Lesson,
    LessonPreview,
    Review,
    Reviews,
    Section,
)
from host.loaders.crumbs import CATALOGUE, HOME, category_crumb
from host.loaders.errors import gone, not_found
from host.page_cache import page_data
from host.rendering import deferred
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import DeferredPart, LoaderResult, PageResult, Redirect
from host.rendering.shell import INDEXED, Head
from host.seo import head_texts, structured_data
from host.seo.structured_data import OfferContext
from host.site_state import CategoryRef, category_link
from host.urls import COURSE_PATH, INSTRUCTOR_PATH, PORTRAIT_WIDTH, entry_picture, picture

SLUG_LENGTH = 191
# The author of a review who has deleted their account.
FORMER_LEARNER = "A former learner"


@page("course-details", deferred=CourseDeferred)
async def load(request: PageRequest) -> LoaderResult[CourseProps]:
    slug = request.query.get("course", "")
    if not slug:
        return await _by_id(request)
    key = f"course {slug}"
    composed = await page_data.find(request, key)
    return await _load(request, slug, key) if composed is None else composed


async def _load(request: PageRequest, slug: str, key: str) -> LoaderResult:
    loaded = await request.db.read_inline(_load_course, slug[:SLUG_LENGTH], request, deferred.reads_at_once(request))
    if loaded is None:
        return await not_found(request)
    if isinstance(loaded, str):
        return Redirect(COURSE_PATH + quote(loaded))
    if loaded.retirement_status == "gone":
        return await gone(request, "This course is no longer offered.")
    props = course_props(request, loaded.detail)
    parts, later = (loaded.parts, {}) if loaded.parts else ({}, _deferred(request, loaded.detail))
    result = PageResult("course-details", _head(request, loaded, props), {**props, **parts}, deferred=later)
    # When a course that is no longer sold leaves search engines depends on the time.
    is_lasting = loaded.retirement_status is None and loaded.detail.course.reviews_changed_at is None
    detail = loaded.detail
    return page_data.compose(request, key, result, detail.product, detail.version) if is_lasting else result


def _deferred(request: PageRequest, detail: CourseDetail) -> dict[str, DeferredPart]:
    async def reviews() -> Reviews:
        return reviews_props(*await request.db.read_inline(catalogue_details.reviews, detail.product.id))

    async def related() -> list[Card]:
        return await request.db.read_inline(related_now, request, detail.product)

    return {"reviews": reviews, "related": related}


# What sentences and mails put around a link.
_AROUND_LINKS = " .,;:!?()[]<>\"'“”„»«"


@dataclass(frozen=True)
class LoadedCourse:
    """A course. `retirement_status` None: on sale; `parts` None: they are deferred."""

    detail: CourseDetail
    retirement_status: RetirementStatus | None
    parts: CourseDeferred | None


def _load_course(session: Session, slug: str, request: PageRequest, reads_parts: bool) -> LoadedCourse | str | None:
    """The course, or the slug to redirect to; no redirect leads to a course that is gone. Slugs are in lower case: one
    typed in capitals leads to its course too, and one that was pasted with the sign behind a link."""
    scope = request.scope
    detail = None
    for known in dict.fromkeys((slug, plain_code(slug).strip(_AROUND_LINKS).lower())):
        if detail is None:
            detail = catalogue_details.course(session, known)
        if detail is None and (moved := redirects.redirect_target(session, "course", known)):
            detail = catalogue_details.course(session, moved.slug)
    if detail is None or not catalogue_scope.is_in_scope(session, scope, detail.product.id):
        return None
    detail = (
        replace(detail, successors=catalogue_scope.filter_in_scope(session, scope, detail.successors))
        if scope
        else detail
    )
    product = detail.product
    status = None
    if product.status == "retired":
        page = retired_page(session, product, has_successor=bool(detail.successors))
        status = retirement_status(page, request.at)
    if status == "redirect":
        return detail.successors[0].slug
    if product.slug != slug and status != "gone":
        return str(product.slug)
    return LoadedCourse(detail, status, _parts(session, request, detail) if reads_parts else None)


def _parts(session: Session, request: PageRequest, detail: CourseDetail) -> CourseDeferred:
    return {
        "reviews": reviews_props(*catalogue_details.reviews(session, detail.product.id)),
        "related": related_cards(session, request, detail.product, detail.version),
    }


async def _by_id(request: PageRequest) -> LoaderResult:
    """`?id={ID}` was a course's address once: 301 to its slug."""
    text = request.query.get("id", "")
    if is_number(text):
        slug = await request.db.read(catalogue_details.slug_of, int(text), "course")
        found = None if slug is None else await request.db.read(_load_course, slug, request, reads_parts=False)
        if found is not None:
            # A course whose page redirects leads to its target at once.
            return Redirect(COURSE_PATH + quote(found if isinstance(found, str) else found.detail.product.slug))
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


def _instructor(person: InstructorRow, *, is_on_sale: bool) -> Instructor:
    return {
        "slug": person.slug,
        "href": INSTRUCTOR_PATH + quote(person.slug) if is_on_sale else None,
        "name": person.name,
        "title": person.title,
        "bio": person.bio,
        "picture": entry_picture(person.image, PORTRAIT_WIDTH),
    }


def category_link_of(request: PageRequest, detail: CourseDetail | ItemDetail) -> CategoryRef:
    """The link to a product's category; to one that the site state does not have yet, as to an empty one."""
    category = detail.category
    known = request.site.by_id.get(category.id)
    return category_link(known or CategoryCount(category.id, category.slug, category.name, category.description, 0))


def iso_utc(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def optional_iso_utc(at: datetime | None) -> str | None:
    return None if at is None else iso_utc(at)


def sale_start(product: Any, at: datetime) -> str | None:
    """When the running sale began."""
    is_running = catalogue_listing.is_on_sale(product.sale_price, product.sale_from, product.sale_until, at)
    return optional_iso_utc(product.sale_from) if is_running else None


def course_props(request: PageRequest, detail: CourseDetail) -> CourseProps:
    product, course = detail.product, detail.course
    is_retired = product.status == "retired"
    on_sale = catalogue_listing.is_on_sale(product.sale_price, product.sale_from, product.sale_until, request.at)
    link = category_link_of(request, detail)
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
        "languageName": product.language and language_name(product.language, request.settings.locale),
        "category": link,
        "instructors": [_instructor(person, is_on_sale=product.status == "published") for person in detail.instructors],
        "provider": course.provider or request.settings.site_name,
        "durationMin": product.duration_min,
        "lessonCount": product.lesson_count or 0,
        "credits": float(course.credits) if course.credits else None,
        "creditsText": short_text(course.credits, request.settings.locale) if course.credits else None,
        "sections": [_section(section) for section in course.sections],
        "sheetCount": sum(bool(lesson.get("sheet")) for section in course.sections for lesson in section["lessons"]),
        "preview": _preview(course.sections),
        "listPrice": money.to_minor(product.list_price, request.site.currency),
        "price": money.to_minor(catalogue_listing.price_now(product, request.at), request.site.currency),
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
        **lowest_price(product, request.site, request.at),
    }


def _section(section: dict[str, Any]) -> Section:
    lessons: list[Lesson] = [
        {
            "title": lesson["title"],
            "kind": lesson.get("kind", "text"),
            "minutes": lesson.get("minutes", 0),
            "preview": bool(lesson.get("preview")),
        }
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
        url, loaded.detail.texts.description, sale_start(product, request.at), optional_iso_utc(product.published_at)
    )
    in_category = (category.slug, category.name)
    shared = og.of_product(
        settings, CardSubject("course", product.id, product.name, product.slug, product.level, *in_category)
    )
    return Head(
        title=head_texts.title(settings, loaded.detail.texts.title),
        description=context.description,
        canonical=url,
        robots="noindex, follow" if loaded.retirement_status == "unlisted" else INDEXED,
        **og.shared_image(settings, shared, props["picture"]),
        json_ld=(structured_data.course(settings, props, context), head_texts.breadcrumbs(settings, props["crumbs"])),
    )
