"""A forecast of a coupon as a job: the orders of the last 90 days are priced again with it, some a step.

Its report has sums alone. So that nobody finds out about one person by trying one coupon after the other, sums are
shown of at least as many people as REPORT_K says, and coarse: counts in steps of that number, amounts by two digits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from domain.coupons.batch_job import draft_as_json, draft_of_json
from domain.coupons.create import CouponDraft
from domain.coupons.forecast import OrderEffect, effect_of
from domain.coupons.reach import reach_of_draft
from domain.database.list_page import ListSource
from domain.display_text import money_text, percent_text
from domain.errors import InvalidInput, NotFound
from domain.jobs import job_rows
from domain.jobs.claims import Claim, JobStep
from domain.jobs.job_rows import JobView, NewJob
from domain.jobs.listing import JobRow, jobs_of_kind
from domain.locales import shop_locale
from domain.money import to_minor
from domain.pricing.offers import Offer
from domain.pricing.quote_reader import read_inputs
from domain.tables import Job, Order, OrderLine

KIND = "coupon_forecast"
PERIOD = timedelta(days=90)
STEP = 100
FORECASTS: ListSource[JobRow] = jobs_of_kind(KIND)
PAID_STATES = ("paid", "refunded")
UNPAID_STATES = ("expired", "cancelled")


@dataclass(frozen=True)
class NewForecast:
    """`key`: of the form; the same one makes one forecast. `k`: sums are shown of at least so many people."""

    draft: CouponDraft
    key: str
    k: int


def start_as_staff(session: Session, new: NewForecast, learner_id: int, at: datetime) -> int:
    """The id of the job, recorded. For `Database.write_as`. Raises InvalidInput."""
    try:
        reach_of_draft(session, new.draft)
    except NotFound as error:
        raise InvalidInput({"form": str(error)}) from None
    since = at - PERIOD
    about = {
        "name": name_of(new.draft),
        "draft": draft_as_json(new.draft),
        "since": since.isoformat(),
        "until": at.isoformat(),
        "orders": session.scalar(select(func.count()).select_from(Order).where(*_is_placed(since, at))) or 0,
        "k": new.k,
    }
    return job_rows.start_as_staff(session, NewJob(KIND, about, new.key, learner_id), at)


def name_of(draft: CouponDraft) -> str:
    """ "15% off", "$5.00 off, from $50.00"."""
    value = percent_text(draft.value) if draft.kind == "percent" else _amount_text(draft.value, draft)
    return f"{value} off, from {_amount_text(draft.minimum, draft)}" if draft.minimum else f"{value} off"


def _amount_text(amount: Decimal, draft: CouponDraft) -> str:
    return money_text(to_minor(amount, draft.currency), draft.currency, shop_locale())


def _is_placed(since: datetime, until: datetime) -> tuple[Any, Any]:
    return Order.placed_at >= since, Order.placed_at < until


def steps(claim: Claim) -> Iterator[JobStep]:
    """`processed`: orders that were priced again."""
    total = int(claim.input["orders"])
    for done in range(claim.processed, total, STEP):
        yield JobStep(partial(_price_some, claim), min(done + STEP, total), total)


def period_of(about: Mapping[str, Any]) -> tuple[datetime, datetime]:
    """From when to when the orders were placed; `about`: the input of the job."""
    return datetime.fromisoformat(about["since"]), datetime.fromisoformat(about["until"])


class _OrderRow(NamedTuple):
    id: int
    learner_id: int
    state: str
    currency: str
    quote: Mapping[str, Any]
    has_seats: bool


def _price_some(claim: Claim, session: Session) -> Mapping[str, Any]:
    """The report with the next orders."""
    report = dict(session.scalar(select(Job.report).where(Job.id == claim.id)) or {})
    draft = draft_of_json(claim.input["draft"])
    offer = _offer(session, draft)
    since, until = period_of(claim.input)
    rows = _next_orders(session, since, until, int(report.get("last_id", 0)))
    for row in rows:
        _add(report, row, offer, draft, claim)
    if rows:
        report["last_id"] = rows[-1].id
    return report


def _next_orders(session: Session, since: datetime, until: datetime, after: int) -> Sequence[_OrderRow]:
    has_seats = exists().where(OrderLine.order_id == Order.id, OrderLine.kind == "seats")
    columns = (Order.id, Order.learner_id, Order.state, Order.currency, Order.quote, has_seats)
    query = select(*columns).where(*_is_placed(since, until), Order.id > after).order_by(Order.id).limit(STEP)
    return [_OrderRow(*row) for row in session.execute(query)]


def _offer(session: Session, draft: CouponDraft) -> Offer:
    """Raises NotFound when a product or category is gone since."""
    reach = reach_of_draft(session, draft)
    return Offer(
        name="the coupon",
        kind="percent" if draft.kind == "percent" else "amount",
        value=draft.value,
        minimum=draft.minimum,
        applies_to=draft.applies_to,
        products=frozenset(reach.product_ids),
        once_per_order=draft.kind == "amount" and draft.once_per_order,
    )


def _add(report: dict[str, Any], row: _OrderRow, offer: Offer, draft: CouponDraft, claim: Claim) -> None:
    """Add one order to the sums. Orders of seats take no coupon; those that still wait for money are neither paid nor
    given up."""
    group = "paid" if row.state in PAID_STATES else "unpaid" if row.state in UNPAID_STATES else ""
    if not group or row.has_seats:
        return
    if row.currency != draft.currency.code:
        report["foreign"] = report.get("foreign", 0) + 1
        return
    try:
        effect = effect_of(read_inputs(row.quote["inputs"]), offer)
    except (KeyError, TypeError, ValueError):
        report["unreadable"] = report.get("unreadable", 0) + 1
        return
    sums = dict(report.get(group, {}))
    report[group] = _with(sums, effect, _alias(claim, row.learner_id), int(claim.input["k"]), draft)


def _with(sums: dict[str, Any], effect: OrderEffect, alias: str, k: int, draft: CouponDraft) -> dict[str, Any]:
    """`people`: who qualified, by aliases that mean nothing outside of this job, and only until there are enough."""
    added = {"orders": 1, "qualified": int(effect.is_qualified), "lower": int(effect.is_lower)}
    if effect.is_qualified:
        added |= {"price": to_minor(effect.price, draft.currency), "cost": to_minor(effect.cost, draft.currency)}
        people = sums.get("people", [])
        if len(people) < k and alias not in people:
            sums["people"] = [*people, alias]
    return sums | {name: sums.get(name, 0) + value for name, value in added.items()}


def _alias(claim: Claim, learner_id: int) -> str:
    return sha256(f"{claim.id}:{claim.input['until']}:{learner_id}".encode()).hexdigest()[:12]


def forecast(session: Session, job_id: int) -> JobView:
    """Raises NotFound."""
    return job_rows.job_view(session, job_id, (KIND,))


@dataclass(frozen=True)
class ForecastSums:
    """What may be shown of a group of orders. `orders`: how many there were. None: of too few people. Counts are "at
    least", `price_minor` and `cost_minor` of the orders that qualified, by two digits."""

    orders: int | None
    qualified: int | None
    lower: int | None
    price_minor: int | None
    cost_minor: int | None


def shown_sums(report: Mapping[str, Any], group: str, k: int) -> ForecastSums:
    sums = report.get(group, {})
    orders = _in_steps(sums.get("orders", 0), k)
    if len(sums.get("people", ())) < k:
        return ForecastSums(orders, None, None, None, None)
    counts = (_in_steps(sums["qualified"], k), _in_steps(sums["lower"], k))
    return ForecastSums(orders, *counts, _coarse(sums["price"]), _coarse(sums["cost"]))


def _in_steps(count: int, k: int) -> int:
    return count - count % k


def _coarse(minor: int) -> int:
    """The amount by its first two digits."""
    return round(minor, 2 - len(str(minor)))
