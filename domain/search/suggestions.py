"""Suggestions while somebody types: past queries, categories, and products by the words of their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.search import impacts, ranking
from domain.search.among import among, listed
from domain.search.misspellings import nearest
from domain.search.reading import Hits, Reader
from domain.search.tokens import Query, folded, index_tokens, query_of, written
from domain.search.vocabulary import CONTINUED, EXACT, Known, Meaning, Term, beginning_with, known_words, other_numbers
from domain.tables import Category, Product

MOST = 8
_MOST_QUERIES = 2
_MOST_CATEGORIES = 2
# Enough to find eight good names among; a keystroke must cost less than a page.
_POSTINGS = 600
_CONTINUATIONS = 8


@dataclass(frozen=True)
class Suggestion:
    """`kind` query: `text` is what to search for. Else the name of a category (`slug`) or product (`id`, `slug`)."""

    kind: Literal["query", "category", "course", "item"]
    text: str
    slug: str = ""
    id: int = 0


def suggest(session: Session, text: str, past: Iterable[str] = ()) -> list[Suggestion]:
    """At most eight. `past` are queries that found something, the most frequent first (queries.popular)."""
    query = query_of(text)
    if not query.words:
        return []
    queries = [Suggestion("query", one) for one in _continuing(text, past)][:_MOST_QUERIES]
    categories = _categories(session, query)[:_MOST_CATEGORIES]
    room = MOST - len(queries) - len(categories)
    return [*queries, *categories, *_products(session, query, room)]


def _continuing(text: str, past: Iterable[str]) -> list[str]:
    """Past queries that go on from what is typed, whatever their accents."""
    typed = _bare(text)
    return [one for one in past if _bare(one).startswith(typed) and _bare(one) != typed]


def _bare(text: str) -> str:
    return " ".join(folded(word) for word in written(text).split(" "))


def _categories(session: Session, query: Query) -> list[Suggestion]:
    """Those in whose name every word stands or begins, in the shop's order."""
    found = session.execute(select(Category.slug, Category.name).order_by(Category.position, Category.name))
    return [Suggestion("category", name, slug) for slug, name in found if _names(query, name)]


def _names(query: Query, name: str) -> bool:
    words = [token.text for token in index_tokens(name)]
    return all(any(word.startswith(asked.text) for word in words) for asked in query.words)


def _products(session: Session, query: Query, most: int) -> list[Suggestion]:
    order = _order(session, _terms(session, query))
    if not order:
        order = _order(session, _mended(session, query))
    ids = order[:most]
    found = session.execute(_NAMES, {"ids": listed(ids)}) if ids else ()
    made = {row.id: Suggestion(row.kind, row.name, row.slug, row.id) for row in found}
    return [made[it] for it in ids if it in made]


_NAMES = select(Product.id, Product.kind, Product.slug, Product.name).where(among(Product.id))


def _terms(session: Session, query: Query) -> list[Term]:
    """As for a search, but the last word goes on from its first letter."""
    others = {word.text: other_numbers(word.text) for word in query.words[:-1]}
    wanted = {text for word in query.words for text in (word.text, *others.get(word.text, ()))}
    known = known_words(session, wanted)
    terms = []
    for word in query.words:
        meanings = [Meaning(known[it], EXACT) for it in (word.text, *others.get(word.text, ())) if it in known]
        if query.open and word == query.words[-1]:
            goes_on = beginning_with(session, word.text, _CONTINUATIONS)
            meanings += [Meaning(one, CONTINUED) for one in goes_on]
        terms.append(Term(word.text, word.shown, word.place, tuple(meanings)))
    return terms


def _mended(session: Session, query: Query) -> list[Term]:
    words = [word.text for word in query.words]
    known: dict[str, Known] = known_words(session, words)
    known |= nearest(session, [word for word in words if word not in known])
    if len(known) < len(words):
        return []
    return [Term(it.text, it.shown, it.place, (Meaning(known[it.text], EXACT),)) for it in query.words]


def _order(session: Session, terms: Sequence[Term]) -> list[int]:
    """Products with all the words in their names, those whose name begins with the first one before the others."""
    if not terms or not all(term.meanings for term in terms):
        return []
    reader = Reader(session, _POSTINGS, _CONTINUATIONS)
    hits_of = reader.all_of(terms)
    if not hits_of and (narrowed := reader.narrowed(terms)):
        terms, hits_of = narrowed, reader.all_of(narrowed)
    found = {text: _in_names(hits) for text, hits in hits_of.items()}
    if not found:
        return []
    shared = set.intersection(*(set(hits) for hits in found.values()))
    hits = {text: {it: one[it] for it in shared} for text, one in found.items()}
    first = hits[terms[0].text]
    order = ranking.products_of(ranking.of_all(terms, hits))
    return sorted(order, key=lambda product: impacts.place(first[product]) != 1)


def _in_names(hits: Hits) -> Hits:
    return {product: impact for product, impact in hits.items() if impact & 0xFF}
