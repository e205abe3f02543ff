"""Whatever the history and the money: what is stored sums to the cent, and a replay is the same twice, and after every
raw row is gone."""

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as any_of
from sqlalchemy import delete, func, select, update

from domain.attribution import credits as credit_rules
from domain.attribution.credits import DIMENSIONS
from domain.attribution.weights import MODELS
from domain.reports import sales_lines
from domain.reports.attribution import replay
from domain.tables import (
    CodedOrder,
    CohortDay,
    CreditDay,
    CreditRollup,
    Document,
    FirstChannel,
    Order,
    OrderCredit,
    OrderLine,
    OrderPath,
    OrderPathTouchpoint,
    ReferralDay,
    Refund,
    RefundLine,
    SessionLearner,
    Touchpoint,
)
from domain.visits.raw.local_days import microseconds
from domain.visits.stored_days import visitor_rows
from domain.visits.stored_days.keys import SessionLearnerRow, TouchpointRow
from tests.domain.attribution.test_credits import split_in_floats
from tests.domain.reports.attribution.worlds import LATER, builder
from tests.support import factories, order_rows
from tests.support.examples import EXAMPLES
from tests.support.factories import NOON

DAY = NOON.date()
# Children before what they refer to.
TABLES = (
    *(ReferralDay, CohortDay, CodedOrder, FirstChannel),
    *(CreditDay, OrderCredit, OrderPathTouchpoint, OrderPath, CreditRollup, SessionLearner, Touchpoint),
    *(Document, RefundLine, Refund, OrderLine, Order),
)
VALUE = any_of.sampled_from(["(none)", "(none)", "(unknown)", "x-1", "x-2"])
# Minutes before the order: some equal, some of after it, some too early.
MINUTES = any_of.one_of(any_of.sampled_from([0, 60, 1440]), any_of.integers(-10, 31 * 24 * 60))
TOUCHPOINTS = any_of.lists(
    any_of.tuples(MINUTES, any_of.sampled_from(["direct", "search", "email", "partner"]), VALUE, VALUE), max_size=30
)
# Net amount, tax, and how much of the net went back.
LINES = any_of.lists(
    any_of.tuples(any_of.sampled_from([0, 1, 4200, 10**9 + 7]), any_of.integers(0, 900), any_of.integers(0, 5000)),
    min_size=1,
    max_size=4,
)
ORDERS = any_of.lists(any_of.tuples(TOUCHPOINTS, LINES, any_of.sampled_from(["USD", "JPY"])), min_size=1, max_size=3)


@pytest.fixture
def learners(database):
    with database.write_session() as session:
        return [factories.learner(session, f"Buyer {number}").id for number in range(3)]


def fill(session, learners, orders) -> None:
    for table in TABLES:
        session.execute(delete(table))
    for number, (learner, (history, lines, currency)) in enumerate(zip(learners, orders, strict=False), 1):
        about = {"currency": currency, "total_minor": sum(net + tax for net, tax, _ in lines)}
        order = order_rows.order(session, learner, f"CODE{number:016}", **about)
        for place, (net, tax, back) in enumerate(lines, 1):
            line = order_rows.order_line(session, order.id, place, unit_minor=net, tax_minor=tax)
            add_refund(session, order.id, line.id, 10 * number + place, min(back, net))
        add_history(session, learner, number, history)


def add_refund(session, order_id: int, line_id: int, number: int, amount: int) -> None:
    if not amount:
        return
    about = {"state": "succeeded", "reason": "staff", "note": "", "actor": "staff:1", "key": f"{order_id}-{number}"}
    refund = Refund(
        order_id=order_id,
        number=number,
        amount_minor=amount,
        tax_minor=0,
        requested_at=NOON,
        changed_at=NOON,
        **about,
    )
    session.add(refund)
    session.flush()
    session.add(RefundLine(refund_id=refund.id, line_id=line_id, quantity=0, amount_minor=amount, tax_minor=0))
    issued = {"year": 2026, "seq": refund.id, "order_id": order_id, "refund_id": refund.id, "issued_at": NOON}
    session.add(Document(kind="credit_note", number=f"C-{refund.id}", body={}, digest="0" * 64, **issued))
    session.flush()


