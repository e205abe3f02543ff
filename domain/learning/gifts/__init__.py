"""Products that one person gives to another: stored when paid, mailed on their day, claimed with the mail's link."""

from domain.learning.gifts.claiming import OWN_GIFT, UNKNOWN, GiftCourse, GiftOffer, claim, offer
from domain.learning.gifts.sending import open_link, send_again
from domain.learning.gifts.storing import (
    CLAIMED,
    RETURNED,
    WAITING,
    StaffGift,
    give_by_staff,
    return_of_line,
    store_for_line,
)
from domain.learning.gifts.tokens import derived_key, token_of

__all__ = [
    "CLAIMED",
    "OWN_GIFT",
    "RETURNED",
    "UNKNOWN",
    "WAITING",
    "GiftCourse",
    "GiftOffer",
    "StaffGift",
    "claim",
    "derived_key",
    "give_by_staff",
    "offer",
    "open_link",
    "return_of_line",
    "send_again",
    "store_for_line",
    "token_of",
]
