"""/admin: what waits for this person, and how the last two weeks went."""

from collections.abc import Callable, Sequence

from typing_extensions import TypedDict

from domain.permissions import Permission, permissions_of
from domain.routes import Page, match_route
from domain.staff import first_steps, overview
from domain.staff.first_steps import FirstStep
from domain.staff.overview import Day, WaitingCount
from host.loaders.areas import area_page
from host.loaders.ui.chart_props import ChartProps, ChartUnit
from host.loaders.ui.waiting_work import WaitingWork
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# Kind -> words for one and for several, and the page that deals with it.
_WORDS: dict[str, tuple[str, str, str]] = {
    "confirmations": (
        "change to confirm",
        "changes to confirm",
        "/admin/confirmations?state=waiting",
    ),
    "applications": (
        "application of an organisation",
        "applications of organisations",
        "/admin/organisations?state=undecided",
    ),
    "refunds": ("request for a refund", "requests for a refund", "/admin/refunds?state=requested"),
    "parcels": ("order to pack", "orders to pack", "/admin/parcels?state=to_send"),
    "failed_refunds": ("refund that failed", "refunds that failed", "/admin/refunds?state=failed"),
    "transfers_back": ("refund to transfer", "refunds to transfer", "/admin/refunds?state=approved"),
    "bank_entries": (
        "bank entry to decide about",
        "bank entries to decide about",
        "/admin/bank-entries?state=open",
    ),
    "findings": (
        "difference to the payment gateway",
        "differences to the payment gateway",
        "/admin/payment-findings?state=open",
    ),
    "reviews": ("review to look at", "reviews to look at", "/admin/reviews?state=pending"),
    "messages": ("message to answer", "messages to answer", "/admin/messages?state=new"),
    "mails": ("email that could not be sent", "emails that could not be sent", "/admin/mail?state=failed"),
    "alarms": ("alarm about a coupon", "alarms about coupons", "/admin/coupons/alarms?state=open"),
    "jobs": ("job that does not go on", "jobs that do not go on", "/admin/health"),
    "visits": ("visit that could not be stored", "visits that could not be stored", "/admin/dead-letters"),
}


# What a new school does first -> its words, and the page for it.
_STEPS: dict[str, tuple[str, str]] = {
    "category": ("Create a category: every course is in one.", "/admin/categories/new"),
    "course": ("Create a course: its texts, its lessons, its price.", "/admin/courses/new"),
    "publish": ("Publish the course: its page says what it still lacks.", "/admin/courses"),
    "colleague": ("Give your colleagues their roles.", "/admin/staff/new"),
}


class StepProps(TypedDict):
    text: str
    href: str
    isDone: bool


class AdminHomeProps(TypedDict):
    """`firstSteps` is empty once something was for sale. `charts` is empty for those who may not read reports."""

    title: str
    name: str
    firstSteps: list[StepProps]
    waiting: list[WaitingWork]
    charts: list[ChartProps]


@page("admin-home")
async def load(request: PageRequest, route: Page) -> PageResult[AdminHomeProps]:
    """Raises ServiceUnavailable while the database does not answer in time."""
    if request.session is None:
        raise LookupError(f"{route.id} was loaded without a session")
    permissions = permissions_of("admin", request.session.area_roles)
    props: AdminHomeProps = {
        "title": route.title,
        "name": request.session.name,
        "firstSteps": [_step(entry) for entry in await request.db.read(first_steps.first_steps, permissions)],
        "waiting": [
            _work(entry)
            for entry in await request.db.read(
                overview.waiting, permissions, request.at, request.session.auth.learner_id
            )
        ],
        "charts": [],
    }
    if Permission.REPORTS_READ in permissions:
        currency = request.settings.shop.currency.code
        props["charts"] = _charts(await request.db.read(overview.last_days, request.at, currency), currency)
    return area_page.page(request, route, props)


def _step(entry: FirstStep) -> StepProps:
    text, href = _STEPS[entry.kind]
    return {"text": text, "href": href, "isDone": entry.is_done}


def _work(entry: WaitingCount) -> WaitingWork:
    one, several, href = _WORDS[entry.kind]
    match = match_route(href.partition("?")[0])
    is_built = match is not None and match.page.served
    return {
        "count": entry.count,
        "isMore": entry.count >= overview.MAX_COUNT,
        "text": one if entry.count == 1 else several,
        "href": href if is_built else None,
    }


def _charts(days: Sequence[Day], currency: str) -> list[ChartProps]:
    return [
        _chart("Sales", "money", f"Orders paid in {currency}", days, lambda day: day.sales),
        _chart("Orders", "count", "Orders paid", days, lambda day: day.orders),
        _chart("Visits", "count", "Pages that people opened", days, lambda day: day.visits),
    ]


def _chart(title: str, unit: ChartUnit, label: str, days: Sequence[Day], value: Callable[[Day], int]) -> ChartProps:
    values: list[int | float | None] = [value(day) for day in days]
    chart: ChartProps = {
        "kind": "bar",
        "title": title,
        "summary": "",
        "unit": unit,
        "unitLabel": label,
        "period": f"the last {len(days)} days, UTC",
        "points": {"kind": "day", "labels": [day.day.isoformat() for day in days]},
        "series": [{"label": title, "values": values}],
        "unfinishedFrom": len(days) - 1,
        "empty": "Nothing yet.",
        "csvHref": None,
    }
    return chart
