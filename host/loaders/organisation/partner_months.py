"""What the partner link of the organisation brought, on /organization/reports and as a file of its own."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from typing_extensions import TypedDict

from domain import money
from domain.display_text import count_text, money_text, month_text
from domain.locales import shop_locale
from domain.reports import partner_report
from domain.reports.partner_figures import MONEY_ORDERS
from domain.reports.partner_report import MoneyLine, MoneyOfMonth, PartnerFigures, money_lines
from domain.reports.visit_reports import accesses
from domain.reports.visit_reports.accesses import AccessAction, ReportLook
from host.loaders.ui import csv_rows
from host.loaders.ui import table_cells as cells
from host.loaders.ui.chart_props import ChartProps, require_consistent
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_request import PageRequest

REPORT = "partner-link"
# The value of the parameter `of`, by which the file is of the link and not of learning.
OF_LINK = "partner-link"
FILE = f"/csv/organization/reports?of={OF_LINK}"
# In the table; the picture has those of two years, and all of them are in the file.
SHOWN_MONTHS, DRAWN_MONTHS = 6, 24
HIDDEN = "Too few, or too alike, to show"
NOT_SHOWN = "Not shown"


class PartnerFigure(TypedDict):
    """A figure of the newest month: `value` in words, `change` why it is not shown, `meaning` and `example` behind its
    question mark. As the figures of a report of staff, which the same component shows."""

    key: str
    label: str
    value: str
    change: str
    range: str
    meaning: str
    example: str


class PartnerLinkReport(TypedDict):
    """`link`: the address to share. `month`: the newest one in words, "" while there is none: then the other parts are
    empty. `chart`: null without months."""

    link: str
    month: str
    note: str
    figures: list[PartnerFigure]
    chart: ChartProps | None
    table: ShortTable
    csvHref: str | None


class _Figure(NamedTuple):
    key: str
    label: str
    meaning: str
    example: str


_SESSIONS = _Figure(
    "sessions",
    "Sessions",
    "Sessions of people who came by your link: the visits of one browser tab, until nothing happens for half an hour. "
    "Programs are left out as far as they are recognised.",
    "Somebody opens your link in the morning and again in the evening: 2 sessions.",
)
_STEPS = (
    _Figure(
        "product",
        "Saw a course or item",
        "Sessions that came at least as far as the page of a course or a shop item.",
        "In steps of 5, 13 of 40 sessions are shown as “10 or more”.",
    ),
    _Figure("cart", "Reached the cart", "Sessions that came at least as far as the cart.", "12 of 14 are “5 or more”."),
    _Figure(
        "checkout",
        "Reached the checkout",
        "Sessions that came at least as far as the checkout.",
        "All of 10 sessions are “5 or more”: of the last 5 nothing is told.",
    ),
)
_ORDERS = _Figure(
    "orders",
    "Orders",
    "Orders of the month that cost something and whose buyer had followed your link within the time that orders are "
    "credited to links, if yours was the last partner link before the order. They are shown against the sessions of "
    "the month.",
    "Somebody follows your link on Monday, that of another organisation on Tuesday, and buys on Wednesday: no order "
    "of yours.",
)
_NET = _Figure(
    "net",
    "Net",
    "What the shown orders were paid for, without tax, at the mean of all orders of the month, before any refund. "
    f"From {MONEY_ORDERS} orders of as many buyers on.",
    "14 orders of 100.00 each are shown as “10 or more” and 1,000.00.",
)
_REFUNDED = _Figure(
    "refunded",
    "Refunded",
    "What went back in this month, without tax, for orders by your link of this month or earlier ones. Earlier months "
    f"stay as they were shown. From {MONEY_ORDERS} refunded orders of as many buyers on.",
    "An order of March is refunded in May: March stays, and May has the refund.",
)


async def read(request: PageRequest) -> PartnerLinkReport:
    """Whoever looks at months is noted before they get them. Raises ServiceUnavailable."""
    key = (request.path, request.tenant.organisation_id, REPORT)
    months = await request.db.read_briefly(key, partner_report.partner_report, request.tenant)
    slug = await request.db.read_briefly((*key, "slug"), partner_report.slug_of, request.tenant)
    lines = _lines(months[:SHOWN_MONTHS])
    if months:
        await _note(request, len(lines), "view")
    return {
        "link": f"{request.settings.site_origin}/d?k={slug}",
        "month": _month_text(months[0].month) if months else "",
        "note": _about(months[0].k) if months else "",
        "figures": _figures(months[0]) if months else [],
        "chart": require_consistent(_chart(months[:DRAWN_MONTHS])) if months else None,
        "table": short_table("partner-months", "By month", "", _COLUMNS, lines),
        "csvHref": FILE if months else None,
    }


async def file(request: PageRequest) -> bytes:
    """All months, as they are shown. Raises ServiceUnavailable."""
    lines = _lines(await request.db.read(partner_report.partner_report, request.tenant))
    await _note(request, len(lines), "csv")
    currency = request.settings.shop.currency
    return csv_rows.header(_FILE, currency) + csv_rows.lines(_FILE, lines, currency)


async def _note(request: PageRequest, rows: int, action: AccessAction) -> None:
    if request.actor is None:
        raise LookupError(f"{request.path} was loaded for nobody")
    look = ReportLook(REPORT, "", rows, action)
    await request.db.write(accesses.record_access, request.actor.learner_id, look, request.at)


def _lines(months: Sequence[PartnerFigures]) -> list[MoneyLine]:
    return [line for month in months for line in money_lines(month)]


def _about(k: int) -> str:
    return (
        "Months are counted once they are over, their days are computed and what led to their orders is settled, and "
        f"never change afterwards. Fewer than {count_text(k)} sessions are not shown; what they did comes in steps of "
        f"{count_text(k)} and never of the last {count_text(k)}, so that nobody can be recognised, also not by "
        "comparing months. A number that is not shown may also be 0."
    )


def _month_text(month: str) -> str:
    return month_text(date.fromisoformat(f"{month}-01"))


def _figures(month: PartnerFigures) -> list[PartnerFigure]:
    shown = [_figure(_SESSIONS, None if month.sessions is None else count_text(month.sessions))]
    numbers = (month.product, month.cart, month.checkout)
    shown += [_figure(figure, _or_more(number)) for figure, number in zip(_STEPS, numbers, strict=True)]
    for line in money_lines(month):
        currency = "" if line.currency == money.shop_currency().code else f" ({line.currency})"
        values = (_or_more(line.sales.orders), _amount(line.sales), _amount(line.refunds))
        for figure, value in zip((_ORDERS, _NET, _REFUNDED), values, strict=True):
            named = figure._replace(key=f"{figure.key}-{line.currency}", label=f"{figure.label}{currency}")
            shown.append(_figure(named, value))
    return shown


def _figure(figure: _Figure, value: str | None) -> PartnerFigure:
    return {
        "key": figure.key,
        "label": figure.label,
        "value": NOT_SHOWN if value is None else value,
        "change": HIDDEN if value is None else "",
        "range": "",
        "meaning": figure.meaning,
        "example": figure.example,
    }


def _or_more(number: int | None) -> str | None:
    return None if number is None else f"{count_text(number)} or more"


def _amount(shown: MoneyOfMonth) -> str | None:
    if shown.amount_minor is None:
        return None
    return money_text(shown.amount_minor, money.currency(shown.currency), shop_locale())


def _chart(newest_first: Sequence[PartnerFigures]) -> ChartProps:
    months = newest_first[::-1]
    known = [month for month in months if month.sessions is not None]
    return {
        "kind": "bar",
        "title": "Sessions by your link, by month",
        "summary": _summary(known),
        "unit": "count",
        "unitLabel": "Sessions",
        "period": "months that are over",
        "points": {"kind": "month", "labels": [month.month for month in months]},
        "series": [
            {"label": "Sessions", "values": [month.sessions for month in months]},
            {"label": "Saw a course or item, or more", "values": [month.product for month in months]},
        ],
        "empty": "In none of these months enough people came by your link to show a number.",
        "csvHref": None,
    }


def _summary(known: Sequence[PartnerFigures]) -> str:
    if not known:
        return ""
    best = max(known, key=lambda month: month.sessions or 0)
    return f"Most sessions came in {_month_text(best.month)}: {count_text(best.sessions or 0)}."


_COLUMNS: tuple[Column[MoneyLine], ...] = (
    cells.text("month", "Month", lambda line: _month_text(line.figures.month)),
    cells.text("sessions", "Sessions", lambda line: _number_text(line.figures.sessions)),
    cells.text("product", "Saw a course or item", lambda line: _or_more(line.figures.product) or NOT_SHOWN),
    cells.text("cart", "Cart", lambda line: _or_more(line.figures.cart) or NOT_SHOWN),
    cells.text("checkout", "Checkout", lambda line: _or_more(line.figures.checkout) or NOT_SHOWN),
    cells.text("orders", "Orders", lambda line: _or_more(line.sales.orders) or NOT_SHOWN),
    cells.text("net", "Net", lambda line: _amount(line.sales) or NOT_SHOWN),
    cells.text("refunded", "Refunded", lambda line: _amount(line.refunds) or NOT_SHOWN),
)


def _number_text(number: int | None) -> str:
    return NOT_SHOWN if number is None else count_text(number)


def _major(shown: MoneyOfMonth) -> str | None:
    if shown.amount_minor is None:
        return None
    currency = money.currency(shown.currency)
    return money.to_text(money.from_minor(shown.amount_minor, currency), currency)


# Empty where nothing is shown: for programs, words are no number.
_FILE: tuple[Column[MoneyLine], ...] = (
    cells.text("month", "Month", lambda line: line.figures.month),
    cells.count("sessions", "Sessions", lambda line: line.figures.sessions),
    cells.count("product", "Saw a course or item, or more", lambda line: line.figures.product),
    cells.count("cart", "Cart, or more", lambda line: line.figures.cart),
    cells.count("checkout", "Checkout, or more", lambda line: line.figures.checkout),
    cells.text("currency", "Currency", lambda line: line.currency),
    cells.count("orders", "Orders, or more", lambda line: line.sales.orders),
    cells.text("net", "Net of so many orders", lambda line: _major(line.sales)),
    cells.count("refunds", "Refunded orders, or more", lambda line: line.refunds.orders),
    cells.text("refunded", "Refunded for so many orders", lambda line: _major(line.refunds)),
    cells.count("k", "Steps", lambda line: line.figures.k),
)
