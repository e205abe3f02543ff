"""Reads postings, never more than 5,000 for one word of a query, however many products it stands in.

The rarest word is read first. The others are then looked up only for the products found so far, where that is less.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import Session

from domain.search import impacts
from domain.search.among import among, apart, listed, together
from domain.search.texts import MOST_TERMS
from domain.search.vocabulary import CONTINUED, EXACT, MOST_CONTINUATIONS, Meaning, Term, beginning_within
from domain.tables import SearchPosting

MOST_POSTINGS = 5_000
# Products whose words are looked through for the continuations of a beginning: as many postings at most.
MOST_NARROWING = MOST_POSTINGS // MOST_TERMS

# Product -> impact.
Hits = dict[int, int]

_OF_WORDS = SearchPosting.word_id.in_(bindparam("words", expanding=True))
_TOGETHER = together(SearchPosting.product_id, SearchPosting.impact)
_WHOLE = select(SearchPosting.word_id, _TOGETHER).where(_OF_WORDS).group_by(SearchPosting.word_id)
# One word at a time: for several, MariaDB would rather read every word of each product.
_THERE = select(_TOGETHER).where(SearchPosting.word_id == bindparam("word"), among(SearchPosting.product_id))
_FIRST = (
    select(SearchPosting.product_id, SearchPosting.impact)
    .where(SearchPosting.word_id == bindparam("word"))
    .order_by(SearchPosting.impact.desc())
    .limit(bindparam("most", type_=Integer))
    .subquery()
)
_BEST = select(together(_FIRST.c.product_id, _FIRST.c.impact))


@dataclass
class Reader:
    """Reads for one search. `read` tells afterwards how many postings each word cost, `is_cut` that a word had more."""

    session: Session
    most: int = MOST_POSTINGS
    # How many continuations of a word its term may hold.
    continuations: int = MOST_CONTINUATIONS
    read: dict[str, int] = field(default_factory=dict)
    is_cut: bool = False

    def all_of(self, terms: Sequence[Term]) -> dict[str, Hits]:
        """Hits of each term in the products that have them all; nothing when one has none."""
        found: dict[str, Hits] = {}
        ids: Collection[int] | None = None
        for term in sorted(terms, key=lambda term: term.products):
            hits = self._hits(term, ids)
            ids = hits.keys() if ids is None else ids & hits.keys()
            if not ids:
                return {}
            found[term.text] = hits
        if len(found) == 1:
            return found
        kept = ids or ()
        return {text: {product: hits[product] for product in kept} for text, hits in found.items()}

    def narrowed(self, terms: Sequence[Term]) -> Sequence[Term] | None:
        """The last word with its continuations in the products that have all the others.

        Of a short beginning only the most frequent continuations are read, and the one that is meant may be none of
        them. None when that can be no reason, or when the others are no help.
        """
        *others, last = terms
        if not others or sum(meaning.factor == CONTINUED for meaning in last.meanings) < self.continuations:
            return None
        hits = self.all_of(others)
        products = next(iter(hits.values()), {}).keys()
        if not 0 < len(products) <= MOST_NARROWING:
            return None
        found = beginning_within(self.session, last.text, products)
        meanings = [meaning for meaning in last.meanings if meaning.factor != CONTINUED]
        return [*others, replace(last, meanings=(*meanings, *(Meaning(one, CONTINUED) for one in found)))]

    def each_of(self, terms: Sequence[Term]) -> dict[str, Hits]:
        """Hits of each term, whatever the others have."""
        return {term.text: self._hits(term, None) for term in terms if term.meanings}

    def _hits(self, term: Term, ids: Collection[int] | None) -> Hits:
        whole = min(term.products, self.most)
        if ids is not None and (term.products > self.most or len(ids) < whole // 4):
            return self._there(term, ids)
        return self._best(term)

    def _there(self, term: Term, ids: Collection[int]) -> Hits:
        """Of these products those that have the term."""
        meanings = term.meanings[: max(1, self.most // len(ids))]
        these = listed(sorted(ids))
        found = {}
        for word in (meaning.known.id for meaning in meanings):
            found[word] = apart(self.session.scalar(_THERE, {"word": word, "ids": these}))
        return self._merged(term, meanings, found, len(ids) * len(meanings))

    def _best(self, term: Term) -> Hits:
        """The term's products, the best ones when there are too many. Nearer meanings are read first."""
        left = self.most
        whole: list[Meaning] = []
        cut: Meaning | None = None
        for meaning in term.meanings:
            if meaning.known.products > left:
                self.is_cut = True
                cut = meaning
                break
            whole.append(meaning)
            left -= meaning.known.products
        found: dict[int, Hits] = {}
        if whole:
            rows = self.session.execute(_WHOLE, {"words": [meaning.known.id for meaning in whole]}).all()
            found = {word: apart(text) for word, text in rows}
        if cut is not None and left:
            text = self.session.scalar(_BEST, {"word": cut.known.id, "most": left})
            found[cut.known.id] = apart(text)
            whole.append(cut)
        return self._merged(term, whole, found, sum(map(len, found.values())))

    def _merged(self, term: Term, meanings: Sequence[Meaning], found: dict[int, Hits], read: int) -> Hits:
        self.read[term.shown] = max(self.read.get(term.shown, 0), read)
        if len(meanings) == 1 and meanings[0].factor == EXACT:
            return found.get(meanings[0].known.id, {})
        merged: Hits = {}
        for meaning in meanings:
            weakened = _weakener(meaning.factor)
            for product, impact in found.get(meaning.known.id, {}).items():
                value = weakened(impact)
                if value > merged.get(product, -1):
                    merged[product] = value
        return merged


def _weakener(factor: float) -> Callable[[int], int]:
    return (lambda impact: impact) if factor == EXACT else (lambda impact: impacts.weakened(impact, factor))
