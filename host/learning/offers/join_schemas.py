"""JSON models of organisations that a learner may join."""

from typing import Literal, cast

from typing_extensions import TypedDict

from domain.organisations.joining.accepting import UNKNOWN
from domain.organisations.joining.offers import JoinOffer, Offers
from domain.text_direction import isolated

JoinKind = Literal["invitation", "code", "domain"]
ROLES = {"owner": "an owner", "manager": "a manager", "member": "a member"}


class JoinCard(TypedDict):
    """An organisation that may be joined: by `invitationId` (with the `token` of its link, "" for one that was sent to
    the verified address), by `code`, or else by the domain of the address. `role`: in words. `courses`: names of those
    that come with it. `sees`, `neverSees`: what managers will see, and never do. `canShare`: the learner may agree
    that they see progress. `isRestricted`: the shop will show what the contract covers alone."""

    kind: JoinKind
    organisation: str
    organisationId: int
    logo: str
    invitationId: int | None
    token: str
    code: str
    role: str
    team: str
    courses: list[str]
    sees: str
    neverSees: str
    canShare: bool
    isRestricted: bool


class JoinOffers(TypedDict):
    """`refusal`: why the link that was followed opens nothing; else null."""

    cards: list[JoinCard]
    refusal: str | None


def join_offers(offers: Offers) -> JoinOffers:
    cards = [join_card(offer) for offer in offers.offers]
    return JoinOffers(cards=cards, refusal=UNKNOWN if offers.has_unknown_link else None)


def join_card(offer: JoinOffer) -> JoinCard:
    return {
        "kind": cast(JoinKind, offer.kind),
        "organisation": offer.organisation,
        "organisationId": offer.organisation_id,
        "logo": offer.logo,
        "invitationId": offer.invitation_id,
        "token": offer.token,
        "code": offer.code,
        "role": ROLES[offer.role],
        "team": offer.team,
        "courses": list(offer.courses),
        "sees": f"Managers of {isolated(offer.organisation)} see your name, email address and team, and the seats you "
        "have.",
        "neverSees": "They never see your answers, scores, notes, purchases or hours.",
        "canShare": offer.shows_names,
        "isRestricted": offer.is_restricted,
    }
