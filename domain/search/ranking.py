"""In which order hits are shown: the exact phrase in the name first, then the sum of weights, then popularity.

An order is a list of whole numbers, best first, each a key with its product below it: numbers sort faster than pairs.
Products of equal keys are still to be told apart by how many learners chose them exactly.
"""

from collections.abc import Sequence

from domain.search import impacts
from domain.search.reading import MOST_POSTINGS, Hits
from domain.search.vocabulary import Term

Order = list[int]

_PRODUCT_BITS = 40
_PRODUCT = (1 << _PRODUCT_BITS) - 1

_WHOLE_NAME, _PHRASE, _ELSEWHERE = 2, 1, 0
_PHRASE_BIT = 32
_MATCHED_BIT = 40


def of_all(terms: Sequence[Term], found: dict[str, Hits]) -> Order:
    """Products that have every term."""
    if len(terms) == 1:
        return _of_one(terms[0], found[terms[0].text])
    hits = [found[term.text] for term in terms]
    places = [term.place for term in terms]
    order = []
    for product in hits[0]:
        impacts_ = [one[product] for one in hits]
        score = sum(impact >> 16 for impact in impacts_)
        key = _phrase(places, impacts_) << _PHRASE_BIT | score << 8 | impacts_[0] >> 8 & 0xFF
        order.append(key << _PRODUCT_BITS | product)
    order.sort(reverse=True)
    return order


def of_some(terms: Sequence[Term], found: dict[str, Hits]) -> Order:
    """Products that have some of the terms: those with more of them first."""
    keys: dict[int, int] = {}
    for term in terms:
        for product, impact in found.get(term.text, {}).items():
            before = keys.get(product, impact >> 8 & 0xFF)
            keys[product] = before + (1 << _MATCHED_BIT) + (impact >> 16 << 8)
    order = sorted((key << _PRODUCT_BITS | product for product, key in keys.items()), reverse=True)
    return order[:MOST_POSTINGS]


def _of_one(term: Term, hits: Hits) -> Order:
    # Whoever has the word in the name, by its place there, and the last bit tells that the name ends with it.
    phrases = [_ELSEWHERE] + [_PHRASE] * 255
    if term.place == 1:
        phrases[1 << 1 | 1] = _WHOLE_NAME
    bits = [phrase << _PHRASE_BIT for phrase in phrases]
    order = [(bits[impact & 0xFF] | impact >> 8) << _PRODUCT_BITS | product for product, impact in hits.items()]
    order.sort(reverse=True)
    return order


def key_of(entry: int) -> int:
    return entry >> _PRODUCT_BITS


def product_of(entry: int) -> int:
    return entry & _PRODUCT


def products_of(order: Order) -> list[int]:
    return [entry & _PRODUCT for entry in order]


def _phrase(places: Sequence[int], found: Sequence[int]) -> int:
    """Whether the words stand in the name as they were asked for, one after the other, or are all of it."""
    shift = impacts.place(found[0]) - places[0]
    for place, impact in zip(places, found, strict=True):
        there = impacts.place(impact)
        if there == 0 or there - place != shift:
            return _ELSEWHERE
    return _WHOLE_NAME if shift == 0 and impacts.is_last(found[-1]) else _PHRASE


def slice_with_ties(order: Order, first: int, last: int) -> tuple[int, Order]:
    """What is needed to show [first, last): where it begins, and the slice with all that shares a key with its ends."""
    start, end = first, min(last, len(order))
    if start >= end:
        return start, []
    while start > 0 and key_of(order[start - 1]) == key_of(order[first]):
        start -= 1
    while end < len(order) and key_of(order[end]) == key_of(order[end - 1]):
        end += 1
    return start, order[start:end]
