"""P10: a thousand course pages in turn, as many of items, and searches, with nothing rendered in the cache."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, measure_alternately
from bench.measured_database import CHOSEN
from bench.processes import Side, Site, pss_mb, site
from bench.references import node_mem
from bench.walks.catalogue import WalkedShop, walked_shop
from host.site_state import POLL_S

SIZE = 1_000
MAX_MB = 220
MAX_RATIO = 1.3


@dataclass(frozen=True)
class Walk:
    """All pages of a kind, one request each. `before`: what happens before each turn of host and reference."""

    what: str
    paths: Sequence[str]
    before: Callable[[], None] = lambda: None


def p10() -> list[ResultLine]:
    with walked_shop(SIZE) as shop:
        courses, items, searches = shop.course_addresses(), shop.item_addresses(), shop.search_addresses()
        settings = {"LIMITS": "off", "PAGE_CACHE": "off", **shop.settings}
        everything = [*courses, *items, *searches]
        with site("host", shop.folder, **settings) as ours, node_mem(ours, everything) as theirs:
            sides = (ours, theirs)
            return [
                _line(Walk(f"{SIZE:,} course pages in turn, CPU", courses), sides),
                _line(Walk("the same, each for the first time", courses, lambda: _change(shop)), sides),
                _line(Walk(f"{SIZE:,} pages of items in turn, CPU", items), sides),
                _line(Walk("the same, each for the first time", items, lambda: _change(shop)), sides),
                _line(Walk(f"{len(searches)} searches of two words in turn, CPU", searches), sides),
                _line(Walk("the same, each for the first time", searches, lambda: _change(shop)), sides),
                _memory(ours),
            ]


def _change(shop: WalkedShop) -> None:
    """After this the host has read no page's data yet."""
    shop.change_catalogue()
    time.sleep(2 * POLL_S)


def _line(walk: Walk, sides: tuple[Side, Side]) -> ResultLine:
    load = Load(0, " ".join(walk.paths), len(walk.paths))
    own, reference = measure_alternately(sides, load, warm_up_requests=len(walk.paths), before=walk.before)
    figure, base = cpu_ms(own), cpu_ms(reference)
    return compare(
        "P10", walk.what + CHOSEN.suffix, MAX_RATIO, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms node-mem")
    )


def _memory(ours: Site) -> ResultLine:
    used_mb = pss_mb(ours.pids())
    what = "host + one SSR worker afterwards"
    return ResultLine("P10", what, f"<= {MAX_MB} MB", f"{used_mb:.0f} MB", "", None, used_mb <= MAX_MB)
