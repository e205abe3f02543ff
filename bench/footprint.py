"""P8: memory under load, and how long a start takes."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.client import Load, visit
from bench.comparing import Line
from bench.processes import ROOT, fetch, free_port, pss_mb, site, started, wait_until

REQUESTS = 3000


def p8() -> list[Line]:
    warm_caches()
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        first = _start(Path(folder))
        second = _start(Path(folder))
    return [*_memory(), *_lines("first start", *first), *_lines("second start", *second)]


def _memory() -> list[Line]:
    with site("host", LIMITS="off", PAGE_CACHE="off") as ours:
        for path in ("/shop", "/", "/shop?page=2"):
            visit(Load(ours.port, path, REQUESTS // 3))
        used = pss_mb(ours.pids())
    return [Line("P8", "host + one SSR worker under load", "<= 220 MB", f"{used:.0f} MB", "", None, used <= 220)]


def _start(folder: Path) -> tuple[float, float]:
    """Seconds to the first page and to the ready line with every part up. The second of two finds its records made."""
    port = free_port()
    environment = {"PORT": str(port), "VAR_DIR": str(folder)}
    began = time.perf_counter()
    with started([sys.executable, "-m", "host", "serve"], environment):
        wait_until(lambda: b'id="root"' in fetch(port, "/shop"), "the first page")
        page = time.perf_counter() - began
        wait_until(lambda: b'"degraded": []' in fetch(port, "/readyz"), "everything up")
        return page, time.perf_counter() - began


def _lines(what: str, page: float, everything: float) -> list[Line]:
    return [
        Line("P8", f"{what}: first page", "<= 2 s", f"{page:.2f} s", "", None, page <= 2),
        Line("P8", f"{what}: everything up", "<= 5 s", f"{everything:.2f} s", "", None, everything <= 5),
    ]


def warm_caches() -> None:
    """Byte code and disk caches: set-up is done before a start is timed."""
    subprocess.run([sys.executable, "-c", "import host.app, workers.app"], cwd=ROOT, check=True)
