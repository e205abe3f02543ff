"""The order of results: the exact phrase in the name first, then the sum of weights, then popularity.

An Order is a list of integers, best first, each with a sort key in the high bits and the product's id in the low ones:
integers sort faster than pairs. Ties are broken later, by the exact number of learners.
"""

from collections.abc import Sequence

from domain.search import posting_weights
from domain.search.postings import MAX_POSTINGS, Hits
from domain.search.vocabulary import Term

Order = list[int]

_PRODUCT_BITS = 40
_PRODUCT = (1 << _PRODUCT_BITS) - 1

_WHOLE_NAME, _PHRASE, _ELSEWHERE = 2, 1, 0
_PHRASE_BIT = 32
_MATCHED_BIT = 40


def rank_full_matches(terms: Sequence[Term], hits_of: dict[str, Hits]) -> Order:
    """Rank the products that have every term."""
    if len(terms) == 1:
        return _of_one(terms[0], hits_of[terms[0].text])
    hits = [hits_of[term.text] for term in terms]
    places = [term.place for term in terms]
    products = list(hits[0])
    # The weights of each term, in the order of the products: lists are computed faster than one product after another.
    first, *others = columns = [[hits_of_term[product] for product in products] for hits_of_term in hits]
    scores = [weight >> 16 for weight in first]
    for column in others:
        scores = [score + (weight >> 16) for score, weight in zip(scores, column, strict=True)]
    order = [
        (score << 8 | weight >> 8 & 0xFF) << _PRODUCT_BITS | product
        for score, weight, product in zip(scores, first, products, strict=True)
    ]
    for at in (at for at, weight in enumerate(first) if posting_weights.is_in_name(weight)):
        order[at] |= _phrase(places, [column[at] for column in columns]) << _PHRASE_BIT + _PRODUCT_BITS
    order.sort(reverse=True)
    return order


def rank_partial_matches(terms: Sequence[Term], hits_of: dict[str, Hits]) -> Order:
    """Rank the products that have some of the terms; more matched terms rank first."""
    keys: dict[int, int] = {}
    for term in terms:
        for product, weight in hits_of.get(term.text, {}).items():
            before = keys.get(product, weight >> 8 & 0xFF)
            keys[product] = before + (1 << _MATCHED_BIT) + (weight >> 16 << 8)
    order = sorted((key << _PRODUCT_BITS | product for product, key in keys.items()), reverse=True)
    return order[:MAX_POSTINGS]


def _of_one(term: Term, hits: Hits) -> Order:
    # Index: the low byte of a posting weight (place in the name, and a bit for the last word of the name).
    phrases = [_ELSEWHERE] + [_PHRASE] * 255
    if term.place == 1:
        phrases[1 << 1 | 1] = _WHOLE_NAME
    bits = [phrase << _PHRASE_BIT for phrase in phrases]
    order = [(bits[weight & 0xFF] | weight >> 8) << _PRODUCT_BITS | product for product, weight in hits.items()]
    order.sort(reverse=True)
    return order


def key_of(entry: int) -> int:
    return entry >> _PRODUCT_BITS


def product_of(entry: int) -> int:
    return entry & _PRODUCT


def products_of(order: Order) -> list[int]:
    return [entry & _PRODUCT for entry in order]


def _phrase(places: Sequence[int], weights: Sequence[int]) -> int:
    """Whether the words are the whole name, are in the name in the order of the query without gaps, or neither."""
    shift = posting_weights.place(weights[0]) - places[0]
    for place, weight in zip(places, weights, strict=True):
        place_in_name = posting_weights.place(weight)
        if place_in_name == 0 or place_in_name - place != shift:
            return _ELSEWHERE
    return _WHOLE_NAME if shift == 0 and posting_weights.is_last(weights[-1]) else _PHRASE


def slice_with_ties(order: Order, first: int, last: int) -> tuple[int, Order]:
    """The slice [first, last), extended by entries with the same key as its ends; and the index of its first entry."""
    start, end = first, min(last, len(order))
    if start >= end:
        return start, []
    while start > 0 and key_of(order[start - 1]) == key_of(order[first]):
        start -= 1
    while end < len(order) and key_of(order[end]) == key_of(order[end - 1]):
        end += 1
    return start, order[start:end]
