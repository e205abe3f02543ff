"""P8: memory under load, the duration of a start, and the memory of everything that `scripts/run` starts."""

import collections
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.client import Load, run_load
from bench.comparison import ResultLine
from bench.processes import ROOT, fetch, pss_mb, run_process, site, trees, wait_until
from tests.support.servers import free_port

REQUESTS = 3000
# Both workers have stored and computed by then what they do after a start.
IDLE_S = 45.0
PAGES = ("/", "/shop", "/shop?page=2", "/search?q=tax", "/openapi.json", "/sitemap.xml", "/cart")


def p8() -> list[ResultLine]:
    warm_caches()
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        first = _start(Path(folder))
        second = _start(Path(folder))
        whole = _whole(Path(folder))
    return [*_memory(), *_lines("first start", *first), *_lines("second start", *second), *whole]


def _memory() -> list[ResultLine]:
    with site("host", LIMITS="off", PAGE_CACHE="off") as running_site:
        for path in ("/shop", "/", "/shop?page=2"):
            run_load(Load(running_site.port, path, REQUESTS // 3))
        used_mb = pss_mb(running_site.pids())
    return [
        ResultLine("P8", "host + one SSR worker under load", "<= 220 MB", f"{used_mb:.0f} MB", "", None, used_mb <= 220)
    ]


@contextmanager
def _served(folder: Path) -> Iterator[tuple[int, int, float]]:
    """What `scripts/run` starts, with the settings of a first try: its port, the supervisor's process id and the
    seconds to the first page."""
    port = free_port()
    environment = {"PORT": str(port), "VAR_DIR": str(folder)}
    began = time.perf_counter()
    with run_process([sys.executable, "-m", "host", "serve"], environment) as supervisor:
        wait_until(lambda: b'id="root"' in fetch(port, "/shop"), "the first page")
        yield port, supervisor.pid, time.perf_counter() - began


def _start(folder: Path) -> tuple[float, float]:
    """Seconds to the first page, and until every part is up. A second start finds its database filled."""
    began = time.perf_counter()
    with _served(folder) as (port, _, page):
        wait_until(lambda: b'"degraded": []' in fetch(port, "/readyz"), "everything up")
        return page, time.perf_counter() - began


def _whole(folder: Path) -> list[ResultLine]:
    """Memory of all processes of a site that nobody visits, and of the same after some thousand pages."""
    with _served(folder) as (port, pid, _):
        wait_until(lambda: len(_workers(folder)) == 2, "the worker for long work")
        time.sleep(IDLE_S)
        parts, idle = _by_program(pid), pss_mb([pid])
        for path in PAGES:
            run_load(Load(port, path, REQUESTS // 3))
        time.sleep(IDLE_S)
        used = pss_mb([pid])
    texts = ", ".join(f"{name} {mb:.0f}" for name, mb in parts.items())
    grown = used / idle
    return [
        ResultLine("P8", "everything, idle (PSS)", "<= 330 MiB", f"{idle:.0f} MiB", texts, None, idle <= 330),
        ResultLine(
            "P8",
            f"the same after {len(PAGES) * (REQUESTS // 3):,} pages",
            "<= 1.05 x",
            f"{used:.0f} MiB",
            "idle",
            grown,
            grown <= 1.05,
        ),
    ]


def _workers(folder: Path) -> list[int]:
    pids: dict[str, list[int]] = json.loads((folder / "pids.json").read_text())
    return pids["worker"]


def _by_program(pid: int) -> dict[str, float]:
    """MiB (PSS) by the name that `top` shows. The first of those called python is the supervisor, the other the fork
    server."""
    found: collections.Counter[str] = collections.Counter()
    for process in trees([pid]):
        found[process.name()] += process.memory_full_info().pss / 2**20
    return dict(found.most_common())


def _lines(what: str, page: float, everything: float) -> list[ResultLine]:
    return [
        ResultLine("P8", f"{what}: first page", "<= 2 s", f"{page:.2f} s", "", None, page <= 2),
        ResultLine("P8", f"{what}: everything up", "<= 5 s", f"{everything:.2f} s", "", None, everything <= 5),
    ]


def warm_caches() -> None:
    """Fills the caches of byte code and disk before a start is timed."""
    subprocess.run([sys.executable, "-c", "import host.app, workers.app"], cwd=ROOT, check=True)
