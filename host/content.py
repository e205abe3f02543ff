"""Content pages: Markdown files with a short front matter."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from config.settings import ROOT

FOLDER = ROOT / "templates" / "content"
POLICY = "refund-grievance-policy"


@dataclass(frozen=True)
class Content:
    """One page: the fields of its front matter, and its text in Markdown. `refund_terms`: as in
    domain/orders/refund_rules.py; {} on pages that promise none."""

    title: str
    description: str
    updated: str
    text: str
    refund_terms: Mapping[str, Any] = field(default_factory=dict)

    @property
    def refund_days(self) -> int | None:
        """The days to ask for a refund that hold for everything that is sold."""
        days = [terms["days"] for terms in self.refund_terms.values() if isinstance(terms, dict)]
        return min(days, default=None)


@lru_cache(16)
def read(page: str) -> Content:
    _, front, text = (FOLDER / f"{page}.md").read_text("utf-8").split("---\n", 2)
    fields, parts = _fields(front)
    terms = {name: json.loads(value) for name, value in parts.get("refund", {}).items()}
    return Content(_unquoted(fields["title"]), _unquoted(fields["description"]), fields["updated"].strip(), text, terms)


def refund_terms() -> dict[str, Any]:
    """The refund rules of the policy page, by kind of purchase: placing copies them into each order."""
    return dict(read(POLICY).refund_terms)


def _fields(front: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """`name: value` by name; and the indented lines below a name without a value, in the same form."""
    fields: dict[str, str] = {}
    parts: dict[str, dict[str, str]] = {}
    for line in front.rstrip().splitlines():
        name, _, value = line.strip().partition(":")
        if line.startswith(" "):
            parts[list(fields)[-1]][name] = value.strip()
        else:
            fields[name], parts[name] = value.strip(), {}
    return fields, parts


def _unquoted(text: str) -> str:
    return text.strip().strip('"').strip("'")
