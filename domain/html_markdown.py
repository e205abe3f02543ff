"""HTML of others as Markdown, in which nothing that somebody wrote becomes a sign of Markdown.

markdownify 1.2.3 turns a date at the beginning of a line into a list, a bar in a cell into two cells, and 10² into 102,
unless they are escaped or replaced, as they are here. Nothing is shown of the result but what the site's own sanitiser
lets through.
"""

import re
from functools import cache
from typing import Any

_OWN_LINES = re.compile(r"\n{3,}")
# A line break at the end of a paragraph, which would be a backslash there.
_LAST_BREAK = re.compile(r"(?<!\\)\\(?=\n\n|\Z)")
_RAISED = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True))
_LOWERED = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
# Raised letters that read the same on the line: 5th, 1er.
_ON_THE_LINE = frozenset(("st", "nd", "rd", "th", "er", "ère", "ème", "e", "tm", "®", "™"))
_LIST_ITEM = re.compile(r"((?:\s|^)[0-9]{1,9})([.)](?=\s|$))")
# Also a line of dashes, which would be a rule, or make a heading of the line before.
_LINE_MARK = re.compile(r"(^|\n)([^\S\n]*)([-+#](?=[\s#]|$)|-(?=-[-\s]*(?:\n|$))|[>=])")
# Ampersands and angle brackets only where they would begin an entity or a tag: staff go on writing in this text.
_SIGNS = re.compile(r"([]\\`[|*_]|~(?=~)|(?<=~)~|&(?=[#a-zA-Z])|<(?=[a-zA-Z/!?]))")
_PICTURES_STAY = ["td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "a", "p", "span", "div", "strong", "em", "li"]


def parse_html(text: str) -> Any:
    """The elements of an HTML text, all within one: the parser takes a short text without one for the name of a file,
    and warns."""
    from bs4 import BeautifulSoup

    spaced = text.replace("&nbsp;", " ").replace("\u00a0", " ")
    return BeautifulSoup(f"<div>{spaced}</div>", "html.parser")


def markdown_of(element: Any) -> str:
    """Markdown of a parsed element, which is changed by it. Raises RecursionError for HTML that is nested too deep."""
    for tag in element.find_all(["sup", "sub"]):
        tag.replace_with(raised(tag.get_text(), is_low=tag.name == "sub"))
    for link in element.find_all("a", href=True):
        # A space or bracket would end the address.
        link["href"] = link["href"].strip().replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    # Not by splitlines: signs such as U+2028 would begin a line in which marks are not escaped.
    lines = str(_converter().convert_soup(element)).split("\n")
    text = _OWN_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip()
    return _LAST_BREAK.sub("", text)


def plain_markdown(text: str) -> str:
    """Plain text in one line, which Markdown shows as it is."""
    escaped = _converter().escape(text, set())
    return re.sub(r"\s+", " ", str(escaped)).strip()


def raised(text: str, *, is_low: bool) -> str:
    """10² must not become 102: Markdown has no raised letters, but Unicode has the digits."""
    signs = _LOWERED if is_low else _RAISED
    if all(sign in signs for sign in text):
        return "".join(signs[sign] for sign in text)
    if not is_low and text.casefold() in _ON_THE_LINE:
        return text
    return f"{'_' if is_low else '^'}{text}"


@cache
def _converter() -> Any:
    # Most files hold no HTML, and no other part of host and workers needs the parser.
    from markdownify import MarkdownConverter

    class Converter(MarkdownConverter):
        def escape(self, text: str, parent_tags: set[str]) -> str:
            """Signs that mean something in Markdown, and numbers at the beginning of a line."""
            text = _SIGNS.sub(r"\\\1", text or "")
            text = _LIST_ITEM.sub(r"\1\\\2", text)
            return _LINE_MARK.sub(r"\1\2\\\3", text)

        def convert_td(self, el: Any, text: str, parent_tags: set[str]) -> str:
            base: Any = super()
            return str(base.convert_td(el, _cell(el, text), parent_tags))

        def convert_th(self, el: Any, text: str, parent_tags: set[str]) -> str:
            base: Any = super()
            return str(base.convert_th(el, _cell(el, text), parent_tags))

        def convert_dt(self, el: Any, text: str, parent_tags: set[str]) -> str:
            """Markdown of this site knows no lists of terms."""
            return f"\n\n**{text.strip()}**\n\n" if text.strip() else ""

        def convert_dd(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return f"\n\n{text.strip()}\n\n" if text.strip() else ""

        def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
            if "td" in parent_tags or "th" in parent_tags:
                return f"`{' '.join(text.split())}`" if text.strip() else ""
            base: Any = super()
            return str(base.convert_pre(el, text, parent_tags))

    # A table whose first row has no headings is a table as well, as Markdown knows no other.
    options: dict[str, Any] = {"heading_style": "ATX", "bullets": "-", "newline_style": "backslash"}
    options |= {"table_infer_header": True, "keep_inline_images_in": _PICTURES_STAY}
    return Converter(**options)


def _cell(cell: Any, text: str) -> str:
    """The text of a cell: a bar in code would begin the next one, which escaping ends in tables alone."""
    return re.sub(r"(?<!\\)\|", r"\\|", text) if cell.find(["code", "pre", "kbd", "samp"]) else text
