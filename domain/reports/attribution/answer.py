"""Answers the report `attribution` from the days of credits, and its list of orders from their credits."""

from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.attribution.credits import NOT_MEASURED, SELF
from domain.attribution.weights import MODELS
from domain.display_text import count_text, day_text
from domain.reports.attribution import stored_credits
from domain.reports.attribution.report import MODEL, NAMELESS, ORDER, label_of_key, masked, milli
from domain.reports.attribution.stored_credits import CreditState, ModelSums
from domain.reports.visit_reports.answers import (
    Figures,
    LeftOut,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import DAY
from domain.reports.visit_reports.figures import FigureSums, figures_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.visits.raw.local_days import DayRules

ORDER_PATH = "/admin/reports/attribution/orders/"
_DAY = timedelta(days=1)
NOTHING = "No order has been paid yet. The first credits appear a minute after the first payment."
NO_ORDERS = "No order was paid in these days."
NOT_OVER = "The period is not over: it is compared once it is."
SAME_MASK = "Several students have numbers that look like this one: these are the figures of all of them."


class _About(NamedTuple):
    """`dimension`: that of everything on the page; `keys`: the values of it that were chosen, None: all of them."""

    session: Session
    query: ReportQuery
    rules: DayRules
    span: Span
    currency: str
    dimension: str
    keys: frozenset[str] | None

    @property
    def value(self) -> tuple[str, Collection[str]] | None:
        return None if self.keys is None else (self.dimension, self.keys)

    @property
    def days(self) -> list[date]:
        return [self.span.since + number * _DAY for number in range(self.query.days)]


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    """`limit`: how many rows there are on a page, None: as many as the query says."""
    span = Span(query.since, query.until)
    state = stored_credits.state_of(session, span)
    known = stored_credits.currencies(session, span)
    currency = query.currency or next(iter(known), "")
    dimension = query.chosen[0] if query.chosen else "channel" if query.by == ORDER else query.by
    keys = _chosen_keys(session, query, span, currency)
    about = _About(session, query, rules, span, currency, dimension, keys)
    is_unfinished = rules.day_of(at) <= query.until
    earlier = None if is_unfinished else _earlier(about, state)
    rows = sorted_rows(_rows(about), query.sort)
    series = _series(about, state, rules.day_of(at), earlier)
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        state.first_day,
        is_unfinished,
        _totals(about, span),
        None if earlier is None else _totals(about, earlier),
        None,
        LeftOut(0, 0, 0),
        series,
        *page_of_rows(rows, query, limit),
        _notes(about, state, is_unfinished=is_unfinished),
        empty=_empty(about, state, has_orders=bool(known)),
        currency=currency or None,
        currencies=tuple(dict.fromkeys((*known, *([currency] if currency else [])))),
        chosen_label=label_of_key(*query.chosen) if query.chosen else "",
    )


def _chosen_keys(session: Session, query: ReportQuery, span: Span, currency: str) -> frozenset[str] | None:
    """Students are chosen by what is shown of their numbers."""
    if query.chosen is None:
        return None
    dimension, value = query.chosen
    if dimension != "student":
        return frozenset((value,))
    found = stored_credits.by_key(session, dimension, span, currency)
    return frozenset(key for key in found if masked(key) == value)


def _earlier(about: _About, state: CreditState) -> Span | None:
    """The days that the period is compared with, if all of them have been counted."""
    shift = about.query.shift
    if shift is None or state.first_day is None or state.first_day > about.span.since - shift:
        return None
    return Span(about.span.since - shift, about.span.until - shift)


def _sums(found: Iterable[ModelSums], model: str, unmeasured: int = 0) -> FigureSums:
    sums = {name: 0 for each in MODELS for name in (each, milli(each))}
    for name, amount, thousandths in found:
        sums[name] += amount
        sums[f"{name}_milli"] += thousandths
    return {**sums, "net": sums[model], "milli": sums[f"{model}_milli"], "unmeasured": unmeasured}


