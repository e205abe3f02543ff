"""/admin/reports/attribution/orders/{ref}: what led to an order and what each visit brings, without its buyer."""

from collections.abc import Sequence
from typing import NamedTuple

from domain import money
from domain.attribution.weights import MODELS, Model
from domain.display_text import count_text, money_text, percent_text
from domain.errors import NotFound
from domain.locales import shop_locale
from domain.money import Currency
from domain.reports.attribution import explain
from domain.reports.attribution.explain import ExplainedOrder, ExplainedStep
from domain.reports.attribution.report import FIGURES, MODEL_LABELS, REPORT, label_of_key
from domain.reports.sales_lines import SaleLine
from domain.reports.visit_reports import accesses
from domain.reports.visit_reports.accesses import ReportLook
from domain.reports.visit_reports.figures import definitions
from domain.reports.visit_reports.parameters import read_parameters
from domain.routes import Page
from domain.visits.days.channels import NONE
from domain.visits.raw.local_days import DayRules
from host.loaders.areas import area_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import ShortTable, facts, placed, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.reports import links

_NOTHING = (
    "No visit of the buyer was counted before it: the browser asks not to be followed, or the visits were in another."
    " All of it counts as not measured."
)
_OPEN = "Still open: visits that are counted later may join it"
_CLOSED = "Closed: refunds alone change what it brings"
_VALUES = ("coupon", "special", "student", "partner")
_REF = 12


class _SoldLine(NamedTuple):
    """What a line has brought, and what it is called."""

    line: SaleLine
    name: str


class _ModelMeaning(NamedTuple):
    label: str
    meaning: str


@page("admin-attribution-order", learner_limits=("reports_per_learner_minute",))
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """The look is recorded. Raises NotFound, RateLimited, ServiceUnavailable."""
    if request.actor is None:
        raise LookupError(f"{request.path} was loaded for nobody")
    if request.limit is not None:
        await request.limit()
    ref = request.values["ref"].upper()
    found = await request.db.read(explain.of_ref, ref) if ref.isascii() and len(ref) <= _REF else None
    if found is None:
        raise NotFound("There is no order of this name in the report.")
    look = ReportLook(REPORT.name, f"order={found.path.ref}", len(found.steps), "view")
    await request.db.write(accesses.record_access, request.actor.learner_id, look, request.at)
    return area_page.page(request, route, _props(found, request.settings.day_rules, route.title, _back_href(request)))


def _back_href(request: PageRequest) -> str:
    """The report as it was when the order was chosen in it."""
    today = request.settings.day_rules.day_of(request.at)
    query, _ = read_parameters(REPORT, request.query, today, request.query.getall("f", []))
    return links.href_of(query, today, query.page)


def _props(found: ExplainedOrder, rules: DayRules, title: str, back_href: str) -> ActionPageProps:
    currency = money.currency(found.currency)
    lines = [_SoldLine(line, found.names[line.line_id]) for line in found.lines]
    meanings = [_ModelMeaning(MODEL_LABELS[model], definitions(REPORT.definitions)[model].meaning) for model in MODELS]
    return {
        "title": title,
        "heading": f"Path of order {found.path.ref}",
        "backHref": back_href,
        "backText": "Attribution",
        "facts": facts(_facts(rules, currency), found),
        "tables": [
            short_table("path", "What led to it", _NOTHING, _path_columns(rules), found.steps),
            _shares(found.steps, currency),
            short_table("lines", "What was sold", "Nothing.", _line_columns(currency), lines),
            placed("folded", short_table("models", "What the models mean", "", _MEANINGS, meanings)),
        ],
        "texts": [],
        "actions": [],
    }


def _facts(rules: DayRules, currency: Currency) -> tuple[Column[ExplainedOrder], ...]:
    return (
        cells.day("placed", "Placed", lambda row: rules.day_of(row.path.placed_at)),
        cells.day("paid", "Paid", lambda row: rules.day_of(row.path.paid_at)),
        cells.text("net", FIGURES["net"].label, lambda row: _money(row.net_minor, currency)),
        cells.text("window", "Visits that count", lambda row: f"{count_text(row.path.window_days)} days before it"),
        cells.text("halfLife", "Half-life, decay", lambda row: f"{count_text(row.path.half_life_hours)} hours"),
        cells.text("state", "Path", lambda row: _OPEN if row.path.closed_at is None else _CLOSED),
    )


def _money(minor: int, currency: Currency) -> str:
    return money_text(minor, currency, shop_locale())


# On a card a number alone says nothing.
_VISIT: Column[ExplainedStep] = cells.text("position", "Visit", lambda row: f"Visit {count_text(row.step.position)}")


def _path_columns(rules: DayRules) -> tuple[Column[ExplainedStep], ...]:
    """Times to the day."""
    return (
        _VISIT,
        cells.day("day", "Day", lambda row: rules.day_of(row.step.visited_at)),
        cells.text("channel", "Channel", lambda row: label_of_key("channel", row.step.channel)),
        cells.text("source", "Source", lambda row: _named("source", row.step.source)),
        cells.text("campaign", "Campaign", lambda row: label_of_key("campaign", row.step.campaign)),
        cells.text("values", "Links and codes", _values),
        cells.text("landing", "Page", lambda row: row.step.landing or None),
    )


def _named(dimension: str, key: str) -> str | None:
    return None if key in ("", NONE) else label_of_key(dimension, key)


_LABELS = {"coupon": "coupon", "special": "special offer", "student": "student", "partner": "partner"}


def _values(row: ExplainedStep) -> str | None:
    if row.step.is_own:
        own = "the buyer's own link"
        return ", ".join([own, *(text for text in _texts(row, ("coupon", "special", "partner")))])
    return ", ".join(_texts(row, _VALUES)) or None


def _texts(row: ExplainedStep, names: Sequence[str]) -> list[str]:
    found = {name: _named(name, getattr(row.step, name)) for name in names}
    return [f"{_LABELS[name]} {text}" for name, text in found.items() if text is not None]


def _shares(steps: Sequence[ExplainedStep], currency: Currency) -> ShortTable:
    """What each visit brings, with its share of the weights."""
    totals = {model: sum(step.weights[model] for step in steps) for model in MODELS}
    columns: list[Column[ExplainedStep]] = [_VISIT]
    columns += [_share_column(model, totals[model], currency) for model in MODELS]
    return short_table("shares", "What each of them is credited with", "Nothing.", columns, steps)


def _share_column(model: Model, total: int, currency: Currency) -> Column[ExplainedStep]:
    def text(row: ExplainedStep) -> str:
        share = percent_text(round(100 * row.weights[model] / total, 1))
        return f"{_money(row.amounts[model], currency)} ({share})"

    return cells.text(model, MODEL_LABELS[model], text)


def _line_columns(currency: Currency) -> tuple[Column[_SoldLine], ...]:
    return (
        cells.text("name", "Line", lambda row: row.name),
        cells.text("paid", "Paid without tax", lambda row: _money(_paid(row.line), currency)),
        cells.text("refunded", "Refunded", lambda row: _refunded(row.line, currency)),
        cells.text("net", FIGURES["net"].label, lambda row: _money(row.line.net_minor, currency)),
    )


def _paid(line: SaleLine) -> int:
    return line.gross_minor - line.discount_minor - line.tax_minor


def _refunded(line: SaleLine, currency: Currency) -> str | None:
    return _money(line.refunded_net_minor, currency) if line.refunded_net_minor else None


_MEANINGS: tuple[Column[_ModelMeaning], ...] = (
    cells.text("model", "Model", lambda row: row.label),
    cells.text("meaning", "Meaning", lambda row: row.meaning),
)
