"""JSON models of a gift that a link of a mail opens."""

from pydantic import BaseModel

from domain.learning.addresses import next_href
from domain.learning.gifts.claiming import GiftCourse, GiftOffer
from host.learning.course_schemas import LearningLink


class GiftCard(BaseModel):
    """`giver`: first name and initial, "" for the shop. `refusal`: why it cannot be accepted, in words; else null.
    `isClaimed`: the learner has accepted it before."""

    token: str
    name: str
    giver: str
    message: str
    courses: list[LearningLink]
    refusal: str | None
    isClaimed: bool


def gift_card(token: str, offer: GiftOffer | None, unknown: str) -> GiftCard:
    """`unknown`: the refusal of a token that opens nothing."""
    if offer is None:
        return GiftCard(token="", name="", giver="", message="", courses=[], refusal=unknown, isClaimed=False)
    return GiftCard(
        token=token,
        name=offer.name,
        giver=offer.giver,
        message=offer.message,
        courses=course_links(offer.courses),
        refusal=offer.refusal,
        isClaimed=offer.is_claimed,
    )


def course_links(courses: tuple[GiftCourse, ...]) -> list[LearningLink]:
    return [LearningLink(name=course.name, href=next_href(course.slug)) for course in courses]
