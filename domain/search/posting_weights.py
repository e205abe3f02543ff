"""How much a word says about a product, packed into one whole number that sorts as results do.

bits 16-23 weight (what the fields add up to) · bits 8-15 popularity in steps · bits 0-7 place of the word in the name
"""

import math

# A word counts once in each field. The name outweighs all the others together: who has the word there comes first.
NAME = 110
CATEGORY = 24
KIND = 24
SUBTITLE = 20
PERSON = 20
OUTLINE = 10
LABEL = 6
TEXT = 4

# Eight steps for every doubling of learners: near enough to choose the best thousands by, and seldom moved.
_STEPS = 8
_LAST_PLACE = 127


def packed(weight: int, popularity: int, place: int, is_last: bool) -> int:
    """`place` counts the words of the name from 1, 0 for a word that is not in it; `is_last`: the name ends with it."""
    near = min(place, _LAST_PLACE) << 1 | (is_last and 0 < place <= _LAST_PLACE)
    return min(weight, 255) << 16 | step(popularity) << 8 | near


def step(popularity: int) -> int:
    return min(255, int(_STEPS * math.log2(1 + max(0, popularity))))


def weight(impact: int) -> int:
    return impact >> 16


def order(impact: int) -> int:
    """Weight and popularity, without the place."""
    return impact >> 8


def place(impact: int) -> int:
    return (impact & 0xFF) >> 1


def is_last(impact: int) -> bool:
    return bool(impact & 1)


def weakened(impact: int, factor: float) -> int:
    """The same for a word that is only nearly the one asked for."""
    return int((impact >> 16) * factor) << 16 | impact & 0xFFFF
