"""The tasks of payments: no call takes so long that the worker is killed at the limit of its task."""

from workers import payments
from workers.app import SETTINGS, app


def test_a_longer_deadline_of_the_gateway_holds_for_the_host_alone(monkeypatch):
    for name, value in (("API_BASE", "http://127.0.0.1:9"), ("KEY", "sk_test_x"), ("DEADLINE_MS", "60000")):
        monkeypatch.setenv(f"PAYMENTS_{name}", value)
    monkeypatch.setattr(payments, "database", lambda: None)
    runner = payments._runner()
    assert runner is not None
    assert runner.open_service()._account.deadline_s == payments.MAX_DEADLINE_S


def test_polls_may_take_longer_than_other_tasks_and_end_before_another_worker_gets_them():
    assert app.conf.task_time_limit < payments.poll.time_limit < SETTINGS.visibility_timeout_s
