"""Sides measured in turns, A B A B, so that what else the machine does strikes both."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from bench.client import Load, Seen, visit
from bench.processes import Side


@dataclass(frozen=True)
class Turn:
    """One turn of one side: CPU ms per request, and what the client saw."""

    cpu_ms: float
    seen: Seen


@dataclass(frozen=True)
class Line:
    """One row of the table. `ratio` is figure : reference, or None where the goal names a figure."""

    goal_id: str
    what: str
    goal: str
    figure: str
    reference: str
    ratio: float | None
    is_reached: bool | None


def in_turns(sides: Sequence[Side], load: Load, rounds: int = 6, warm: int = 600) -> list[list[Turn]]:
    """The turns of each side. Every side is warmed up first, so that no compiler is measured."""
    for side in sides:
        visit(replace(load, port=side.port, requests=warm))
    turns: list[list[Turn]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, taken in zip(sides, turns, strict=True):
            taken.append(_turn(side, load))
    return turns


def _turn(side: Side, load: Load) -> Turn:
    before = side.cpu()
    seen = visit(replace(load, port=side.port))
    return Turn((side.cpu() - before) * 1000 / load.requests, seen)


def cpu_ms(turns: Sequence[Turn]) -> float:
    return median(turn.cpu_ms for turn in turns)


def first_byte_ms(turns: Sequence[Turn]) -> float:
    return median(turn.seen.first_byte_p50 for turn in turns)


def against(goal_id: str, what: str, most: float, figure: tuple[float, str], reference: tuple[float, str]) -> Line:
    """A line whose goal is a ratio of at most `most`; figures come with their text."""
    ratio = figure[0] / reference[0]
    return Line(goal_id, what, f"<= {most:.2f} x", figure[1], reference[1], ratio, ratio <= most)


def table(lines: Sequence[Line]) -> str:
    heads = ("", "what", "goal", "figure", "reference", "ratio", "")
    rows = [heads, *(_cells(line) for line in lines)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _cells(line: Line) -> tuple[str, ...]:
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
    verdict = {True: "reached", False: "MISSED", None: ""}[line.is_reached]
    return (line.goal_id, line.what, line.goal, line.figure, line.reference, ratio, verdict)
