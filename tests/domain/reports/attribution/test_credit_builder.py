"""Credits of days: from sales and touchpoints alone, to the cent, whoever computes them and how often."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import delete, func, select, update

from domain.attribution.credits import DIMENSIONS
from domain.attribution.rules import AttributionRules
from domain.attribution.weights import MODELS
from domain.reports import sales_lines
from domain.reports.attribution import credit_storage, stored_paths
from domain.tables import CreditDay, CreditRollup, OrderCredit, OrderPath, OrderPathTouchpoint, Touchpoint, VisitRollup
from domain.visits.raw.local_days import DayRules
from tests.domain.orders import taxed
from tests.domain.reports.attribution import worlds
from tests.domain.reports.attribution.worlds import HOUR, LATER, MINUTE, build, builder, steps, stored, sums
from tests.domain.reports.selling_days import DAYS, FIRST, ONE_DAY, at_day
from tests.domain.visits.days.worlds import add, visit
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


@pytest.fixture
def week(database):
    with database.write_session() as session:
        return worlds.fill(session)


def paths(database) -> dict[int, tuple]:
    with database.read_session() as session:
        rows = session.execute(select(OrderPath.order_id, OrderPath.ref, OrderPath.closed_at, OrderPath.digest))
        return {row[0]: tuple(row[1:]) for row in rows}


def test_a_purchase_in_the_tab_of_a_link_four_hours_on_is_credited_to_it(database, week):
    build(database)
    assert steps(database, week.mixed.id) == [
        ("partner", "chamber / - / -", "linker", False),
        ("email", "news / email / march", "linker", False),
        ("direct", "- / - / -", "(none)", False),
    ]


def test_who_signs_in_with_the_own_link_is_no_referral(database, week):
    build(database)
    assert steps(database, week.free.id) == [("direct", "- / - / -", "(none)", True)]
    for model in MODELS:
        assert sums(database, "student", model)["(self)"] == (0, 1000)


def test_the_sums_of_every_model_and_dimension_are_the_net_of_the_sales(database, week):
    build(database)
    with database.read_session() as session:
        lines = list(sales_lines.lines(session, NOON - ONE_DAY, LATER))
        net, orders = Counter(), Counter()
        for line in lines:
            net[line.currency] += line.net_minor
        for order_id, currency in {(line.order_id, line.currency) for line in lines}:
            orders[currency] += 1000
            assert order_id
        by_line = Counter()
        for row in session.scalars(select(OrderCredit)):
            by_line[row.model, row.line_id] += row.amount_minor
    assert by_line == {(model, line.line_id): line.net_minor for model in MODELS for line in lines}
    assert set(net) == {"JPY", "USD"}
    for model in MODELS:
        for dimension in DIMENSIONS:
            for currency in net:
                found = sums(database, dimension, model, currency).values()
                assert sum(amount for amount, _ in found) == net[currency]
                assert sum(milli for _, milli in found) == orders[currency]


def test_orders_that_nothing_led_to_are_not_measured(database, week):
    build(database)
    assert sums(database, "channel", "linear", "JPY") == {"(not measured)": (90, 1000)}
    with database.read_session() as session:
        row = select(OrderCredit.position).where(OrderCredit.order_id == week.disputed.id).distinct()
        assert session.scalars(row).all() == [0]


def test_the_next_run_writes_nothing(database, week):
    build(database)
    before = stored(database), paths(database)
    assert builder(database, LATER + 2 * MINUTE).build_due() == 0
    assert (stored(database), paths(database)) == before


def test_a_path_follows_its_touchpoints_until_it_is_closed(database, week):
    at = NOON + 6 * HOUR
    build(database, at)
    assert paths(database)[week.mixed.id][1] is None
    with database.write_session() as session:
        add(session, visit(9, NOON - 30 * MINUTE, "/?utm_source=late", "second", learner_id=week.learner))
        session.execute(update(VisitRollup).values(dirty_at=at))
    ref = paths(database)[week.mixed.id][0]
    build(database, at + 6 * MINUTE)
    assert [step[0] for step in steps(database, week.mixed.id)] == ["partner", "email", "campaign", "direct"]
    assert paths(database)[week.mixed.id][0] == ref
    build(database, LATER)
    assert paths(database)[week.mixed.id][1] == LATER
    closed = stored(database)
    with database.write_session() as session:
        session.execute(delete(Touchpoint))
    worlds.builder(database, LATER + 2 * HOUR).build(FIRST)
    assert stored(database) == closed


def test_a_path_stays_open_while_a_day_of_visits_waits_and_closes_in_the_end(database, week):
    worlds.build_visits(database, LATER)
    with database.write_session() as session:
        session.execute(update(VisitRollup).where(VisitRollup.day == FIRST).values(dirty_at=LATER))
    rules = AttributionRules(keep_days=44)
    worlds.builder(database, NOON + 13 * ONE_DAY, attribution=rules).build_due()
    assert paths(database)[week.mixed.id][1] is None
    worlds.builder(database, NOON + 15 * ONE_DAY, attribution=rules).build_due()
    assert paths(database)[week.mixed.id][1] == NOON + 15 * ONE_DAY


def test_visits_that_no_day_has_counted_yet_keep_a_path_open(database, week):
    worlds.builder(database, LATER).build_due()
    assert (steps(database, week.mixed.id), paths(database)[week.mixed.id][1]) == ([], None)


@pytest.mark.parametrize("days", [9, 20, 120, 369])
def test_orders_from_before_the_first_computation_wait_for_its_visits(database, week, days):
    at = at_day(days)
    worlds.builder(database, at).build_due()
    worlds.build_visits(database, at)
    worlds.builder(database, at + 6 * MINUTE).build_due()
    assert [step[0] for step in steps(database, week.mixed.id)] == ["partner", "email", "direct"]
    assert paths(database)[week.mixed.id][1] == at + 6 * MINUTE


def test_a_refund_moves_money_alone(database, week):
    build(database)
    before, path = sums(database, "channel", "first"), stored(database, OrderPathTouchpoint)
    with database.write_session() as session:
        order = session.merge(week.mixed)
        taxed.give_back(session, order, {1: 1}, at=LATER + MINUTE)
    worlds.builder(database, LATER + 2 * MINUTE).build_due()
    after = sums(database, "channel", "first")
    assert after["partner"][0] < before["partner"][0]
    assert after["partner"][1] == before["partner"][1]
    assert {**after, "partner": 0} == {**before, "partner": 0}
    assert stored(database, OrderPathTouchpoint) == path


@pytest.mark.parametrize("step", ["replace", "_replace_credits", "_replace_days", "note_built"])
def test_a_process_that_dies_at_any_step_leaves_nothing_half_done(database, week, monkeypatch, step):
    worlds.build_visits(database)
    owner = {"replace": stored_paths, "note_built": credit_storage.ROLLUPS}.get(step, credit_storage)
    monkeypatch.setattr(owner, step, _die)
    with pytest.raises(SystemExit):
        builder(database).build_due()
    assert (stored(database), paths(database)) == ([], {})
    monkeypatch.undo()
    builder(database, LATER + MINUTE).build_due()
    once = stored(database)
    builder(database, LATER + 2 * ONE_DAY).build(FIRST)
    assert stored(database) == once


def _die(*_):
    raise SystemExit


def test_an_older_state_never_replaces_a_newer_one(database, week):
    build(database)
    older = builder(database).compute(FIRST)
    assert builder(database, LATER + MINUTE).build(FIRST)
    assert database.write_sync(credit_storage.store, older, DayRules()) is None
    with database.read_session() as session:
        version = session.scalars(select(CreditRollup.version).where(CreditRollup.day == FIRST)).one()
    assert database.write_sync(credit_storage.store, replace(older, version=version), DayRules()) is False


def test_several_processes_compute_the_same_days_at_a_time(database, week):
    worlds.build_visits(database)
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(builder(database, LATER + number * MINUTE).build_due) for number in range(4)]
        assert sum(run.result() for run in runs) > 0
    builder(database, LATER + 9 * MINUTE).build_due()
    with database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(OrderPath)) == len({row[1] for row in _credits(session)})
    assert builder(database, LATER + 10 * MINUTE).build_due() == 0


def _credits(session):
    return session.execute(select(OrderCredit.line_id, OrderCredit.order_id)).all()


def test_changed_rows_are_mended_when_the_day_has_its_turn(database, week):
    build(database)
    first = stored(database)
    with database.write_session() as session:
        session.execute(update(OrderCredit).where(OrderCredit.order_id == week.mixed.id).values(amount_minor=1))
        session.execute(update(CreditDay).where(CreditDay.day == FIRST).values(amount_minor=1))
    for run in range(3):
        builder(database, LATER + 2 * ONE_DAY + run * MINUTE).build_due()
    assert stored(database) == first


def test_another_zone_counts_on_its_own_days_and_credits_the_same(database, week):
    build(database)
    before, there = stored(database, OrderCredit), DayRules("Pacific/Auckland")
    builder(database, LATER + MINUTE, there).build_due()
    assert stored(database, OrderCredit) == before
    with database.read_session() as session:
        assert set(session.scalars(select(CreditDay.day))) == {day + ONE_DAY for day in DAYS[:4]}


def test_a_closed_path_has_the_window_of_its_time(database, week):
    build(database)
    before = stored(database)
    narrow = AttributionRules(window_days=1, half_life_hours=1)
    for run in range(3):
        builder(database, LATER + 2 * ONE_DAY + run * MINUTE, attribution=narrow).build_due()
    assert stored(database) == before


def test_a_window_leaves_earlier_touchpoints_out(database, week):
    with database.write_session() as session:
        early = {"learner_id": week.learner}
        add(session, visit(8, NOON - 31 * ONE_DAY, "/?utm_source=old", "old", **early))
        add(session, visit(7, NOON - 29 * ONE_DAY, "/?utm_source=young", "young", **early))
    build(database)
    found = steps(database, week.mixed.id)
    assert (found[0][1], len(found)) == ("young / - / -", 4)


def test_an_empty_shop_has_nothing(database):
    assert build(database, at_day(1)) == 1, "the present day"
    assert stored(database) == []
