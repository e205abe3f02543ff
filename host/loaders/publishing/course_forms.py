"""/admin/courses/{id} and its tabs with forms: texts, outcomes and FAQ, price, publication."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import cast

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.languages import OWN_NAMES, language_name
from domain.learning import closures
from domain.money import Currency, to_minor
from domain.permissions import Permission
from domain.publishing.editing import course_list, course_texts, price_history, publication
from domain.publishing.editing.course_texts import LEVELS, CourseLists
from domain.publishing.editing.price_history import PriceEntry
from domain.publishing.editing.stored_course import StoredCourse, stored_course
from domain.publishing.lowest_prices import LOWEST_OF
from domain.routes import Page
from host.api.admin import courses
from host.api.admin.actions import Action
from host.loaders.areas import area_page
from host.loaders.publishing.course_frame import CourseFrame, course_id, frame, may, product_of
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# The refund promise of the shop (templates/content/refund-grievance-policy.md) ends before.
RECENT = timedelta(days=60)
_LEVEL_NAMES = {"all": "All levels"}


class CourseListsFields(TypedDict):
    outcomes: str
    prerequisites: str
    audience: str
    faq: str


class CourseTextsProps(TypedDict):
    """`form` null: the texts are shown alone. `descriptionHtml`: the stored description as the shop shows it."""

    title: str
    frame: CourseFrame
    subtitle: str
    descriptionHtml: str
    form: Action | None


class CourseListsProps(TypedDict):
    title: str
    frame: CourseFrame
    fields: CourseListsFields
    mayEdit: bool


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
    """Amounts in minor units. `lowest`: of the days before the sale that runs or is next. `mayPrice`: this session may
    set the price now; `isDraftOnly`: because it is a draft."""

    title: str
    frame: CourseFrame
    now: int
    listPrice: int
    salePrice: int | None
    saleUntil: str | None
    lowest: int | None
    lowestDays: int
    planned: list[PriceRow]
    past: list[PriceRow]
    mayPrice: bool
    isDraftOnly: bool


class ClosureFields(TypedDict):
    endsAt: str
    reason: str
    isOver: bool


class CoursePublicationProps(TypedDict):
    """`publishedAt`: of a scheduled product, when it will be. `recentBuyers`: of the last `refundDays`, who may ask for
    their money back. `closure`: the end of access for everybody that is announced or has come. `mayClose`: of courses
    alone. `comesAsOutline`: it has no lessons of its own, which whoever publishes it confirms."""

    title: str
    frame: CourseFrame
    slug: str
    publishedAt: str | None
    comesAsOutline: bool
    owners: int
    recentBuyers: int
    refundDays: int
    mayPublish: bool
    closure: ClosureFields | None
    mayClose: bool


def list_fields(lists: CourseLists) -> CourseListsFields:
    return cast(CourseListsFields, dict(vars(lists)))


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
        return {
            "title": route.title,
            "frame": frame(stored, "outcomes"),
            "fields": list_fields(course_texts.lists_of(stored.record)),
            "mayEdit": may(request, Permission.CATALOGUE_WRITE),
        }

    return area_page.page(request, route, await request.db.read(read))


@page("admin-course-price", "admin-item-price")
async def load_price(request: PageRequest, route: Page) -> PageResult[CoursePriceProps]:
    """Raises NotFound, ServiceUnavailable."""
    currency = request.settings.shop.currency

    def read(session: Session) -> CoursePriceProps:
        stored = product_of(session, request)
        prices = price_history.read(session, stored.product.id, request.at)
        product, is_draft = stored.product, stored.product.status == "draft"
        may_price = may(request, Permission.PRICES_WRITE)
        return {
            "title": route.title,
            "frame": frame(stored, "price"),
            "now": to_minor(prices.now, currency),
            "listPrice": to_minor(product.list_price, currency),
            "salePrice": _minor(product.sale_price, currency),
            "saleUntil": None if product.sale_until is None else product.sale_until.isoformat(),
            "lowest": _minor(prices.lowest, currency),
            "lowestDays": LOWEST_OF.days,
            "planned": [_price_row(entry, currency) for entry in prices.planned],
            "past": [_price_row(entry, currency) for entry in prices.past],
            "mayPrice": may_price or (is_draft and may(request, Permission.CATALOGUE_WRITE)),
            "isDraftOnly": not may_price,
        }

    return area_page.page(request, route, await request.db.read(read))


@page("admin-course-publication", "admin-item-publication")
async def load_publication(request: PageRequest, route: Page) -> PageResult[CoursePublicationProps]:
    """Raises NotFound, ServiceUnavailable."""

    def read(session: Session) -> CoursePublicationProps:
        stored = product_of(session, request)
        at = stored.product.published_at
        return {
            "title": route.title,
            "frame": frame(stored, "publication"),
            "slug": stored.product.slug,
            "publishedAt": None if at is None else at.isoformat(),
            "comesAsOutline": publication.comes_as_outline(session, stored),
            "owners": course_list.count_owners(session, stored.product.id),
            "recentBuyers": course_list.count_recent_buyers(session, stored.product.id, request.at - RECENT),
            "refundDays": RECENT.days,
            "mayPublish": may(request, Permission.CATALOGUE_PUBLISH),
            "closure": _closure(session, stored.product.id, request.at),
            "mayClose": stored.product.kind == "course" and may(request, Permission.CATALOGUE_CLOSE),
        }

    return area_page.page(request, route, await request.db.read(read))


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
