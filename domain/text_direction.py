"""The direction of texts: names of any script inside sentences of another."""

import re
import unicodedata

_FROM_RIGHT = ("R", "AL")
# Marks of direction: nobody sees them, and they put what is beside them in order.
DIRECTION_SIGNS = "\u061c\u200e\u200f"
# A text between these is put in order by itself, whatever is beside it.
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
# Letters and digits of Hebrew, Arabic, Adlam and other scripts that are read from the right, and the marks of that
# direction: components/model/isolated.ts has this too (contracts/cases/directions.json).
_READ_FROM_RIGHT = re.compile("[\u0590-\u08ff\u200f\U0001e800-\U0001ebff]")
_EMBED_FROM_RIGHT, _POP_EMBEDDING = "\u202b", "\u202c"


def is_right_to_left(text: str) -> bool:
    """Whether a text is read from the right: its first letter decides, or that behind an isolated name."""
    depth = 0
    for char in text:
        kind = unicodedata.bidirectional(char)
        depth = max(depth + (char == FIRST_STRONG_ISOLATE) - (char == POP_ISOLATE), 0)
        if depth == 0 and kind in ("L", *_FROM_RIGHT):
            return kind != "L"
    return False


def isolated(text: str) -> str:
    """A name, number or day to put into a sentence: with signs around it where it has letters or digits of scripts that
    are read from the right, so that its neighbours keep their places. Others stay as they are."""
    if text.isascii() or not _READ_FROM_RIGHT.search(text):
        return text
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"


def embedded_from_right(line: str) -> str:
    """A line of a text that is read from the right, for programs that take every line to be read from the left."""
    return f"{_EMBED_FROM_RIGHT}{line}{_POP_EMBEDDING}"
