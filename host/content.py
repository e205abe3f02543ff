"""Content pages: Markdown files with a short front matter."""

from dataclasses import dataclass
from functools import lru_cache

from config.settings import ROOT

FOLDER = ROOT / "templates" / "content"


@dataclass(frozen=True)
class Content:
    """One page: the fields of its front matter, and its text in Markdown."""

    title: str
    description: str
    updated: str
    refund_days: int | None
    text: str


@lru_cache(16)
def read(page: str) -> Content:
    _, front, text = (FOLDER / f"{page}.md").read_text("utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.strip().splitlines())
    days = int(fields["refund_days"]) if "refund_days" in fields else None
    return Content(_unquoted(fields["title"]), _unquoted(fields["description"]), fields["updated"].strip(), days, text)


def _unquoted(text: str) -> str:
    return text.strip().strip('"').strip("'")
