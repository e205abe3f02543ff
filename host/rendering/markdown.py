"""Markdown to HTML that is safe to show: sanitised by an allow-list, on save and again on every read."""

from collections.abc import Mapping
from functools import lru_cache
from unicodedata import category, east_asian_width

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, emphasis

TAGS = {"p", "h2", "h3", "h4", "ul", "ol", "li", "strong", "em", "a", "code", "pre", "blockquote", "br", "hr", "s"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
# What a tag may keep, and which words its class may have. The numbers of a list's first item and the alignment of a
# table's columns are part of what a text says.
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
_ALIGNED = {"align-center", "align-right"}
CLASSES = {"th": _ALIGNED, "td": _ALIGNED}
# A page has one heading of the first level; three levels below it can be told apart.
_HEADINGS = {"h1": "h2", "h5": "h4", "h6": "h4"}
# The `rel` of every link in a text.
LINK_REL = "nofollow noopener noreferrer"


def _emphasise(state: StateInline, silent: bool) -> bool:
    """markdown-it's rule for `*` and `_`, by which a `*` beside a wide character (Chinese, Japanese, Korean) may begin
    and end emphasis at punctuation. By CommonMark alone `**「要点」**は` keeps its asterisks, because these scripts
    have no spaces: findings/commonmark_wide_scripts.sh."""
    start, known = state.pos, len(state.delimiters)
    if not emphasis.tokenize(state, silent):
        return False
    before = state.src[start - 1 : start] or " "
    after = state.src[state.pos : state.pos + 1] or " "
    if state.src[start] == "*" and (_is_wide(before) or _is_wide(after)):
        for delimiter in state.delimiters[known:]:
            delimiter.open = delimiter.open or not after.isspace()
            delimiter.close = delimiter.close or not before.isspace()
    return True


def _is_wide(character: str) -> bool:
    """Emoji are wide too, but do not belong to such a script."""
    return east_asian_width(character) in {"W", "F", "H"} and category(character) != "So"


def _fit_page(state: StateCore) -> None:
    """Headings in the levels of a page; the alignment of columns as classes, because no page allows styles in HTML."""
    for token in state.tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)
        if token.type in ("th_open", "td_open"):
            alignment = str(token.attrs.pop("style", "")).rpartition(":")[2]
            if f"align-{alignment}" in _ALIGNED:
                token.attrSet("class", f"align-{alignment}")


MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
MARKDOWN.inline.ruler.at("emphasis", _emphasise)
MARKDOWN.core.ruler.push("fit_page", _fit_page)


@lru_cache(2048)
def markdown_to_html(text: str) -> str:
    """Sanitised HTML. Links lead to http(s), mail or this site, and are marked nofollow, noopener and noreferrer."""
    return clean(MARKDOWN.render(text))


def clean(html: str, tags: frozenset[str] = frozenset(), attributes: Mapping[str, set[str]] | None = None) -> str:
    """Rendered Markdown, sanitised. `tags`, `attributes`: allowed beside those of every text."""
    return nh3.clean(
        html,
        tags=TAGS | tags,
        attributes={**ATTRIBUTES, **(attributes or {})},
        allowed_classes=CLASSES,
        url_schemes={"http", "https", "mailto"},
        link_rel=LINK_REL,
    ).strip()
