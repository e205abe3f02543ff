"""The report of products: what people looked at, and what was bought of it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.display_text import day_text
from domain.reports.sale_reports import visit_sums
from domain.reports.sale_reports.figures import DEFINITIONS, GROUP, PRODUCT_FIGURES
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sale_reports.sums import COLUMNS, Sums
from domain.reports.visit_reports import stored_figures
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import ReportDescription, label_of
from domain.reports.visit_reports.figures import figures_of, percent
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import EVERYTHING, Span
from domain.tables import Category, Product
from domain.visits.days.figures import OTHER
from domain.visits.raw.local_days import DayRules

_MONEY = ("net", "orders", "units", "refunded")
PRODUCTS = ReportDescription(
    "products",
    "Products",
    "What was looked at, and what was bought of it.",
    {"product": "Product", "category": "Category"},
    (*_MONEY, "views", "sessions", "lookToBuy"),
    ("net", "orders", "units", "returned", "views", "lookToBuy"),
    columns_by={"category": (*_MONEY, "views")},
    charted=("net", "orders", "units"),
    figures=PRODUCT_FIGURES,
    definitions=DEFINITIONS / "products.json",
    has_money=True,
    has_audience=False,
    first_sort="-net",
    compared="net",
    group=GROUP,
)
NO_PRODUCT: Mapping[str, str] = {"(delivery)": "Delivery", "(seats)": "Seats of contracts"}
FEW_PRODUCTS = "Views of products that are not among the most opened of a day are in “All others”."
NOT_ADDED = "An order of several products is in the row of each, so orders do not add up."
# Nothing can be said of how many saw it.
_UNKNOWN: Figures = {"sessions": None, "lookToBuy": None}
_NOTHING: Sums = Counter()
_NO_SALES = dict.fromkeys(COLUMNS, 0)


def answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None) -> ReportAnswer:
    frame = SaleFrame(session, query, rules, at)
    level, key = query.chosen or (query.by, None)
    names = _Names(session)
    dimension, value = query.chosen or ("all", "")
    now, before = _SeenPeriod(frame.now, _views(frame, frame.now)), None
    if frame.before is not None:
        seen = frame.visits_before("product")
        before = _SeenPeriod(frame.before, None if seen is None else _views(frame, seen))
    rows = _values(frame, level, names, now, before) if key is None else _days(frame, level, key)
    parts = ReportParts(
        _totals(frame, now, names),
        None if before is None else _totals(frame, before, names),
        frame.series(lambda span: frame.sales.by_day(dimension, span, value)),
        rows,
        "" if rows else "In these days nothing was sold, and nobody opened a product.",
        [NOT_ADDED] if query.chosen is None else [],
        "" if key is None else names.label(level, key),
    )
    if any(row.key == OTHER for row in rows):
        parts = _with_note(parts, FEW_PRODUCTS)
    return frame.answer(parts, limit)


def _with_note(parts: ReportParts, note: str) -> ReportParts:
    return ReportParts(**{**vars(parts), "notes": [*parts.notes, note]})


class _SeenPeriod(NamedTuple):
    """A period with what people saw of each product in it; `views` None: they cannot be compared."""

    span: Span
    views: Mapping[str, Sums] | None


class _Names:
    """The products and categories of now."""

    def __init__(self, session: Session):
        self._products: dict[str, tuple[str, str]] = {
            str(row.id): (row.name, str(row.category_id))
            for row in session.execute(select(Product.id, Product.name, Product.category_id))
        }
        rows = session.execute(select(Category.id, Category.name))
        self._categories = {str(category_id): name for category_id, name in rows}

    def label(self, level: str, key: str) -> str:
        if level == "category":
            name = self._categories.get(key)
        else:
            name = self._products[key][0] if key in self._products else None
        if name is not None:
            return name
        return NO_PRODUCT.get(key) or (f"Number {key}, which is gone" if key.isdigit() else label_of(level, key))

    def category_of(self, product: str) -> str:
        return self._products[product][1] if product in self._products else OTHER


def _figures(sold: Sums, views: Sums) -> Figures:
    """`views`: also the sessions that saw it."""
    seen = views["sessions"]
    found = {**_NO_SALES, **sold, "views": views["views"], "sessions": seen, "look_to_buy": 0}
    return figures_of(found, tuple(PRODUCT_FIGURES), PRODUCT_FIGURES) | {"lookToBuy": percent(sold["orders"], seen)}


def _views(frame: SaleFrame, span: Span) -> Mapping[str, Sums]:
    return {
        key: Counter({"views": visits, "sessions": sessions})
        for key, (visits, sessions) in visit_sums.by_key(frame.session, "product", span, "visits", "sessions").items()
    }


def _values(
    frame: SaleFrame, level: str, names: _Names, now: _SeenPeriod, before: _SeenPeriod | None
) -> list[ReportRow]:
    earlier = None if before is None else _by_value(frame, level, before, names)
    nothing = _figures(Counter(), Counter())
    return [
        ReportRow(key, names.label(level, key), figures, None if earlier is None else earlier.get(key, nothing))
        for key, figures in _by_value(frame, level, now, names).items()
    ]


def _by_value(frame: SaleFrame, level: str, period: _SeenPeriod, names: _Names) -> dict[str, Figures]:
    sold, views = frame.sales.by_key(level, period.span), period.views or {}
    if level == "category":
        views = _by_category(views, names)
    unknown: Figures = _UNKNOWN if level == "category" else {}
    keys = dict.fromkeys((*sold, *views))
    return {key: _figures(sold.get(key, _NOTHING), views.get(key, _NOTHING)) | unknown for key in keys}


def _by_category(views: Mapping[str, Sums], names: _Names) -> Mapping[str, Sums]:
    """Views add up; a session that saw two products of a category would be counted twice."""
    found: defaultdict[str, Sums] = defaultdict(Counter)
    for product, row in views.items():
        found[names.category_of(product)]["views"] += row["views"]
    return found


def _days(frame: SaleFrame, level: str, key: str) -> list[ReportRow]:
    """The days of one product or category."""
    sold = frame.sales.by_day(level, frame.now, key)
    views: Mapping[date, Sums] = {}
    if level == "product":
        by_day = stored_figures.by_day(frame.session, (level, key), "people", frame.now)
        views = {day: Counter({"views": row["visits"], "sessions": row["sessions"]}) for day, row in by_day.items()}
    unknown: Figures = {} if level == "product" else {**_UNKNOWN, "views": None}
    return [
        ReportRow(
            f"{day}", day_text(day), _figures(sold.get(day, Counter()), views.get(day, Counter())) | unknown, None
        )
        for day in dict.fromkeys((*sold, *views))
    ]


def _totals(frame: SaleFrame, period: _SeenPeriod, names: _Names) -> Figures:
    """The figures of everything, or of the chosen value. Sessions of everything are those that saw any product, as the
    figures of visits count them."""
    chosen = frame.query.chosen
    dimension, key = chosen or ("all", "")
    sold = frame.sales.total(dimension, key, period.span)
    found = _figures(sold, _chosen_views(frame, period, names))
    if period.views is None:
        return {name: value for name, value in found.items() if name not in ("views", "sessions", "lookToBuy")}
    return {**found, **_UNKNOWN} if dimension == "category" else found


def _chosen_views(frame: SaleFrame, period: _SeenPeriod, names: _Names) -> Sums:
    chosen, views = frame.query.chosen, period.views
    if views is None:
        return Counter()
    if chosen is not None:
        found = views if chosen[0] == "product" else _by_category(views, names)
        return found.get(chosen[1], Counter())
    everything = stored_figures.by_audience(frame.session, EVERYTHING, period.span).get("people")
    seen = 0 if everything is None else everything["reached_product"]
    return Counter({"views": sum(row["views"] for row in views.values()), "sessions": seen})
