"""Markdown to HTML that is safe to show: sanitised by an allow-list, on save and again on every read."""

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt

TAGS = {"p", "h2", "h3", "h4", "ul", "ol", "li", "strong", "em", "a", "code", "pre", "blockquote", "br", "hr"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
# Of every link in a text.
LINK_REL = "nofollow noopener noreferrer"
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(2048)
def markdown_to_html(text: str) -> str:
    """Sanitised HTML. Links lead to http(s), mail or this site, and are marked nofollow, noopener and noreferrer."""
    html = _markdown.render(text).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    return nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel=LINK_REL,
    ).strip()
