"""P8: memory under load, and the duration of a start."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.client import Load, run_load
from bench.comparison import ResultLine
from bench.processes import ROOT, fetch, pss_mb, run_process, site, wait_until
from tests.support.servers import free_port

REQUESTS = 3000


def p8() -> list[ResultLine]:
    warm_caches()
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        first = _start(Path(folder))
        second = _start(Path(folder))
    return [*_memory(), *_lines("first start", *first), *_lines("second start", *second)]


def _memory() -> list[ResultLine]:
    with site("host", LIMITS="off", PAGE_CACHE="off") as running_site:
        for path in ("/shop", "/", "/shop?page=2"):
            run_load(Load(running_site.port, path, REQUESTS // 3))
        used_mb = pss_mb(running_site.pids())
    return [
        ResultLine("P8", "host + one SSR worker under load", "<= 220 MB", f"{used_mb:.0f} MB", "", None, used_mb <= 220)
    ]


def _start(folder: Path) -> tuple[float, float]:
    """Seconds to the first page, and until every part is up. A second start finds its database filled."""
    port = free_port()
    environment = {"PORT": str(port), "VAR_DIR": str(folder)}
    began = time.perf_counter()
    with run_process([sys.executable, "-m", "host", "serve"], environment):
        wait_until(lambda: b'id="root"' in fetch(port, "/shop"), "the first page")
        page = time.perf_counter() - began
        wait_until(lambda: b'"degraded": []' in fetch(port, "/readyz"), "everything up")
        return page, time.perf_counter() - began


def _lines(what: str, page: float, everything: float) -> list[ResultLine]:
    return [
        ResultLine("P8", f"{what}: first page", "<= 2 s", f"{page:.2f} s", "", None, page <= 2),
        ResultLine("P8", f"{what}: everything up", "<= 5 s", f"{everything:.2f} s", "", None, everything <= 5),
    ]


def warm_caches() -> None:
    """Fills the caches of byte code and disk before a start is timed."""
    subprocess.run([sys.executable, "-c", "import host.app, workers.app"], cwd=ROOT, check=True)
