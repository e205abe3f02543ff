"""Measures servers alternately, A B A B, so that other load on the machine affects both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from bench.client import Load, LoadResult, run_load
from bench.processes import Side


@dataclass(frozen=True)
class Turn:
    """One turn of one side: CPU ms per request, and the client's result."""

    cpu_ms: float
    seen: LoadResult


@dataclass(frozen=True)
class ResultLine:
    """One row of the table. `ratio` is figure / reference, None where the goal is an absolute figure."""

    goal_id: str
    what: str
    goal: str
    figure: str
    reference: str
    ratio: float | None
    is_reached: bool | None


def _nothing() -> None:
    pass


def measure_alternately(
    sides: Sequence[Side],
    load: Load,
    rounds: int = 6,
    warm_up_requests: int = 600,
    before: Callable[[], None] = _nothing,
) -> list[list[Turn]]:
    """The turns of each side. Each is warmed up first, so that just-in-time compilation is not measured. `before` is
    called before every turn."""
    loads = [(side, replace(load, port=side.port)) for side in sides]
    return measure_loads(loads, rounds, warm_up_requests, before)


def measure_loads(
    loads: Sequence[tuple[Side, Load]],
    rounds: int = 6,
    warm_up_requests: int = 600,
    before: Callable[[], None] = _nothing,
) -> list[list[Turn]]:
    """The turns of each load, with its side: for loads that differ, such as two pages of one side. Each is warmed up
    first. `before` is called before every turn."""
    for _side, load in loads:
        run_load(replace(load, requests=warm_up_requests))
    turns: list[list[Turn]] = [[] for _ in loads]
    for _ in range(rounds):
        for (side, load), load_turns in zip(loads, turns, strict=True):
            before()
            load_turns.append(_turn(side, load))
    return turns


def _turn(side: Side, load: Load) -> Turn:
    before = side.cpu()
    result = run_load(load)
    return Turn((side.cpu() - before) * 1000 / load.requests, result)


def cpu_ms(turns: Sequence[Turn]) -> float:
    return median(turn.cpu_ms for turn in turns)


def first_byte_ms(turns: Sequence[Turn]) -> float:
    return median(turn.seen.first_byte_p50 for turn in turns)


def compare(
    goal_id: str, what: str, limit: float, figure: tuple[float, str], reference: tuple[float, str]
) -> ResultLine:
    """A line whose goal is a ratio of at most `limit`. A figure is a number and its text."""
    ratio = figure[0] / reference[0]
    return ResultLine(goal_id, what, f"<= {limit:.2f} x", figure[1], reference[1], ratio, ratio <= limit)


def table(lines: Sequence[ResultLine]) -> str:
    heads = ("", "what", "goal", "figure", "reference", "ratio", "")
    rows = [heads, *(_cells(line) for line in lines)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _cells(line: ResultLine) -> tuple[str, ...]:
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
    verdict = {True: "reached", False: "MISSED", None: ""}[line.is_reached]
    return (line.goal_id, line.what, line.goal, line.figure, line.reference, ratio, verdict)
