"""POST /user-dashboard?giftToken=…: a gift accepted without script."""

import pytest
from sqlalchemy import select

from domain.tables import Gift
from tests.host.checkout.orders import browser
from tests.host.forms.test_order import key_of, post
from tests.host.learning.gifts import give
from tests.host.signing import learner


@pytest.fixture
def ada(own_site):
    return learner(own_site)


@pytest.fixture
def page(own_site, ada):
    return f"/user-dashboard?giftToken={give(own_site, ada)}"


def state(site) -> str:
    with site.db.read_session() as session:
        return session.scalars(select(Gift.state)).one()


async def test_the_gift_is_accepted_once_and_leads_to_the_course_at_an_address_without_the_token(own_site, page):
    headers = browser(own_site, learner(own_site, "Grace Hopper"))
    fields = {"key": await key_of(own_site, page, headers)}
    for _ in range(2):
        assert (await post(own_site, page, fields, headers))[:2] == (
            303,
            "/user-dashboard?course=vat-basics&lesson=next",
        )
    shown = (await own_site.document(page, **headers)).html.partition('id="no-script">')[2]
    assert state(own_site) == "claimed"
    assert '<a href="/user-dashboard?course=vat-basics&amp;lesson=next">Go to VAT basics</a>' in shown
    assert "Accept the gift" not in shown


async def test_its_giver_and_a_wrong_token_get_the_card_with_the_reason(own_site, ada, page):
    headers = browser(own_site, ada)
    accepting = browser(own_site, learner(own_site, "Grace Hopper"))
    other = {"key": await key_of(own_site, page, accepting)}
    assert (await post(own_site, page, {"key": "x"}, headers))[0] == 422
    assert (await post(own_site, page, other, headers))[0] == 422
    wrong = "/user-dashboard?giftToken=x"
    assert (await post(own_site, wrong, other, accepting))[:2] == (303, wrong)
    assert state(own_site) == "sent"


async def test_a_form_of_a_stranger_or_of_another_site_accepts_nothing(own_site, page):
    signed_out = await post(own_site, page, {}, browser(own_site))
    assert signed_out[0] == 303
    assert signed_out[1].startswith("/login?returnTo=/user-dashboard?giftToken%3D")
    headers = browser(own_site, learner(own_site, "Grace Hopper"))
    foreign = {**headers, "Origin": "https://elsewhere.example"}
    key = await key_of(own_site, page, headers)
    assert (await post(own_site, page, {"key": key}, foreign))[0] == 403
    assert state(own_site) == "sent"


async def test_a_page_that_was_open_too_long_says_so_and_keeps_the_gift(own_site, page):
    headers = browser(own_site, learner(own_site, "Grace Hopper"))
    status, _, body = await post(own_site, page, {"key": "x"}, headers)
    assert (status, state(own_site)) == (422, "sent")
    assert "This page was open for more than a day" in body.partition('id="no-script">')[2]
