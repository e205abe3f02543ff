"""Child processes that do jobs of tests and may be killed: one process imports once what the jobs need, and forks a
child for each (`python -m tests.support.children`).

A job is a function of a test module with arguments that JSON can hold. A function `prepare` of that module runs once
before all its jobs. What a job prints goes to the errors of the run, unless the test talks to it (`Children.talk`):
then its standard input and output lead to the test.
"""

import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from config.settings import ROOT
from tests.support.waiting import LIMIT_S

Job = Callable[..., object]


class Children:
    """The process that forks the children."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.support.children"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._running: set[int] = set()

    def run(self, job: Job, **arguments: Any) -> int:
        """The exit code of a child that did the job, or minus the signal that ended it."""
        return self.wait(self.start(job, **arguments))

    def start(self, job: Job, environment: dict[str, str] | None = None, **arguments: Any) -> int:
        """Begin the job in a child, and return its process id."""
        return self._start(job, arguments, environment=environment or {})

    def talk(self, job: Job, **arguments: Any) -> "Talk":
        """Begin the job in a child to whose standard input and output the test is connected."""
        with socket.socket(socket.AF_UNIX) as listener:
            # The system chooses an abstract name.
            listener.bind("")
            listener.listen()
            pid = self._start(job, arguments, line=listener.getsockname().decode("ascii"))
            listener.settimeout(LIMIT_S)
            return Talk(self, pid, listener.accept()[0])

    def wait(self, pid: int) -> int:
        """The exit code of a child once it has ended, or minus the signal that ended it."""
        self._running.discard(pid)
        return self._tell({"wait": pid})

    def kill(self, pid: int) -> None:
        """Kill a child, unless it has been waited for already."""
        if pid in self._running:
            os.kill(pid, signal.SIGKILL)
            self.wait(pid)

    def end(self) -> None:
        self._process.communicate(timeout=LIMIT_S)
        assert self._process.returncode == 0

    def _start(self, job: Job, arguments: dict[str, Any], **about: Any) -> int:
        pid = self._tell({"job": [job.__module__, job.__qualname__], "arguments": arguments, **about})
        self._running.add(pid)
        return pid

    def _tell(self, command: dict[str, Any]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(command)}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


class Talk:
    """A child that answers in lines."""

    def __init__(self, children: Children, pid: int, line: socket.socket):
        self._children, self.pid = children, pid
        line.settimeout(LIMIT_S)
        self._line, self._file = line, line.makefile("rw")

    def tell(self, line: str) -> None:
        self._file.write(f"{line}\n")
        self._file.flush()

    def read(self) -> str:
        return self._file.readline().rstrip("\n")

    def end(self) -> int:
        """Close the child's input, and return its exit code once it has ended."""
        self._line.shutdown(socket.SHUT_WR)
        code = self._children.wait(self.pid)
        self._file.close()
        self._line.close()
        return code


def _do(command: dict[str, Any]) -> None:
    module, name = command["job"]
    os.environ.update(command.get("environment", {}))
    # Standard output leads to the process of the tests, which reads codes from it.
    os.dup2(2, 1)
    source = os.open(os.devnull, os.O_RDONLY)
    if address := command.get("line"):
        line = socket.socket(socket.AF_UNIX)
        line.connect(address.encode("ascii"))
        source = line.detach()
        os.dup2(source, 1)
    os.dup2(source, 0)
    os.close(source)
    sys.stdin, sys.stdout = _standard(0, "r"), _standard(1, "w")
    getattr(sys.modules[module], name)(**command["arguments"])
    sys.stdout.flush()


def _standard(descriptor: int, mode: str) -> TextIO:
    return open(descriptor, mode, encoding="utf-8", closefd=False)


def _fork(command: dict[str, Any]) -> int:
    # In this process, so that the next child need not import it.
    name = command["job"][0]
    if name not in sys.modules:
        module = importlib.import_module(name)
        getattr(module, "prepare", lambda: None)()
    child = os.fork()
    if not child:
        code = 1
        try:
            _do(command)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def main() -> None:
    while line := sys.stdin.readline():
        command = json.loads(line)
        if pid := command.get("wait"):
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        else:
            print(_fork(command), flush=True)
    # Nothing is left to do: taking all modules apart would take longer than many a job.
    os._exit(0)


if __name__ == "__main__":
    main()
