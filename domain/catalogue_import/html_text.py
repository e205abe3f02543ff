"""HTML in texts of exports: as Markdown where the shop shows Markdown, else as plain text."""

import html
import re

from domain import html_markdown

# Tags that editors and shops write. Others, as in "a <b" or "<name>", are text.
_TAG = re.compile(
    r"</?(?:p|br|div|span|strong|em|b|i|u|a|ul|ol|li|d[ltd]|h[1-6]|img|table|t[rdh]|tbody|thead|tfoot|caption|hr|font|blockquote|pre|code|"
    r"sup|sub|section|article|main|aside|nav|script|style|meta|link|iframe|figure|figcaption|picture|video|audio|center|big|small|"
    r"del|ins|s|strike|mark|q|cite|abbr|address|kbd|samp|tt|details|summary|button|label|input|form|svg|header|footer|html|head|"
    r"body|title|o:p)(?:\s[^<>]*|/)?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});", re.IGNORECASE)
# A text that was cut may end within a tag.
_CUT_TAG = re.compile(r"<[/a-z!][^<>]*\Z", re.IGNORECASE)
_UNSEEN = re.compile(
    r"<(script|style|head|template|noscript)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL
)
_BLOCK = re.compile(
    r"</?(?:p|br|hr|div|li|h[1-6]|tr|td|th|table|caption|ul|ol|dl|dt|dd|section|article|blockquote|pre|figcaption|details|summary)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
# What begins or ends a line of its own.
_BREAK = re.compile(
    r"\s*</?(?:p|br|div|li|h[1-6]|tr|table|ul|ol|section|dt|dd|dl|blockquote)\b[^<>]*>\s*", re.IGNORECASE
)
# Pictures and films would come from another server, which a page of the shop may not load.
_LEFT_OUT = ["img", "meta", "iframe", "video", "svg", "button", "input"]
_WEB = re.compile(r"\s*(?:https?://|mailto:)", re.IGNORECASE)
# Digits that stand above or below the line.
_RAISED = re.compile(r"<(sup|sub)>([^<>]{1,20})</\1>", re.IGNORECASE)


def has_html(text: str) -> bool:
    return "<" in text and _TAG.search(text) is not None


def plain(text: str) -> str:
    """The text without tags, with the signs that entities stand for."""
    if has_html(text):
        text = _RAISED.sub(_raised, _CUT_TAG.sub("", _UNSEEN.sub(" ", text)))
        text = _TAG.sub("", _BLOCK.sub(" ", text))
        text = re.sub(r"<[/a-z!][^<>]*>", "", text, flags=re.IGNORECASE)
    return html.unescape(text) if "&" in text and _ENTITY.search(text) else text


def _raised(match: re.Match[str]) -> str:
    return html_markdown.raised(match[2], is_low=match[1].casefold() == "sub")


def markdown(text: str) -> str:
    """Markdown of an HTML text; another text stays as it is, but for entities."""
    if not has_html(text):
        return html.unescape(text) if "&" in text and _ENTITY.search(text) else text
    soup = html_markdown.parse_html(_UNSEEN.sub("", _CUT_TAG.sub("", text)))
    for tag in soup.find_all(_LEFT_OUT):
        tag.unwrap()
    for link in soup.find_all("a"):
        # A path would lead to a page of this shop.
        if not _WEB.match(link.get("href") or ""):
            link.unwrap()
    try:
        return html_markdown.markdown_of(soup)
    except RecursionError:
        return html_markdown.plain_markdown(plain(text))


def lines(text: str) -> list[str]:
    """The parts of a list: its items, paragraphs or lines, without their markup."""
    return plain(_BREAK.sub("\n", text) if has_html(text) else text).split("\n")
