"""What a session counts for: its value of every dimension, and its figures."""

from collections.abc import Sequence
from functools import lru_cache

from domain.visits.days.attribution import KnownValues
from domain.visits.days.channels import device_of
from domain.visits.days.figures import counted_as
from domain.visits.days.paths import LINK_OF_PARTNER, LINK_OF_STUDENT, UNKNOWN, PurchaseStep, VisitPlace, place_of
from domain.visits.days.products import Products
from domain.visits.days.session_rows import Figures, SessionKeys
from domain.visits.days.sessions import Session
from domain.visits.days.traffic_class import TrafficClass
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import MICROSECONDS

_LINKS = (LINK_OF_PARTNER, LINK_OF_STUDENT)
# For each step, whether each step from a product on was reached.
_REACHED = tuple(
    tuple(int(other <= step) for other in PurchaseStep if other >= PurchaseStep.PRODUCT) for step in PurchaseStep
)


def figures_of(visits: Session, traffic_class: TrafficClass, orders: Sequence[bool], step: PurchaseStep) -> Figures:
    """`orders`: whether each of its orders is paid; `step`: the last one that its pages are of."""
    count, is_bounce = len(visits), len(visits) == 1 and not orders
    seconds = (visits[-1].at - visits[0].at) // MICROSECONDS
    if orders:
        step = PurchaseStep.PAYMENT if any(orders) else PurchaseStep.ORDER
    return (count, *counted_as(traffic_class), int(is_bounce), int(count > 1), seconds, *_REACHED[step])


def step_of(place: VisitPlace, products: Products) -> PurchaseStep:
    return PurchaseStep.PRODUCT if place.product in products else place.step


def keys_of(visits: Session, earlier: Session, values: KnownValues) -> SessionKeys:
    """A session that goes on over midnight, from `earlier`, keeps source and attribution."""
    source = values.source_of((earlier or visits)[0])
    attribution = values.keys_of([*earlier, *visits] if earlier else visits)
    return SessionKeys(source, place_of(landing_of(visits).url).path, attribution, agent_keys(visits[0].context.agent))


def landing_of(visits: Sequence[DayRow]) -> DayRow:
    """The first of them; a link only leads to a page."""
    return next((visit for visit in visits if not _is_link(visit)), visits[0]) if _is_link(visits[0]) else visits[0]


def _is_link(visit: DayRow) -> bool:
    return visit.page in _LINKS


@lru_cache(1_000)
def agent_keys(agent: str) -> tuple[str, str]:
    """Device and browser."""
    return device_of(agent), agent.strip("( ") or UNKNOWN
