"""Every response of a run, and whether it was in time and one that the fault of its moment allows."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

import aiohttp

from tests.support.faults.pages import quantiles

# Seconds within which each kind of request is answered. A visitor waits 2 s for the database, and 3 s for a renderer
# that is silent; the rest is for this machine, on which load and shop share two cores.
DEADLINES_S = {"page": 4.0, "search": 4.0, "visit": 4.0, "call": 4.0, "order": 6.0, "staff": 6.0, "report": 10.0}
# A shop that is just busy may refuse work before it accepts it, and says when to come again.
HONEST = frozenset({429, 503})
# What a client that stops waiting has waited for.
TIMEOUT = aiohttp.ClientTimeout(total=60)


class Answer(NamedTuple):
    """`status`: 0 where the connection broke. `flaw`: what is wrong with the contents of a page."""

    kind: str
    about: str
    began: float
    took_s: float
    status: int
    flaw: str = ""


@dataclass
class Window:
    """A fault, from its beginning until its part had time to recover. `stalled_s`: how long it may hold up any answer
    beyond its deadline. `breaks`: whether it breaks connections. Times are those of time.monotonic()."""

    name: str
    began: float
    stalled_s: float = 0.0
    breaks: bool = False
    recovers_s: float = 10.0
    ended: float = float("inf")

    def meets(self, began: float, ended: float) -> bool:
        return began < self.ended + self.recovers_s and ended > self.began


@dataclass
class Answers:
    """What was answered, and the faults meanwhile."""

    began: float = field(default_factory=time.monotonic)
    all: list[Answer] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)

    @contextmanager
    def window(self, window: Window) -> Iterator[None]:
        """A fault that lasts as long as the block."""
        self.windows.append(window)
        try:
            yield
        finally:
            window.ended = time.monotonic()

    def timer(self, kind: str) -> aiohttp.TraceConfig:
        """For a client whose requests are of this kind, unless `trace_request_ctx` says another."""
        timer = aiohttp.TraceConfig()

        async def begin(_http: aiohttp.ClientSession, context: SimpleNamespace, _about: object) -> None:
            context.began = time.monotonic()

        async def end(
            _http: aiohttp.ClientSession, context: SimpleNamespace, about: aiohttp.TraceRequestEndParams
        ) -> None:
            took = time.monotonic() - context.began
            name = context.trace_request_ctx or kind
            self.all.append(
                Answer(name, f"{about.method} {about.url.path}", context.began, took, about.response.status)
            )

        async def broken(
            _http: aiohttp.ClientSession, context: SimpleNamespace, about: aiohttp.TraceRequestExceptionParams
        ) -> None:
            # The client went away at the end of the run.
            if isinstance(about.exception, asyncio.CancelledError):
                return
            took = time.monotonic() - context.began
            name, path = context.trace_request_ctx or kind, f"{about.method} {about.url.path}"
            self.all.append(Answer(name, path, context.began, took, 0, type(about.exception).__name__))

        timer.on_request_start.append(begin)
        timer.on_request_end.append(end)
        timer.on_request_exception.append(broken)
        return timer

    def add_flaw(self, path: str, began: float, flaw: str) -> None:
        self.all.append(Answer("page", path, began, time.monotonic() - began, 200, flaw))

    def wrong(self) -> list[str]:
        """What nobody should have got, each with its number, the most frequent first."""
        found = Counter(text for answer in self.all if (text := self._wrong(answer)))
        return [f"{number} x {text}" for text, number in found.most_common()]

    def _wrong(self, answer: Answer) -> str:
        ended = answer.began + answer.took_s
        windows = [window for window in self.windows if window.meets(answer.began, ended)]
        names = ", ".join(window.name for window in windows) or "no fault"
        where = f"{answer.kind} {answer.about} ({names})"
        if not answer.status:
            return "" if any(window.breaks for window in windows) else f"{where}: {answer.flaw}"
        if answer.flaw:
            return f"{where}: {answer.flaw}"
        if answer.status in HONEST:
            return "" if windows else f"{where}: status {answer.status}"
        if answer.status >= 400:
            return f"{where}: status {answer.status}"
        late_s = answer.took_s - DEADLINES_S[answer.kind] - sum(window.stalled_s for window in windows)
        return f"{where}: late" if late_s > 0 else ""

    def rows(self) -> list[tuple[str, ...]]:
        """For each kind: its name, how many, refused in time, without a response, median, 95th and most, in ms."""
        return [_row(kind, [answer for answer in self.all if answer.kind == kind]) for kind in sorted(self.kinds())]

    def kinds(self) -> set[str]:
        return {answer.kind for answer in self.all}


def _row(kind: str, answers: Iterable[Answer]) -> tuple[str, ...]:
    found = list(answers)
    refused = sum(answer.status in HONEST for answer in found)
    broken = sum(not answer.status for answer in found)
    times = [
        f"{value * 1000:,.0f}" for value in quantiles([answer.took_s for answer in found if answer.status] or [0.0])
    ]
    return (kind, f"{len(found):,}", f"{refused:,}", f"{broken:,}", *times, f"{DEADLINES_S[kind]:g}")
