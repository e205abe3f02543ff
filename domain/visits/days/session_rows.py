"""A session of a day with all that its visits say: what every table and file of the day is made from."""

from typing import NamedTuple

from domain.visits.days.channels import VisitSource
from domain.visits.days.sessions import Session
from domain.visits.days.traffic_class import TrafficClass

# One number for each of NAMES.
Figures = tuple[int, ...]
# Page, path, and product or "".
Places = tuple[str, str, str]


class SessionKeys(NamedTuple):
    """The values of the dimensions of sessions. `values`: coupon, special, student, partner; `agent`: device, agent."""

    source: VisitSource
    landing: str
    values: tuple[str, ...]
    agent: tuple[str, str]


class SessionRow(NamedTuple):
    """`earlier`: the visits of the evening before, when the session goes on over midnight. `orders`: whether each of
    its orders is paid. `figures`: with the steps that it reached. `hours`, `places`: of each visit; a place beyond the
    most visited ones of the day is "(other)"."""

    visits: Session
    earlier: Session
    traffic_class: TrafficClass
    orders: list[bool]
    keys: SessionKeys
    figures: Figures
    hours: list[int]
    places: list[Places]
