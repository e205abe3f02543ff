"""The reports of students and partners: sessions that their links brought, and the orders that came of them.

An order counts for the last link that its buyer followed in the 30 days before it. Whose touchpoints these are, the
sign-ins of their sessions say."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.reports import sales_lines
from domain.reports.sale_reports.figures import DEFINITIONS, GROUP, REFERRAL_FIGURES
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.sale_reports.sums import Sums
from domain.reports.sales_lines import PaidOrder
from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import ReportDescription, label_of
from domain.reports.visit_reports.figures import figures_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import Organisation, SessionLearner, Touchpoint
from domain.visits import touchpoints
from domain.visits.days.channels import NONE
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.days.paths import UNKNOWN
from domain.visits.erased import ERASED
from domain.visits.raw.local_days import DayRules, DayWindow

Referrer = Literal["student", "partner"]
# How long a link counts.
LINK_DAYS = timedelta(days=30)
_NOBODY = (NONE, UNKNOWN)
_CHUNK = 500
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
TOUCHPOINT_DAYS = "Orders are found by touchpoints, which are deleted after some time: of older days they are missing."


NOBODY: Mapping[Referrer, str] = {
    "student": "In these days nobody came by the link of a student.",
    "partner": "In these days nobody came by the link of an organisation.",
}


class _Referral(NamedTuple):
    """An order that came by a link. `is_own`: the buyer's own."""

    key: str
    order: PaidOrder
    is_own: bool


@dataclass(frozen=True)
class _Report:
    frame: SaleFrame
    referrer: Referrer

    def visits(self, span: Span) -> Mapping[str, Sums]:
        rows = self.frame.visits(self.referrer, span)
        left_out = (NONE, WITHOUT_SESSION)
        return {key: Counter({"sessions": row["sessions"]}) for key, row in rows.items() if key not in left_out}

    def referrals(self, span: Span) -> list[_Referral]:
        found = referrals(self.frame.session, self.referrer, self.frame.window(span))
        return [one for one in found if one.order.currency == self.frame.currency]


def answer_students(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None
) -> ReportAnswer:
    return _answer(_Report(SaleFrame(session, query, rules, at), "student"), limit)


def answer_partners(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None
) -> ReportAnswer:
    return _answer(_Report(SaleFrame(session, query, rules, at), "partner"), limit)


def referrals(session: Session, referrer: Referrer, window: DayWindow) -> list[_Referral]:
    """The orders of a window that came by a link, by the time of payment."""
    followed = _followed(session, referrer, window)
    found = []
    for order in sales_lines.paid_orders(session, window.since, window.until, followed.keys()):
        links = followed[order.learner_id]
        place = bisect_right(links, order.placed_at, key=lambda link: link.at)
        if place and order.placed_at - links[place - 1].at <= LINK_DAYS:
            key = links[place - 1].key
            is_own = referrer == "student" and key == order.student_number != ERASED
            found.append(_Referral(key, order, is_own))
    return found


class _Link(NamedTuple):
    at: datetime
    key: str


def _followed(session: Session, referrer: Referrer, window: DayWindow) -> dict[int, list[_Link]]:
    """Learner -> the links that they have followed, the oldest first. An order may be placed days before it is paid."""
    since = window.since - 2 * LINK_DAYS
    value = Touchpoint.student if referrer == "student" else Touchpoint.partner
    in_time = (Touchpoint.visited_at >= since, Touchpoint.visited_at < window.until)
    # The key begins with the day, which is at most one away from that of UTC.
    days = (
        Touchpoint.day >= since.date() - timedelta(days=1),
        Touchpoint.day <= window.until.date() + timedelta(days=1),
    )
    sessions = select(Touchpoint.session_id).where(*days, *in_time, value.not_in(_NOBODY), Touchpoint.session_id != "")
    names = sorted(set(session.scalars(sessions)))
    learner_ids: set[int] = set()
    for start in range(0, len(names), _CHUNK):
        part = names[start : start + _CHUNK]
        learner_ids |= set(
            session.scalars(select(SessionLearner.learner_id).where(SessionLearner.session_id.in_(part)))
        )
    found: defaultdict[int, list[_Link]] = defaultdict(list)
    for one in touchpoints.of_learners(session, learner_ids, since):
        key = one.row.student if referrer == "student" else one.row.partner
        if key not in _NOBODY:
            found[one.learner_id].append(_Link(one.at, key))
    return found


