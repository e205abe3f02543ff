"""A search from the words somebody typed to one page of cards with facets.

All words must match in some way. When none of the catalogue does, slips are mended; when that does not help, whatever
matches some of the words is shown, and said to be that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import Integer, Select, bindparam, select
from sqlalchemy.orm import Session

from domain import catalogue
from domain.catalogue import CARD_COLUMNS, PAGE_SIZE, SORTS, CardRow, Narrowed, ShopQuery
from domain.search import corrections, ranking
from domain.search.among import among, listed
from domain.search.facets import Counts, passing, tally
from domain.search.ranking import Order
from domain.search.reading import Reader
from domain.search.tokens import Query, query_of
from domain.search.vocabulary import Term, terms_of
from domain.tables import Product

Answer = Literal["exact", "corrected", "partial", "none"]
RELEVANCE = "relevance"

# With fewer hits than this another spelling is offered, if it brings this many times as much.
FEW = 3
_MUCH = 5


@dataclass(frozen=True)
class Found:
    """One page of results. `understood` is the query as it was searched, `unknown` its words that nobody knows,
    `did_you_mean` another query that finds more. `everything` counts all hits before filters; with `is_cut` there are
    more products with these words than are ever read, and the counts are of the best of them."""

    answer: Answer
    understood: str = ""
    unknown: tuple[str, ...] = ()
    did_you_mean: str | None = None
    everything: int = 0
    is_cut: bool = False
    total: int = 0
    counts: Counts = field(default_factory=dict)
    rows: Sequence[CardRow] = ()
    # Word -> postings read, for the benchmark and the tests.
    read: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Matched:
    answer: Answer
    query: Query
    terms: Sequence[Term]
    order: Order


def search(session: Session, text: str, shop: ShopQuery, at: datetime, *, as_typed: bool = False) -> Found:
    """`shop` says filters, page and sort; the sort RELEVANCE is the usual one. `as_typed` mends nothing."""
    query = query_of(text)
    reader = Reader(session)
    matched = _seen(session, _matched(reader, query, as_typed), shop.only)
    if not matched.order:
        unknown = tuple(term.shown for term in matched.terms if not term.meanings)
        return Found("none", understood=query.text, unknown=unknown, read=reader.read)
    total, counts = tally(session, ranking.products_of(matched.order), shop, at)
    return Found(
        answer=matched.answer,
        understood=matched.query.text,
        unknown=tuple(term.shown for term in matched.terms if not term.meanings),
        # Another spelling may be taken from what somebody restricted does not see.
        did_you_mean=None if as_typed or shop.only else _likelier(reader, matched),
        everything=len(matched.order),
        is_cut=reader.is_cut,
        total=total,
        counts=counts,
        rows=_page(session, matched.order, shop, at),
        read=reader.read,
    )


def _seen(session: Session, matched: _Matched, only: Narrowed | None) -> _Matched:
    """Without what the visitor may not see."""
    if only is None:
        return matched
    ids = catalogue.all_within(session, only)
    return replace(matched, order=[entry for entry in matched.order if ranking.product_of(entry) in ids])


def _matched(reader: Reader, query: Query, as_typed: bool) -> _Matched:
    terms = terms_of(reader.session, query)
    order = _order(reader, terms)
    if order or not terms:
        return _Matched("exact", query, terms, order)
    mended = None if as_typed else corrections.mended(reader.session, query, terms)
    if mended is not None:
        query, terms = mended, terms_of(reader.session, mended)
        order = _order(reader, terms)
        if order:
            return _Matched("corrected", query, terms, order)
    return _Matched("partial", query, terms, ranking.of_some(terms, reader.each_of(terms)))


def _order(reader: Reader, terms: Sequence[Term]) -> Order:
    if not terms or not all(term.meanings for term in terms):
        return []
    found = reader.all_of(terms)
    if not found and (narrowed := reader.narrowed(terms)):
        terms, found = narrowed, reader.all_of(narrowed)
    return ranking.of_all(terms, found) if found else []


def _likelier(reader: Reader, matched: _Matched) -> str | None:
    """Another spelling worth offering when there is little to show."""
    if matched.answer != "exact" or len(matched.order) >= FEW:
        return None
    other = corrections.likelier(reader.session, matched.query, matched.terms, _MUCH)
    if other is None:
        return None
    order = _order(reader, terms_of(reader.session, other))
    return other.text if len(order) >= _MUCH * len(matched.order) else None


def _page(session: Session, order: Order, shop: ShopQuery, at: datetime) -> Sequence[CardRow]:
    first = (shop.page - 1) * PAGE_SIZE
    if shop.narrowing:
        ids = set(passing(session, ranking.products_of(order), shop, at))
        order = [entry for entry in order if ranking.product_of(entry) in ids]
    if shop.sort != RELEVANCE:
        values = {"ids": listed(ranking.products_of(order)), "at": at, "first": first}
        return _cards(session, session.scalars(_sorted(shop.sort), values).all())
    start, near = ranking.slice_with_ties(order, first, first + PAGE_SIZE)
    in_order = _by_popularity(session, near)[first - start :]
    return _cards(session, in_order[:PAGE_SIZE])


def _by_popularity(session: Session, near: Order) -> list[int]:
    """Equal keys told apart by how many chose them."""
    found = session.execute(_POPULARITY, {"ids": listed(ranking.products_of(near))})
    chosen: dict[int, int] = dict(found.all())
    pairs = [(ranking.key_of(entry), ranking.product_of(entry)) for entry in near]
    return [it for _, it in sorted(pairs, key=lambda pair: (-pair[0], -chosen.get(pair[1], 0), -pair[1]))]


def _cards(session: Session, ids: Sequence[int]) -> list[CardRow]:
    rows = {row.id: CardRow._make(row) for row in session.execute(_CARDS, {"ids": listed(ids)})}
    return [rows[it] for it in ids if it in rows]


_POPULARITY = select(Product.id, Product.popularity).where(among(Product.id))
_CARDS = select(*CARD_COLUMNS).where(among(Product.id))


@lru_cache(len(SORTS))
def _sorted(sort: str) -> Select[Any]:
    """Only ids: whoever sorts whole cards moves a hundred times as much."""
    query = select(Product.id).where(among(Product.id)).order_by(*catalogue.order_of(sort))
    return query.limit(PAGE_SIZE).offset(bindparam("first", type_=Integer))
