"""Splits text into comparable words: one tokenizer for indexed texts and for queries.

    index_tokens("Zoë's C# & .NET")  ->  zoe, c#, .net   with their places and their written forms

Every rule is a row of contracts/cases/search-tokens.json.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from domain.search.word_lists import COMPOUNDS, OPTIONAL, SYNONYMS
from domain.tables.search import WORD_LENGTH

# Dense scripts have no spaces between words: Han, kana, hangul syllables (particles are attached to their words), Thai,
# Lao, Burmese and Khmer. They are split into pairs of letters.
_DENSE = (
    "\u3005\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3"
)


def _marks() -> str:
    """Combining marks, for a character class: `\\w` does not match them, and words of Hindi would be split."""
    marks = (chr(code) for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    return "".join(marks)


_LETTER = rf"[^\W_{_DENSE}]"
_WORD = rf"{_LETTER}+(?:(?:[{_marks()}]|'(?={_LETTER}))+{_LETTER}*)*"
_TOKEN = re.compile(
    r"(?P<net>\.net)(?![^\W_])"
    r"|(?<![^\W_])(?P<sign>[a-z](?:\+\+|\#|&[a-z]))(?![^\W_])"
    r"|(?<![^\W_])(?P<dotted>[a-z](?:\.[a-z])+)\.?(?![^\W_])"
    rf"|(?P<dense>[{_DENSE}]+)"
    rf"|(?P<words>{_WORD}(?:[-\u2010\u2011]{_WORD})*)"
)
# All apostrophes become one; characters that only control the layout, such as soft hyphens, are removed.
_CHARACTER_CLEANUP = {ord(char): "'" for char in "\u2019\u2018\u02bc\u0060\u00b4\u2032"} | {
    0xAD: None, 0x200B: " ", 0x200C: None, 0x200D: None, 0xFEFF: None
}  # fmt: skip
# Letters with a bar and ligatures, which Unicode does not decompose.
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i", "ħ": "h"}
)
# Accents of Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic ones; not those of kana: か is not が.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]")
MAX_WORDS = 12
MAX_QUERY_LENGTH = 200


@dataclass(frozen=True)
class Token:
    """`text` is compared, `shown` is the written form in lower case. `place` counts the words of the text from 1. An
    `extra` token is another form of the word at its place, for the index only."""

    text: str
    shown: str
    place: int
    extra: bool = False


@dataclass(frozen=True)
class Query:
    """`tokens` are all words of a query, `words` those that are searched: each once, at most MAX_WORDS. `is_open`: the
    last word may be incomplete."""

    tokens: tuple[Token, ...]
    words: tuple[Token, ...]
    is_open: bool

    @property
    def text(self) -> str:
        """The query in lower case; overlapping pairs of a dense script are joined again."""
        text = ""
        previous = None
        for word in self.tokens:
            overlaps = previous is not None and previous.shown[-1] == word.shown[0] and previous.place + 1 == word.place
            is_pair = overlaps and is_dense(word.shown) and len(word.shown) == 2
            text += word.shown[1:] if is_pair else f" {word.shown}"
            previous = word
        return text.strip()


def clean(text: str) -> str:
    """A query for display and storage: without control characters, in one line, at most MAX_QUERY_LENGTH letters."""
    visible = "".join(char if unicodedata.category(char)[0] != "C" or char in "\u200c\u200d" else " " for char in text)
    return " ".join(visible.split())[:MAX_QUERY_LENGTH].rstrip()


def query_of(text: str) -> Query:
    text = text[:MAX_QUERY_LENGTH]
    return query_of_words([token for token in _tokens(text) if not token.extra], not text[-1:].isspace())


def query_of_words(tokens: Sequence[Token], is_open: bool) -> Query:
    needed = [token for token in tokens if token.text not in OPTIONAL] or tokens
    first = {token.text: token for token in reversed(needed)}
    words = sorted(first.values(), key=lambda token: token.place)[:MAX_WORDS]
    ends_with_word = bool(words) and tokens[-1].text == words[-1].text
    return Query(tuple(tokens), tuple(words), is_open and ends_with_word)


def index_tokens(text: str) -> list[Token]:
    """Every word of a text, extras included."""
    return list(_tokens(text))


def display_form(text: str) -> str:
    """Lower case, composed, in one line: the form by which the log groups queries."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_CHARACTER_CLEANUP)).casefold().split())


@lru_cache(50_000)
def normalised(word: str) -> str:
    """The compared form of a written word: without accents, synonyms replaced."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    plain = unicodedata.normalize("NFC", bare).translate(_PLAIN)
    return SYNONYMS.get(plain, plain)[:WORD_LENGTH]


def is_dense(word: str) -> bool:
    return _DENSE_ONLY.fullmatch(word) is not None


_DENSE_ONLY = re.compile(f"[{_DENSE}]+")


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    for match in _TOKEN.finditer(display_form(text)):
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
            yield Token(normalised(shown), shown, place)


def _compound(surface: str, place: int) -> Iterator[Token]:
    """ "cross-border" → cross, border and the extra crossborder; "e-mail" → email and the extra mail."""
    parts = [part for part in map(_bare, surface.split("-")) if part]
    joined = "".join(parts)
    if len(parts) > 1 and any(len(part) == 1 for part in parts):
        yield Token(normalised(joined), joined, place + 1)
        yield from (Token(normalised(part), part, place + 1, True) for part in parts if len(part) > 1)
        return
    for offset, part in enumerate(parts, start=1):
        yield Token(normalised(part), part, place + offset)
    if len(parts) == 2:
        yield Token(normalised(joined), joined[:WORD_LENGTH], place + 1, True)


def _bare(word: str) -> str:
    """Without the possessive s, a tied article or an apostrophe: controller's, l'entretien, don't."""
    if "'" not in word:
        return word[:WORD_LENGTH]
    pieces = word.split("'")
    if len(pieces) > 1 and pieces[-1] == "s":
        pieces.pop()
    if len(pieces) > 1 and pieces[0] in COMPOUNDS:
        pieces.pop(0)
    return "".join(pieces)[:WORD_LENGTH]


def _pairs(run: str, place: int) -> Iterator[Token]:
    """Each letter with the next one; the last one also alone, so that a query of one letter matches every place."""
    if len(run) == 1:
        yield Token(run, run, place + 1)
        return
    for offset in range(len(run) - 1):
        pair = run[offset : offset + 2]
        yield Token(pair, pair, place + offset + 1)
    yield Token(run[-1], run[-1], place + len(run) - 1, True)
