"""The written pages: what staff have published, else the Markdown files with a short front matter that the shop begins
with."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy.orm import Session

from config.settings import ROOT
from domain.publishing.editing import content_pages
from domain.publishing.editing.content_pages import PageText, PageVersion

FOLDER = ROOT / "templates" / "content"
POLICY = "refund-grievance-policy"
SLUGS = ("about", "contact", POLICY)
# Pages that a shop has once staff have written them: no file can say what holds for it. Their first titles.
LEGAL = {
    "terms": "Terms and conditions",
    "privacy": "Privacy",
    "imprint": "Imprint",
    "accessibility": "Accessibility",
}
EDITABLE = (*SLUGS, *LEGAL)


@dataclass(frozen=True)
class Content:
    """One page: its text in Markdown, the day of its last change, and the number of its version. `refund_terms`: as in
    domain/orders/refund_rules.py; {} on pages that promise none."""

    title: str
    description: str
    updated: str
    text: str
    refund_terms: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1

    @property
    def terms_date(self) -> str:
        """What a buyer agrees to: the day of the change, and the version, as there may be two on one day."""
        return self.updated if self.version == 1 else f"{self.updated}.{self.version}"

    @property
    def refund_days(self) -> int | None:
        """The days to ask for a refund that hold for everything that is sold."""
        days = [terms["days"] for terms in self.refund_terms.values() if isinstance(terms, dict)]
        return min(days, default=None)


def published(session: Session) -> dict[str, Content]:
    """The pages of which staff have published a version."""
    return {slug: of_version(version) for slug, version in content_pages.current(session).items()}


def of_version(version: PageVersion) -> Content:
    text, day = version.text, version.published_at.date().isoformat()
    return Content(text.title, text.description, day, text.body, text.refund, version.number)


def first_version(page: str) -> PageVersion:
    """That of the file, as the versions of staff follow it; number 0 and no text for a page that has no file."""
    if page in LEGAL:
        return PageVersion(0, PageText(LEGAL[page], "", ""), datetime.fromtimestamp(0, UTC))
    content = read(page)
    text = PageText(content.title, content.description, content.text.strip(), content.refund_terms)
    return PageVersion(1, text, datetime.fromisoformat(content.updated).replace(tzinfo=UTC))


@lru_cache(16)
def read(page: str) -> Content:
    """The page of the file."""
    _, front, text = (FOLDER / f"{page}.md").read_text("utf-8").split("---\n", 2)
    fields, parts = _fields(front)
    terms = {name: json.loads(value) for name, value in parts.get("refund", {}).items()}
    return Content(_unquoted(fields["title"]), _unquoted(fields["description"]), fields["updated"].strip(), text, terms)


def refund_terms() -> dict[str, Any]:
    """The refund rules of the policy's file, by kind of purchase."""
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
