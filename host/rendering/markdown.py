"""Markdown to HTML that is safe to show: sanitised by an allow-list, on save and again whenever it is read."""

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt

_TAGS = {"p", "h2", "h3", "h4", "ul", "ol", "li", "strong", "em", "a", "code", "pre", "blockquote", "br", "hr"}
_TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(2048)
def html_of(text: str) -> str:
    """Sanitised HTML. Links lead to http(s), mail or this site, and never vouch for where they lead."""
    drawn = _markdown.render(text).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    return nh3.clean(
        drawn,
        tags=_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    ).strip()


def first_words(text: str, most: int = 155) -> str:
    """Plain text for a description: whole words, at most `most` characters."""
    plain = " ".join(nh3.clean(_markdown.render(text), tags=set()).split())
    for escape, char in (("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'")):
        plain = plain.replace(escape, char)
    if len(plain) <= most:
        return plain
    return plain[: most - 1].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
