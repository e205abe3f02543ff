"""Suggestions for the search box: past queries, categories, and products by the words of their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search import posting_weights, ranking
from domain.search.id_sets import id_in, id_list
from domain.search.postings import Hits, PostingReader
from domain.search.spelling import nearest
from domain.search.tokenizer import Query, display_form, index_tokens, normalised, query_of, query_of_words
from domain.search.vocabulary import (
    CONTINUED,
    EXACT,
    Meaning,
    Term,
    beginning_with,
    known_words,
    other_numbers,
)
from domain.tables import Category, Product

MAX_SUGGESTIONS = 8
_MAX_QUERIES = 2
_MAX_CATEGORIES = 2
# Enough for eight good names; a suggestion must cost less than a page.
_POSTINGS = 600
_CONTINUATIONS = 8


@dataclass(frozen=True)
class Suggestion:
    """`kind` query: `text` is the query. Otherwise the name of a category (`slug`) or product (`id`, `slug`)."""

    kind: Literal["query", "category", "course", "item"]
    text: str
    slug: str = ""
    id: int = 0


def suggest(session: Session, text: str, past: Iterable[str] = ()) -> list[Suggestion]:
    """At most eight. `past`: queries with results, the most frequent first (query_log.popular)."""
    query = query_of(text)
    if not query.words:
        return []
    queries = [Suggestion("query", past_query) for past_query in _continuing(text, past)][:_MAX_QUERIES]
    named = _named(session, query, MAX_SUGGESTIONS - len(queries))
    if not named and (corrected := _corrected(session, query)) is not None:
        named = _named(session, corrected, MAX_SUGGESTIONS - len(queries))
    return [*queries, *named]


def _named(session: Session, query: Query, most: int) -> list[Suggestion]:
    """Categories and products with the words of the query in their names."""
    categories = _categories(session, query)[:_MAX_CATEGORIES]
    return [*categories, *_products(session, query, most - len(categories))]


def _continuing(text: str, past: Iterable[str]) -> list[str]:
    """Past queries that begin with the typed text, ignoring accents."""
    typed = _normalised_words(text)
    return [query for query in past if _normalised_words(query).startswith(typed) and _normalised_words(query) != typed]


def _normalised_words(text: str) -> str:
    return " ".join(normalised(word) for word in display_form(text).split(" "))


def _categories(session: Session, query: Query) -> list[Suggestion]:
    """Categories whose name has words that begin with every word of the query, in the shop's order."""
    rows = session.execute(select(Category.slug, Category.name).order_by(Category.position, Category.name))
    return [Suggestion("category", name, slug) for slug, name in rows if _matches_name(query, name)]


def _matches_name(query: Query, name: str) -> bool:
    words = [token.text for token in index_tokens(name)]
    return all(any(word.startswith(typed.text) for word in words) for typed in query.words)


def _products(session: Session, query: Query, most: int) -> list[Suggestion]:
    ids = _order(session, _terms(session, query))[:most]
    rows = session.execute(_NAMES, {"ids": id_list(ids)}) if ids else ()
    by_id = {row.id: Suggestion(row.kind, row.name, row.slug, row.id) for row in rows}
    return [by_id[id_] for id_ in ids if id_ in by_id]


_NAMES = select(Product.id, Product.kind, Product.slug, Product.name).where(id_in(Product.id))


def _terms(session: Session, query: Query) -> list[Term]:
    """The terms as for a search, but the last word is completed from its first letter on."""
    others = {word.text: other_numbers(word.text) for word in query.words[:-1]}
    texts = {text for word in query.words for text in (word.text, *others.get(word.text, ()))}
    known = known_words(session, texts)
    terms = []
    for word in query.words:
        meanings = [Meaning(known[text], EXACT) for text in (word.text, *others.get(word.text, ())) if text in known]
        if query.is_open and word == query.words[-1]:
            continuations = beginning_with(session, word.text, _CONTINUATIONS)
            meanings += [Meaning(continuation, CONTINUED) for continuation in continuations]
        terms.append(Term(word.text, word.shown, word.place, tuple(meanings)))
    return terms


def _corrected(session: Session, query: Query) -> Query | None:
    """The query with its misspelled words corrected, of which the last one may be the beginning of a word. None: it has
    none, or one that nothing is near to."""
    words = [word.text for word in query.words]
    known = set(known_words(session, words))
    if query.is_open and beginning_with(session, words[-1], 1):
        known.add(words[-1])
    unknown = [word for word in words if word not in known]
    near = nearest(session, unknown)
    if not unknown or len(near) < len(set(unknown)):
        return None
    tokens = [
        replace(token, text=near[token.text].word, shown=near[token.text].shown) if token.text in near else token
        for token in query.tokens
    ]
    return query_of_words(tokens, query.is_open)


def _order(session: Session, terms: Sequence[Term]) -> list[int]:
    """Products with all terms in their names; names that begin with the first term come first."""
    if not terms or not all(term.meanings for term in terms):
        return []
    reader = PostingReader(session, _POSTINGS, _CONTINUATIONS)
    hits_of = reader.all_of(terms)
    if not hits_of and (extended := reader.with_continuations(terms)):
        terms, hits_of = extended, reader.all_of(extended)
    in_names = {text: _in_names(hits) for text, hits in hits_of.items()}
    if not in_names:
        return []
    shared = set.intersection(*(set(hits) for hits in in_names.values()))
    shared_hits = {text: {product: hits[product] for product in shared} for text, hits in in_names.items()}
    first = shared_hits[terms[0].text]
    order = ranking.products_of(ranking.rank_full_matches(terms, shared_hits))
    return sorted(order, key=lambda product: posting_weights.place(first[product]) != 1)


def _in_names(hits: Hits) -> Hits:
    return {product: weight for product, weight in hits.items() if weight & 0xFF}
