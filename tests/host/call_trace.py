"""Which functions of this repository one request runs through, found with sys.setprofile."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

from config.settings import ROOT

# What a request enters first; tasks that it starts inherit the mark.
ENTRANCE = "host/http/middlewares.py:access_log"
# And one that is answered where it is read.
READ_ENTRANCE = "host/http/server.py:GuardedHandler.data_received"
_IS_TRACED: ContextVar[bool] = ContextVar("is_traced", default=False)
_NOT_PRODUCT = {"tests", ".venv", "node_modules"}


class CallTrace:
    """`calls`: every function entered, in order, once per call; `chain`: those below which an end was reached."""

    def __init__(self, ends: set[str], entrance: str):
        self._ends, self._entrance = ends, entrance
        self._frames: list[FrameType] = []
        self._seen: set[FrameType] = set()
        self.calls: list[str] = []
        self.chain: dict[str, None] = {}

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        if event != "call" or (name := _name_of(frame)) is None:
            return
        if name == self._entrance:
            _IS_TRACED.set(True)
        # A coroutine's frame is entered again after each wait: one call.
        if not _IS_TRACED.get() or frame in self._seen:
            return
        self._seen.add(frame)
        self.calls.append(name)
        if name in self._ends:
            self.chain |= dict.fromkeys(reversed(list(_stack(frame))))

    @property
    def files(self) -> set[str]:
        return {name.partition(":")[0] for name in self.calls}


def _stack(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        name = _name_of(frame)
        if name is not None:
            yield name
        frame = frame.f_back


def _name_of(frame: FrameType) -> str | None:
    """`file:function` of this repository's product code; None for other code and for comprehensions."""
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(ROOT) or frame.f_code.co_name.endswith(("comp>", "genexpr>")):
        return None
    relative = path.relative_to(ROOT)
    if relative.parts[0] in _NOT_PRODUCT:
        return None
    return f"{relative}:{frame.f_code.co_qualname}"


@contextmanager
def traced(*ends: str, entrance: str = ENTRANCE) -> Iterator[CallTrace]:
    """Trace requests from `entrance` until the block ends. Functions run by other threads are not seen."""
    trace = CallTrace(set(ends), entrance)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