def _totals(about: _About, span: Span) -> Figures:
    """Net revenue and orders of everything; what each model credits to rows that name something."""
    model, report = about.query.choices[MODEL], about.query.report
    by_key = stored_credits.by_key(about.session, about.dimension, span, about.currency)
    own = {key: found for key, found in by_key.items() if about.keys is None or key in about.keys}
    unmeasured = sum(amount for name, amount, _ in own.get(NOT_MEASURED, ()) if name == model)
    whole = _sums((one for found in own.values() for one in found), model, unmeasured)
    named = _sums(
        (one for key, found in own.items() if about.keys is not None or key not in NAMELESS for one in found), model
    )
    of_all = {name: whole[name] for name in ("net", "milli", "unmeasured")}
    return figures_of({**named, **of_all}, (*report.shown, *report.columns), report.figures)


def _rows(about: _About) -> list[ReportRow]:
    query, report = about.query, about.query.report
    columns, model = report.columns_of(query.by), query.choices[MODEL]

    def figures(found: Iterable[ModelSums]) -> Figures:
        return figures_of(_sums(found, model), columns, report.figures)

    if query.by == ORDER:
        return _orders(about, figures)
    if query.by == DAY:
        by_day = stored_credits.by_day(about.session, about.dimension, about.span, about.currency, about.keys)
        return [
            ReportRow(day.isoformat(), day_text(day), figures(by_day[day]), None) for day in about.days if day in by_day
        ]
    by_key = stored_credits.by_key(about.session, about.dimension, about.span, about.currency)
    return [
        ReportRow(
            masked(key) if about.dimension == "student" else key,
            label_of_key(about.dimension, key),
            figures(found),
            None,
        )
        for key, found in sorted(by_key.items())
    ]


def _orders(about: _About, figures: Callable[[Iterable[ModelSums]], Figures]) -> list[ReportRow]:
    """Named so that nobody learns whose they are."""
    since, until = about.rules.window(about.span.since).since, about.rules.window(about.span.until).until
    orders = stored_credits.orders_of(about.session, since, until, about.currency, about.value)
    amounts = stored_credits.amounts_of(about.session, [order.order_id for order in orders], about.value)
    return [
        ReportRow(
            order.ref,
            f"{order.ref}, {day_text(about.rules.day_of(order.paid_at))}",
            figures(amounts.get(order.order_id, ())),
            None,
            href=f"{ORDER_PATH}{order.ref}",
        )
        for order in orders
    ]


def _series(about: _About, state: CreditState, today: date, earlier: Span | None) -> ReportSeries:
    """Net revenue by day, of a chosen value that which the chosen model credits to it."""
    before = () if earlier is None else _points(about, state, earlier)
    unfinished = next((number for number, day in enumerate(about.days) if day >= today), None)
    labels = [day.isoformat() for day in about.days]
    return ReportSeries("day", labels, _points(about, state, about.span), before, unfinished)


def _points(about: _About, state: CreditState, span: Span) -> list[FigureSums | None]:
    model = about.query.choices[MODEL]
    found = stored_credits.by_day(about.session, about.dimension, span, about.currency, about.keys)
    days = [span.since + number * _DAY for number in range(about.query.days)]
    is_counted = [state.first_day is not None and day >= state.first_day for day in days]
    return [
        _sums(found.get(day, ()), model) if counted else None for day, counted in zip(days, is_counted, strict=True)
    ]


def _empty(about: _About, state: CreditState, *, has_orders: bool) -> str:
    if state.first_day is None:
        return NOTHING
    if about.query.until < state.first_day:
        return f"The first order was paid on {day_text(state.first_day)}: choose later days."
    if not has_orders:
        return NO_ORDERS
    return "" if about.keys is None or _has_values(about) else "No order of these days is credited to this value."


def _has_values(about: _About) -> bool:
    return bool(stored_credits.by_day(about.session, about.dimension, about.span, about.currency, about.keys))


def _notes(about: _About, state: CreditState, *, is_unfinished: bool) -> list[str]:
    found = [NOT_OVER] if is_unfinished and about.query.compare != "none" else []
    if state.open_paths:
        orders = "1 order is" if state.open_paths == 1 else f"{count_text(state.open_paths)} orders are"
        found.append(f"{orders} so new that visits which are counted later may still join what led to them.")
    if about.query.by == "student" or SELF in (about.keys or ()):
        found.append("Orders by the buyer's own link are no referral: they are in no total of a model.")
    if about.dimension == "student" and about.keys is not None and len(about.keys) > 1:
        found.append(SAME_MASK)
    return found
