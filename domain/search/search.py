"""Searches: from typed words to one page of cards with facets.

All words must match. Without such products misspellings are corrected; if that does not help, products that match some
of the words are shown, with the answer "partial".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import Integer, Select, bindparam, select
from sqlalchemy.orm import Session

from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import CARD_COLUMNS, PAGE_SIZE, PRODUCTS, SORTS, CardRow, ShopQuery
from domain.catalogue.scope import CatalogueScope
from domain.search import corrections, ranking
from domain.search.facet_index import FacetIndex, facet_index_of
from domain.search.facets import Counts, matching, tally
from domain.search.id_sets import id_in, id_list
from domain.search.postings import PostingReader
from domain.search.ranking import Order
from domain.search.tokenizer import Query, query_of
from domain.search.vocabulary import Term, terms_of
from domain.tables import Product

Answer = Literal["exact", "corrected", "partial", "none"]
RELEVANCE = "relevance"

# With fewer hits than this another spelling is offered, if it has this many times as many hits.
FEW_RESULTS = 3
_MUCH = 5
# The cards of up to so many products with the same relevance are read together with what orders them.
MAX_CARDS = 2 * PAGE_SIZE


@dataclass(frozen=True)
class SearchResult:
    """One page of results. `normalised_query` is the query as it was searched, `unknown` its words that are not in the
    catalogue, `did_you_mean` another query with more hits. `everything` counts all hits before filters. `is_truncated`:
    more products match than are read, and the counts are of the best ones. `version`: of the catalogue, where something
    was found, and `changes_at` when the next sale in it begins or ends."""

    answer: Answer
    normalised_query: str = ""
    unknown: tuple[str, ...] = ()
    did_you_mean: str | None = None
    everything: int = 0
    is_truncated: bool = False
    total: int = 0
    counts: Counts = field(default_factory=dict)
    rows: Sequence[CardRow] = ()
    version: int | None = None
    changes_at: datetime | None = None
    # Word -> number of postings read, for benchmarks and tests.
    read: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Matched:
    answer: Answer
    query: Query
    terms: Sequence[Term]
    order: Order


def search(session: Session, text: str, shop: ShopQuery, at: datetime, *, as_typed: bool = False) -> SearchResult:
    """`shop` has filters, page and sort order, by default RELEVANCE. `as_typed`: without corrections."""
    query = query_of(text)
    reader = PostingReader(session)
    matched = _in_scope(session, _match(reader, query, as_typed), shop.scope)
    if not matched.order:
        unknown = tuple(term.shown for term in matched.terms if not term.meanings)
        return SearchResult("none", normalised_query=query.text, unknown=unknown, read=reader.read)
    products = ranking.products_of(matched.order)
    index = facet_index_of(session, products, shop.price_scale, at)
    total, counts = tally(index, products, shop)
    return SearchResult(
        answer=matched.answer,
        normalised_query=matched.query.text,
        unknown=tuple(term.shown for term in matched.terms if not term.meanings),
        # For restricted visitors another spelling could come from products that they may not see.
        did_you_mean=None if as_typed or shop.scope else _other_spelling(reader, matched),
        everything=len(matched.order),
        is_truncated=reader.is_truncated,
        total=total,
        counts=counts,
        rows=_page(session, index, matched.order, shop, at),
        version=index.version,
        changes_at=index.until,
        read=reader.read,
    )


def _in_scope(session: Session, matched: _Matched, scope: CatalogueScope | None) -> _Matched:
    """Without products that the visitor may not see."""
    if scope is None:
        return matched
    # Among the hits alone: a scope may hold the whole catalogue.
    query = select(Product.id).where(id_in(Product.id), scope.condition())
    ids = set(session.scalars(query, {"ids": id_list(ranking.products_of(matched.order))}))
    return replace(matched, order=[entry for entry in matched.order if ranking.product_of(entry) in ids])


def _match(reader: PostingReader, query: Query, as_typed: bool) -> _Matched:
    terms = terms_of(reader.session, query)
    order = _order(reader, terms)
    if order or not terms:
        return _Matched("exact", query, terms, order)
    corrected = None if as_typed else corrections.corrected(reader.session, query, terms)
    if corrected is not None:
        query, terms = corrected, terms_of(reader.session, corrected)
        order = _order(reader, terms)
        if order:
            return _Matched("corrected", query, terms, order)
    return _Matched("partial", query, terms, ranking.rank_partial_matches(terms, reader.each_of(terms)))


def _order(reader: PostingReader, terms: Sequence[Term]) -> Order:
    if not terms or not all(term.meanings for term in terms):
        return []
    hits = reader.all_of(terms)
    if not hits and (extended := reader.with_continuations(terms)):
        terms, hits = extended, reader.all_of(extended)
    return ranking.rank_full_matches(terms, hits) if hits else []


def _other_spelling(reader: PostingReader, matched: _Matched) -> str | None:
    """Another spelling with many more hits, when the query has few."""
    if matched.answer != "exact" or len(matched.order) >= FEW_RESULTS:
        return None
    other = corrections.more_likely(reader.session, matched.query, matched.terms, _MUCH)
    if other is None:
        return None
    order = _order(reader, terms_of(reader.session, other))
    return other.text if len(order) >= _MUCH * len(matched.order) else None


def _page(session: Session, index: FacetIndex, order: Order, shop: ShopQuery, at: datetime) -> Sequence[CardRow]:
    first = (shop.page - 1) * PAGE_SIZE
    if shop.active_facets:
        ids = set(matching(index, ranking.products_of(order), shop))
        order = [entry for entry in order if ranking.product_of(entry) in ids]
    if shop.sort != RELEVANCE:
        values = {"ids": id_list(ranking.products_of(order)), "at": at, "first": first}
        return _cards(session, session.scalars(_sorted(shop.sort), values).all())
    start, ties = ranking.slice_with_ties(order, first, first + PAGE_SIZE)
    place = slice(first - start, first - start + PAGE_SIZE)
    listed = {"ids": id_list(ranking.products_of(ties))}
    if len(ties) > MAX_CARDS:
        popularity: dict[int, int] = dict(session.execute(_POPULARITY, listed).all())
        return _cards(session, _by_popularity(ties, popularity)[place])
    # Few more than are shown: one statement reads all of both.
    cards, popularity = {}, {}
    for *columns, learners in session.execute(_CARDS_AND_POPULARITY, listed):
        card = CardRow._make(columns)
        cards[card.id], popularity[card.id] = card, learners
    return [cards[id_] for id_ in _by_popularity(ties, popularity)[place] if id_ in cards]


def _by_popularity(order: Order, popularity: Mapping[int, int]) -> list[int]:
    """Product ids in this order, with ties broken by the number of learners."""
    pairs = [(ranking.key_of(entry), ranking.product_of(entry)) for entry in order]
    return [id_ for _, id_ in sorted(pairs, key=lambda pair: (-pair[0], -popularity.get(pair[1], 0), -pair[1]))]


def _cards(session: Session, ids: Sequence[int]) -> list[CardRow]:
    rows = {row.id: CardRow._make(row) for row in session.execute(_CARDS, {"ids": id_list(ids)})}
    return [rows[id_] for id_ in ids if id_ in rows]


_POPULARITY = select(PRODUCTS.id, PRODUCTS.popularity).where(id_in(PRODUCTS.id))
_CARDS = select(*CARD_COLUMNS).where(id_in(PRODUCTS.id))
_CARDS_AND_POPULARITY = select(*CARD_COLUMNS, PRODUCTS.popularity).where(id_in(PRODUCTS.id))


@lru_cache(len(SORTS))
def _sorted(sort: str) -> Select[Any]:
    """Selects only ids: sorting whole cards would move a hundred times as much data."""
    query = select(PRODUCTS.id).where(id_in(PRODUCTS.id)).order_by(*catalogue_listing.order_of(sort))
    return query.limit(PAGE_SIZE).offset(bindparam("first", type_=Integer))
