"""P12: /shop as a browser opens it for the first time, beside Next and React Router with the same data, style sheet,
fonts and pictures."""

import contextlib

from bench.comparison import ResultLine, compare
from bench.first_view import FirstView, first_views, in_turn
from bench.peer_builds import NEXT, PEERS, peer
from bench.processes import site

OURS = "ours"
SLOWDOWNS = (1, 4)
# Figure -> its name in the table, its unit, and the goal against Next.
GOALS = {
    "hydrated": ("hydrated", "ms", 0.85),
    "first_paint": ("first paint", "ms", 0.9),
    "main_thread": ("work of the main thread", "ms", 0.65),
}
LONGEST_TASK_MS = 50.0
WIRE_KB = 140.0


def p12() -> list[ResultLine]:
    lines: list[ResultLine] = []
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(site(OURS, LIMITS="off"))
        sides = [ours, *(stack.enter_context(peer(chosen, ours)) for chosen in PEERS)]
        urls = {side.name: f"http://localhost:{side.port}/shop" for side in sides}
        with first_views() as browser:
            for slowdown in SLOWDOWNS:
                lines += _lines(in_turn(browser, urls, slowdown), slowdown)
    return lines


def _lines(views: dict[str, FirstView], slowdown: int) -> list[ResultLine]:
    own, where = views[OURS], f"/shop, {slowdown} x slower CPU"
    lines = []
    for figure, (name, unit, limit) in GOALS.items():
        for other, view in views.items():
            if other == OURS:
                continue
            value, base = getattr(own, figure), getattr(view, figure)
            line = compare(
                "P12", f"{where}: {name}", limit, (value, f"{value:.0f} {unit}"), (base, f"{base:.0f} {unit} {other}")
            )
            lines.append(line if other == NEXT.name else _without_goal(line))
    others = [(name, view) for name, view in views.items() if name != OURS]
    tasks = ", ".join(f"{view.longest_task:.0f} {name}" for name, view in others)
    wire = ", ".join(f"{view.wire_kb:.0f} {name}" for name, view in others)
    if slowdown > 1:
        lines.append(_absolute(f"{where}: longest task", LONGEST_TASK_MS, (own.longest_task, "ms"), tasks))
    else:
        lines.append(_absolute("/shop over the wire", WIRE_KB, (own.wire_kb, "KB"), wire))
        lines.append(_absolute("/shop, layout shift", 0.001, (own.shift, ""), ""))
    return lines


def _without_goal(line: ResultLine) -> ResultLine:
    return ResultLine(line.goal_id, line.what, "", line.figure, line.reference, line.ratio, None)


def _absolute(what: str, limit: float, figure: tuple[float, str], reference: str) -> ResultLine:
    value, unit = figure
    text = f"{value:.0f} {unit}" if unit else f"{value:.3f}"
    return ResultLine("P12", what, f"<= {limit:g} {unit}".rstrip(), text, reference, None, value <= limit)
