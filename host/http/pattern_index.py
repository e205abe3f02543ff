"""Finds out which of many regular expressions may fit a text, without trying each.

Nearly every expression about a User-Agent needs a certain word: where the word is not, the expression cannot fit. The
words are read from the text of the expression; what may fit is still tried by the expression itself.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

_WORD = re.compile("[a-z0-9]{2,}")
# The letters beyond ASCII that equal ASCII's for expressions to which capitals do not count.
_EQUAL = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
# Words of User-Agents that are remembered with what they may fit; anybody can send others.
_MAX_WORDS = 4096
# Every text that an expression fits has one of these pieces, in small letters.
_AnyOf = frozenset[str]
# What stands at one place of an expression: always this small letter or sign; or another thing, with what it needs.
_Item = str | _AnyOf
_ANYTHING: _AnyOf = frozenset()
# The parts of an expression: starts of groups, escaped characters and numbers, sets, numbers of times, characters.
_PART = re.compile(
    r"\((?:\?(?:P<\w+>|<?[=!]|.))?|\\(?:\d+|.)|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?:[*+?]|\{\d+(?:,\d*)?\}|\{,\d*\})[+?]?|.",
    re.DOTALL,
)
_TIMES = re.compile(r"[*+?].?|\{[\d,]+\}.?")
_OPTIONAL = re.compile(r"[*?]|\{0*[,}]")
# Flags within an expression, its comments, conditions and references by name, and codes in hexadecimal.
_UNREADABLE = re.compile(r"\(\?.*(?<![:=!>])|\\[xuUN]", re.DOTALL)
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
            pieces = _rarest(_needed_by(pattern), common)
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


def _needed_by(pattern: str) -> list[_AnyOf]:
    """What every text has that the expression fits: of each set one of its pieces. Each has a word. Nothing when the
    expression has parts that are not read here: then it is always tried."""
    parts: list[str] = _PART.findall(pattern.removeprefix("(?i)"))
    return [] if any(_UNREADABLE.fullmatch(part) for part in parts) else _needed(_read(iter(parts)))


def _needed(items: Iterable[_Item]) -> list[_AnyOf]:
    needed: list[_AnyOf] = []
    piece = ""
    # The last one ends the last piece.
    for item in (*items, _ANYTHING):
        if isinstance(item, str):
            piece += item
            continue
        if _WORD.search(piece):
            needed.append(frozenset((piece,)))
        needed += [item] if item else []
        piece = ""
    return needed


def _read(parts: Iterator[str]) -> list[_Item]:
    """The items of an expression, or of a group in it, up to its end."""
    branches: list[list[_Item]] = [[]]
    last = 0
    for part in parts:
        items = branches[-1]
        if part == ")":
            break
        if part == "|":
            branches.append([])
        elif _TIMES.fullmatch(part):
            repeated = [] if _OPTIONAL.match(part) else _needed(items[last:])
            items[last:] = [_ANYTHING, *repeated]
        else:
            last = len(items)
            items += _read_group(part, parts) if part[0] == "(" else [_item(part)]
    if len(branches) == 1:
        return branches[0]
    each = [_rarest(_needed(branch), set()) for branch in branches]
    return [_ANYTHING.union(*each) if all(each) else _ANYTHING]


def _read_group(start: str, parts: Iterator[str]) -> list[_Item]:
    items = _read(parts)
    # What looks ahead or back may say what is not there.
    return [_ANYTHING] if start.endswith(("=", "!")) else items


def _item(part: str) -> _Item:
    """The small letter or sign that a character, an escaped one or a set always is; none beyond ASCII."""
    letters = set(part.lower())
    if part[0] == "\\" and not part[1].isalnum():
        letters = {part[1]}
    elif part[0] == "[" and not letters & set("\\^-"):
        letters = set(part[1:-1].lower())
    elif part in ".^$":
        return _ANYTHING
    return letters.pop() if len(letters) == 1 and part.isascii() else _ANYTHING
