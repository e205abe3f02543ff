"""From text to the words that are compared: one tokenizer for what is indexed and for what is asked.

    index_tokens("Zoë's C# & .NET")  ->  zoe, c#, .net   with their places and their written forms

Every rule is a row of tests/agreements/search-tokens.json.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from domain.search.word_lists import OPTIONAL, SAME, TIED
from domain.tables.search import WORD_LENGTH

# Scripts without spaces between words: Han, kana, hangul syllables (whose particles stick to their words), and Thai,
# Lao, Burmese and Khmer. They are cut into pairs of letters.
_DENSE = (
    "\u3005\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3"
)


def _marks() -> str:
    """Combining marks, for a character class: `\\w` takes them for gaps, and words of Hindi would fall apart."""
    found = (chr(code) for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    return "".join(found)


_LETTER = rf"[^\W_{_DENSE}]"
_WORD = rf"{_LETTER}+(?:(?:[{_marks()}]|'(?={_LETTER}))+{_LETTER}*)*"
_TOKEN = re.compile(
    r"(?P<net>\.net)(?![^\W_])"
    r"|(?<![^\W_])(?P<sign>[a-z](?:\+\+|\#|&[a-z]))(?![^\W_])"
    r"|(?<![^\W_])(?P<dotted>[a-z](?:\.[a-z])+)\.?(?![^\W_])"
    rf"|(?P<dense>[{_DENSE}]+)"
    rf"|(?P<words>{_WORD}(?:[-\u2010\u2011]{_WORD})*)"
)
# One apostrophe for all; what only steers the layout goes, a soft hyphen above all.
_TIDY = {ord(char): "'" for char in "\u2019\u2018\u02bc\u0060\u00b4\u2032"} | {
    0xAD: None, 0x200B: " ", 0x200C: None, 0x200D: None, 0xFEFF: None
}  # fmt: skip
# Letters whose bar or ligature no decomposition takes off.
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i", "ħ": "h"}
)
# Accents of Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic ones. Kana keep theirs: か is not が.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]")
MOST_WORDS = 12
QUERY_LETTERS = 200


@dataclass(frozen=True)
class Token:
    """`text` is compared, `shown` is how it was written in small letters. `place` counts the words of the text from 1;
    an `extra` is another way to say the word of its place, for the index only."""

    text: str
    shown: str
    place: int
    extra: bool = False


@dataclass(frozen=True)
class Query:
    """What was asked: every word of it in `said`, and in `words` those that count, each once and not too many.
    `open` says that the last word may be the beginning of one."""

    said: tuple[Token, ...]
    words: tuple[Token, ...]
    open: bool

    @property
    def text(self) -> str:
        """The query in small letters; pairs of a dense script overlap and are one word again."""
        text = ""
        before = None
        for word in self.said:
            goes_on = before is not None and before.shown[-1] == word.shown[0] and before.place + 1 == word.place
            is_pair = goes_on and is_dense(word.shown) and len(word.shown) == 2
            text += word.shown[1:] if is_pair else f" {word.shown}"
            before = word
        return text.strip()


def cleaned(text: str) -> str:
    """A query as it may be shown and kept: without control characters, in one line, at most 200 letters."""
    visible = "".join(char if unicodedata.category(char)[0] != "C" or char in "\u200c\u200d" else " " for char in text)
    return " ".join(visible.split())[:QUERY_LETTERS].rstrip()


def query_of(text: str) -> Query:
    text = text[:QUERY_LETTERS]
    return query_of_words([token for token in _tokens(text) if not token.extra], not text[-1:].isspace())


def query_of_words(said: Sequence[Token], is_open: bool) -> Query:
    needed = [token for token in said if token.text not in OPTIONAL] or said
    first = {token.text: token for token in reversed(needed)}
    words = sorted(first.values(), key=lambda token: token.place)[:MOST_WORDS]
    ends_alike = bool(words) and said[-1].text == words[-1].text
    return Query(tuple(said), tuple(words), is_open and ends_alike)


def index_tokens(text: str) -> list[Token]:
    """Every word of a text, extras included."""
    return list(_tokens(text))


def written(text: str) -> str:
    """Small letters, composed, in one line: how queries are grouped in the log."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_TIDY)).casefold().split())


@lru_cache(50_000)
def folded(word: str) -> str:
    """A written word as it is compared: accents off, other names of a thing made one."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    plain = unicodedata.normalize("NFC", bare).translate(_PLAIN)
    return SAME.get(plain, plain)[:WORD_LENGTH]


def is_dense(word: str) -> bool:
    return _DENSE_ONLY.fullmatch(word) is not None


_DENSE_ONLY = re.compile(f"[{_DENSE}]+")


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    for match in _TOKEN.finditer(written(text)):
        kind, surface = match.lastgroup, match[0]
        if kind == "words":
            for token in _compound(surface.replace("\u2010", "-").replace("\u2011", "-"), place):
                place = max(place, token.place)
                yield token
        elif kind == "dense":
            for token in _pairs(surface, place):
                place = max(place, token.place)
                yield token
        else:
            place += 1
            shown = surface.replace(".", "") if kind == "dotted" else surface
            yield Token(folded(shown), shown, place)


def _compound(surface: str, place: int) -> Iterator[Token]:
    """ "cross-border" is cross, border and also crossborder; "e-mail" is email, and also mail."""
    parts = [part for part in map(_bare, surface.split("-")) if part]
    joined = "".join(parts)
    if len(parts) > 1 and any(len(part) == 1 for part in parts):
        yield Token(folded(joined), joined, place + 1)
        yield from (Token(folded(part), part, place + 1, True) for part in parts if len(part) > 1)
        return
    for offset, part in enumerate(parts, start=1):
        yield Token(folded(part), part, place + offset)
    if len(parts) == 2:
        yield Token(folded(joined), joined[:WORD_LENGTH], place + 1, True)


def _bare(word: str) -> str:
    """Without the possessive s, a tied article or an apostrophe: controller's, l'entretien, don't."""
    if "'" not in word:
        return word[:WORD_LENGTH]
    pieces = word.split("'")
    if len(pieces) > 1 and pieces[-1] == "s":
        pieces.pop()
    if len(pieces) > 1 and pieces[0] in TIED:
        pieces.pop(0)
    return "".join(pieces)[:WORD_LENGTH]


def _pairs(run: str, place: int) -> Iterator[Token]:
    """Each letter with the next one; the last one also alone, so that a single letter is found wherever it stands."""
    if len(run) == 1:
        yield Token(run, run, place + 1)
        return
    for offset in range(len(run) - 1):
        pair = run[offset : offset + 2]
        yield Token(pair, pair, place + offset + 1)
    yield Token(run[-1], run[-1], place + len(run) - 1, True)
