"""/admin/coupons/forecasts, …/new and …/{id}: what coupons would have done with the orders of the last 90 days."""

from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.coupons import forecast_job
from domain.coupons.forecast_job import FORECASTS, ForecastSums, period_of, shown_sums
from domain.display_text import count_text, day_text, money_text
from domain.jobs.job_rows import JobView
from domain.locales import shop_locale
from domain.money import Currency
from domain.permissions import Permission
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from host.api.admin.people.coupon_forecasts import PATH, start_forecast, stop_forecast
from host.loaders.admin.coupon import NewCouponProps, terms_form
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import ShortTable, facts, short_table
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

STATES: dict[str, tuple[str, BadgeTone]] = {
    "queued": ("Waiting", "info"),
    "running": ("Being counted", "info"),
    "done": ("Counted", "good"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "neutral"),
}
_UNFINISHED = ("queued", "running")


class CouponForecastProps(ActionPageProps):
    """`isRunning`: more orders are being counted. `answer`: what it comes to, in words."""

    isRunning: bool
    answer: list[str]
    about: str


ABOUT = (
    "Each order of these 90 days holds what it was priced from: its products with the prices, sales, contracts and "
    "codes of then. It is priced again as if the coupon had been on the whole cart in place of what was there; a line "
    "that was cheaper anyway stays as it was. An order qualifies when it has a product that the coupon applies to and "
    "reaches its smallest total. What it would have cost is by how much the products would have been cheaper, without "
    "delivery and before tax that is added. With the coupon people would have bought more, or other things: nothing of "
    "the past says how much, but a trial of the special offer does. So that nobody finds out about one person, counts "
    "are rounded down to steps, amounts are rounded to two digits, and of too few people nothing is shown."
)

LIST = AreaList(
    TableSpec(
        caption="Forecasts of coupons",
        source=FORECASTS,
        columns=(
            cells.link("name", "Coupon", lambda row: (str(row.input["name"]), f"{PATH}/{row.id}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.count("orders", "Orders", lambda row: row.processed),
            cells.time("started", "Started", lambda row: row.created_at),
            cells.text("by", "By", lambda row: row.started_by or None),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No forecasts yet",
            "text": "Before a coupon is made, it can be tried on the orders of the last 90 days: how many would have "
            "qualified, and what it would have cost.",
            "action": {"text": "Try a coupon", "href": f"{PATH}/new"},
        },
    ),
    links=({"text": "Try a coupon", "href": f"{PATH}/new"},),
)
list_page("admin-coupon-forecasts", LIST)


@page("admin-coupon-forecast-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[NewCouponProps]:
    """Raises ServiceUnavailable."""
    options = await terms_form(request)
    form = start_forecast.form(values=options["values"], options=options["options"])
    props: NewCouponProps = {"title": route.title, "backHref": PATH, "backText": "All forecasts", "form": form}
    return area_page.page(request, route, props)


@page("admin-coupon-forecast")
async def load_one(request: PageRequest, route: Page) -> PageResult[CouponForecastProps]:
    """Raises NotFound, ServiceUnavailable."""
    found, events = await request.db.read(_read, number(request))
    is_running, currency = found.state in _UNFINISHED, request.settings.shop.currency
    props: CouponForecastProps = {
        "title": route.title,
        "heading": str(found.input["name"]),
        "backHref": PATH,
        "backText": "All forecasts",
        "facts": facts(_FACTS, found),
        "texts": [],
        "tables": [*([] if is_running else [_table(found)]), events_table(events)],
        "actions": [stop_forecast.form(found.id)] if is_running and may(request, Permission.COUPONS_WRITE) else [],
        "isRunning": is_running,
        "answer": [] if is_running else _answer(found, currency),
        "about": ABOUT,
    }
    return area_page.page(request, route, props)


def _read(session: Session, job_id: int) -> tuple[JobView, list[AuditEntry]]:
    return forecast_job.forecast(session, job_id), [*subject_entries(session, Subject("job", job_id))]


def _k(found: JobView) -> int:
    return int(found.input["k"])


def _answer(found: JobView, currency: Currency) -> list[str]:
    """Sentences; what kept the job from its end is the first."""
    error, left_out = found.report.get("error"), _left_out(found)
    return [*([str(error)] if error else []), _main_answer(found, currency), *left_out]


def _main_answer(found: JobView, currency: Currency) -> str:
    sums = shown_sums(found.report, "paid", _k(found))
    if not found.report.get("paid", {}).get("orders"):
        return "No order of these days was paid: there is nothing to try the coupon on."
    if sums.qualified is None or sums.cost_minor is None or sums.price_minor is None:
        return f"Fewer than {_k(found)} people would have qualified: what it would have cost is not shown."
    cost, price = (money_text(minor, currency, shop_locale()) for minor in (sums.cost_minor, sums.price_minor))
    return (
        f"At least {count_text(sums.qualified)} paid orders would have qualified, and at least "
        f"{count_text(sums.lower or 0)} would have been cheaper. The coupon would have cost about {cost} of the "
        f"{price} that these orders brought."
    )


def _left_out(found: JobView) -> list[str]:
    foreign, unreadable = found.report.get("foreign", 0), found.report.get("unreadable", 0)
    return [
        *([f"Orders in other currencies, which are left out: {count_text(foreign)}."] if foreign else []),
        *([f"Orders whose prices could not be read, left out too: {count_text(unreadable)}."] if unreadable else []),
    ]


class _Group(NamedTuple):
    label: str
    sums: ForecastSums


def _table(found: JobView) -> ShortTable:
    groups = {"paid": "Paid", "unpaid": "Never paid"}
    rows = [_Group(label, shown_sums(found.report, name, _k(found))) for name, label in groups.items()]
    return short_table("sums", "Orders of these days", "No orders.", _SUMS, rows)


_SUMS: tuple[Column[_Group], ...] = (
    cells.text("group", "Orders that were", lambda group: group.label),
    cells.count("orders", "At least", lambda group: group.sums.orders),
    cells.count("qualified", "Qualify", lambda group: group.sums.qualified),
    cells.count("lower", "Cheaper", lambda group: group.sums.lower),
    cells.minor("price", "They cost", lambda group: group.sums.price_minor),
    cells.minor("cost", "Coupon takes off", lambda group: group.sums.cost_minor),
)


def _progress(found: JobView) -> float:
    return found.processed / (int(found.input["orders"]) or 1)


_FACTS: tuple[Column[JobView], ...] = (
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.progress("progress", "Counted", lambda row: _progress(row) if row.state in _UNFINISHED else None),
    cells.text("from", "Orders from", lambda row: day_text(period_of(row.input)[0].date())),
    cells.text("to", "Until", lambda row: day_text(period_of(row.input)[1].date())),
    cells.time("started", "Started", lambda row: row.created_at),
    cells.time("ended", "Ended", lambda row: row.ended_at),
)
