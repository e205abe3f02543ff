"""Corrects queries: misspelled words, two words written as one, one word written as two."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from domain.search.spelling import max_edits, nearest
from domain.search.tokenizer import Query, Token, is_dense, query_of_words
from domain.search.vocabulary import KnownWord, Term, known_words

_MIN_PART_LENGTH = 2
_MIN_SPLIT_LENGTH = 6
_NUMBERED = re.compile(r"([^\W\d_]{2,})(\d+)")


def corrected(session: Session, query: Query, terms: Sequence[Term]) -> Query | None:
    """The query with its unknown words corrected; None when none can be."""
    unknown = [term.text for term in terms if not term.meanings]
    near = nearest(session, unknown)
    splits = _split_words(session, [text for text in unknown if text not in near])
    if near or splits:
        tokens = [
            token for word in query.tokens for token in _replaced(word, near.get(word.text), splits.get(word.text, ()))
        ]
        return query_of_words(_placed(tokens), False)
    return _joined(session, query, set(unknown) or {term.text for term in terms})


def more_likely(session: Session, query: Query, terms: Sequence[Term], much: int) -> Query | None:
    """The query with its rare words replaced by similar ones that are in `much` times as many products, or None."""
    rare = [term for term in terms if max_edits(term.text) and term.products <= 2]
    near = nearest(session, [term.text for term in rare])
    replacements = {
        term.text: near[term.text]
        for term in rare
        if term.text in near and near[term.text].products >= much * max(1, term.products)
    }
    if not replacements:
        return None
    return query_of_words(
        [token for word in query.tokens for token in _replaced(word, replacements.get(word.text), ())], False
    )


def _replaced(token: Token, word: KnownWord | None, parts: Sequence[KnownWord]) -> list[Token]:
    words = [word] if word else list(parts)
    return [replace(token, text=known.word, shown=known.shown) for known in words] or [token]


def _placed(tokens: Sequence[Token]) -> list[Token]:
    return [replace(token, place=place) for place, token in enumerate(tokens, start=1)]


def _split_words(session: Session, words: Sequence[str]) -> dict[str, tuple[KnownWord, KnownWord]]:
    """ "cashflow" → cash, flow: of all possible splits the one whose rarer part is in most products."""
    candidates = {word: pairs for word in words if (pairs := _possible_splits(word))}
    parts = {part for pairs in candidates.values() for pair in pairs for part in pair}
    known = known_words(session, parts) if parts else {}
    splits = {}
    for word, pairs in candidates.items():
        possible = [(known[left], known[right]) for left, right in pairs if left in known and right in known]
        if possible:
            splits[word] = max(possible, key=lambda pair: min(part.products for part in pair))
    return splits


def _possible_splits(word: str) -> list[tuple[str, str]]:
    """The pairs that a word may be split into; "angular2" only before its number."""
    if numbered := _NUMBERED.fullmatch(word):
        return [(numbered[1], numbered[2])]
    if len(word) < _MIN_SPLIT_LENGTH or not word.isalpha() or is_dense(word):
        return []
    return [(word[:at], word[at:]) for at in range(_MIN_PART_LENGTH, len(word) - _MIN_PART_LENGTH + 1)]


def _joined(session: Session, query: Query, joinable: set[str]) -> Query | None:
    """ "book keeping" → bookkeeping: joins the first two neighbours that are a known word together."""
    pairs = [
        (at, left.text + right.text)
        for at, (left, right) in enumerate(zip(query.tokens, query.tokens[1:], strict=False))
        if not joinable.isdisjoint((left.text, right.text)) and not is_dense(left.text + right.text)
    ]
    known = known_words(session, [joined for _, joined in pairs]) if pairs else {}
    for at, joined in pairs:
        if joined in known:
            token = replace(query.tokens[at], text=joined, shown=known[joined].shown)
            return query_of_words(_placed([*query.tokens[:at], token, *query.tokens[at + 2 :]]), False)
    return None
