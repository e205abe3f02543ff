"""What an order is credited to, and why: its lines, its path, and what each touchpoint weighs and brings."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.attribution.weights import MODELS, Model, path_weights
from domain.reports import sales_lines
from domain.reports.attribution import credit_days, stored_paths
from domain.reports.attribution.stored_paths import PathStep, StoredPath
from domain.reports.sales_lines import SaleLine
from domain.tables import Visit, VisitRollup
from domain.visits.raw.local_days import SHOP, DayRules


@dataclass(frozen=True)
class ExplainedStep:
    """A touchpoint of a path. `weights` and `amounts`, in minor units, by the model; `orders_milli`: thousandths of the
    order."""

    step: PathStep
    weights: dict[Model, int]
    amounts: dict[Model, int]
    orders_milli: dict[Model, int]


@dataclass(frozen=True)
class ExplainedOrder:
    """`names`: what was sold, by the line."""

    path: StoredPath
    lines: tuple[SaleLine, ...]
    names: dict[int, str]
    steps: tuple[ExplainedStep, ...]

    @property
    def currency(self) -> str:
        return self.lines[0].currency

    @property
    def net_minor(self) -> int:
        return sum(line.net_minor for line in self.lines)

    @property
    def is_measured(self) -> bool:
        return bool(self.steps)


@dataclass(frozen=True)
class StepVisit:
    """The visit of a touchpoint: its address, or why it is not there any more."""

    url: str
    missing: str


def of_order(session: Session, order_id: int) -> ExplainedOrder | None:
    """None for an order that was not paid, or has no path yet."""
    path = stored_paths.load(session, [order_id]).get(order_id)
    return None if path is None else _explained(session, path)


def of_ref(session: Session, ref: str) -> ExplainedOrder | None:
    path = stored_paths.by_ref(session, ref)
    return None if path is None else _explained(session, path)


def _explained(session: Session, path: StoredPath) -> ExplainedOrder | None:
    lines = sales_lines.of_order(session, path.order_id)
    if not lines:
        return None
    names = sales_lines.names_of_lines(session, path.order_id)
    return ExplainedOrder(path, tuple(lines), names, _steps(path, lines))


def _steps(path: StoredPath, lines: Sequence[SaleLine]) -> tuple[ExplainedStep, ...]:
    order = credit_days.credited_order(path, lines)
    amounts: dict[tuple[Model, int], int] = defaultdict(int)
    for credit in order.shares.credits:
        amounts[credit.model, credit.position] += credit.amount_minor
    weights = {model: path_weights(model, order.path, path.placed_at, path.half_life_hours) for model in MODELS}
    milli = order.shares.orders_milli
    return tuple(
        ExplainedStep(
            step,
            {model: weights[model][step.position - 1] for model in MODELS},
            {model: amounts[model, step.position] for model in MODELS},
            {model: milli[model].get(step.position, 0) for model in MODELS},
        )
        for step in path.steps
    )


_urls = select(Visit.event_id, Visit.url)
_final = select(VisitRollup.day, VisitRollup.finalised_at)


def visits_of(session: Session, steps: Sequence[PathStep], rules: DayRules) -> dict[int, StepVisit]:
    """By the position of the touchpoint."""
    ids = [step.event_id for step in steps if step.event_id]
    urls = {row.event_id: row.url for row in session.execute(_urls.where(Visit.event_id.in_(ids)))}
    days = {rules.day_of(step.visited_at) for step in steps}
    is_day = (VisitRollup.site == SHOP, VisitRollup.day.in_(days))
    final = {row.day: row.finalised_at for row in session.execute(_final.where(*is_day))}
    return {
        step.position: StepVisit(urls.get(step.event_id, ""), _missing(step, final.get(rules.day_of(step.visited_at))))
        for step in steps
    }


def _missing(step: PathStep, finalised_at: datetime | None) -> str:
    """For a visit that is not found."""
    if not step.event_id:
        return "erased with its learner"
    if finalised_at is not None:
        return f"deleted, its day is final since {finalised_at.date().isoformat()}"
    return "deleted"
