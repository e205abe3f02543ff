"""What a query with a slip in it may have meant: another word, two words written as one, one word written as two."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from domain.search.misspellings import nearest, slips_allowed
from domain.search.tokens import Query, Token, is_dense, query_of_words
from domain.search.vocabulary import Known, Term, known_words

_SHORTEST_HALF = 2
_SHORTEST_SPLIT = 6
_NUMBERED = re.compile(r"([^\W\d_]{2,})(\d+)")


def mended(session: Session, query: Query, terms: Sequence[Term]) -> Query | None:
    """The query with its unknown words mended; None when none can be."""
    unknown = [term.text for term in terms if not term.meanings]
    meant = nearest(session, unknown)
    halves = _halves(session, [text for text in unknown if text not in meant])
    if meant or halves:
        said = [
            token for word in query.said for token in _replaced(word, meant.get(word.text), halves.get(word.text, ()))
        ]
        return query_of_words(_placed(said), False)
    return _joined(session, query, set(unknown) or {term.text for term in terms})


def likelier(session: Session, query: Query, terms: Sequence[Term], much: int) -> Query | None:
    """The query with its rarest words replaced by near ones that stand in `much` times as many products."""
    rare = [term for term in terms if slips_allowed(term.text) and term.products <= 2]
    near = nearest(session, [term.text for term in rare])
    meant = {
        term.text: near[term.text]
        for term in rare
        if term.text in near and near[term.text].products >= much * max(1, term.products)
    }
    if not meant:
        return None
    return query_of_words([token for word in query.said for token in _replaced(word, meant.get(word.text), ())], False)


def _replaced(word: Token, meant: Known | None, halves: Sequence[Known]) -> list[Token]:
    known = [meant] if meant else list(halves)
    return [replace(word, text=one.word, shown=one.shown) for one in known] or [word]


def _placed(said: Sequence[Token]) -> list[Token]:
    return [replace(token, place=place) for place, token in enumerate(said, start=1)]


def _halves(session: Session, words: Sequence[str]) -> dict[str, tuple[Known, Known]]:
    """ "cashflow" is cash and flow: of all places to cut, the one whose rarer half is the most frequent."""
    cuts = {word: pairs for word in words if (pairs := _cuts(word))}
    known = known_words(session, {half for pairs in cuts.values() for pair in pairs for half in pair}) if cuts else {}
    found = {}
    for word, pairs in cuts.items():
        possible = [(known[left], known[right]) for left, right in pairs if left in known and right in known]
        if possible:
            found[word] = max(possible, key=lambda pair: min(one.products for one in pair))
    return found


def _cuts(word: str) -> list[tuple[str, str]]:
    """Where a word may be cut in two: "angular2" where its number begins."""
    if numbered := _NUMBERED.fullmatch(word):
        return [(numbered[1], numbered[2])]
    if len(word) < _SHORTEST_SPLIT or not word.isalpha() or is_dense(word):
        return []
    return [(word[:at], word[at:]) for at in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1)]


def _joined(session: Session, query: Query, mendable: set[str]) -> Query | None:
    """ "book keeping" is bookkeeping: the first two neighbours that are a known word together."""
    pairs = [
        (at, left.text + right.text)
        for at, (left, right) in enumerate(zip(query.said, query.said[1:], strict=False))
        if not mendable.isdisjoint((left.text, right.text)) and not is_dense(left.text + right.text)
    ]
    known = known_words(session, [joined for _, joined in pairs]) if pairs else {}
    for at, joined in pairs:
        if joined in known:
            one = replace(query.said[at], text=joined, shown=known[joined].shown)
            return query_of_words(_placed([*query.said[:at], one, *query.said[at + 2 :]]), False)
    return None
