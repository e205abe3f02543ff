"""HTML in texts of exports: as Markdown where the shop shows Markdown, else as plain text."""

import html
import re
from functools import cache
from typing import Any

# Tags that editors and shops write. Others, as in "a <b" or "<name>", are text.
_TAG = re.compile(
    r"</?(?:p|br|div|span|strong|em|b|i|u|a|ul|ol|li|h[1-6]|img|table|t[rdh]|tbody|thead|hr|font|blockquote|pre|code|sup|sub|section|article|"
    r"script|style|meta|iframe|figure|video|center|small|del|s|strike|button|label|input|form|svg|header|footer)(?:\s[^<>]*|/)?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});", re.IGNORECASE)
# A text that was cut may end within a tag.
_CUT_TAG = re.compile(r"<[/a-z!][^<>]*\Z", re.IGNORECASE)
_UNSEEN = re.compile(
    r"<(script|style|head|template|noscript)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL
)
_BLOCK = re.compile(r"</?(?:p|br|div|li|h[1-6]|tr|td|th|table|ul|ol|section)\b[^<>]*>", re.IGNORECASE)
_OWN_LINES = re.compile(r"\n{3,}")


def has_html(text: str) -> bool:
    return "<" in text and _TAG.search(text) is not None


def plain(text: str) -> str:
    """The text without tags, with the signs that entities stand for."""
    if has_html(text):
        text = _TAG.sub("", _BLOCK.sub(" ", _CUT_TAG.sub("", _UNSEEN.sub(" ", text))))
        text = re.sub(r"<[/a-z!][^<>]*>", "", text, flags=re.IGNORECASE)
    return html.unescape(text) if "&" in text and _ENTITY.search(text) else text


def markdown(text: str) -> str:
    """Markdown of an HTML text; another text stays as it is, but for entities."""
    if not has_html(text):
        return html.unescape(text) if "&" in text and _ENTITY.search(text) else text
    source = _UNSEEN.sub("", _CUT_TAG.sub("", text))
    lines = _converter().convert(source).replace("\u00a0", " ").splitlines()
    return _OWN_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip()


@cache
def _converter() -> Any:
    # Most files hold no HTML, and no other part of host and workers needs the parser.
    from markdownify import MarkdownConverter

    # Pictures would come from another server, which a page of the shop may not load.
    left_out = ["img", "meta", "iframe", "video", "svg", "button", "input"]
    return MarkdownConverter(strip=left_out, heading_style="ATX", bullets="-")
