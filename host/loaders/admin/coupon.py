"""/admin/coupons/{id}, …/new and …/lab: one coupon with what was made of it, creating one, and trying codes."""

from datetime import datetime

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.audit import Subject
from domain.audit.views.events import AuditEntry, subject_entries
from domain.coupons import changes, staff_list
from domain.coupons.staff_list import CouponDetail, CouponRow, CouponUse
from domain.display_text import count_text
from domain.errors import NotFound
from domain.money import Currency
from domain.permissions import Permission, permissions_of
from domain.routes import Page
from host.loaders.admin.coupons import PATH, STATES, may_write, uses_text
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import DetailProps, Fact, fact_group, facts
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class CouponProps(DetailProps):
    """`stateActions`: what this person can do with it now."""

    id: int
    code: str
    stateActions: list[changes.Action]


class Choice(TypedDict):
    value: str
    label: str


class NewCouponProps(TypedDict):
    """`scopes`: what a coupon can apply to. `maxPercent`: the most that this person's coupon takes off."""

    title: str
    backHref: str
    scopes: list[Choice]
    organisations: list[Choice]
    maxPercent: int


class CouponLabProps(TypedDict):
    """`mayNameLearner`: whether this person may price for a learner."""

    title: str
    organisations: list[Choice]
    mayNameLearner: bool


@page("admin-coupon")
async def load(request: PageRequest, route: Page) -> PageResult[CouponProps]:
    """Raises NotFound, ServiceUnavailable."""
    detail, events = await request.db.read(_read, _coupon_id(request.values["id"]), request.at)
    props: CouponProps = {
        "title": route.title,
        "heading": f"Coupon {detail.coupon.code}",
        "backHref": PATH,
        "backText": "All coupons",
        "facts": [*facts(_STATE, detail.coupon), *facts(_use(), detail.use)],
        "groups": [{**fact_group("terms", "Terms", _terms(detail, request.settings.shop.currency)), "place": "main"}],
        "tables": [events_table(events)],
        "id": detail.coupon.id,
        "code": detail.coupon.code,
        "stateActions": changes.actions_of(detail.coupon.state) if may_write(request) else [],
    }
    return area_page.page(request, route, props)


@page("admin-coupon-new", "admin-coupon-batch-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[NewCouponProps]:
    """Raises ServiceUnavailable."""
    categories, organisations = await request.db.read(staff_list.scopes)
    roles = () if request.actor is None else request.actor.roles
    is_limited = changes.UNLIMITED_ROLE not in roles
    props: NewCouponProps = {
        "title": route.title,
        "backHref": PATH,
        "scopes": [*_FIXED_SCOPES, *_choices(categories)],
        "organisations": [{"value": "", "label": "Everybody"}, *_choices(organisations)],
        "maxPercent": request.settings.coupon_max_percent if is_limited else 100,
    }
    return area_page.page(request, route, props)


@page("admin-coupon-lab")
async def load_lab(request: PageRequest, route: Page) -> PageResult[CouponLabProps]:
    """Raises ServiceUnavailable."""
    _, organisations = await request.db.read(staff_list.scopes)
    permissions = frozenset() if request.actor is None else permissions_of("admin", request.actor.roles)
    props: CouponLabProps = {
        "title": route.title,
        "organisations": [{"value": "", "label": "No organisation"}, *_choices(organisations)],
        "mayNameLearner": Permission.LEARNERS_READ in permissions,
    }
    return area_page.page(request, route, props)


def _read(session: Session, coupon_id: int, at: datetime) -> tuple[CouponDetail, list[AuditEntry]]:
    detail = staff_list.coupon_detail(session, coupon_id, at)
    return detail, [*subject_entries(session, Subject("coupon", coupon_id))]


def _coupon_id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise NotFound(changes.UNKNOWN)
    return int(text)


def _choices(names: dict[str, str]) -> list[Choice]:
    return [{"value": slug, "label": name} for slug, name in names.items()]


_FIXED_SCOPES: tuple[Choice, ...] = (
    {"value": "all", "label": "Everything"},
    {"value": "course", "label": "Courses"},
    {"value": "item", "label": "Shop items"},
)


def _terms(detail: CouponDetail, currency: Currency) -> list[Fact]:
    amounts: tuple[Column[CouponRow], ...] = (
        cells.amount("amount", "Amount off", lambda row: None if row.kind == "percent" else row.value, currency),
        cells.amount("minimum", "Smallest total", lambda row: row.minimum or None, currency),
    )
    products = ", ".join(detail.products) or None
    named: Fact = {"label": "Products", "cell": None if products is None else {"kind": "text", "text": products}}
    return [*facts(_TERMS, detail.coupon), *facts(amounts, detail.coupon), named]


_STATE: tuple[Column[CouponRow], ...] = (cells.badge("state", "State", lambda row: STATES[row.state]),)
_TERMS: tuple[Column[CouponRow], ...] = (
    cells.text("percent", "Percent off", lambda row: row.value_text if row.kind == "percent" else None),
    cells.text("scope", "Applies to", lambda row: row.scope),
    cells.text("organisation", "For members of", lambda row: row.organisation),
    cells.text("special", "Special offer", lambda row: "Shown to everybody" if row.is_special else None),
    cells.text("campaign", "Campaign", lambda row: row.campaign or None),
    cells.time("starts", "From", lambda row: row.starts_at),
    cells.time("ends", "Until", lambda row: row.ends_at),
    cells.text("uses", "Reserved and used, of its limit", uses_text),
    cells.count("learner", "Uses per learner", lambda row: row.learner_limit),
    cells.time("created", "Created", lambda row: row.created_at),
)


def _use() -> tuple[Column[CouponUse], ...]:
    newest = f"Discount of the newest {count_text(staff_list.MAX_LINES)} lines"
    return (
        cells.count("reserved", "Reserved", lambda row: row.reserved),
        cells.count("used", "Used", lambda row: row.used),
        cells.count("orders", "Paid orders", lambda row: row.orders),
        cells.minor("discount", "Discount given", lambda row: None if row.is_cut else row.discount_minor),
        cells.minor("newest", newest, lambda row: row.discount_minor if row.is_cut else None),
    )
