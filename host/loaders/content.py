"""/about, /contact and /refund-grievance-policy: written by people, kept as Markdown with a small front matter."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import domain.seed
from host import seo
from host.loaders import Answer, Asked, Loaded, Props
from host.markup import html_of
from host.og import facts
from host.shell import Head

FOLDER = Path(domain.seed.__file__).parent / "pages"
EMPTY_FORM = {"name": "", "email": "", "subject": "", "message": ""}


@dataclass(frozen=True)
class Content:
    """One page: what its front matter says, and its text in Markdown."""

    title: str
    description: str
    updated: str
    refund_days: int | None
    text: str


@lru_cache(16)
def read(page: str) -> Content:
    _, front, text = (FOLDER / f"{page}.md").read_text("utf-8").split("---\n", 2)
    facts = dict(line.split(": ", 1) for line in front.strip().splitlines())
    days = int(facts["refund_days"]) if "refund_days" in facts else None
    return Content(_bare(facts["title"]), _bare(facts["description"]), facts["updated"].strip(), days, text)


def _bare(text: str) -> str:
    return text.strip().strip('"').strip("'")


def _props(content: Content, path: str) -> Props:
    return {
        "title": content.title,
        "html": html_of(content.text),
        "crumbs": [{"name": "Home", "href": "/"}, {"name": content.title, "href": path}],
    }


def _head(asked: Asked, content: Content, path: str, props: Props) -> Head:
    return Head(
        title=seo.title(asked.settings, content.title),
        description=content.description,
        canonical=asked.settings.site_origin + path,
        image=asked.settings.site_origin + facts.of_page(asked.settings, path.lstrip("/"), content.title).path,
        json_ld=(seo.breadcrumbs(asked.settings, props["crumbs"]),),
    )


async def load_about(asked: Asked) -> Answer:
    return _article(asked, "about", "/about")


async def load_policy(asked: Asked) -> Answer:
    return _article(asked, "refund-grievance-policy", "/refund-grievance-policy")


def _article(asked: Asked, page: str, path: str) -> Loaded:
    content = read(page)
    props = _props(content, path)
    props |= {"updatedAt": f"{content.updated}T00:00:00Z", "refundDays": content.refund_days}
    return Loaded(page, _head(asked, content, path, props), props)


async def load_contact(asked: Asked) -> Answer:
    return contact(asked, EMPTY_FORM, {}, sent="sent" in asked.query)


def contact(
    asked: Asked, values: Mapping[str, Any], errors: Mapping[str, str], *, sent: bool, status: int = 200
) -> Loaded:
    """The contact page, also as the answer to a form that was sent without JavaScript; `status` tells its outcome."""
    content = read("contact")
    props = _props(content, "/contact")
    props["form"] = {"values": dict(values), "errors": dict(errors), "sent": sent}
    return Loaded("contact", _head(asked, content, "/contact", props), props, status=status)
