"""L1 to L3: what the dashboard and a lesson cost as data, and how large a document is."""

from bench.client import run_load
from bench.comparison import ResultLine, compare, cpu_ms, measure_loads
from bench.learning.school import FEW, MANY, School, school
from bench.measured_database import CHOSEN

DASHBOARD, SHOP = "/data/user-dashboard", "/data/shop"
REQUESTS, WARM_UP = 300, 200
MAX_DOCUMENT_KB = 60.0


def l1() -> list[ResultLine]:
    with school(MANY) as many:
        loads = [(many.host, many.page(path, REQUESTS)) for path in (DASHBOARD, SHOP)]
        own, shop = (cpu_ms(turns) for turns in measure_loads(loads, warm_up_requests=WARM_UP))
    what = f"{DASHBOARD} of {len(many.slugs) + 1} courses, CPU{CHOSEN.suffix}"
    return [compare("L1", what, 2.0, (own, f"{own:.2f} ms"), (shop, f"{shop:.2f} ms {SHOP} uncached"))]


def l2() -> list[ResultLine]:
    with school(FEW) as few, school(MANY) as many:
        sides = (many, few)
        paths = (DASHBOARD, _lesson(many))
        return [_beside(path, *sides) for path in paths]


def _beside(path: str, many: School, few: School) -> ResultLine:
    loads = [(side.host, side.page(path, REQUESTS)) for side in (many, few)]
    at_many, at_few = (cpu_ms(turns) for turns in measure_loads(loads, warm_up_requests=WARM_UP))
    what = f"{path.partition('&')[0]} at {MANY:,} learners, CPU{CHOSEN.suffix}"
    return compare("L2", what, 1.2, (at_many, f"{at_many:.2f} ms"), (at_few, f"{at_few:.2f} ms at {FEW:,}"))


def l3() -> list[ResultLine]:
    with school(MANY) as many:
        course = f"/data/course-details?course={many.slugs[-1]}"
        loads = [(many.host, many.page(path, REQUESTS)) for path in (_lesson(many), course)]
        own, public = (cpu_ms(turns) for turns in measure_loads(loads, warm_up_requests=WARM_UP))
        size_kb = run_load(many.page(_lesson(many).removeprefix("/data"), 2)).bytes / 1000
    figures = (own, f"{own:.2f} ms"), (public, f"{public:.2f} ms /data/course-details uncached")
    is_small, size = size_kb <= MAX_DOCUMENT_KB, f"{size_kb:.1f} KB"
    return [
        compare("L3", f"data of a lesson, CPU{CHOSEN.suffix}", 1.5, *figures),
        ResultLine("L3", "document of a 10 KB lesson", f"<= {MAX_DOCUMENT_KB:g} KB", size, "", None, is_small),
    ]


def _lesson(own: School) -> str:
    return f"/data/user-dashboard?course={own.slugs[-1]}&lesson={own.long}"
