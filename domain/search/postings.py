"""Reads postings: at most 5,000 for one word of a query, however many products have it.

The rarest word is read first. The others are then read only for the products found so far, if that is less.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import Session

from domain.search import posting_weights
from domain.search.id_sets import id_in, id_list, pack_hits, unpack_hits
from domain.search.sources import MAX_TERMS
from domain.search.vocabulary import CONTINUED, EXACT, MAX_CONTINUATIONS, Meaning, Term, beginning_within
from domain.tables import SearchPosting

MAX_POSTINGS = 5_000
# Products of which all words are read to complete a typed beginning: this costs MAX_POSTINGS at most.
MAX_FILTER_IDS = MAX_POSTINGS // MAX_TERMS

# A term with more than so many times as many hits as there are products so far is read for these products only.
_MUCH = 4

# Product -> posting weight.
Hits = dict[int, int]
_NO_HITS: Hits = {}

# Columns of the table instead of attributes of the class, which cost SQLAlchemy twice the time.
_postings = SearchPosting.__table__.c
_OF_WORDS = _postings.word_id.in_(bindparam("words", expanding=True))
_PACKED = pack_hits(_postings.product_id, _postings.weight)
_ALL_POSTINGS = select(_postings.word_id, _PACKED).where(_OF_WORDS).group_by(_postings.word_id)
# One word per query: for several, MariaDB reads every word of each product.
_OF_PRODUCTS = select(_PACKED).where(_postings.word_id == bindparam("word"), id_in(_postings.product_id))
_HEAVIEST = (
    select(_postings.product_id, _postings.weight)
    .where(_postings.word_id == bindparam("word"))
    .order_by(_postings.weight.desc())
    .limit(bindparam("most", type_=Integer))
    .subquery()
)
_BEST_POSTINGS = select(pack_hits(_HEAVIEST.c.product_id, _HEAVIEST.c.weight))


@dataclass
class PostingReader:
    """Reads for one search. `read`: how many postings were read per word; `is_truncated`: a word had more."""

    session: Session
    max_postings: int = MAX_POSTINGS
    # Maximum of continuations in a term.
    continuations: int = MAX_CONTINUATIONS
    read: dict[str, int] = field(default_factory=dict)
    is_truncated: bool = False
    # By word: all its hits, where they were read.
    _whole: dict[int, Hits] = field(default_factory=dict)

    def all_of(self, terms: Sequence[Term]) -> dict[str, Hits]:
        """The hits of each term in the products that have all terms; empty when there is no such product."""
        found: dict[str, Hits] = {}
        ids: Collection[int] | None = None
        in_order = sorted(terms, key=lambda term: term.products)
        # Whatever the rarest term finds, these are not more than four times as much.
        self._read_whole([term for term in in_order if in_order[0].products >= term.products // _MUCH])
        for term in in_order:
            hits = self._hits(term, ids)
            ids = hits.keys() if ids is None else ids & hits.keys()
            if not ids:
                return {}
            found[term.text] = hits
        if len(found) == 1:
            return found
        shared = ids or ()
        return {
            text: hits if len(hits) == len(shared) else {product: hits[product] for product in shared}
            for text, hits in found.items()
        }

    def with_continuations(self, terms: Sequence[Term]) -> Sequence[Term] | None:
        """The terms with all continuations of the last word in the products that have the other terms.

        For a short beginning only the most frequent continuations were read, and the right one may not be among them.
        None when all were read, or when the other terms have no products or too many.
        """
        *others, last = terms
        if not others or sum(meaning.factor == CONTINUED for meaning in last.meanings) < self.continuations:
            return None
        hits = self.all_of(others)
        products = next(iter(hits.values()), {}).keys()
        if not 0 < len(products) <= MAX_FILTER_IDS:
            return None
        words = beginning_within(self.session, last.text, products)
        meanings = [meaning for meaning in last.meanings if meaning.factor != CONTINUED]
        return [*others, replace(last, meanings=(*meanings, *(Meaning(word, CONTINUED) for word in words)))]

    def each_of(self, terms: Sequence[Term]) -> dict[str, Hits]:
        """The hits of each term, independent of the others."""
        self._read_whole(terms)
        return {term.text: self._hits(term, None) for term in terms if term.meanings}

    def _read_whole(self, terms: Sequence[Term]) -> None:
        """Read all hits of these terms in one statement, except of those that have too many."""
        few = [term for term in terms if term.products <= self.max_postings]
        self._read_words({meaning.word.id for term in few for meaning in term.meanings})

    def _read_words(self, words: Collection[int]) -> None:
        if missing := sorted(set(words) - self._whole.keys()):
            self._whole.update(dict.fromkeys(missing, _NO_HITS))
            rows = self.session.execute(_ALL_POSTINGS, {"words": missing})
            self._whole.update((word, unpack_hits(text)) for word, text in rows)

    def _hits(self, term: Term, ids: Collection[int] | None) -> Hits:
        cost = min(term.products, self.max_postings)
        if ids is not None and (term.products > self.max_postings or len(ids) < cost // _MUCH):
            return self._of_products(term, ids)
        return self._best(term)

    def _of_products(self, term: Term, ids: Collection[int]) -> Hits:
        """The hits of a term among these products."""
        meanings = term.meanings[: max(1, self.max_postings // len(ids))]
        products = id_list(sorted(ids))
        hits = {}
        for word in (meaning.word.id for meaning in meanings):
            hits[word] = unpack_hits(self.session.scalar(_OF_PRODUCTS, {"word": word, "ids": products}))
        return self._merged(term, meanings, hits, len(ids) * len(meanings))

    def _best(self, term: Term) -> Hits:
        """The hits of a term, the best ones if there are too many. More similar meanings are read first."""
        budget = self.max_postings
        complete: list[Meaning] = []
        partial: Meaning | None = None
        for meaning in term.meanings:
            if meaning.word.products > budget:
                self.is_truncated = True
                partial = meaning
                break
            complete.append(meaning)
            budget -= meaning.word.products
        words = [meaning.word.id for meaning in complete]
        self._read_words(words)
        hits = {word: self._whole[word] for word in words}
        if partial is not None and budget:
            text = self.session.scalar(_BEST_POSTINGS, {"word": partial.word.id, "most": budget})
            hits[partial.word.id] = unpack_hits(text)
            complete.append(partial)
        return self._merged(term, complete, hits, sum(map(len, hits.values())))

    def _merged(self, term: Term, meanings: Sequence[Meaning], hits: dict[int, Hits], read: int) -> Hits:
        self.read[term.shown] = max(self.read.get(term.shown, 0), read)
        if len(meanings) == 1 and meanings[0].factor == EXACT:
            return hits.get(meanings[0].word.id, {})
        merged: Hits = {}
        for meaning in meanings:
            scale = _scaler(meaning.factor)
            for product, packed in hits.get(meaning.word.id, {}).items():
                value = scale(packed)
                if value > merged.get(product, -1):
                    merged[product] = value
        return merged


def _scaler(factor: float) -> Callable[[int], int]:
    return (lambda packed: packed) if factor == EXACT else (lambda packed: posting_weights.scale_weight(packed, factor))
