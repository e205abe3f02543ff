"""P4: a cached page compared with a handler that returns the same bytes. P5: the bytes of a first view of /shop."""

import json
from dataclasses import replace
from http.client import HTTPConnection

from bench.client import Load, run_load
from bench.comparison import ResultLine, Turn, compare, cpu_ms, measure_alternately
from bench.pages import course_url
from bench.processes import ROOT, Site, site, wait_until
from bench.references import aiohttp_bytes
from host.page_cache.memory import RECOMPRESS_AFTER_HITS

REQUESTS, WARM_UP = 4000, 2000
# What browsers offer.
ENCODINGS = "gzip, deflate, br, zstd"
SHOP = "/shop"


def p4() -> list[ResultLine]:
    """Without and with compression, which both sides have done before."""
    with site("host", LIMITS="off", PAGE_CACHE="on") as ours:
        course = course_url(ours)
        return [
            *_cached(ours, "/shop", SHOP, 1.25, "identity"),
            *_cached(ours, "/shop, encoded", SHOP, 1.25, ENCODINGS),
            *_cached(ours, "/course-details", course, 1.35, "identity"),
            *_cached(ours, "/course-details, encoded", course, 1.35, ENCODINGS),
        ]


def _cached(ours: Site, what: str, path: str, limit: float, encoding: str) -> list[ResultLine]:
    load = Load(0, path, REQUESTS, encoding=encoding)
    # Before the reference takes the page, the host has compressed it as far as it will.
    run_load(replace(load, port=ours.port, requests=WARM_UP))
    with aiohttp_bytes(ours.port, path, encoding) as theirs:
        sides = (ours.process_group("host"), theirs)
        own, reference = measure_alternately(sides, load, warm_up_requests=WARM_UP)
    figure, base = cpu_ms(own), cpu_ms(reference)
    rate, base_rate = _rate(own), _rate(reference)
    rates = (f"{rate:,.0f}/s", f"{base_rate:,.0f}/s aiohttp-bytes")
    costs = (figure, f"{figure:.3f} ms"), (base, f"{base:.3f} ms aiohttp-bytes")
    return [
        compare("P4", f"{what} cached, CPU", limit, *costs),
        ResultLine("P4", f"{what} cached", ">= 0.75 x", *rates, rate / base_rate, rate / base_rate >= 0.75),
    ]


def _rate(turns: list[Turn]) -> float:
    return max(REQUESTS / turn.seen.seconds for turn in turns)


def p5() -> list[ResultLine]:
    with site("host", LIMITS="off") as ours:
        raw, packed = _sizes(ours)
    script = sum(
        (ROOT / name.lstrip("/")).with_name(name.rpartition("/")[2] + ".br").stat().st_size for name in _scripts()
    )
    return [
        _weight("JavaScript of /shop, brotli", script, 80 * 1024),
        _weight("HTML of /shop, raw", raw, 60 * 1024),
        _weight("HTML of /shop as a browser gets it", packed, 8 * 1024),
    ]


def _sizes(running_site: Site) -> tuple[int, int]:
    """Bytes of the page uncompressed, and compressed after enough requests for the recompression."""
    raw = len(_get(running_site, "identity"))
    first = len(_get(running_site, "br"))
    for _ in range(RECOMPRESS_AFTER_HITS):
        _get(running_site, "br")
    wait_until(lambda: len(_get(running_site, "br")) < first, "a smaller page")
    return raw, len(_get(running_site, "br"))


def _get(running_site: Site, coding: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", running_site.port, timeout=5)
    try:
        connection.request("GET", SHOP, headers={"Accept-Encoding": coding})
        return connection.getresponse().read()
    finally:
        connection.close()


def _scripts() -> list[str]:
    files: list[str] = json.loads((ROOT / "static/dist/assets.json").read_text())["preload"]["shop"]
    return files


def _weight(what: str, size: int, limit: int) -> ResultLine:
    return ResultLine("P5", what, f"<= {limit // 1024} KB", f"{size / 1024:.1f} KB", "", None, size <= limit)