def add_history(session, learner: int, number: int, history) -> None:
    """All touchpoints in one session, which the learner proves after the order."""
    rows, proof = [], microseconds(NOON + timedelta(days=1))
    for place, (minutes, channel, coupon, student) in enumerate(history):
        at = microseconds(NOON - timedelta(minutes=minutes))
        values = (coupon, "(none)", student, "(none)", "/", "", True, "likely")
        about = (f"s-{number}", channel, channel, "- / - / -", "", "", "(none)", *values)
        rows.append(TouchpointRow(f"{number:08}-0000-4000-8000-{place:012}", at, *about))
    visitor_rows.insert(session, Touchpoint, DAY, rows)
    event_id = f"{number:08}-0000-4000-8000-999999999999"
    visitor_rows.insert(session, SessionLearner, DAY, [SessionLearnerRow(event_id, proof, f"s-{number}", learner)])


def replayed(database) -> str:
    *_, result = replay.replay_days(builder(database), [DAY])
    return result.sha256


def checked(database) -> tuple[str, list[str]]:
    *_, result = replay.check_days(builder(database), [DAY])
    return result.sha256, result.wrong


def sums_of(session) -> Counter:
    """(model, line) -> what is stored."""
    found = Counter()
    for model, line_id, amount in session.execute(
        select(OrderCredit.model, OrderCredit.line_id, func.sum(OrderCredit.amount_minor)).group_by(
            OrderCredit.model, OrderCredit.line_id
        )
    ):
        found[model, line_id] = int(amount)
    return found


@pytest.mark.each_database
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ORDERS)
def test_credits_sum_to_the_cent_and_a_replay_needs_no_raw_row(database, learners, orders):
    with database.write_session() as session:
        fill(session, learners, orders)
    builder(database).build(DAY)
    first = replayed(database)
    with database.read_session() as session:
        lines = list(sales_lines.lines(session, NOON, LATER))
        found = sums_of(session)
        by_day = {
            (row.dimension, row.model, row.currency): (int(row.net), int(row.milli))
            for row in session.execute(
                select(
                    *(CreditDay.dimension, CreditDay.model, CreditDay.currency),
                    func.sum(CreditDay.amount_minor).label("net"),
                    func.sum(CreditDay.orders_milli).label("milli"),
                ).group_by(CreditDay.dimension, CreditDay.model, CreditDay.currency)
            )
        }
    assert found == {(model, line.line_id): line.net_minor for model in MODELS for line in lines}
    for currency in {line.currency for line in lines}:
        own = [line for line in lines if line.currency == currency]
        expected = (sum(line.net_minor for line in own), 1000 * len({line.order_id for line in own}))
        assert {by_day[name, model, currency] for name in DIMENSIONS for model in MODELS} == {expected}
    assert checked(database) == (first, [])
    with database.write_session() as session:
        for table in (Touchpoint, SessionLearner, OrderCredit, CreditDay):
            session.execute(delete(table))
        session.execute(update(CreditRollup).values(version=CreditRollup.version + 1))
    assert replayed(database) == first
    assert checked(database) == (first, [])


def test_in_floats_the_sums_would_be_wrong(database, learners, monkeypatch):
    """The negative control: the method that everybody writes first."""
    history = [(minutes, "search", "(none)", "(none)") for minutes in (3, 2, 1)]
    with database.write_session() as session:
        fill(session, learners, [(history, [(10**17 + 1, 0, 0)], "USD")])
    builder(database).build(DAY)
    assert checked(database)[1] == []
    monkeypatch.setattr(credit_rules, "split_by_weights", split_in_floats)
    wrong = checked(database)[1]
    assert len(wrong) == 2
    replayed(database)
    with database.read_session() as session:
        assert set(sums_of(session).values()) != {10**17 + 1}
