"""The order in which a line of text stands from left to right, where it has words that are read from the right.

python-bidi resolves the directions. Of its two implementations the older one, which this calls, tells the levels; the
other returns the line alone, without mirrored brackets (findings/python_bidi_brackets.sh). The older one does not pair
brackets (rule N0), nor know isolates: both is done here.
"""

import unicodedata
from dataclasses import dataclass
from typing import Any

from bidi import algorithm
from bidi.mirror import MIRRORED

from domain.text_direction import DIRECTION_SIGNS, FIRST_STRONG_ISOLATE, POP_ISOLATE, is_right_to_left

_FROM_RIGHT = ("R", "AL", "AN")
# Stands for an isolate among its neighbours: it has no direction.
_OBJECT = "\ufffc"


@dataclass(frozen=True)
class Run:
    """Characters of one direction, in the order in which they are read."""

    text: str
    is_from_right: bool


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and any(unicodedata.bidirectional(char) in _FROM_RIGHT for char in text)


def runs_from_left(line: str, *, is_from_right: bool) -> list[Run]:
    """The runs of a line as they stand from left to right. `is_from_right`: of the text that the line is part of.
    An isolate is put in order by itself, as a whole among its neighbours (rules X5c and X6a)."""
    line, isolates = _taken_out(line)
    if not (is_from_right or isolates or has_right_to_left(line)):
        return [Run(line, is_from_right=False)]
    runs: list[tuple[int, list[int]]] = []
    for place, level in enumerate(_levels(line, int(is_from_right))):
        if runs and runs[-1][0] == level:
            runs[-1][1].append(place)
        else:
            runs.append((level, [place]))
    for least in range(max((level for level, _ in runs), default=0), 0, -1):
        runs = _reversed_where(runs, least)
    return [run for level, places in runs for run in _run_parts(line, places, isolates, level % 2 == 1)]


def _taken_out(line: str) -> tuple[str, dict[int, str]]:
    """The line with a sign in the place of each isolate, and their texts by its place. One that ends in another line
    goes on to the end of this one; of one that began in another line is all before its end."""
    if FIRST_STRONG_ISOLATE not in line and POP_ISOLATE not in line:
        return line, {}
    outer, isolates, inner, depth = "", dict[int, str](), "", 0
    for at, char in enumerate(line):
        is_end = char == POP_ISOLATE
        depth += (char == FIRST_STRONG_ISOLATE) - is_end
        if depth < 0:
            outer, isolates, depth = _OBJECT, {0: line[:at]}, 0
        elif depth == 0 and is_end:
            isolates[len(outer)] = inner
            outer, inner = outer + _OBJECT, ""
        elif depth == 0:
            outer += char
        elif depth > 1 or char != FIRST_STRONG_ISOLATE:
            inner += char
    if depth:
        isolates[len(outer)] = inner
        outer += _OBJECT
    return outer, isolates


def _run_parts(line: str, places: list[int], isolates: dict[int, str], is_from_right: bool) -> list[Run]:
    """A run of one level from left to right, with the isolates in it."""
    parts: list[list[Run]] = []
    text = ""
    for place in places:
        if place not in isolates:
            # A mark has done its work: fonts would draw it as a box.
            text += "" if line[place] in DIRECTION_SIGNS else line[place]
            continue
        inner = isolates[place]
        parts += [[Run(text, is_from_right)], runs_from_left(inner, is_from_right=is_right_to_left(inner))]
        text = ""
    parts.append([Run(text, is_from_right)])
    ordered = reversed(parts) if is_from_right else parts
    return [run for part in ordered for run in part if run.text]


def mirrored(text: str) -> str:
    """Characters without a direction of their own, as they stand in a run from the right."""
    return "".join(MIRRORED.get(char, char) for char in reversed(text))


def _reversed_where(runs: list[tuple[int, list[int]]], least: int) -> list[tuple[int, list[int]]]:
    """Rule L2: each series of runs of at least this level in the other order."""
    ordered: list[tuple[int, list[int]]] = []
    series: list[tuple[int, list[int]]] = []
    for run in runs:
        if run[0] >= least:
            series.insert(0, run)
        else:
            ordered += [*series, run]
            series = []
    return ordered + series


def _levels(line: str, base: int) -> list[int]:
    """The level of each character. Those that the algorithm leaves out, such as joiners, have that of the one before
    them."""
    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = base, "LR"[base]
    algorithm.get_embedding_levels(line, storage)
    for at, char in enumerate(storage["chars"]):
        char["at"] = at
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    _resolve_brackets(storage["chars"], "LR"[base])
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    known = {char["at"]: char["level"] for char in storage["chars"]}
    levels: list[int] = []
    for at in range(len(line)):
        levels.append(known.get(at, levels[-1] if levels else base))
    return levels


def _resolve_brackets(chars: list[dict[str, Any]], embedding: str) -> None:
    """Rule N0: both brackets of a pair get one direction."""
    for begin, end in _pairs(chars):
        inside = {_strong(char) for char in chars[begin + 1 : end]} - {""}
        if embedding in inside:
            direction = embedding
        elif inside:
            before = next((kind for char in reversed(chars[:begin]) if (kind := _strong(char))), embedding)
            direction = before if before in inside else embedding
        else:
            continue
        chars[begin]["type"] = chars[end]["type"] = direction


def _pairs(chars: list[dict[str, Any]]) -> list[tuple[int, int]]:
    opened: list[tuple[str, int]] = []
    pairs = []
    for at, char in enumerate(chars):
        if char["type"] != "ON":
            continue
        category = unicodedata.category(char["ch"])
        if category == "Ps":
            opened.append((MIRRORED.get(char["ch"], ""), at))
        elif category == "Pe":
            found = next(
                (index for index, (closing, _) in reversed([*enumerate(opened)]) if closing == char["ch"]), None
            )
            if found is not None:
                pairs.append((opened[found][1], at))
                del opened[found:]
    return sorted(pairs)


def _strong(char: dict[str, Any]) -> str:
    """Numbers count as read from the right here."""
    kind = char["type"]
    return "R" if kind in ("R", "EN", "AN") else "L" if kind == "L" else ""
