"""Finds words within one or two edits of each other by their deletions: the word with some letters left out.

Two words one edit apart share a deletion of at most one letter of each; two edits: two letters. Only the first seven
letters are used, which limits a long word to 29 deletions; `distance` then checks the candidates.
"""

import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search.tokenizer import is_dense
from domain.search.vocabulary import COLUMNS, KnownWord
from domain.tables import SearchMisspelling, SearchWord

_HEAD = 7
# Words with at least this many letters can be two edits away from a typed word of eight letters.
_TWO_FROM = 6
MAX_CANDIDATES = 400


def max_edits(word: str) -> int:
    """For a typed word: one edit from four letters, two from eight; none for numbers and dense scripts."""
    if len(word) < 4 or not word.isalpha() or is_dense(word):
        return 0
    return 1 if len(word) < 8 else 2


def deletions_of_word(word: str) -> set[int]:
    """The deletions that the index stores for a word."""
    if len(word) < 3 or not word.isalpha() or is_dense(word):
        return set()
    return _deletions(word[:_HEAD], 2 if len(word) >= _TWO_FROM else 1)


def deletions_of_query_word(word: str) -> set[int]:
    return _deletions(word[:_HEAD], max_edits(word))


@lru_cache(20_000)
def _deletions(head: str, depth: int) -> set[int]:
    deletions = set()
    for count in range(depth + 1):
        for left_out in combinations(range(len(head)), count):
            rest = "".join(letter for at, letter in enumerate(head) if at not in left_out)
            # Signed 32-bit integers fit the column on both databases.
            deletions.add(zlib.crc32(rest.encode()) - 0x8000_0000)
    return deletions


def nearest(session: Session, typed: Sequence[str]) -> dict[str, KnownWord]:
    """The most similar known word for each typed one: fewest edits, then the same first letter, then most products."""
    result = {}
    for word in typed:
        most = max_edits(word)
        matches = []
        for known in _candidates(session, word) if most else ():
            edits = distance(word, known.word, most)
            if 0 < edits <= most:
                matches.append(((edits, known.word[0] != word[0], -known.products, known.word), known))
        if matches:
            result[word] = min(matches)[1]
    return result


def _candidates(session: Session, word: str) -> list[KnownWord]:
    shared = select(SearchMisspelling.word_id).where(SearchMisspelling.deletion.in_(deletions_of_query_word(word)))
    query = select(*COLUMNS).where(SearchWord.id.in_(shared), SearchWord.products > 0)
    return [
        KnownWord(*row) for row in session.execute(query.order_by(SearchWord.products.desc()).limit(MAX_CANDIDATES))
    ]


def distance(word: str, other: str, most: int) -> int:
    """The number of edits (add, drop, change, swap with the next letter); `most` + 1 when there are more."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    earlier: list[int] = []
    above = list(range(len(other) + 1))
    for at, letter in enumerate(word, start=1):
        row = [at]
        for column, wanted in enumerate(other, start=1):
            cost = min(above[column] + 1, row[-1] + 1, above[column - 1] + (letter != wanted))
            if at > 1 and column > 1 and letter == other[column - 2] and word[at - 2] == wanted:
                cost = min(cost, earlier[column - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        earlier, above = above, row
    return above[-1]
