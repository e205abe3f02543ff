"""Lists of staff, reconciliation and the export of documents with many orders and visits, beside few."""

from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.client import Load, run_load
from bench.comparison import ResultLine, compare
from bench.growth.pages import SETTINGS
from bench.processes import Site, site
from bench.selling import many_orders
from bench.staff.areas import staff_cookie
from domain.routes import area_pages
from host import features
from host.loaders.areas.area_list import LISTS

REQUESTS, ROUNDS = 10, 3
# How much more a list may cost with many rows, and an order that is reconciled or exported among many.
MAX_LIST, MAX_ORDER = 2.0, 1.2
# Pages of the area of staff that are no list and read what grows.
FURTHER = ("/data/admin", "/data/admin/orders?q=nobody", "/data/admin/courses?q=nobody")


def staff_lines(small: Path, large: Path) -> list[ResultLine]:
    """What costs most first."""
    features.import_all()
    with site("few", small, **SETTINGS) as few, site("many", large, **SETTINGS) as many:
        cookies = {few: staff_cookie(few.var_dir), many: staff_cookie(many.var_dir)}
        paths = [f"/data{page.path}" for page in area_pages() if page.id in LISTS and page.path.startswith("/admin")]
        lines = [_list(few, many, path, cookies) for path in (*FURTHER, *paths)]
    return sorted(lines, key=lambda line: -(line.ratio or 0.0))


def _list(few: Site, many: Site, path: str, cookies: dict[Site, str]) -> ResultLine:
    figure, base = (_cpu_ms(running, path, cookies[running]) for running in (many, few))
    return compare("growth", f"{path}, CPU", MAX_LIST, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms"))


def _cpu_ms(running: Site, path: str, cookie: str) -> float:
    load = Load(running.port, path, REQUESTS, concurrency=1, cookie=cookie)
    run_load(replace(load, requests=2))
    costs = []
    for _ in range(ROUNDS):
        before = running.cpu()
        run_load(load)
        costs.append((running.cpu() - before) * 1000 / REQUESTS)
    return median(costs)


def order_lines(small: Path, large: Path, orders: int, few: int) -> list[ResultLine]:
    """Each is a process of its own; of few orders the median of three."""
    runs = [many_orders.run(small, few) for _ in range(3)]
    many = many_orders.run(large, orders)
    peak = median(run.peak_mb for run in runs)
    memory = f"{many.peak_mb:.0f} MB"
    return [
        _per_order("reconciled", many.reconcile_us, median(run.reconcile_us for run in runs)),
        _per_order("exported", many.export_us, median(run.export_us for run in runs)),
        ResultLine("growth", "memory of both", "", memory, f"{peak:.0f} MB", many.peak_mb / peak, None),
    ]


def _per_order(what: str, many: float, few: float) -> ResultLine:
    return compare("growth", f"an order {what}, CPU", MAX_ORDER, (many, f"{many:.0f} us"), (few, f"{few:.0f} us"))
