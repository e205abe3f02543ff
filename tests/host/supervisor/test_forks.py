"""Programs that the fork server starts: each is what a process started anew would be, and none is left behind."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from host.supervisor.forks import Fork, ForkServer
from host.supervisor.programs import Program
from tests.support.waiting import until

ONCE = "import os\nIMPORTED_BY = os.getpid()\n"
SEEN = """
import atexit, json, os, signal, sys, threading, time
import once

def tell():
    found = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGCHLD)]
    return {
        "arguments": sys.argv[1:], "name": __name__, "shown": open("/proc/self/comm").read(),
        "variables": dict(os.environ), "pid": os.getpid(),
        "session": os.getsid(0), "imported_by": once.IMPORTED_BY,
        "given": os.read(int(os.environ["GIVEN"]), 9).decode(),
        "input": sys.stdin.read(), "descriptors": len([number for number in found if number < found[-1]]),
        "is_default": handlers == [signal.SIG_DFL, signal.SIG_DFL], "threads": threading.active_count(),
    }

seen = tell()
atexit.register(lambda: open(sys.argv[1], "w").write(json.dumps(seen)))
"""
ENDS = {
    "runs to its end": ("", 0),
    "exits": ("import sys\nsys.exit(3)", 3),
    "exits with a text": ("import sys\nsys.exit('no')", 1),
    "fails": ("raise RuntimeError('expected by the test')", 1),
    "is killed": ("import os\nos.kill(os.getpid(), 9)", -9),
    "waits for its threads": ("import os, threading\nthreading.Thread(target=lambda: os._exit(7)).start()", 7),
}
SLEEPS = "import time\ntime.sleep(600)"


@pytest.fixture
async def server(tmp_path, monkeypatch):
    """A fork server that finds the modules that a test writes."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "once.py").write_text(ONCE)
    server = ForkServer()
    yield server
    await server.stop()


async def start(
    server: ForkServer,
    folder: Path,
    code: str,
    *arguments: str,
    descriptors: dict[str, int] | None = None,
    **about: Any,
) -> Fork:
    (folder / "program.py").write_text(code)
    command = (sys.executable, "-m", "program", *arguments)
    program = Program("host", "program", command, 1.0, imports=("once",), **about)
    return await server.start(program, {"COLOUR": "green"}, descriptors or {}, signal.SIGKILL)


async def seen_by(server: ForkServer, folder: Path) -> Any:
    """What a program finds when it runs."""
    read_end, write_end = os.pipe()
    os.write(write_end, b"something")
    told = folder / "told.json"
    fork = await start(server, folder, SEEN, str(told), descriptors={"GIVEN": read_end})
    os.close(read_end)
    os.close(write_end)
    assert await fork.wait() == 0
    return json.loads(told.read_text()) | {"expected_pid": fork.pid, "file": str(told)}


async def test_a_program_has_its_arguments_variables_and_descriptors_and_nothing_of_the_server(server, tmp_path):
    seen = await seen_by(server, tmp_path)
    number = seen["variables"].pop("GIVEN")
    assert seen == {
        "arguments": [seen["file"]],
        "name": "__main__",
        "shown": "program\n",
        "variables": {"COLOUR": "green"},
        "pid": seen["expected_pid"],
        "session": seen["expected_pid"],
        "imported_by": seen["imported_by"],
        "given": "something",
        "input": "",
        # The three of every process, and the one that was given.
        "descriptors": 4,
        "is_default": True,
        "threads": 1,
        "expected_pid": seen["expected_pid"],
        "file": seen["file"],
    }
    assert int(number) > 2


async def test_what_programs_import_is_imported_once(server, tmp_path):
    first, second = await seen_by(server, tmp_path), await seen_by(server, tmp_path)
    assert first["imported_by"] == second["imported_by"]
    assert len({first["imported_by"], first["pid"], second["pid"]}) == 3


@pytest.mark.parametrize(("code", "status"), ENDS.values(), ids=ENDS)
async def test_the_status_of_a_program_is_as_of_a_process(server, tmp_path, code, status):
    fork = await start(server, tmp_path, code)
    assert await fork.wait() == fork.returncode == status
    with pytest.raises(ProcessLookupError):
        fork.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("is_quiet", [True, False])
async def test_what_a_quiet_program_prints_is_dropped(server, tmp_path, capfd, is_quiet):
    code = "import sys; print('stopped'); print('a log', file=sys.stderr)"
    assert await (await start(server, tmp_path, code, is_quiet=is_quiet)).wait() == 0
    assert tuple(capfd.readouterr()) == ("" if is_quiet else "stopped\n", "a log\n")


async def test_programs_end_with_their_server_and_the_next_one_has_another_server(server, tmp_path):
    fork = await start(server, tmp_path, SLEEPS)
    process, parent = psutil.Process(fork.pid), psutil.Process(fork.pid).parent()
    assert parent is not None
    parent.kill()
    assert await fork.wait() == -signal.SIGTERM
    await until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    again = await start(server, tmp_path, "")
    assert await again.wait() == 0


async def test_a_program_that_nobody_waits_for_any_more_is_killed(server, tmp_path):
    await (await start(server, tmp_path, "")).wait()
    parent = psutil.Process(server._process.pid)
    starting = asyncio.create_task(start(server, tmp_path, SLEEPS))
    while not server._waiting:
        await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await until(lambda: not server._waiting and not server._running and parent.children() == [])


async def test_a_program_that_cannot_be_imported_for_fails_to_start(server, tmp_path):
    program = Program("host", "program", (sys.executable, "-m", "program"), 1.0, imports=("no_such_module",))
    with pytest.raises(ConnectionResetError):
        await server.start(program, {}, {}, signal.SIGKILL)
