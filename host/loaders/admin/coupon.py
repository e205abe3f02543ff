"""/admin/coupons/{id}, …/new, …/batches/new and …/lab: one coupon with what was made of it, creating one or many, and
trying codes."""

from datetime import datetime

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.audit.recording import Subject
from domain.cart.coupon_cost import CouponTerms, cost_texts
from domain.coupons import changes, staff_list
from domain.coupons.staff_list import CouponDetail, CouponRow, CouponUse
from domain.display_text import count_text
from domain.errors import NotFound
from domain.money import Currency
from domain.permissions import Permission, permissions_of
from domain.routes import Page
from domain.shop_settings.shop import ShopSettings
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.typed_values import is_number
from host.api.admin.actions import Action, FormOptions
from host.api.admin.coupons import STATE_ACTIONS, create_coupon
from host.api.admin.people.coupon_batches import create_batch
from host.loaders.admin import coupon_hours
from host.loaders.admin.coupon_hours import CouponHoursProps
from host.loaders.admin.coupons import PATH, STATES, may_write, uses_text
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import Fact, fact_group, facts
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class Choice(TypedDict):
    value: str
    label: str


class NewCouponProps(TypedDict):
    title: str
    backHref: str
    backText: str
    form: Action


class CouponLabProps(TypedDict):
    """`mayNameLearner`: whether this person may price for a learner."""

    title: str
    organisations: list[Choice]
    mayNameLearner: bool


class CouponPageProps(ActionPageProps):
    hours: CouponHoursProps


@page("admin-coupon")
async def load(request: PageRequest, route: Page) -> PageResult[CouponPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    detail, events, came = await request.db.read(_read, _coupon_id(request.values["id"]), request.at)
    possible = changes.actions_of(detail.coupon.state) if may_write(request) else []
    props: CouponPageProps = {
        "title": route.title,
        "heading": f"Coupon {detail.coupon.code}",
        "backHref": PATH,
        "backText": "All coupons",
        "facts": [*facts(_STATE, detail.coupon), *facts(_use(), detail.use)],
        "groups": [
            {**fact_group("cost", "It costs at most", _cost(detail, request.settings.shop)), "place": "main"},
            {**fact_group("terms", "Terms", _terms(detail, request.settings.shop.currency)), "place": "main"},
        ],
        "texts": [],
        "tables": [events_table(events)],
        "actions": [STATE_ACTIONS[name].form(detail.coupon.id) for name in possible],
        "hours": came,
    }
    return area_page.page(request, route, props)


@page("admin-coupon-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[NewCouponProps]:
    """Raises ServiceUnavailable."""
    form = create_coupon.form(**await terms_form(request))
    props: NewCouponProps = {"title": route.title, "backHref": PATH, "backText": "All coupons", "form": form}
    return area_page.page(request, route, props)


@page("admin-coupon-batch-new")
async def load_new_batch(request: PageRequest, route: Page) -> PageResult[NewCouponProps]:
    """Raises ServiceUnavailable."""
    form = create_batch.form(**await terms_form(request))
    path = f"{PATH}/batches"
    props: NewCouponProps = {"title": route.title, "backHref": path, "backText": "All batches", "form": form}
    return area_page.page(request, route, props)


async def terms_form(request: PageRequest) -> FormOptions:
    """What a coupon can apply to, for whom, and how much this person's coupon may take off."""
    categories, organisations = await request.db.read(staff_list.scopes)
    roles = () if request.actor is None else request.actor.roles
    most = 100 if changes.UNLIMITED_ROLE in roles else request.settings.coupon_max_percent
    return {
        "values": {"kind": "percent", "oncePerOrder": True, "appliesTo": "all"},
        "options": {"appliesTo": _SCOPES | categories, "organisation": organisations},
        "hints": {"value": f"A percentage up to {most}, or an amount. It is taken off the price after sale prices."},
    }


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


def _read(session: Session, coupon_id: int, at: datetime) -> tuple[CouponDetail, list[AuditEntry], CouponHoursProps]:
    detail = staff_list.coupon_detail(session, coupon_id, at)
    events = [*subject_entries(session, Subject("coupon", coupon_id))]
    return detail, events, coupon_hours.read(session, detail.coupon.code, at)


def _coupon_id(text: str) -> int:
    if not is_number(text):
        raise NotFound(changes.UNKNOWN)
    return int(text)


def _choices(names: dict[str, str]) -> list[Choice]:
    return [{"value": slug, "label": name} for slug, name in names.items()]


_SCOPES = {"all": "Everything", "course": "Courses", "item": "Shop items"}


def _cost(detail: CouponDetail, shop: ShopSettings) -> list[Fact]:
    row, products = detail.coupon, len(detail.products)
    about = (row.kind, row.value, row.once_per_order, row.applies_to, products, row.total_limit, row.learner_limit)
    terms = CouponTerms(*about)
    texts = cost_texts(terms, shop)
    return [{"label": label, "cell": {"kind": "text", "text": text}} for label, text in texts.items()]


def _terms(detail: CouponDetail, currency: Currency) -> list[Fact]:
    amounts: tuple[Column[CouponRow], ...] = (
        cells.amount("amount", "Amount off", lambda row: None if row.kind == "percent" else row.value, currency),
        cells.text("counts", "The amount counts", _times),
        cells.amount("minimum", "Smallest total", lambda row: row.minimum or None, currency),
    )
    products = ", ".join(detail.products) or None
    named: Fact = {"label": "Products", "cell": None if products is None else {"kind": "text", "text": products}}
    return [*facts(_TERMS, detail.coupon), *facts(amounts, detail.coupon), named]


def _times(row: CouponRow) -> str | None:
    if row.kind == "percent":
        return None
    return "At most once per order" if row.once_per_order else "Once for each piece"


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
