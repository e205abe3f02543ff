"""Words that are a slip or two away from one another, found by what is left when letters are taken away.

Two words one slip apart have a remnant in common when each loses at most one letter; two slips: two letters. Only the
first seven letters count, which keeps a long word at 29 remnants; what the remnants bring is measured with `distance`.
"""

import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search.tokens import is_dense
from domain.search.vocabulary import COLUMNS, Known
from domain.tables import SearchMisspelling, SearchWord

_HEAD = 7
# Words from six letters may be meant by a query of eight that has two slips.
_TWO_FROM = 6
MOST_CANDIDATES = 400


def slips_allowed(word: str) -> int:
    """In a typed word: one from four letters, two from eight; none in short ones, numbers and dense scripts."""
    if len(word) < 4 or not word.isalpha() or is_dense(word):
        return 0
    return 1 if len(word) < 8 else 2


def remnants_of_word(word: str) -> set[int]:
    """For the index."""
    if len(word) < 3 or not word.isalpha() or is_dense(word):
        return set()
    return _remnants(word[:_HEAD], 2 if len(word) >= _TWO_FROM else 1)


def remnants_of_typed(word: str) -> set[int]:
    return _remnants(word[:_HEAD], slips_allowed(word))


@lru_cache(20_000)
def _remnants(head: str, depth: int) -> set[int]:
    made = set()
    for count in range(depth + 1):
        for left_out in combinations(range(len(head)), count):
            rest = "".join(letter for at, letter in enumerate(head) if at not in left_out)
            # Signed 32 bits fit the column on both databases.
            made.add(zlib.crc32(rest.encode()) - 0x8000_0000)
    return made


def nearest(session: Session, typed: Sequence[str]) -> dict[str, Known]:
    """The word each typed one most likely means: fewest slips, then the same first letter, then most products."""
    meant = {}
    for word in typed:
        most = slips_allowed(word)
        found = []
        for known in _candidates(session, word) if most else ():
            slips = distance(word, known.word, most)
            if 0 < slips <= most:
                found.append(((slips, known.word[0] != word[0], -known.products, known.word), known))
        if found:
            meant[word] = min(found)[1]
    return meant


def _candidates(session: Session, word: str) -> list[Known]:
    shared = select(SearchMisspelling.word_id).where(SearchMisspelling.remnant.in_(remnants_of_typed(word)))
    query = select(*COLUMNS).where(SearchWord.id.in_(shared), SearchWord.products > 0)
    return [Known(*row) for row in session.execute(query.order_by(SearchWord.products.desc()).limit(MOST_CANDIDATES))]


def distance(one: str, other: str, most: int) -> int:
    """How many letters to add, drop, change or swap with the next one; `most` + 1 when it is more than `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    earlier: list[int] = []
    above = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        row = [at]
        for column, wanted in enumerate(other, start=1):
            cost = min(above[column] + 1, row[-1] + 1, above[column - 1] + (letter != wanted))
            if at > 1 and column > 1 and letter == other[column - 2] and one[at - 2] == wanted:
                cost = min(cost, earlier[column - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        earlier, above = above, row
    return above[-1]
