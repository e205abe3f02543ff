"""Posting weights: how relevant a word is for a product, as one integer that sorts as results do.

bits 16-23 sum of the fields' weights · bits 8-15 popularity in steps · bits 0-7 place of the word in the name
"""

import math

# A word counts once in each field. The name outweighs all other fields together, so that matches in names come first.
NAME = 110
CATEGORY = 24
KIND = 24
SUBTITLE = 20
PERSON = 20
OUTLINE = 10
LABEL = 6
TEXT = 4

# Eight steps per doubling of learners: exact enough to select the best thousands, and rarely changed.
_STEPS = 8
_LAST_PLACE = 127


def pack(weight: int, popularity: int, place: int, is_last: bool) -> int:
    """`place` counts the words of the name from 1, 0 for a word that is not in it; `is_last`: the name ends with it."""
    near = min(place, _LAST_PLACE) << 1 | (is_last and 0 < place <= _LAST_PLACE)
    return min(weight, 255) << 16 | step(popularity) << 8 | near


def step(popularity: int) -> int:
    return min(255, int(_STEPS * math.log2(1 + max(0, popularity))))


def weight(packed: int) -> int:
    return packed >> 16


def order(packed: int) -> int:
    """Weight and popularity, without the place."""
    return packed >> 8


def place(packed: int) -> int:
    return (packed & 0xFF) >> 1


def is_in_name(packed: int) -> bool:
    return packed & 0xFE != 0


def is_last(packed: int) -> bool:
    return bool(packed & 1)


def scale_weight(packed: int, factor: float) -> int:
    """A posting weight with its sum of field weights scaled, for a word that only resembles the typed one."""
    return int((packed >> 16) * factor) << 16 | packed & 0xFFFF
