"""Names of tasks, queues and Redis keys are written once, in contracts/."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters import audit_check, periodic
from config.settings import ROOT
from contracts import redis_keys
from contracts.payloads import RPC_CALLS
from contracts.tasks import (
    PERIODIC,
    RUNNER_OF,
    OutboxKind,
    Queue,
    Task,
    Topic,
)
from domain import mail
from domain.cart.coupon_checks import HANDLERS, READ_ONLY
from host.jobs import inline_periodic
from host.jobs.inline_crawlers import InlineCrawlers
from host.jobs.inline_periodic import InlinePeriodic
from host.jobs.inline_rollups import InlineRollups
from host.messaging.inline_jobs import InlineJobs
from host.messaging.inline_learning import InlineLearning
from host.messaging.inline_outbox import InlineOutbox
from host.messaging.inline_payments import InlinePayments
from workers.app import app

LAYERS = ("host", "domain", "workers", "bench", "config")
TASKS = {*Task, *OutboxKind}
KEYS = {value for name, value in vars(redis_keys).items() if name.isupper() and isinstance(value, str)}


def literals(text: str) -> Iterator[str]:
    """String literals of a file, without its docstrings."""
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and has_docstring(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def has_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return bool(node.body) and isinstance(node.body[0], ast.Expr)


@cache
def sources() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))}


def files_with_literal(is_named: Callable[[str], object], hints: Iterable[str]) -> set[str]:
    """Files with such a literal. Only those that hold one of the hints need to be parsed."""
    hinted = re.compile("|".join(map(re.escape, hints)))
    candidates = {path: text for path, text in sources().items() if hinted.search(text)}
    return {str(path) for path, text in candidates.items() if any(is_named(found) for found in literals(text))}


def test_no_other_file_names_a_task():
    assert files_with_literal(TASKS.__contains__, TASKS) == set()


def test_no_other_file_names_a_redis_key():
    names = ["coursefront:", *sorted(KEYS)]
    assert files_with_literal(re.compile("|".join(names)).match, names) == set()


def test_no_other_file_names_a_queue_where_one_is_chosen():
    """Queue names are common words: only arguments called queue and lists for -Q are checked."""
    chosen = re.compile(r"""queue\s*=\s*["']|["']queue["']\s*:\s*["']|["']-Q["'],\s*["']\w""")
    assert {str(path) for path, text in sources().items() if chosen.search(text)} == set()


def test_every_task_has_a_function():
    app.loader.import_default_modules()
    assert set(Task) - set(app.tasks) == set(), "no function with @task in a module of `include` (workers/app.py)"
    assert {name for name in app.tasks if not name.startswith("celery.")} <= TASKS


def test_every_kind_has_a_topic_and_every_topic_a_task():
    assert {kind.topic for kind in OutboxKind} == set(Topic)
    assert set(Topic) - set(RUNNER_OF) == set(), "missing in RUNNER_OF"
    assert len(set(RUNNER_OF.values())) == len(Topic)


def test_every_kind_of_mail_has_a_text():
    kinds = {str(kind) for kind in OutboxKind if kind.topic is Topic.MAIL}
    assert kinds == set(mail.mails()), "a kind needs a function with @mail: without one its rows wait for ever"


def test_a_mail_is_declared_once():
    with pytest.raises(ValueError, match=r"mail\.order_paid is declared twice"):
        mail.mail("Buyer", {OutboxKind.ORDER_PAID: "It is paid."})(mail.mails()[OutboxKind.ORDER_PAID].compose)


def test_every_mail_has_its_two_templates_and_every_template_a_mail():
    folder = ROOT / "templates" / "mail"
    files = {path.name for path in folder.iterdir()}
    wanted = {
        f"{kind.partition('.')[2]}.{end}" for kind in mail.mails() if kind != OutboxKind.TEST for end in ("txt", "html")
    }
    parts = re.findall(r'{%-? *\w+ "(\w+\.\w+)"', "".join((folder / name).read_text("utf-8") for name in files))
    assert files ^ wanted == set(parts)


def test_workers_route_and_schedule_by_the_contract():
    assert app.conf.task_routes == {str(task): {"queue": str(task.queue)} for task in Task}
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} == set(PERIODIC)


# The loops of a host without a broker: tests/host/test_background_loops.py shows that it has them.
LOOPS = (InlineCrawlers, InlineJobs, InlineLearning, InlineOutbox, InlinePayments, InlinePeriodic, InlineRollups)


def done_without_broker(loops: Iterable[Any]) -> list[Task]:
    return sorted(task for loop in loops for task in loop.tasks)


def test_a_host_without_a_broker_does_what_beat_sends():
    sent = sorted(task for task, period in PERIODIC.items() if not period.needs_broker)
    assert done_without_broker(LOOPS) == sent
    assert done_without_broker(LOOPS[1:]) != sent


def test_its_periodic_loop_runs_each_piece_of_work_once_and_not_again_before_it_is_due(monkeypatch):
    done: list[Task] = []
    monkeypatch.setattr(periodic, "run", lambda task, _means: done.append(task))
    monkeypatch.setattr(audit_check, "check_slice", lambda _database, _after: done.append(Task.VERIFY_AUDIT))
    # The audit is checked in this hour alone.
    nightly = SimpleNamespace(now=lambda zone: datetime(2026, 3, 1, 3, tzinfo=zone))
    monkeypatch.setattr(inline_periodic, "datetime", nightly)
    loop = InlinePeriodic(SimpleNamespace(database=None))
    for _ in range(2):
        loop._run_due()
    assert sorted(done) == sorted(loop.tasks)


def test_every_rpc_call_has_a_function_and_a_queue_of_its_own():
    assert {form.task for form in RPC_CALLS} == set(HANDLERS) >= READ_ONLY
    assert {form.task.queue for form in RPC_CALLS} == {Queue.COUPONS}
