"""A gift accepted with the link of its mail: by one learner, and never by its giver."""

import pytest
from sqlalchemy import func, select

from domain.learning.gifts.claiming import OWN_GIFT, UNKNOWN
from domain.tables import Gift, Outbox
from tests.host.learning.gifts import CODE, give
from tests.host.signing import learner


@pytest.mark.each_database
async def test_a_gift_is_shown_accepted_and_gone_for_others(each_site):
    ada, grace, alan = (learner(each_site, name) for name in ("Ada Lovelace", "Grace Hopper", "Alan Turing"))
    token = give(each_site, ada)
    answer = await each_site.get(f"/data/user-dashboard?giftToken={token}", **grace.headers)
    card = (await answer.json())["props"]["learning"]["gift"]
    assert (card["name"], card["giver"], card["message"], card["refusal"]) == ("VAT basics", "Ada L.", "Enjoy", None)
    courses = [{"name": "VAT basics", "href": "/user-dashboard?course=vat-basics&lesson=next"}]
    for _ in range(2):
        assert await grace.call("learning/gifts/claim", token=token) == (200, {"courses": courses})
    used = await alan.call("learning/gifts/claim", token=token)
    wrong = await alan.call("learning/gifts/claim", token="x" * 43)
    assert (used[0], wrong[0], used[1]["detail"], wrong[1]["detail"]) == (404, 404, UNKNOWN, UNKNOWN)


async def test_its_giver_strangers_and_half_a_sign_in_get_nothing(bare_site):
    ada = learner(bare_site)
    token = give(bare_site, ada)
    status, refusal = await ada.call("learning/gifts/claim", token=token)
    assert (status, refusal["detail"]) == (403, OWN_GIFT)
    for headers in ({}, ada.bearer, ada.cookie):
        assert (await bare_site.call("learning/gifts/claim", {"token": token}, headers))[0] == 401
    with bare_site.db.read_session() as session:
        assert session.scalars(select(Gift.state)).one() == "sent"


def mail_count(site) -> int:
    with site.db.read_session() as session:
        return session.scalars(select(func.count(Outbox.id))).one()


async def test_its_order_says_what_became_of_it_and_its_mail_is_sent_again(each_site):
    ada, grace = learner(each_site), learner(each_site, "Grace Hopper")
    token = give(each_site, ada)
    shown = (await ada.get(f"orders/{CODE}"))[1]["lines"][0]["gift"]
    assert (shown["stateText"], shown["claimedAt"], shown["canSendAgain"]) == ("Not accepted yet", None, True)
    before, call = mail_count(each_site), f"orders/{CODE.lower()}/gifts/1/mail"
    message = "We have written to grace@example.test again."
    assert await ada.call(call) == (200, {"status": "success", "message": message})
    assert mail_count(each_site) == before + 1
    for who, name in ((grace, call), (ada, f"orders/{CODE}/gifts/2/mail"), (ada, f"orders/{CODE}/gifts/x/mail")):
        assert (await who.call(name))[0] == 404
    await grace.call("learning/gifts/claim", token=token)
    status, refusal = await ada.call(call)
    assert (status, refusal["detail"]) == (403, "This gift was accepted already.")
    shown = (await ada.get(f"orders/{CODE}"))[1]["lines"][0]["gift"]
    assert (shown["stateText"], shown["claimedAt"] is None, shown["canSendAgain"]) == ("Accepted", False, False)


async def test_its_mail_is_sent_again_a_few_times_a_day(open_site):
    site = await open_site(GIFT_MAILS_PER_LEARNER_DAY="2")
    ada = learner(site)
    give(site, ada)
    statuses = [(await ada.call(f"orders/{CODE}/gifts/1/mail"))[0] for _ in range(3)]
    assert statuses == [200, 200, 429]
