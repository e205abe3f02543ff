"""The loops of the supervisor: after an unexpected error each goes on, and its children show what happened."""

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from config.settings import Settings
from host.resilience.background_loop import read_statuses
from host.supervisor import programs, supervisor
from host.supervisor.child_process import Child
from host.supervisor.forks import ForkServer
from host.supervisor.probes import RendererState
from host.supervisor.programs import Program
from host.supervisor.supervisor import Supervisor
from tests.support.waiting import until

SLEEPER = Program("ssr", "sleeper", (sys.executable, "-c", "import time; time.sleep(600)"), stop_s=5.0)


@pytest.fixture
async def site(tmp_path, monkeypatch):
    """A supervisor whose loops run, with a program that does nothing."""
    monkeypatch.setattr(supervisor, "PROBE_EVERY_S", 0.02)
    site = Supervisor(Settings.from_environment({"VAR_DIR": str(tmp_path)}))
    yield site
    await site._stop_all()
    site.sockets.rmdir()


@dataclass(frozen=True)
class Case:
    """`owner.method` is what an iteration of the loop `name` calls."""

    name: str
    owner: type
    method: str


CASES = [
    Case("list of processes", Supervisor, "_write_status"),
    Case("probes of render workers", Supervisor, "_probe"),
    Case("supervision of sleeper", Child, "start"),
]


def fail_once(monkeypatch, case: Case) -> Callable[[], int]:
    original: Any = getattr(case.owner, case.method)
    calls: list[Any] = []

    async def fail_first(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 1:
            raise ZeroDivisionError(case.method)
        return await original(*args)

    monkeypatch.setattr(case.owner, case.method, fail_first)
    return lambda: len(calls)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_an_error_that_nobody_expects_is_logged_shown_and_survived(site, tmp_path, monkeypatch, caplog, case):
    calls = fail_once(monkeypatch, case)
    if case.method == "_write_status":
        site._loops[0]._iterate = site._write_status
    child = site._add(SLEEPER)
    for loop in site._loops:
        loop.start()
    expected = {"state": "running", "restarts": 1}
    await until(lambda: calls() > 1 and read_statuses(tmp_path, os.getpid()).get(case.name) == expected)
    errors = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert errors == [f"the loop {case.name!r} failed and goes on in 0.1 s"]
    await until(lambda: child.process is not None and child.process.returncode is None)


async def test_all_loops_of_a_supervisor_are_in_the_table(site, tmp_path):
    site._add(SLEEPER)
    for loop in site._loops:
        loop.start()
    await until(lambda: len(read_statuses(tmp_path, os.getpid())) == len(CASES))
    assert set(read_statuses(tmp_path, os.getpid())) == {case.name for case in CASES}


async def test_a_program_that_cannot_start_is_shown_and_tried_again(site, tmp_path):
    program = tmp_path / "program"
    site._loops[0].start()
    child = site._add(Program("ssr", "late", (str(program),), stop_s=5.0))
    await until(lambda: read_statuses(tmp_path, os.getpid()).get("supervision of late", {}).get("state") == "failing")
    program.write_text(f"#!{sys.executable}\nimport time; time.sleep(600)\n")
    program.chmod(0o755)
    async with asyncio.timeout(20):
        await child.started.wait()
    await until(lambda: read_statuses(tmp_path, os.getpid())["supervision of late"]["state"] == "running")


async def test_a_stopped_child_is_not_started_again(site):
    child = site._add(SLEEPER)
    await child.started.wait()
    await child.stop()
    assert child.process is not None
    assert child.process.returncode is not None
    process = child.process
    await asyncio.sleep(0)
    assert (child.process, child.loop.state == "running") == (process, False)


async def test_a_render_worker_that_stops_is_not_said_to_hang(site, monkeypatch, capsys):
    asked, stop = [], Child.stop

    async def stay_silent(path, _silence_s):
        asked.append(path)
        return RendererState.SILENT

    async def stop_late(child):
        """So that three probes would come before the end."""
        await asyncio.sleep(3 * supervisor.PROBE_EVERY_S)
        await stop(child)

    monkeypatch.setattr(supervisor, "renderer_state", stay_silent)
    monkeypatch.setattr(Child, "kill", lambda _child: None)
    monkeypatch.setattr(Child, "stop", stop_late)
    await site._add(SLEEPER).started.wait()
    site._probes.start()
    await until(lambda: bool(asked))
    asked.clear()
    capsys.readouterr()
    await site._stop_all()
    assert (asked, capsys.readouterr().out) == ([], "")


def test_redis_writes_its_lines_to_a_file(tmp_path):
    settings = Settings.from_environment({"VAR_DIR": str(tmp_path)})
    program = programs.redis(settings, "redis-server", tmp_path)
    assert program.command[program.command.index("--logfile") + 1] == str(tmp_path / "redis" / "redis.log")
    assert program.log == tmp_path / "redis" / "redis.log"


@pytest.mark.parametrize("is_quiet", [True, False])
async def test_what_a_quiet_program_prints_is_dropped_and_its_logs_are_shown(capfd, is_quiet):
    """Celery's workers print a line at their stop."""
    script = "import sys; print('Warm shutdown'); print('a log', file=sys.stderr)"
    program = Program("worker", "talker", (sys.executable, "-c", script), 5.0, is_quiet=is_quiet)
    child = Child(program, os.environ, {}, ForkServer())
    await child.start()
    assert await child.process.wait() == 0
    printed, logged = capfd.readouterr()
    assert (printed, logged) == ("" if is_quiet else "Warm shutdown\n", "a log\n")


def test_the_workers_are_quiet(tmp_path):
    workers = programs.worker(Settings.from_environment({"VAR_DIR": str(tmp_path)})), programs.background_worker()
    assert [program.is_quiet for program in workers] == [True, True]
