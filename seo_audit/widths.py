"""The width that search engines show of titles and descriptions (SEO contract), and the width of a text.

On purpose not shared with the shop's own code, which truncates texts: the audit has to find errors in it.
"""

import unicodedata

MAX_TITLE_WIDTH = 60
MAX_DESCRIPTION_WIDTH = 155


def width(text: str) -> int:
    """The width in columns: East Asian wide characters and emoji count twice, combining marks not at all."""
    return sum(map(_width_of, text))


def _width_of(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
