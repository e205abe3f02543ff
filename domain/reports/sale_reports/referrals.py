"""The reports of students and partners: sessions that their links brought, and the orders that came of them.

An order counts for the last link that its buyer followed in the 30 days before it, as its day has counted it
(domain/reports/attribution/referral_days.py)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from operator import add
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.reports.attribution import referral_days
from domain.reports.attribution.referral_days import ReferralSums, Referrer
from domain.reports.sale_reports import visit_sums
from domain.reports.sale_reports.figures import DEFINITIONS, GROUP, REFERRAL_FIGURES
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sale_reports.order_state import with_order_state
from domain.reports.sale_reports.sums import Sums
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import ReportDescription, label_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import Organisation
from domain.visits.days.channels import NONE
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.raw.local_days import DayRules, DayWindow

_ONE_DAY = timedelta(days=1)
_FIGURES = ("net", "orders", "sessions")
PARTNERS = ReportDescription(
    "partners",
    "Partners",
    "What came by the links of organisations.",
    {"partner": "Partner"},
    _FIGURES,
    _FIGURES,
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
STUDENTS = replace(
    PARTNERS,
    name="students",
    title="Students",
    about="What came by the links of students. Numbers are shortened: reports name no person.",
    levels={"student": "Student number"},
    columns=(*_FIGURES, "ownOrders", "ownNet"),
    shown=(*_FIGURES, "ownOrders", "ownNet"),
    words={},
)
NOBODY: Mapping[Referrer, str] = {
    "student": "In these days nobody came by the link of a student.",
    "partner": "In these days nobody came by the link of an organisation.",
}


class _LinkSums(NamedTuple):
    """The sums of one link, or of all links. There may be thousands: each is one tuple."""

    sessions: int
    orders: int
    net_minor: int
    own_orders: int
    own_net_minor: int

    @property
    def figures(self) -> Figures:
        return dict(zip(REFERRAL_FIGURES, self, strict=True))


_NO_ORDERS = ReferralSums(0, 0, 0, 0)


@dataclass(frozen=True)
class _Report:
    frame: SaleFrame
    referrer: Referrer
    # Days of orders by links have no hours: of a day that is cut the orders themselves are read, once.
    cut_days: dict[Span, dict[str, ReferralSums]] = field(default_factory=dict)

    def visits(self, span: Span) -> Mapping[str, int]:
        """Sessions by the link."""
        sessions = visit_sums.by_key(self.frame.session, self.referrer, span, "sessions")
        return {key: count for key, (count,) in sessions.items() if key not in (NONE, WITHOUT_SESSION)}

    def orders(self, span: Span) -> Mapping[str, ReferralSums]:
        """By the link."""
        found = referral_days.by_key(
            self.frame.session, self.referrer, self.frame.currency, span.since, _last_whole(span)
        )
        for key, row in self._cut_day(span).items():
            found[key] = _plus(found.get(key, _NO_ORDERS), row)
        return found

    def orders_by_day(self, span: Span) -> Mapping[date, Sums]:
        found = referral_days.by_day(
            self.frame.session, self.referrer, self.frame.currency, span.since, _last_whole(span)
        )
        for row in self._cut_day(span).values():
            found[span.until] = _plus(found.get(span.until, _NO_ORDERS), row)
        return {day: Counter(row._asdict()) for day, row in found.items()}

    def _cut_day(self, span: Span) -> Mapping[str, ReferralSums]:
        if span.cut is None:
            return {}
        if span not in self.cut_days:
            window = DayWindow(self.frame.rules.window(span.until).since, span.cut)
            own = (self.referrer, self.frame.currency)
            counted = referral_days.count_window(self.frame.session, window)
            self.cut_days[span] = {key.key: row for key, row in counted if (key.referrer, key.currency) == own}
        return self.cut_days[span]


def _last_whole(span: Span) -> date:
    return span.until if span.cut is None else span.until - _ONE_DAY


def _plus(one: ReferralSums, other: ReferralSums) -> ReferralSums:
    return ReferralSums(*map(add, one, other))


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


def _total(by_key: Mapping[str, _LinkSums]) -> dict[str, Any]:
    columns = zip(*by_key.values(), strict=True) if by_key else ((),) * len(_LinkSums._fields)
    return {**_LinkSums(*map(sum, columns)).figures}


def _by_key(orders: Mapping[str, ReferralSums], visits: Mapping[str, int]) -> dict[str, _LinkSums]:
    keys = dict.fromkeys((*orders, *visits))
    return {key: _LinkSums(visits.get(key, 0), *orders.get(key, _NO_ORDERS)) for key in keys}


def _rows(report: _Report, now: Mapping[str, _LinkSums], earlier: Mapping[str, _LinkSums] | None) -> list[ReportRow]:
    nothing = _LinkSums(0, *_NO_ORDERS)
    labels = _masked(now) if report.referrer == "student" else _partner_names(report.frame.session, now)
    is_named = report.referrer == "partner"
    return [
        ReportRow(
            key if is_named else labels[key],
            labels[key],
            sums.figures,
            None if earlier is None else earlier.get(key, nothing).figures,
            words={"slug": "" if key.startswith("(") else key} if is_named else {},
        )
        for key, sums in now.items()
    ]


def _masked(numbers: Iterable[str]) -> dict[str, str]:
    """Number -> "S-••••7Q"; those that end alike are told apart by a count, in the order of the numbers."""
    labels: dict[str, str] = {}
    used: Counter[str] = Counter()
    for number in sorted(numbers):
        text = label_of("student", number) if number.startswith("(") else f"S-••••{number[-2:].upper()}"
        used[text] += 1
        labels[number] = text if used[text] == 1 else f"{text} ({used[text]})"
    return labels


def _partner_names(session: Session, slugs: Iterable[str]) -> dict[str, str]:
    rows = session.execute(select(Organisation.slug, Organisation.name))
    names = {row.slug: row.name for row in rows}
    return {slug: names.get(slug) or label_of("partner", slug) for slug in slugs}
