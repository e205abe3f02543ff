"""The gift or the organisation of a link, and seats: what stands on the dashboard beside what a learner has. Each is
read for itself: one that fails leaves the others and the dashboard as they are."""

from dataclasses import dataclass, field

from domain.account.current_session import CurrentSession
from domain.errors import ServiceUnavailable
from domain.learning.gifts import claiming
from domain.learning.gifts.claiming import UNKNOWN
from domain.organisations.joining import offers as joining_offers
from domain.organisations.joining.offers import JoiningPerson
from domain.seats.views.own import own_seats
from host.http.problems import RateLimited
from host.learning.offers.gift_schemas import GiftCard, gift_card
from host.learning.offers.join_schemas import JoinOffers, join_offers
from host.learning.offers.seat_schemas import SeatsCard, seats_card
from host.learning.page_schemas import DashboardPart
from host.rendering.page_request import PageRequest

# Parameters that open something to whoever has them.
CODES = ("inviteToken", "giftToken", "joinCode")
TOO_MANY = "Too many links and codes were tried. Wait a minute, then open this one again."


@dataclass
class Offers:
    """`failed`: the parts that the database did not answer in time."""

    gift: GiftCard | None = None
    seats: SeatsCard | None = None
    join: JoinOffers = field(default_factory=lambda: JoinOffers(cards=[], refusal=None))
    failed: list[DashboardPart] = field(default_factory=list)


async def load(request: PageRequest) -> Offers:
    assert request.session is not None  # noqa: S101 page_handler.load calls the loader of a private page with one
    session, offers = request.session, Offers()
    may_look = await _may_look_up(request)
    try:
        offers.gift = await _gift(request, session, may_look=may_look)
    except ServiceUnavailable:
        offers.failed.append("gift")
    try:
        offers.seats = await _seats(request, session)
    except ServiceUnavailable:
        offers.failed.append("seats")
    try:
        offers.join = await _join(request, session, may_look=may_look)
    except ServiceUnavailable:
        offers.failed.append("join")
    return offers


async def _may_look_up(request: PageRequest) -> bool:
    """False: too many tokens and codes were looked at in this minute. An address without any is not counted."""
    if request.limit is None or not any(request.query.get(name) for name in CODES):
        return True
    try:
        await request.limit()
    except RateLimited:
        return False
    return True


async def _gift(request: PageRequest, session: CurrentSession, *, may_look: bool) -> GiftCard | None:
    token = request.query.get("giftToken", "")
    if not token:
        return None
    if not may_look:
        return gift_card(token, None, TOO_MANY)
    offer = await request.db.read(claiming.offer, session.auth.learner_id, token, request.at)
    return gift_card(token, offer, UNKNOWN)


async def _seats(request: PageRequest, session: CurrentSession) -> SeatsCard | None:
    if not session.organisations:
        return None
    own = await request.db.read(own_seats, session.auth.learner_id, request.at)
    return seats_card(own, request.settings.locale)


async def _join(request: PageRequest, session: CurrentSession, *, may_look: bool) -> JoinOffers:
    """Without a link and a verified address nothing is read."""
    token, code = request.query.get("inviteToken", ""), request.query.get("joinCode", "")
    if (token or code) and not may_look:
        return JoinOffers(cards=[], refusal=TOO_MANY)
    if not (token or code or session.is_email_verified):
        return JoinOffers(cards=[], refusal=None)
    person = JoiningPerson(session.auth.learner_id, session.email, session.is_email_verified)
    return join_offers(await request.db.read_inline(joining_offers.offers, person, request.at, token, code))
