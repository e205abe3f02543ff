"""What a run watches beside the answers: memory of each kind of process, the machine's load, and every line of the log
with its time."""

import asyncio
import contextlib
import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

import psutil

from bench.processes import pss_mb
from tests.support.faults.answers import Window
from tests.support.site import Site

MEMORY_EVERY_S, LINES_EVERY_S = 5.0, 0.5
KINDS = ("host", "ssr", "worker", "redis", "standins")
# The processes of the product, of which the memory must stay flat. The stand-ins remember every charge.
JUDGED = ("host", "ssr", "worker")
MAX_GROWTH = 1.05
# A part that was away is complained about until its users have found it again.
COMPLAINED_S = 20.0
# What is no complaint: no line of the log, or one of INFO.
_PLAIN = re.compile(r"^\S+Z (?:INFO|DEBUG) ")
_LOGGED = re.compile(r"^\S+Z (?:WARNING|ERROR|CRITICAL) |^Traceback|exited with status")


@dataclass
class Watched:
    """`memory`: (seconds since the beginning, kind -> MB); `lines`: (time.monotonic(), line)."""

    began: float = field(default_factory=time.monotonic)
    memory: list[tuple[float, dict[str, float]]] = field(default_factory=list)
    lines: list[tuple[float, str]] = field(default_factory=list)
    # The machine's, with whatever else runs on it.
    loads: list[float] = field(default_factory=list)

    async def watch_memory(self, site: Site) -> None:
        """Until it is cancelled."""
        while True:
            self.loads.append(os.getloadavg()[0])
            with contextlib.suppress(psutil.Error, OSError, KeyError):
                found = await asyncio.to_thread(lambda: {kind: pss_mb(site.pids()[kind]) for kind in KINDS})
                # A kind that was just killed has no process.
                if all(found.values()):
                    self.memory.append((time.monotonic() - self.began, found))
            await asyncio.sleep(MEMORY_EVERY_S)

    async def watch_lines(self, site: Site) -> None:
        """Until it is cancelled."""
        read = len(site.lines)
        while True:
            now, new = time.monotonic(), site.lines[read:]
            self.lines += [(now, line) for line in new]
            read += len(new)
            await asyncio.sleep(LINES_EVERY_S)

    def unexpected_lines(self, windows: Iterable[Window]) -> list[str]:
        """Complaints that no fault explains."""
        known = list(windows)
        return [
            line[:300]
            for at, line in self.lines
            if _LOGGED.search(line) and not any(window.began <= at <= window.ended + COMPLAINED_S for window in known)
        ]

    def growth(self) -> float:
        """How much the product takes in the last third of the run, as a multiple of the second."""
        third = len(self.memory) // 3
        middle, last = self.memory[third : 2 * third], self.memory[2 * third :]
        if not middle:
            return 1.0
        return median(map(_judged_mb, last)) / median(map(_judged_mb, middle))

    def median_load(self) -> float:
        return median(self.loads) if self.loads else 0.0

    def median_mb(self, kind: str) -> float:
        return median(found[kind] for _, found in self.memory) if self.memory else 0.0


def _judged_mb(sample: tuple[float, dict[str, float]]) -> float:
    return sum(sample[1][kind] for kind in JUDGED)
