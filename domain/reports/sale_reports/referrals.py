"""The reports of students and partners: sessions that their links brought, and the orders that came of them.

An order counts for the last link that its buyer followed in the 30 days before it, as its day has counted it
(domain/reports/attribution/referral_days.py)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.reports.attribution import referral_days
from domain.reports.attribution.referral_days import ReferralKey, Referrer
from domain.reports.sale_reports.figures import DEFINITIONS, GROUP, REFERRAL_FIGURES
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sale_reports.order_state import with_order_state
from domain.reports.sale_reports.sums import Sums
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import ReportDescription, label_of
from domain.reports.visit_reports.figures import figures_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import Organisation
from domain.visits.days.channels import NONE
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.raw.local_days import DayRules, DayWindow

_ONE_DAY = timedelta(days=1)
STUDENTS = ReportDescription(
    "students",
    "Students",
    "What came by the links of students. Numbers are shortened: reports name no person.",
    {"student": "Student number"},
    ("net", "orders", "sessions", "ownOrders", "ownNet"),
    ("net", "orders", "sessions", "ownOrders", "ownNet"),
    charted=("net", "orders"),
    figures=REFERRAL_FIGURES,
    definitions=DEFINITIONS / "referrals.json",
    has_money=True,
    has_audience=False,
    is_drilled=False,
    first_sort="-net",
    compared="net",
    group=GROUP,
)
PARTNERS = ReportDescription(
    "partners",
    "Partners",
    "What came by the links of organisations.",
    {"partner": "Partner"},
    ("net", "orders", "sessions"),
    ("net", "orders", "sessions"),
    words={"slug": "Name in links"},
    charted=("net", "orders"),
    figures=REFERRAL_FIGURES,
    definitions=DEFINITIONS / "referrals.json",
    has_money=True,
    has_audience=False,
    is_drilled=False,
    first_sort="-net",
    compared="net",
    group=GROUP,
)
NOBODY: Mapping[Referrer, str] = {
    "student": "In these days nobody came by the link of a student.",
    "partner": "In these days nobody came by the link of an organisation.",
}


@dataclass(frozen=True)
class _Report:
    frame: SaleFrame
    referrer: Referrer

    def visits(self, span: Span) -> Mapping[str, Sums]:
        rows = self.frame.visits(self.referrer, span)
        left_out = (NONE, WITHOUT_SESSION)
        return {key: Counter({"sessions": row["sessions"]}) for key, row in rows.items() if key not in left_out}

    def orders(self, span: Span) -> Mapping[str, Sums]:
        """By the link."""
        last = span.until if span.cut is None else span.until - _ONE_DAY
        found = referral_days.by_key(self.frame.session, self.referrer, self.frame.currency, span.since, last)
        sums = {key: Counter(row._asdict()) for key, row in found.items()}
        for key, row in self._cut_day(span).items():
            sums.setdefault(key.key, Counter()).update(row)
        return sums

    def orders_by_day(self, span: Span) -> Mapping[date, Sums]:
        last = span.until if span.cut is None else span.until - _ONE_DAY
        found = referral_days.by_day(self.frame.session, self.referrer, self.frame.currency, span.since, last)
        sums = {day: Counter(row._asdict()) for day, row in found.items()}
        for row in self._cut_day(span).values():
            sums.setdefault(span.until, Counter()).update(row)
        return sums

    def _cut_day(self, span: Span) -> Mapping[ReferralKey, Sums]:
        """Days of orders by links have no hours: of a day that is cut the orders themselves are read."""
        if span.cut is None:
            return {}
        window = DayWindow(self.frame.rules.window(span.until).since, span.cut)
        own = (self.referrer, self.frame.currency)
        counted = referral_days.count_window(self.frame.session, window)
        return {key: Counter(row._asdict()) for key, row in counted if (key.referrer, key.currency) == own}


def answer_students(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None
) -> ReportAnswer:
    return _answer(_Report(SaleFrame(session, query, rules, at), "student"), limit)


def answer_partners(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None
) -> ReportAnswer:
    return _answer(_Report(SaleFrame(session, query, rules, at), "partner"), limit)


def _answer(report: _Report, limit: int | None) -> ReportAnswer:
    frame = report.frame
    before, visits_before = frame.before, frame.visits_before(report.referrer)
    now = _by_key(report.orders(frame.now), report.visits(frame.now))
    earlier = previous = None
    if before is not None:
        visits = {} if visits_before is None else report.visits(visits_before)
        earlier = _by_key(report.orders(before), visits)
        previous = _total(earlier)
        if visits_before is None:
            previous.pop("sessions")
    rows = _rows(report, now, earlier)
    parts = ReportParts(
        _total(now),
        previous,
        frame.series(report.orders_by_day),
        rows,
        "" if rows else NOBODY[report.referrer],
    )
    return with_order_state(frame.session, frame.answer(parts, limit), frame.now.since, frame.now.until)


def _figures(sums: Sums) -> Figures:
    return figures_of(sums, tuple(REFERRAL_FIGURES), REFERRAL_FIGURES)


def _total(by_key: Mapping[str, Sums]) -> Figures:
    total: Sums = Counter()
    for sums in by_key.values():
        total.update(sums)
    return _figures(total)


def _by_key(orders: Mapping[str, Sums], visits: Mapping[str, Sums]) -> dict[str, Sums]:
    keys = dict.fromkeys((*orders, *visits))
    return {key: Counter({**orders.get(key, {}), **visits.get(key, {})}) for key in keys}


def _rows(report: _Report, now: Mapping[str, Sums], earlier: Mapping[str, Sums] | None) -> list[ReportRow]:
    nothing: Sums = Counter()
    labels = _masked(now) if report.referrer == "student" else _partner_names(report.frame.session, now)
    is_named = report.referrer == "partner"
    return [
        ReportRow(
            key if is_named else labels[key],
            labels[key],
            _figures(sums),
            None if earlier is None else _figures(earlier.get(key, nothing)),
            words={"slug": "" if key.startswith("(") else key} if is_named else {},
        )
        for key, sums in now.items()
    ]


def _masked(numbers: Mapping[str, Sums]) -> dict[str, str]:
    """Number -> "S-••••7Q"; those that end alike are told apart by a count, in the order of the numbers."""
    labels: dict[str, str] = {}
    used: Counter[str] = Counter()
    for number in sorted(numbers):
        text = label_of("student", number) if number.startswith("(") else f"S-••••{number[-2:].upper()}"
        used[text] += 1
        labels[number] = text if used[text] == 1 else f"{text} ({used[text]})"
    return labels


def _partner_names(session: Session, slugs: Mapping[str, Sums]) -> dict[str, str]:
    rows = session.execute(select(Organisation.slug, Organisation.name))
    names = {row.slug: row.name for row in rows}
    return {slug: names.get(slug) or label_of("partner", slug) for slug in slugs}
