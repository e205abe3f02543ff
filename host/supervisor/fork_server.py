"""`python -m host.supervisor.fork_server DESCRIPTOR`: starts programs in Python as forks of itself, as the supervisor
asks on the socket with this number.

It imports what they need once: a program starts, and starts again, without the seconds of its imports, and memory that
programs only read exists once. It has no threads, no event loop and no settings.

One packet is one message in JSON (`forks` writes and reads them): a `Request` with its descriptors; as answers
{"started": pid} and, later, {"ended": pid, "status": as of `os.waitstatus_to_exitcode`}. It ends when the supervisor
closes the socket; the kernel ends its programs with it (`death_signal`).
"""

import contextlib
import ctypes
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from dataclasses import asdict, dataclass
from importlib import import_module

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
# Linux takes packets of up to 200 KB; the environment is most of one.
PACKET_BYTES = 256 * 1024
MOST_DESCRIPTORS = 8
# Python's allocator serves objects of up to 512 bytes by size, in steps of 16; of each size this much is filled.
SMALL_BYTES, STEP_BYTES, FILLED_BYTES = 512, 16, 64 * 1024


@dataclass(frozen=True)
class Request:
    """A program to start: `module` with `arguments`, as `python -m` does, after `imports` are imported. `name`: what
    `top` shows. `descriptors`: the environment variables that name the descriptors of the packet, in their order.
    `death_signal`: what it gets when this process ends. `is_quiet`: its standard output is dropped."""

    name: str
    module: str
    arguments: list[str]
    imports: list[str]
    environment: dict[str, str]
    descriptors: list[str]
    death_signal: int
    is_quiet: bool

    def packet(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def main() -> None:
    """Serve; in each fork, become the program that was asked for."""
    request = _serve(socket.socket(fileno=int(sys.argv[1])))
    if request is None:
        return
    sys.argv = [request.module, *request.arguments]
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


def set_death_signal(number: int) -> None:
    """This process gets the signal when the one that started it ends. Linux only."""
    _set(_PR_SET_PDEATHSIG, number)


def _set(option: int, value: int | bytes) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value)


def _serve(connection: socket.socket) -> Request | None:
    """In a fork the request that it is for; None when the supervisor has closed the connection or has ended."""
    # Objects of modules live as long as the process.
    gc.disable()
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    # Without a handler the number of the signal is not written.
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno())
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if woken in ready:
                with contextlib.suppress(BlockingIOError):
                    woken.recv(4096)
                _report_ends(connection)
            if connection in ready:
                request, descriptors = _receive(connection)
                if request is None or _start(connection, request, descriptors):
                    break
    for end in (connection, woken, wake):
        end.close()
    return request


def _receive(connection: socket.socket) -> tuple[Request | None, list[int]]:
    packet, descriptors, _, _ = socket.recv_fds(connection, PACKET_BYTES, MOST_DESCRIPTORS)
    return (Request(**json.loads(packet)) if packet else None), descriptors


def _start(connection: socket.socket, request: Request, descriptors: list[int]) -> bool:
    """Fork; whether this is the fork."""
    known = len(sys.modules)
    for name in request.imports:
        import_module(name)
    if len(sys.modules) > known:
        # A collection in a fork would write to every page of memory that it shares.
        gc.collect()
        _FILLING.append(fill_gaps())
        gc.freeze()
    supervised_by = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become(request, descriptors, supervised_by)
        return True
    for descriptor in descriptors:
        os.close(descriptor)
    _answer(connection, {"started": pid})
    return False


_FILLING: list[list[object]] = []


def fill_gaps() -> list[object]:
    """Objects in the gaps between those of modules, as long as the list lives. Imports leave less than a megabyte of
    gaps, but over thousands of pages: a fork puts its first objects there, and so gets a copy of each page."""
    empty = sys.getsizeof(b"")
    filling: list[object] = [object() for _ in range(FILLED_BYTES // STEP_BYTES)]
    # Numbers of this length take 28 bytes, which bytes cannot be as short as.
    filling += range(10**6, 10**6 + FILLED_BYTES // (2 * STEP_BYTES))
    for size in range(3 * STEP_BYTES, SMALL_BYTES + 1, STEP_BYTES):
        filling += [bytes(size - empty) for _ in range(FILLED_BYTES // size)]
    return filling


def _become(request: Request, descriptors: list[int], parent: int) -> None:
    """The state of a process that was started anew."""
    # Ctrl-C must reach only the supervisor, which stops the programs in order.
    os.setsid()
    set_death_signal(request.death_signal)
    if os.getppid() != parent:
        os._exit(0)
    _set(_PR_SET_NAME, request.name.encode())
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(request.environment)
    os.environ.update({name: str(number) for name, number in zip(request.descriptors, descriptors, strict=True)})
    if request.is_quiet:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    gc.enable()


def _report_ends(connection: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        _answer(connection, {"ended": pid, "status": os.waitstatus_to_exitcode(status)})


def _answer(connection: socket.socket, message: dict[str, int]) -> None:
    # A supervisor that has ended reads nothing more.
    with contextlib.suppress(OSError):
        connection.send(json.dumps(message).encode())


if __name__ == "__main__":
    main()
