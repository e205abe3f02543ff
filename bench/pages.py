"""P1, P2 and P3: the cost of an uncached page, and the time to its first byte."""

from dataclasses import replace

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, first_byte_ms, measure_alternately
from bench.processes import Side, Site, fetch, site
from bench.references import node_mem

SHOP = "/shop"
REQUESTS = 400
FORCED = ("stream", "by React's stream")


def course_url(site: Site) -> str:
    """The first course that the shop lists."""
    page = fetch(site.port, "/shop?kind=course").decode()
    return page.partition('<a class="card__link" href="')[2].partition('"')[0]


def p1() -> list[ResultLine]:
    """Pages as visitors get them: the head first, then React's markup.

    Lines without a goal: the same pages through React's stream, which the site uses only for open deferred parts.
    """
    served = _cost("P1", ("auto", "streamed"), (1.30, 1.45))
    return served + [replace(line, goal="", is_reached=None) for line in _cost("P1", FORCED, (1.30, 1.45))]


def p2() -> list[ResultLine]:
    return _cost("P2", ("whole", "whole"), (0.90, 1.05))


def _cost(goal: str, mode: tuple[str, str], limits: tuple[float, float]) -> list[ResultLine]:
    """CPU of host and render worker compared with node-mem. `mode`: RENDER, and its name in the table."""
    render, mode_name = mode
    with site("host", RENDER=render, PAGE_CACHE="off", LIMITS="off") as site_side:
        course = course_url(site_side)
        with node_mem(site_side, [SHOP, course]) as reference_side:
            sides = (site_side, reference_side)
            return [
                _page((goal, f"/shop {mode_name}, CPU", limits[0]), sides, SHOP),
                _page((goal, f"/course-details {mode_name}, CPU", limits[1]), sides, course),
            ]


def _page(goal: tuple[str, str, float], sides: tuple[Side, Side], path: str) -> ResultLine:
    own, reference = measure_alternately(sides, Load(0, path, REQUESTS))
    figure, base = cpu_ms(own), cpu_ms(reference)
    return compare(*goal, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms node-mem"))


def p3() -> list[ResultLine]:
    with site("host", RENDER="stream", LIMITS="off") as ours, node_mem(ours, [SHOP]) as theirs:
        own, reference = measure_alternately((ours, theirs), Load(0, SHOP, 300, concurrency=1))
    figure, base = first_byte_ms(own), first_byte_ms(reference)
    return [compare("P3", "/shop, first byte", 0.5, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms node-mem"))]
