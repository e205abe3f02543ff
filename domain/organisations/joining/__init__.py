"""The four ways into an organisation: an invitation by mail, a file of invitations, a join code, and the domain of a
verified email address. What managers will see, and whether the shop becomes restricted, is told before."""

from domain.organisations.joining.accepting import (
    UNKNOWN,
    Joined,
    Joiner,
    accept,
    decline,
    join_by_code,
    join_by_domain,
)
from domain.organisations.joining.closing import cancel, expire_due, mark_refused
from domain.organisations.joining.inviting import MAX_SENDS, NewInvitation, invite, resend
from domain.organisations.joining.offers import Offer, Offers, Person, offers
from domain.organisations.joining.sending import MAX_AN_HOUR, open_link
from domain.organisations.joining.tokens import token_of

__all__ = [
    "MAX_AN_HOUR",
    "MAX_SENDS",
    "UNKNOWN",
    "Joined",
    "Joiner",
    "NewInvitation",
    "Offer",
    "Offers",
    "Person",
    "accept",
    "cancel",
    "decline",
    "expire_due",
    "invite",
    "join_by_code",
    "join_by_domain",
    "mark_refused",
    "offers",
    "open_link",
    "resend",
    "token_of",
]
