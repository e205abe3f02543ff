"""The order in which a line of text stands from left to right, where it has words that are read from the right.

python-bidi resolves the directions. Of its two implementations the older one, which this calls, tells the levels; the
other returns the line alone, without mirrored brackets (findings/python_bidi_brackets.sh). The older one does not pair
brackets (rule N0): that is done here.
"""

import unicodedata
from dataclasses import dataclass
from typing import Any

from bidi import algorithm
from bidi.mirror import MIRRORED

_FROM_RIGHT = ("R", "AL", "AN")


@dataclass(frozen=True)
class Run:
    """Characters of one direction, in the order in which they are read."""

    text: str
    is_from_right: bool


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and any(unicodedata.bidirectional(char) in _FROM_RIGHT for char in text)


def runs_from_left(line: str, *, is_from_right: bool) -> list[Run]:
    """The runs of a line as they stand from left to right. `is_from_right`: of the text that the line is part of."""
    if not is_from_right and not has_right_to_left(line):
        return [Run(line, is_from_right=False)]
    levels = _levels(line, int(is_from_right))
    runs: list[tuple[int, str]] = []
    for char, level in zip(line, levels, strict=True):
        if runs and runs[-1][0] == level:
            runs[-1] = (level, runs[-1][1] + char)
        else:
            runs.append((level, char))
    for least in range(max(levels, default=0), 0, -1):
        runs = _reversed_where(runs, least)
    return [Run(text, level % 2 == 1) for level, text in runs]


def mirrored(text: str) -> str:
    """Characters without a direction of their own, as they stand in a run from the right."""
    return "".join(MIRRORED.get(char, char) for char in reversed(text))


def _reversed_where(runs: list[tuple[int, str]], least: int) -> list[tuple[int, str]]:
    """Rule L2: each series of runs of at least this level in the other order."""
    ordered: list[tuple[int, str]] = []
    series: list[tuple[int, str]] = []
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
