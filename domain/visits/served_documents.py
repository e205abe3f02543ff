"""Documents that the host has served, counted by minute and by what kind of agent asked for them, and how many of them
our script has seen.

A row of `visits` has the counts of a process and a minute, so they are stored once, found when they are late, and
deleted as visits are. It is no visit itself (docs/decisions/0156).
"""

import json
from collections.abc import Mapping
from typing import Any

from domain.crawlers.operators import kind_of

# The class of such rows among those of visitors.
COUNTS = "counts"
# Agents by what their header says: people's browsers, programs that do not say what they are for, and declared crawlers
# by what they are for.
BROWSER, PROGRAM = "browser", "program"
CRAWLER_CLASSES = ("search", "assistant", "seo", "other")
AGENT_CLASSES = (BROWSER, PROGRAM, *CRAWLER_CLASSES)
MINUTE = 60_000_000
_NAME = "documents"
_MOST = 2**40


def agent_class(visitor_class: str, agent: str) -> str:
    """`visitor_class`: human | suspected | crawler; `agent`: of a crawler its name."""
    if visitor_class == "crawler":
        return kind_of(agent)
    return BROWSER if visitor_class == "human" else PROGRAM


def as_text(documents: Mapping[str, int]) -> str:
    """The attributes of a row with these counts by class."""
    return json.dumps({_NAME: dict(sorted(documents.items()))})


def read_text(text: str | None) -> Mapping[str, int]:
    """The counts of a row by class. What waits in Redis may be written by anybody: what is no count is taken for
    none."""
    try:
        values: Any = json.loads(text or "{}")
    except ValueError:
        return {}
    found = values.get(_NAME) if isinstance(values, dict) else None
    if not isinstance(found, dict):
        return {}
    return {name: count for name, count in found.items() if name in AGENT_CLASSES and _is_count(count)}


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 < value < _MOST
