"""Names of tasks, queues and Redis keys are written once, in contracts/."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from adapters.periodic import PERIODIC
from config.settings import ROOT
from contracts import redis_keys
from contracts.payloads import RPC_CALLS
from contracts.tasks import (
    RUNNER_OF,
    OutboxKind,
    Queue,
    Task,
    Topic,
)
from domain import mail
from domain.cart.coupon_checks import HANDLERS, READ_ONLY
from workers.app import NIGHTLY, SCHEDULE, app

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
        mail.mail(OutboxKind.ORDER_PAID)(mail.mails()[OutboxKind.ORDER_PAID].compose)


def test_every_mail_has_its_two_templates_and_every_template_a_mail():
    kinds = {kind.partition(".")[2] for kind in mail.mails()}
    found = {path.stem for path in (ROOT / "templates" / "mail").glob("[!_]*.*")}
    assert {name for name in kinds for end in ("txt", "html") if not template(name, end).is_file()} == set()
    assert found - kinds - {"base"} == set()


def template(name: str, end: str) -> Path:
    return ROOT / "templates" / "mail" / f"{name}.{end}"


def test_workers_route_and_schedule_by_the_contract():
    assert app.conf.task_routes == {str(task): {"queue": str(task.queue)} for task in Task}
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} == {*SCHEDULE, *NIGHTLY}


def test_a_host_without_a_broker_does_what_beat_sends():
    """The loops named here are those of a host without a broker (tests/host/test_background_loops.py)."""
    elsewhere = {
        *(Task.HEARTBEAT, Task.STORE_OVERDUE_VISITS),  # There are no workers and no batches in Redis.
        *RUNNER_OF.values(),  # inline_outbox, inline_payments, inline_learning
        *(Task.POLL_PAYMENTS, Task.ADD_MISSED_EVENTS, Task.RECONCILE_PAYMENTS),  # inline_payments
        *(Task.RUN_JOBS, Task.CONVERT_IMAGES),  # inline_jobs
        Task.VERIFY_AUDIT,  # inline_periodic, beside PERIODIC
        Task.ROLLUP_VISITS,  # inline_rollups: it takes too long for the thread of the others
    }
    assert {*SCHEDULE, *NIGHTLY} == elsewhere | set(PERIODIC)


def test_every_rpc_call_has_a_function_and_a_queue_of_its_own():
    assert {form.task for form in RPC_CALLS} == set(HANDLERS) >= READ_ONLY
    assert {form.task.queue for form in RPC_CALLS} == {Queue.COUPONS}
