"""P4: a kept page beside a handler that returns the same bytes. P5: what the first view of /shop weighs."""

import json
from http.client import HTTPConnection

from bench.client import Load
from bench.comparing import Line, Turn, against, cpu_ms, in_turns
from bench.processes import ROOT, Site, site, wait_until
from bench.references import aiohttp_bytes
from host.page_cache import SENT_OFTEN

REQUESTS = 4000
SHOP = "/shop"


def p4() -> list[Line]:
    with site("host", LIMITS="off", PAGE_CACHE="on") as ours, aiohttp_bytes(ours, SHOP) as theirs:
        own, reference = in_turns((ours.only("host"), theirs), Load(0, SHOP, REQUESTS), warm=2000)
    figure, base = cpu_ms(own), cpu_ms(reference)
    rate, base_rate = _rate(own), _rate(reference)
    ratio = rate / base_rate
    return [
        against("P4", "/shop kept, CPU", 1.35, (figure, f"{figure:.3f} ms"), (base, f"{base:.3f} ms aiohttp-bytes")),
        Line(
            "P4", "/shop kept", ">= 0.75 x", f"{rate:,.0f}/s", f"{base_rate:,.0f}/s aiohttp-bytes", ratio, ratio >= 0.75
        ),
    ]


def _rate(turns: list[Turn]) -> float:
    return max(REQUESTS / turn.seen.seconds for turn in turns)


def p5() -> list[Line]:
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


def _sizes(ours: Site) -> tuple[int, int]:
    """Bytes of the page as it is and as it goes out once it has been asked for often, and was packed well for that."""
    raw = len(_asked(ours, "identity"))
    first = len(_asked(ours, "br"))
    for _ in range(SENT_OFTEN):
        _asked(ours, "br")
    wait_until(lambda: len(_asked(ours, "br")) < first, "a smaller page")
    return raw, len(_asked(ours, "br"))


def _asked(ours: Site, coding: str) -> bytes:
    line = HTTPConnection("127.0.0.1", ours.port, timeout=5)
    try:
        line.request("GET", SHOP, headers={"Accept-Encoding": coding})
        return line.getresponse().read()
    finally:
        line.close()


def _scripts() -> list[str]:
    files: list[str] = json.loads((ROOT / "static/dist/assets.json").read_text())["preload"]["shop"]
    return files


def _weight(what: str, size: int, most: int) -> Line:
    return Line("P5", what, f"<= {most // 1024} KB", f"{size / 1024:.1f} KB", "", None, size <= most)
