"""The states of an order: each event in each state does what the table says, and nothing else changes a state."""

import ast
from collections.abc import Iterator
from datetime import timedelta

import pytest

from config.settings import ROOT
from domain.orders import events, states
from domain.orders.states import EVENTS, STATES, TRANSITIONS
from tests.domain.orders import samples
from tests.support import factories
from tests.support.factories import NOON

# Commerce: all that leads from one state to another.
AFTER = {
    (None, "place"): "placed",
    (None, "enrol"): "placed",
    ("placed", "settle"): "paid",
    ("placed", "begin"): "processing",
    ("placed", "await_transfer"): "processing",
    ("placed", "expire"): "expired",
    ("placed", "cancel"): "cancelled",
    ("placed", "supersede"): "cancelled",
    ("processing", "settle"): "paid",
    ("processing", "fail"): "placed",
    ("processing", "expire"): "expired",
    ("processing", "cancel_transfer"): "cancelled",
    ("expired", "settle"): "paid",
    ("cancelled", "settle"): "paid",
    ("paid", "refund_all"): "refunded",
    ("paid", "dispute_lost"): "refunded",
    ("refunded", "dispute_reversed"): "paid",
}
# Only while the order is open does it have the learner's id, so that there is one.
OPEN = {"placed"}


@pytest.fixture
def learner_id(session) -> int:
    return factories.learner(session).id


def advance(session, order, event, at=NOON):
    return states.advance(session, order, event, at, actor=events.SYSTEM, facts={})


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("state", STATES)
def test_every_event_in_every_state(session, learner_id, state, event):
    open_learner = learner_id if state in OPEN else None
    order = samples.order(session, learner_id, state, open_learner_id=open_learner)
    expected = AFTER.get((state, event))
    transition = advance(session, order, event)
    assert (order.state, transition is None) == (expected or state, expected is None)
    timeline = [(row.kind, row.from_state, row.to_state) for row in events.timeline(session, order.id)]
    assert timeline == ([] if expected is None else [(event, state, expected)])
    assert order.open_learner_id == (learner_id if order.state in OPEN else None)


@pytest.mark.parametrize("event", EVENTS)
def test_a_new_order_can_only_be_placed_or_be_an_enrolment(session, learner_id, event):
    order = samples.unsaved_order(learner_id)
    transition = advance(session, order, event)
    assert (order.state, transition is None) == (AFTER.get((None, event)), event not in ("place", "enrol"))


def test_the_table_has_no_other_rows():
    found = {
        (row.before, row.event): row.after for row in TRANSITIONS if row.before != "processing" or row.event != "fail"
    }
    assert found == {key: after for key, after in AFTER.items() if key != ("processing", "fail")}
    assert [row.after for row in TRANSITIONS if row.event == "fail"] == ["placed", "expired"]


def test_a_failed_debit_opens_the_order_for_a_day_unless_another_one_is_open(session, learner_id):
    order = samples.order(session, learner_id, "processing")
    advance(session, order, "fail")
    assert (order.state, order.reserved_until, order.open_learner_id) == (
        "placed",
        NOON + timedelta(hours=24),
        learner_id,
    )
    second = samples.order(session, learner_id, "processing", code="B" * 20)
    advance(session, second, "fail")
    assert (second.state, second.open_learner_id, second.ended_at) == ("expired", None, NOON)


@pytest.mark.each_database
def test_a_debit_keeps_the_reservation_for_its_time(session, learner_id):
    until = NOON + timedelta(minutes=36)
    order = samples.order(session, learner_id, open_learner_id=learner_id, reserved_until=until)
    advance(session, order, "begin")
    assert order.reserved_until == until + timedelta(days=14)


def test_the_time_of_a_transition_is_after_the_last_event(session, learner_id):
    order = samples.unsaved_order(learner_id)
    advance(session, order, "place", NOON)
    advance(session, order, "settle", NOON - timedelta(hours=1))
    assert order.paid_at == NOON + timedelta(microseconds=1)
    assert (order.placed_at, order.changed_at, order.ended_at) == (NOON, order.paid_at, None)


def writers_of_state(text: str) -> Iterator[int]:
    """Lines that assign `order.state`, or update the column of orders."""
    if ".state" not in text and "update(" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in [part for one in targets for part in (one.elts if isinstance(one, ast.Tuple) else [one])]:
            if isinstance(target, ast.Attribute) and target.attr == "state" and "order" in ast.unparse(target.value):
                yield node.lineno
        if isinstance(node, ast.Call) and any(keyword.arg == "state" for keyword in node.keywords):
            yield from [node.lineno] * ast.unparse(node.func).startswith("update(Order)")


def test_only_one_function_writes_the_state_of_an_order():
    folders = ("domain", "host", "workers", "adapters")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): list(writers_of_state(path.read_text("utf-8"))) for path in files}
    assert [name for name, lines in found.items() if lines] == ["domain/orders/states.py"]
    assert len(found["domain/orders/states.py"]) == 1


@pytest.mark.parametrize(
    "line", ["order.state = 'paid'", "a, row.order.state = 1, 2", "update(Order).values(state='x')"]
)
def test_another_writer_would_be_found(line):
    assert list(writers_of_state(line)) == [1]