def _answer(report: _Report, limit: int | None) -> ReportAnswer:
    frame = report.frame
    before, visits_before = frame.before, frame.visits_before(report.referrer)
    now = report.referrals(frame.now)
    earlier = None if before is None else report.referrals(before)
    visits = report.visits(frame.now)
    rows = _rows(report, _by_key(now, visits), earlier, {} if visits_before is None else report.visits(visits_before))
    previous = None
    if earlier is not None:
        previous = _total(earlier, {} if visits_before is None else report.visits(visits_before))
        if visits_before is None:
            previous.pop("sessions")

    def by_day(span: Span) -> Mapping[date, Sums]:
        return _by_day(now if span is frame.now else earlier or [], frame.rules)

    parts = ReportParts(
        _total(now, visits),
        previous,
        frame.series(by_day),
        rows,
        "" if rows else NOBODY[report.referrer],
        [TOUCHPOINT_DAYS],
    )
    return frame.answer(parts, limit)


def _sums_of(referrals: list[_Referral]) -> Sums:
    own = [one.order.net_minor for one in referrals if one.is_own]
    others = [one.order.net_minor for one in referrals if not one.is_own]
    return Counter({"orders": len(others), "net_minor": sum(others), "own_orders": len(own), "own_net_minor": sum(own)})


def _figures(sums: Sums) -> Figures:
    return figures_of(sums, tuple(REFERRAL_FIGURES), REFERRAL_FIGURES)


def _total(referrals: list[_Referral], visits: Mapping[str, Sums]) -> Figures:
    sums = _sums_of(referrals)
    sums["sessions"] = sum(row["sessions"] for row in visits.values())
    return _figures(sums)


def _by_key(referrals: list[_Referral], visits: Mapping[str, Sums]) -> dict[str, Figures]:
    grouped: defaultdict[str, list[_Referral]] = defaultdict(list)
    for one in referrals:
        grouped[one.key].append(one)
    keys = dict.fromkeys((*grouped, *visits))
    return {
        key: figures_of(
            Counter({**_sums_of(grouped[key]), **visits.get(key, {})}), tuple(REFERRAL_FIGURES), REFERRAL_FIGURES
        )
        for key in keys
    }


def _by_day(referrals: list[_Referral], rules: DayRules) -> Mapping[date, Sums]:
    grouped: defaultdict[date, list[_Referral]] = defaultdict(list)
    for one in referrals:
        grouped[rules.day_of(one.order.paid_at)].append(one)
    return {day: _sums_of(found) for day, found in grouped.items()}


def _rows(
    report: _Report,
    now: Mapping[str, Figures],
    earlier: list[_Referral] | None,
    visits_before: Mapping[str, Sums],
) -> list[ReportRow]:
    before = None if earlier is None else _by_key(earlier, visits_before)
    nothing = _figures(Counter())
    labels = _masked(now) if report.referrer == "student" else _partner_names(report.frame.session, now)
    is_named = report.referrer == "partner"
    return [
        ReportRow(
            key if is_named else labels[key],
            labels[key],
            figures,
            None if before is None else before.get(key, nothing),
            words={"slug": "" if key.startswith("(") else key} if is_named else {},
        )
        for key, figures in now.items()
    ]


def _masked(numbers: Mapping[str, Figures]) -> dict[str, str]:
    """Number -> "S-••••7Q"; those that end alike are told apart by a count, in the order of the numbers."""
    labels: dict[str, str] = {}
    used: Counter[str] = Counter()
    for number in sorted(numbers):
        text = label_of("student", number) if number.startswith("(") else f"S-••••{number[-2:].upper()}"
        used[text] += 1
        labels[number] = text if used[text] == 1 else f"{text} ({used[text]})"
    return labels


def _partner_names(session: Session, slugs: Mapping[str, Figures]) -> dict[str, str]:
    rows = session.execute(select(Organisation.slug, Organisation.name))
    names = {row.slug: row.name for row in rows}
    return {slug: names.get(slug) or label_of("partner", slug) for slug in slugs}
