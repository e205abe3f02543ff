"""The work of payments in a host without a broker: nothing that waits for the gateway holds up the rest."""

from threading import Event
from typing import Any

import pytest

from domain.outbox.errors import ServiceDown
from host.messaging import inline_payments
from host.messaging.inline_payments import InlinePayments


class Runner:
    """Notes what is done. A reconciliation lasts until `go_on`."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.is_down = False
        self.reconciling, self.go_on = Event(), Event()

    def handle_rows(self) -> None:
        self.done.append("rows")
        if self.is_down:
            raise ServiceDown("no answer")

    def poll(self) -> None:
        self.done.append("poll")

    def add_missed_events(self) -> None:
        self.done.append("events")

    def reconcile(self) -> None:
        self.reconciling.set()
        assert self.go_on.wait(60)


@pytest.fixture
def runner(monkeypatch) -> Runner:
    """Everything regular is due at once, every time."""
    for task in inline_payments.PERIODS:
        monkeypatch.setitem(inline_payments.PERIODS, task, 0.0)
    return Runner()


async def iterate(payments: Any) -> None:
    payments.wake()
    await payments._iterate()


async def test_while_the_gateway_is_silent_rows_pause_and_polls_go_on(runner, monkeypatch):
    runner.is_down = True
    payments = InlinePayments(runner)
    for _ in range(2):
        await iterate(payments)
    assert runner.done == ["rows", *["poll", "events"] * 2]
    monkeypatch.setattr(payments, "_paused_until", 0.0)
    await iterate(payments)
    assert runner.done[5:] == ["rows", "poll", "events"]
    runner.go_on.set()


async def test_a_long_reconciliation_holds_up_no_row_and_runs_once_at_a_time(runner):
    payments = InlinePayments(runner)
    await iterate(payments)
    assert runner.reconciling.wait(60)
    runner.reconciling.clear()
    await iterate(payments)
    assert (runner.done.count("rows"), runner.reconciling.is_set()) == (2, False)
    runner.go_on.set()
