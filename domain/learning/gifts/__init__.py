"""Products that one person gives to another: stored when paid, mailed on their day, claimed with the mail's link."""

from domain.learning.gifts.claiming import OWN_GIFT, UNKNOWN, GiftCourse, GiftOffer, WaitingGift, claim, offer, waiting
from domain.learning.gifts.erasing import erase_of_account
from domain.learning.gifts.sending import first_refusal, open_link, send_again
from domain.learning.gifts.storing import (
    CLAIMED,
    RETURNED,
    WAITING,
    StaffGift,
    give_by_staff,
    give_line_again,
    return_of_line,
    store_for_line,
)
from domain.learning.gifts.tokens import derived_key, token_of, valid_until

__all__ = [
    "CLAIMED",
    "OWN_GIFT",
    "RETURNED",
    "UNKNOWN",
    "WAITING",
    "GiftCourse",
    "GiftOffer",
    "StaffGift",
    "WaitingGift",
    "claim",
    "derived_key",
    "erase_of_account",
    "first_refusal",
    "give_by_staff",
    "give_line_again",
    "offer",
    "open_link",
    "return_of_line",
    "send_again",
    "store_for_line",
    "token_of",
    "valid_until",
    "waiting",
]
