"""P1, P2 and P3: what a page costs that no cache holds, and how soon it begins."""

from dataclasses import replace

from bench.client import Load
from bench.comparing import Line, against, cpu_ms, first_byte_ms, in_turns
from bench.processes import Side, Site, fetch, site
from bench.references import node_mem

SHOP = "/shop"
REQUESTS = 400
FORCED = ("stream", "by React's stream")


def course_url(running: Site) -> str:
    """The first course that the shop lists."""
    page = fetch(running.port, "/shop?kind=course").decode()
    return page.partition('<a class="card__link" href="')[2].partition('"')[0]


def p1() -> list[Line]:
    """As every visitor gets it: head first, then what React draws in the way that fits.

    Beside it, without a goal, what they cost by React's own stream, which only a part to be waited for asks for.
    """
    served = _cost("P1", ("auto", "streamed"), (1.30, 1.45))
    return served + [replace(line, goal="", is_reached=None) for line in _cost("P1", FORCED, (1.30, 1.45))]


def p2() -> list[Line]:
    return _cost("P2", ("whole", "whole"), (0.90, 1.05))


def _cost(goal: str, way: tuple[str, str], most: tuple[float, float]) -> list[Line]:
    """CPU of host and render worker against node-mem, of both pages. `way`: RENDER, and its name in the table."""
    render, word = way
    with site("host", RENDER=render, PAGE_CACHE="off", LIMITS="off") as ours:
        course = course_url(ours)
        with node_mem(ours, [SHOP, course]) as theirs:
            sides = (ours, theirs)
            return [
                _page((goal, f"/shop {word}, CPU", most[0]), sides, SHOP),
                _page((goal, f"/course-details {word}, CPU", most[1]), sides, course),
            ]


def _page(goal: tuple[str, str, float], sides: tuple[Side, Side], path: str) -> Line:
    own, reference = in_turns(sides, Load(0, path, REQUESTS))
    figure, base = cpu_ms(own), cpu_ms(reference)
    return against(*goal, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms node-mem"))


def p3() -> list[Line]:
    with site("host", RENDER="stream", LIMITS="off") as ours, node_mem(ours, [SHOP]) as theirs:
        own, reference = in_turns((ours, theirs), Load(0, SHOP, 300, concurrency=1))
    figure, base = first_byte_ms(own), first_byte_ms(reference)
    return [against("P3", "/shop, first byte", 0.5, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms node-mem"))]
