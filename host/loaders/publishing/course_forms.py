"""/admin/courses/{id} and its tabs with forms: texts, outcomes and FAQ, price, publication."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.languages import OWN_NAMES, language_name
from domain.learning import closures
from domain.money import Currency, to_minor
from domain.permissions import Permission
from domain.publishing.editing import course_list, price_history, publication
from domain.publishing.editing.course_texts import LEVELS
from domain.publishing.editing.price_history import PriceEntry
from domain.publishing.editing.stored_course import StoredCourse, stored_course
from domain.publishing.editing.stored_product import StoredProduct
from domain.publishing.lowest_prices import LOWEST_OF
from domain.routes import Page
from host.api.admin import courses, prices
from host.api.admin.actions import Action, FormOptions
from host.api.admin.catalogue import closures as closing
from host.api.admin.catalogue import items
from host.loaders.areas import area_page
from host.loaders.publishing.course_frame import CourseFrame, course_id, frame, may, product_of
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

_WORDS = {
    "draft": "Nobody but the staff can see it.",
    "scheduled": "It is published by itself at its time, if it lacks nothing then.",
    "published": "It is in the shop, in search and in the sitemap.",
    "retired": "Nobody can buy it any more. Its owners keep it.",
}
_LEVEL_NAMES = {"all": "All levels"}


class CourseTextsProps(TypedDict):
    """`form` null: the texts are shown alone. `descriptionHtml`: the stored description as the shop shows it."""

    title: str
    frame: CourseFrame
    subtitle: str
    descriptionHtml: str
    form: Action | None


class CourseListsProps(TypedDict):
    """`form` null: the lists are shown alone, as `text`."""

    title: str
    frame: CourseFrame
    text: str
    form: Action | None


class PriceRow(TypedDict):
    """Amounts in minor units, times in ISO 8601. `by` None: a command or an import."""

    id: int
    startsAt: str
    endsAt: str | None
    listPrice: int
    salePrice: int | None
    by: str | None
    reason: str


class CoursePriceProps(TypedDict):
    """Amounts in minor units. `lowest`: of the days before the sale that runs or is next. `form` null: this session may
    not set the price now. `mayWithdraw`: planned prices."""

    title: str
    frame: CourseFrame
    now: int
    listPrice: int
    lowest: int | None
    lowestDays: int
    planned: list[PriceRow]
    past: list[PriceRow]
    form: Action | None
    mayWithdraw: bool


class ClosureFields(TypedDict):
    endsAt: str
    reason: str
    isOver: bool


class CoursePublicationProps(TypedDict):
    """`words`: about its state. `publishedAt`: of a scheduled product, when it will be. `closure`: the end of access
    for everybody that is announced or has come. `actions`: null for whoever may not publish."""

    title: str
    frame: CourseFrame
    words: str
    publishedAt: str | None
    closure: ClosureFields | None
    actions: list[Action] | None


@page("admin-course")
async def load_texts(request: PageRequest, route: Page) -> PageResult[CourseTextsProps]:
    """Raises NotFound, ServiceUnavailable."""

    is_editor = may(request, Permission.CATALOGUE_WRITE)

    def read(session: Session) -> CourseTextsProps:
        stored = stored_course(session, course_id(request))
        return {
            "title": route.title,
            "frame": frame(stored, ""),
            "subtitle": stored.record.subtitle,
            "descriptionHtml": markdown_to_html(stored.record.description),
            "form": texts_form(session, stored, request.settings.locale) if is_editor else None,
        }

    return area_page.page(request, route, await request.db.read(read))


def texts_form(session: Session, stored: StoredCourse, locale: str) -> Action:
    levels = {key: _LEVEL_NAMES.get(key, key.capitalize()) for key in LEVELS}
    # Also that of a course from an import.
    language = stored.record.language
    own = {language: language_name(language, locale)} if language else {}
    options = {
        "category": {category.slug: category.name for category in course_list.categories(session)},
        "level": {"": "Not stated"} | levels,
        "language": {"": "Not stated"} | OWN_NAMES | own,
    }
    values, version = courses.stored_texts(session, stored), stored.product.version
    return courses.change_texts.form(stored.product.id, values=values, options=options, version=version)


@page("admin-course-outcomes")
async def load_lists(request: PageRequest, route: Page) -> PageResult[CourseListsProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CourseListsProps:
        stored = stored_course(session, course_id(request))
        values = courses.stored_lists(session, stored)
        form = courses.change_lists.form(stored.product.id, values=values, version=stored.product.version)
        return {
            "title": route.title,
            "frame": frame(stored, "outcomes"),
            "text": "\n\n".join(filter(None, values.values())),
            "form": form if may(request, Permission.CATALOGUE_WRITE) else None,
        }

    return area_page.page(request, route, await request.db.read(read))


@page("admin-course-price", "admin-item-price")
async def load_price(request: PageRequest, route: Page) -> PageResult[CoursePriceProps]:
    """Raises NotFound, ServiceUnavailable."""
    currency = request.settings.shop.currency

    def read(session: Session) -> CoursePriceProps:
        stored = product_of(session, request)
        known = price_history.read(session, stored.product.id, request.at)
        product = stored.product
        return {
            "title": route.title,
            "frame": frame(stored, "price"),
            "now": to_minor(known.now, currency),
            "listPrice": to_minor(product.list_price, currency),
            "lowest": _minor(known.lowest, currency),
            "lowestDays": LOWEST_OF.days,
            "planned": [_price_row(entry, currency) for entry in known.planned],
            "past": [_price_row(entry, currency) for entry in known.past],
            "form": _price_form(request, stored, currency),
            "mayWithdraw": may(request, Permission.PRICES_WRITE),
        }

    return area_page.page(request, route, await request.db.read(read))


def _price_form(request: PageRequest, stored: StoredProduct, currency: Currency) -> Action | None:
    """Nobody sees the price of a draft: nothing is said before it changes."""
    is_draft, product = stored.product.status == "draft", stored.product
    values = prices.stored_price(stored, currency)
    if may(request, Permission.PRICES_WRITE):
        return prices.set_price.form(product.id, values=values, version=product.version, has_preview=not is_draft)
    if is_draft and may(request, Permission.CATALOGUE_WRITE):
        return prices.set_draft_price.form(product.id, values=values, version=product.version)
    return None


@page("admin-course-publication", "admin-item-publication")
async def load_publication(request: PageRequest, route: Page) -> PageResult[CoursePublicationProps]:
    """Raises NotFound, ServiceUnavailable."""

    may_publish = may(request, Permission.CATALOGUE_PUBLISH)

    def read(session: Session) -> CoursePublicationProps:
        stored = product_of(session, request)
        at = stored.product.published_at
        return {
            "title": route.title,
            "frame": frame(stored, "publication"),
            "words": _WORDS[stored.product.status],
            "publishedAt": None if at is None else at.isoformat(),
            "closure": _closure(session, stored.product.id, request.at),
            "actions": _state_actions(request, session, stored) if may_publish else None,
        }

    return area_page.page(request, route, await request.db.read(read))


def _state_actions(request: PageRequest, session: Session, stored: StoredProduct) -> list[Action]:
    """The steps from the state of a course or item to another one; the address and a copy of a course."""
    status, is_course = stored.product.status, stored.product.kind == "course"
    shown = [] if status == "published" or stored.missing else _publish_forms(session, stored)
    number, version = stored.product.id, stored.product.version
    if status == "scheduled":
        shown.append((courses.withdraw_course if is_course else items.withdraw_item).form(number, version=version))
    if status == "published":
        shown.append((courses.retire_course if is_course else items.retire_item).form(number, version=version))
    if status == "retired" and is_course and may(request, Permission.CATALOGUE_CLOSE):
        shown += _closing_forms(session, number, request.at)
    if is_course:
        shown.append(courses.rename_course.form(number, values={"slug": stored.product.slug}))
        shown.append(courses.duplicate_course.form(number))
    return shown


def _publish_forms(session: Session, stored: StoredProduct) -> list[Action]:
    """At once, and for what is no retired product at a time."""
    product, is_outline = stored.product, publication.comes_as_outline(session, stored)
    publish = courses.publish_course if product.kind == "course" else items.publish_item
    ignored = [] if is_outline else ["isOutlineMeant"]
    now: FormOptions = {
        "version": product.version,
        "title": f"Publish “{product.name or product.slug}”",
        "button": "Publish it again" if product.status == "retired" else "Publish now",
        "question": f"Everybody can see and buy it at once.{f' {courses.OUTLINE}' if is_outline else ''}",
        "without": ["startsAt", *ignored],
        "fixed": ["isOutlineMeant"],
        "values": {"isOutlineMeant": True},
    }
    later: FormOptions = {
        "version": product.version,
        "id": "schedule",
        "title": "Publish at a time",
        "button": "Plan the publication",
        "without": ignored,
    }
    is_new = product.status != "retired"
    return [publish.form(product.id, **now), *([publish.form(product.id, **later)] if is_new else [])]


def _closing_forms(session: Session, course_id: int, at: datetime) -> list[Action]:
    row = closures.closure_of(session, course_id)
    if row is None:
        return [closing.close_course.form(course_id)]
    return [closing.keep_course_open.form(course_id)] if row.ends_at > at else []


def _closure(session: Session, product_id: int, at: datetime) -> ClosureFields | None:
    row = closures.closure_of(session, product_id)
    if row is None:
        return None
    return {"endsAt": row.ends_at.isoformat(), "reason": row.reason, "isOver": row.ends_at <= at}


def _minor(amount: Decimal | None, currency: Currency) -> int | None:
    return None if amount is None else to_minor(amount, currency)


def _price_row(entry: PriceEntry, currency: Currency) -> PriceRow:
    return {
        "id": entry.id,
        "startsAt": entry.starts_at.isoformat(),
        "endsAt": None if entry.ends_at is None else entry.ends_at.isoformat(),
        "listPrice": to_minor(entry.list_price, currency),
        "salePrice": _minor(entry.sale_price, currency),
        "by": entry.by,
        "reason": entry.reason,
    }
