"""The demo shop says what led to its orders, in whichever order its days are computed."""

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from domain.attribution.credits import DIMENSIONS, NOT_MEASURED
from domain.attribution.rules import AttributionRules
from domain.attribution.weights import MODELS
from domain.reports import sales_lines
from domain.reports.attribution import replay, stored_credits
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports.stored_figures import Span
from domain.seed.visits import DAYS
from domain.tables import Order, OrderPath
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.support.factories import NOON

RULES = DayRules()
RUN_S = 600
# All days of the demo: an order of it is half a year old.
HALF_YEAR = Span((NOON - timedelta(days=200)).date(), NOON.date())
SINCE = NOON.replace(hour=0) - timedelta(days=DAYS - 1)


class Loops:
    """What the loops of a new shop compute, each when its turn comes."""

    def __init__(self, database):
        self.database, self.at = database, NOON

    def credit_builder(self) -> CreditDayBuilder:
        return CreditDayBuilder(self.database, RULES, lambda: self.at, AttributionRules())

    def credits(self) -> None:
        self.credit_builder().build_due(RUN_S)

    def visits(self) -> None:
        DayBuilder(self.database, RULES, lambda: self.at).build_due(RUN_S)

    def sales(self) -> None:
        SaleDayBuilder(self.database, RULES, lambda: self.at).build_due(RUN_S)

    def run(self, *steps: str) -> None:
        for step in steps:
            getattr(self, step)()
            self.at += timedelta(seconds=20)

    def by_key(self, dimension: str) -> dict[str, dict[str, int]]:
        """Model -> value -> amount in cents."""
        with self.database.read_session() as session:
            rows = stored_credits.by_key(session, dimension, HALF_YEAR, "USD")
        return {
            model: {key: amount for key, found in rows.items() for name, amount, _ in found if name == model}
            for model in MODELS
        }

    def net(self) -> Counter[bool]:
        """The net amount of the orders since the first visit (True), and of those before (False)."""
        with self.database.read_session() as session:
            placed = dict(session.execute(select(Order.id, Order.placed_at)).all())
            lines = list(sales_lines.lines(session, NOON - timedelta(days=200), NOON))
        found = Counter()
        for line in lines:
            found[placed[line.order_id] >= SINCE] += line.net_minor
        return found


@pytest.fixture
def loops(own_demo):
    return Loops(own_demo)


ORDERS = [("visits", "sales", "credits"), ("credits", "sales", "visits", "credits")]


@pytest.mark.parametrize("steps", ORDERS, ids=["visits first", "credits first"])
def test_every_order_since_the_first_visit_has_a_known_origin_by_every_model(loops, steps):
    loops.run(*steps)
    net = loops.net()
    for dimension in DIMENSIONS:
        for model, found in loops.by_key(dimension).items():
            assert sum(found.values()) == sum(net.values()), (dimension, model)
            assert found[NOT_MEASURED] == net[False], (dimension, model)
    assert net[True] > net[False] > 0
    with loops.database.read_session() as session:
        assert session.scalar(select(func.count()).where(OrderPath.closed_at.is_(None))) == _new_orders(session)


def _new_orders(session) -> int:
    """Their paths are open still: 72 hours from the payment on."""
    paid = select(func.count()).select_from(OrderPath).where(OrderPath.paid_at > NOON - timedelta(hours=72))
    return session.scalar(paid) or 0


def test_the_models_differ_and_every_dimension_has_rows(loops):
    loops.run("visits", "sales", "credits")
    channels = loops.by_key("channel")
    assert len({tuple(sorted(found.items())) for found in channels.values()}) == len(MODELS)
    for model, found in channels.items():
        known = {key: amount for key, amount in found.items() if amount > 0 and key != NOT_MEASURED}
        assert {"search", "email", "paid", "partner", "student"} <= known.keys(), model
        # No single channel has brought nearly everything.
        assert max(known.values()) < 0.6 * sum(known.values()), model
    for dimension, least in (("campaign", 3), ("coupon", 3), ("student", 3), ("partner", 2)):
        keys = {key for key, amount in loops.by_key(dimension)["linear"].items() if amount > 0}
        assert len([key for key in keys if not key.startswith(("(", "- /"))]) >= least, dimension


def freeze_at_once(loops) -> None:
    """As the build before did with orders older than two weeks."""
    with loops.database.write_session() as session:
        session.execute(update(OrderPath).values(closed_at=NOON))


def test_paths_that_were_closed_before_any_visit_was_computed_stay_empty_until_they_are_looked_up_again(loops):
    loops.run("credits")
    freeze_at_once(loops)
    loops.run("visits", "sales", "credits")
    net = loops.net()
    assert loops.by_key("channel")["linear"] == {NOT_MEASURED: net.total()}
    builder = loops.credit_builder()
    with loops.database.read_session() as session:
        days = replay.days_of(session, None, None)
    assert replay.reopen_empty(builder, days) > 0
    list(replay.replay_days(builder, days))
    assert loops.by_key("channel")["linear"][NOT_MEASURED] == net[False]
    # What has no touchpoints at all is closed again, empty.
    list(replay.replay_days(builder, days))
    with loops.database.read_session() as session:
        assert session.scalar(select(func.count()).where(OrderPath.closed_at.is_(None))) == _new_orders(session)
