"""A gift accepted with the link of its mail: by one learner, and never by its giver."""

from sqlalchemy import select

from domain.learning import gifts
from domain.learning.gifts.tokens import digest_of
from domain.tables import Gift
from tests.host.signing import learner
from tests.support import order_rows
from tests.support.factories import NOON

KEY = gifts.derived_key("any secret")


def give(site, giver) -> str:
    """A gift of the course "VAT basics", mailed; its token."""
    about = {"recipient_email": "grace@example.test", "message": "Enjoy", "send_at": None}
    with site.db.write_session() as session:
        order = order_rows.order(session, giver.id, total_minor=10_000)
        line = order_rows.order_line(session, order.id, product_id=site.id_of("vat-basics"), gift=about)
        gifts.store_for_line(session, order, line, NOON)
        gift = session.scalars(select(Gift)).one()
        token = gifts.token_of(KEY, gift.id)
        gift.token, gift.state = digest_of(token), "sent"
    return token


async def test_a_gift_is_shown_accepted_and_gone_for_others(each_site):
    ada, grace, alan = (learner(each_site, name) for name in ("Ada Lovelace", "Grace Hopper", "Alan Turing"))
    token = give(each_site, ada)
    answer = await each_site.get(f"/data/user-dashboard?giftToken={token}", **grace.headers)
    card = (await answer.json())["props"]["learning"]["gift"]
    assert (card["name"], card["giver"], card["message"], card["refusal"]) == ("VAT basics", "Ada L.", "Enjoy", None)
    courses = [{"name": "VAT basics", "href": "/user-dashboard?course=vat-basics"}]
    for _ in range(2):
        assert await grace.call("learning/gifts/claim", token=token) == (200, {"courses": courses})
    used = await alan.call("learning/gifts/claim", token=token)
    wrong = await alan.call("learning/gifts/claim", token="x" * 43)
    assert (used[0], wrong[0], used[1]["detail"], wrong[1]["detail"]) == (404, 404, gifts.UNKNOWN, gifts.UNKNOWN)


async def test_its_giver_strangers_and_half_a_sign_in_get_nothing(bare_site):
    ada = learner(bare_site)
    token = give(bare_site, ada)
    status, refusal = await ada.call("learning/gifts/claim", token=token)
    assert (status, refusal["detail"]) == (403, gifts.OWN_GIFT)
    for headers in ({}, ada.bearer, ada.cookie):
        assert (await bare_site.call("learning/gifts/claim", {"token": token}, headers))[0] == 401
    with bare_site.db.read_session() as session:
        assert session.scalars(select(Gift.state)).one() == "sent"
