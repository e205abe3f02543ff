"""The direction of texts: names of any script inside sentences of another."""

import unicodedata

_FROM_RIGHT = ("R", "AL")
# A text between these is put in order by itself, whatever is beside it.
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_EMBED_FROM_RIGHT, _POP_EMBEDDING = "\u202b", "\u202c"


def is_right_to_left(text: str) -> bool:
    """Whether a text is read from the right: its first letter decides."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", *_FROM_RIGHT):
            return kind != "L"
    return False


def isolated(name: str) -> str:
    """A name to put into a sentence: with signs around it where it has letters that are read from the right, so that
    its neighbours keep their places. Other names stay as they are."""
    if not name.isascii() and any(unicodedata.bidirectional(char) in _FROM_RIGHT for char in name):
        return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"
    return name


def embedded_from_right(line: str) -> str:
    """A line of a text that is read from the right, for programs that take every line to be read from the left."""
    return f"{_EMBED_FROM_RIGHT}{line}{_POP_EMBEDDING}"
