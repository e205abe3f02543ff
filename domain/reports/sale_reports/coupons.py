"""The report of coupons: sessions that came with a code, what was bought with it, and what it cost."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.display_text import day_text
from domain.reports.attribution import coded_orders
from domain.reports.attribution.coded_orders import CodedCounts, CodedPeriod
from domain.reports.sale_reports import visit_sums
from domain.reports.sale_reports.figures import COUPON_FIGURES, DEFINITIONS, GROUP
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sale_reports.order_state import with_order_state
from domain.reports.sale_reports.sums import Sums
from domain.reports.visit_reports import stored_figures
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import DAY, ReportDescription, label_of
from domain.reports.visit_reports.figures import figures_of, percent
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import Coupon
from domain.visits.days.channels import NONE
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.days.paths import UNKNOWN
from domain.visits.raw.local_days import DayRules

_COLUMNS = ("net", "orders", "gross", "discount", "refunded", "newLearners", "sessions", "carts")
COUPONS = ReportDescription(
    "coupons",
    "Coupons",
    "Who came with a code, what was bought with it, and what it cost.",
    {"code": "Code"},
    _COLUMNS,
    ("net", "orders", "discount", "refunded", "newLearners", "sessions"),
    columns_by={DAY: tuple(key for key in _COLUMNS if key != "newLearners")},
    charted=("net", "orders", "discount"),
    figures=COUPON_FIGURES,
    definitions=DEFINITIONS / "coupons.json",
    has_money=True,
    has_audience=False,
    first_sort="-net",
    compared="net",
    group=GROUP,
)


class _CodePeriod(NamedTuple):
    """What a period has by code. `visits` None: they cannot be compared."""

    sold: Mapping[str, Sums]
    visits: Mapping[str, Sums] | None
    coded: CodedPeriod


# A code lowers the lines that it is for, or all lines of a cart; no line has both.
_DIMENSIONS = ("line_code", "cart_code")
# What a session has as its coupon when that is none.
_NO_CODE = (NONE, WITHOUT_SESSION)
LINES = "Amounts are those of the lines that a code lowered; other lines of the same orders are not in them."


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    frame = SaleFrame(session, query, rules, at)
    chosen = None if query.chosen is None else query.chosen[1]
    names = _names(session)
    now, before = _read(frame, frame.now, frame.now), None
    if frame.before is not None:
        before = _read(frame, frame.before, frame.visits_before("coupon"))
    rows = _days(frame, chosen or "") if query.by == DAY else _codes(names, now, before)
    parts = ReportParts(
        _totals(now, chosen),
        None if before is None else _totals(before, chosen),
        frame.series(lambda span: _sold_by_day(frame, span, chosen)),
        rows,
        "" if rows else "In these days nobody came with a code or bought with one.",
        [LINES],
        "" if chosen is None else _label(names, chosen),
    )
    return with_order_state(session, frame.answer(parts, limit), frame.now.since, frame.now.until)


def _names(session: Session) -> Mapping[str, str]:
    return {row.code: row.display_code for row in session.execute(select(Coupon.code, Coupon.display_code))}


def _label(names: Mapping[str, str], code: str) -> str:
    if code == UNKNOWN:
        return "Codes that do not exist"
    return names.get(code) or (label_of("code", code) if code.startswith("(") else code.upper())


def _sold(frame: SaleFrame, span: Span) -> Mapping[str, Sums]:
    found: defaultdict[str, Sums] = defaultdict(Counter)
    for dimension in _DIMENSIONS:
        for code, row in frame.sales.by_key(dimension, span).items():
            if code != NONE:
                found[code].update(row)
    return found


def _sold_by_day(frame: SaleFrame, span: Span, chosen: str | None) -> Mapping[date, Sums]:
    found: defaultdict[date, Sums] = defaultdict(Counter)
    for dimension in _DIMENSIONS:
        for day, row in frame.sales.by_day(dimension, span, chosen, without=NONE).items():
            found[day].update(row)
    return found


def _visits(frame: SaleFrame, span: Span) -> Mapping[str, Sums]:
    rows = visit_sums.by_key(frame.session, "coupon", span, "sessions", "reached_cart")
    return {
        code: Counter({"sessions": sessions, "carts": carts})
        for code, (sessions, carts) in rows.items()
        if code not in _NO_CODE
    }


def _figures(sold: Sums, visits: Sums, coded: CodedCounts) -> Figures:
    sums = Counter({**sold, **visits, "orders": coded.orders})
    new_learners = {"newLearners": percent(coded.new, coded.buyers)}
    return figures_of(sums, tuple(COUPON_FIGURES), COUPON_FIGURES) | new_learners


def _read(frame: SaleFrame, span: Span, of_visits: Span | None) -> _CodePeriod:
    """What the period has by code. `of_visits`: the same period, None where its visits cannot be compared."""
    coded = coded_orders.counts(frame.session, frame.currency, span.since, span.until, span.cut)
    return _CodePeriod(_sold(frame, span), None if of_visits is None else _visits(frame, of_visits), coded)


def _codes(names: Mapping[str, str], now: _CodePeriod, before: _CodePeriod | None) -> list[ReportRow]:
    earlier = None if before is None else _by_code(before)
    nothing = _figures(Counter(), Counter(), CodedCounts())
    return [
        ReportRow(code, _label(names, code), figures, None if earlier is None else earlier.get(code, nothing))
        for code, figures in _by_code(now).items()
    ]


def _by_code(period: _CodePeriod) -> dict[str, Figures]:
    sold, visits, by_code = period.sold, period.visits or {}, period.coded.by_code
    zero: Sums = Counter()
    return {
        code: _figures(sold.get(code, zero), visits.get(code, zero), by_code.get(code, CodedCounts()))
        for code in dict.fromkeys((*sold, *visits))
    }


def _days(frame: SaleFrame, code: str) -> list[ReportRow]:
    sold = _sold_by_day(frame, frame.now, code)
    rows = stored_figures.by_day(frame.session, ("coupon", code), "people", frame.now)
    visits = {day: Counter({"sessions": row["sessions"], "carts": row["reached_cart"]}) for day, row in rows.items()}
    days = dict.fromkeys((*sold, *visits))
    return [
        ReportRow(f"{day}", day_text(day), _day_figures(sold.get(day, Counter()), visits.get(day, Counter())), None)
        for day in days
    ]


def _day_figures(sold: Sums, visits: Sums) -> Figures:
    return figures_of(Counter({**sold, **visits}), tuple(COUPON_FIGURES), COUPON_FIGURES)


def _totals(period: _CodePeriod, chosen: str | None) -> Figures:
    """The figures of all codes, or of the chosen one."""
    counted = period.coded.total if chosen is None else period.coded.by_code.get(chosen, CodedCounts())
    found = _figures(_sum(period.sold, chosen), _sum(period.visits or {}, chosen), counted)
    if period.visits is not None:
        return found
    return {key: value for key, value in found.items() if key not in ("sessions", "carts")}


def _sum(rows: Mapping[str, Sums], chosen: str | None) -> Sums:
    counted: Sequence[Sums] = [row for key, row in rows.items() if chosen in (None, key)]
    total: Sums = Counter()
    for row in counted:
        total.update(row)
    return total
