"""Finds out which of many regular expressions may fit a text, without trying each.

Nearly every expression about a User-Agent needs a certain word: where the word is not, the expression cannot fit. The
words are read from the expressions by the parser of `re`; what may fit is still tried by the expression itself.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

# CPython's own, without a public name: tests/host/http/test_pattern_index.py fails when it changes.
_PARSER: Any = vars(re)["_parser"]
_WORD = re.compile("[a-z0-9]{2,}")
# The letters beyond ASCII that equal ASCII's for expressions to which capitals do not count.
_EQUAL = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
# Words of User-Agents that are remembered with what they may fit; anybody can send others.
_MAX_WORDS = 4096
# Every text that an expression fits has one of these pieces, in small letters.
_AnyOf = frozenset[str]
# A word as short as that is in many texts by chance, and an expression with so many pieces takes long to search for:
# then the whole piece is looked for as well.
_SHORT, _MANY = 3, 6


class PatternIndex:
    """`patterns`: regular expressions. `usual`: a text with words that most texts have, of which an expression is not
    remembered when it needs another one."""

    def __init__(self, patterns: Sequence[str], usual: str = ""):
        common = set(_WORD.findall(usual.lower()))
        self._always = 0
        self._bits: defaultdict[str, int] = defaultdict(int)
        self._pieces: dict[int, tuple[str, ...]] = {}
        for number, pattern in enumerate(patterns):
            pieces = _rarest(_required(_PARSER.parse(pattern)), common)
            self._always |= 0 if pieces else 1 << number
            words = {_longest_word(piece) for piece in pieces}
            for word in words:
                self._bits[word] |= 1 << number
            if len(words) >= _MANY or any(len(word) <= _SHORT for word in words):
                self._pieces[number] = tuple(pieces)
        self._doubtful = sum(1 << number for number in self._pieces)
        self._short = [word for word in self._bits if len(word) == 2]
        self._long: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._bits:
            if len(word) > 2:
                self._long[word[:3]].append(word)
        self._starts = frozenset(self._long)
        self._bits_of_word = lru_cache(_MAX_WORDS)(self._find_in_word)

    def may_fit(self, text: str) -> int:
        """A number with the bit 1 << n for each expression n that may fit the text."""
        found, bits_of_word, small = self._always, self._bits_of_word, small_letters(text)
        for word in _WORD.findall(small):
            found |= bits_of_word(word)
        for number in numbers_of(found & self._doubtful):
            if not any(piece in small for piece in self._pieces[number]):
                found ^= 1 << number
        return found

    def _find_in_word(self, word: str) -> int:
        found = 0
        for needed in self._short:
            if needed in word:
                found |= self._bits[needed]
        for start in self._starts.intersection(map("".join, zip(word, word[1:], word[2:], strict=False))):
            for needed in self._long[start]:
                if needed in word:
                    found |= self._bits[needed]
        return found


def small_letters(text: str) -> str:
    """A text in which every ASCII letter that an expression may find in `text` is a small one."""
    return text.lower() if text.isascii() else text.translate(_EQUAL).lower()


def numbers_of(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, the least first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _rarest(needed: Iterable[_AnyOf], common: set[str]) -> _AnyOf:
    """The pieces that the fewest texts have, as far as one can say; none when there are none."""

    def rank(pieces: _AnyOf) -> tuple[bool, int]:
        words = [_longest_word(piece) for piece in pieces]
        is_common = any(word in usual for word in words for usual in common)
        return not is_common, min(map(len, words))

    return max(needed, key=rank, default=frozenset())


def _longest_word(piece: str) -> str:
    words: list[str] = _WORD.findall(piece)
    return max(words, key=len)


def _required(items: Iterable[tuple[Any, Any]]) -> list[_AnyOf]:
    """What every text has that the parsed expression fits: of each set one of its pieces. Each has a word."""
    needed: list[_AnyOf] = []
    piece = ""
    # Ends the last piece as well.
    for name, value in [*_flat(items), ("END", None)]:
        letter = _letter(str(name), value)
        if letter:
            piece += letter
            continue
        if _WORD.search(piece):
            needed.append(frozenset((piece,)))
        piece = ""
        needed += _required_by(str(name), value)
    return needed


def _flat(items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Items with those of groups in their places."""
    for name, value in items:
        if str(name) == "SUBPATTERN":
            yield from _flat(value[-1])
        else:
            yield name, value


def _letter(name: str, value: Any) -> str:
    """The character that this item always is, as a small letter; "" for another item, and beyond ASCII."""
    codes = {value} if name == "LITERAL" else set()
    if name == "IN" and all(str(kind) == "LITERAL" for kind, _ in value):
        codes = {code for _, code in value}
    letters = {chr(code).lower() for code in codes if code < 128}
    return letters.pop() if len(letters) == 1 and max(codes) < 128 else ""


def _required_by(name: str, value: Any) -> list[_AnyOf]:
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, _, items = value
        return _required(items) if least else []
    if name == "BRANCH":
        each = [_rarest(_required(items), set()) for items in value[1]]
        return [frozenset().union(*each)] if all(each) else []
    return []
