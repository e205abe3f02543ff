"""Pages and files of a running host: what a request costs with many courses, beside few; time and memory of files."""

import sqlite3
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from bench.client import Load
from bench.comparison import ResultLine, cpu_ms, measure_alternately
from bench.processes import Site, site
from tests.support.databases import FILE

REQUESTS, ROUNDS, WARM_UP = 60, 3, 20
# P9 of docs/performance.md; a page whose data costs more says so.
MAX_PAGE, MAX_SEARCH = 1.2, 2.0
# A deadline would hide how long something takes.
SETTINGS = {"LIMITS": "off", "RENDER": "whole", "PAGE_CACHE": "off", "DATABASE_DEADLINE_MS": "60000"}
# A file of a million lines is read for minutes.
READ_S = 1_800.0


@dataclass(frozen=True)
class FileRead:
    """`mb`: as it came over the wire; `peak_mb`: the most memory that the host ever had, until then."""

    seconds: float
    mb: float
    peak_mb: float


def page_lines(small: Path, large: Path, courses: int, few: int) -> Iterator[ResultLine]:
    """Each line as soon as it is measured."""
    with site("few courses", small, **SETTINGS) as at_small, site("many courses", large, **SETTINGS) as at_large:
        for name, one in ((f"{few:,}", at_small), (f"{courses:,}", at_large)):
            yield from _after_change(one, name)
        for paths in _paths(few, courses):
            yield _page(at_small, at_large, *paths)


def _paths(few: int, courses: int) -> list[tuple[str, str, float]]:
    """Each entry names a page of the smaller shop, its like in the larger one, and how much more that may cost."""
    equal = {
        "/": MAX_PAGE,
        "/shop": MAX_PAGE,
        "/shop?category=growth-1": MAX_PAGE,
        "/shop?level=beginner&price=50-150": MAX_PAGE,
        "/shop?language=ja&duration=under-2h": MAX_PAGE,
        "/shop?sort=newest": MAX_PAGE,
        "/shop?sort=rating": MAX_PAGE,
        "/shop?sort=price-low": MAX_PAGE,
        "/shop?sort=price-high": MAX_PAGE,
        "/course-details?course=growth-1": MAX_PAGE,
        "/search?q=zebrafish": MAX_SEARCH,
        "/search?q=python+budget": MAX_SEARCH,
    }
    return [
        *((path, path, limit) for path, limit in equal.items()),
        (f"/shop?page={few // 48}", f"/shop?page={courses // 48}", MAX_PAGE),
        (f"/shop?page={few // 24}", f"/shop?page={courses // 24}", MAX_PAGE),
    ]


def _page(small: Site, large: Site, path: str, path_of_large: str, limit: float) -> ResultLine:
    at_small = measure_alternately([small], Load(0, path, REQUESTS), ROUNDS, WARM_UP)[0]
    at_large = measure_alternately([large], Load(0, path_of_large, REQUESTS), ROUNDS, WARM_UP)[0]
    figure, base = cpu_ms(at_large), cpu_ms(at_small)
    ratio = figure / base
    return ResultLine(
        "growth",
        f"{path_of_large}, CPU",
        f"<= {limit:.2f} x",
        f"{figure:.2f} ms",
        f"{base:.2f} ms",
        ratio,
        ratio <= limit,
    )


def _after_change(running: Site, name: str) -> list[ResultLine]:
    """The first /shop and the first home page after the catalogue has changed."""
    lines = []
    for path in ("/shop", "/"):
        before = running.cpu()
        with closing(sqlite3.connect(running.var_dir / FILE, timeout=60)) as connection, connection:
            connection.execute("UPDATE catalogue_version SET number = number + 1")
        # Longer than the host needs to notice.
        time.sleep(1.0)
        noticed = running.cpu()
        began = time.perf_counter()
        fetch_file(running, path)
        seconds, cpu = time.perf_counter() - began, running.cpu() - noticed
        text = f"{seconds * 1000:.0f} ms, CPU {cpu * 1000:.0f} ms, noticing it {(noticed - before) * 1000:.0f} ms"
        lines.append(ResultLine("growth", f"{path} after a change, {name} courses", "", text, "", None, None))
    return lines


def file_lines(folder: Path, name: str) -> list[ResultLine]:
    """Time and memory of sitemaps and product feed, by a host that was just started."""
    lines = []
    with site(name, folder, **SETTINGS) as running:
        started = peak_mb(running)
        lines.append(ResultLine("growth", f"host of {name}, started", "", f"peak {started:.0f} MB", "", None, None))
        index = fetch_file(running, "/sitemap.xml")
        lines.append(_file_line(f"sitemap index, {name}", index))
        began, total, slowest = time.perf_counter(), 0.0, 0.0
        paths = _files_of_index(running)
        for path in paths:
            one = fetch_file(running, path)
            total, slowest = total + one.mb, max(slowest, one.seconds)
        every = FileRead(time.perf_counter() - began, total, peak_mb(running))
        lines.append(_file_line(f"{len(paths)} sitemaps, the slowest {slowest * 1000:.0f} ms, {name}", every))
        feeds = ("/products.jsonl", "/products.jsonl?since=n0", "/products.csv")
        lines += [_file_line(f"{path}, {name}", fetch_file(running, path)) for path in feeds]
    return lines


def _file_line(what: str, read: FileRead) -> ResultLine:
    text = f"{read.seconds:.2f} s, {read.mb:.1f} MB, host at most {read.peak_mb:.0f} MB"
    return ResultLine("growth", what, "", text, "", None, None)


def _files_of_index(running: Site) -> list[str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/sitemap.xml", timeout=READ_S) as answer:
        tree = ElementTree.fromstring(answer.read())
    return ["/" + (element[0].text or "").split("/", 3)[3] for element in tree]


def fetch_file(running: Site, path: str) -> FileRead:
    """Reads an answer to its end, compressed. Raises an error for another status than 200."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{running.port}{path}", headers={"Accept-Encoding": "gzip", "User-Agent": "bench"}
    )
    began, size = time.perf_counter(), 0
    with urllib.request.urlopen(request, timeout=READ_S) as answer:
        while chunk := answer.read(1 << 20):
            size += len(chunk)
    return FileRead(time.perf_counter() - began, size / 2**20, peak_mb(running))


def peak_mb(running: Site) -> float:
    """The most memory that the host's process had since its start."""
    [pid] = running.pids_of("host")
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
