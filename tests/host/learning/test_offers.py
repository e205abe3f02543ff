"""What stands on the dashboard beside what a learner has: tokens that are looked at are counted, and a part that fails
leaves the rest."""

from urllib.parse import quote

import pytest

from domain.errors import ServiceUnavailable
from domain.learning.gifts import claiming
from domain.learning.gifts.claiming import UNKNOWN
from domain.organisations.joining import offers as joining_offers
from host.loaders.learning import offers
from tests.host.learning.gifts import give
from tests.host.learning.test_user_dashboard import view_of
from tests.host.signing import learner


async def test_ten_tokens_a_minute_are_looked_at_and_the_rest_of_the_page_is_shown(open_site):
    site = await open_site()
    ada, grace, alan = (learner(site, name) for name in ("Ada Lovelace", "Grace Hopper", "Alan Turing"))
    token = give(site, ada)
    for number in range(10):
        _, view = await view_of(site, grace, f"?giftToken=wrong-{number}")
        assert view["gift"]["refusal"] == UNKNOWN
    status, view = await view_of(site, grace, f"?giftToken={token}&joinCode=x")
    assert (status, view["dashboard"]["courses"]) == (200, [])
    # The right one too: nothing tells which it is.
    assert (view["gift"]["refusal"], view["gift"]["name"], view["join"]["refusal"]) == (
        *(offers.TOO_MANY, ""),
        offers.TOO_MANY,
    )
    assert (await grace.call("learning/gifts/claim", token=token))[0] == 429
    # Without a token nothing is counted, and others are not concerned.
    assert (await view_of(site, grace))[1]["gift"] is None
    assert (await view_of(site, alan, f"?giftToken={token}"))[1]["gift"]["name"] == "VAT basics"


async def test_an_office_that_accepts_at_once_shares_a_higher_limit_by_its_address(open_site):
    site = await open_site(LEARNING_CODES_PER_ADDRESS_MINUTE="14")
    people = [learner(site, f"Person {number}") for number in range(15)]
    answers = [(await person.call("learning/gifts/claim", token="x"))[0] for person in people]
    assert answers == [404] * 14 + [429]


def away(*_: object) -> None:
    raise ServiceUnavailable("The database does not answer.")


@pytest.mark.parametrize(("module", "name", "part"), [(claiming, "offer", "gift"), (joining_offers, "offers", "join")])
async def test_a_part_that_fails_says_so_and_the_others_are_shown(own_site, monkeypatch, module, name, part):
    ada = learner(own_site)
    query = "?giftToken=x&inviteToken=x"
    assert (await view_of(own_site, ada, query))[1]["failed"] == []
    monkeypatch.setattr(module, name, away)
    status, view = await view_of(own_site, ada, query)
    assert (status, view["failed"], view["dashboard"]["courses"]) == (200, [part], [])
    shown = {"gift": view["gift"] is not None, "join": view["join"]["refusal"] is not None}
    assert shown == {"gift": part != "gift", "join": part != "join"}
    still = (await own_site.document(f"/user-dashboard{query}", **ada.headers)).html.partition('id="no-script">')[2]
    assert "could not be shown. Reload the page to try again." in still


async def test_the_registration_says_who_gave_a_gift(own_site):
    token = give(own_site, learner(own_site))
    said = "Ada L. gave you “VAT basics”. Create your account to accept it."
    address = f"/register?returnTo={quote(f'/user-dashboard?giftToken={token}', safe='')}"
    document = await own_site.document(address)
    assert (document.state["props"]["waiting"], said in document.html.partition('id="no-script">')[2]) == (said, True)
    followed = await (await own_site.get(f"/data{address}")).json()
    assert followed["props"]["waiting"] == said
    assert (await own_site.document("/register?returnTo=%2Fuser-dashboard")).state["props"]["waiting"] == ""


async def test_the_sign_in_says_who_gave_a_gift_until_somebody_has_accepted_it(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    token = give(own_site, ada)
    said = "Ada L. gave you “VAT basics”. Sign in, or create an account, to accept it."
    address = f"/login?returnTo={quote(f'/user-dashboard?giftToken={token}', safe='')}"
    document = await own_site.document(address)
    assert (document.state["props"]["waiting"], said in document.html.partition('id="no-script">')[2]) == (said, True)
    # What only the gift's own page tells.
    assert ("Enjoy" in document.html, "grace@example.test" in document.html) == (False, False)
    for other in (
        f"/login?returnTo=%2Fshop%3FgiftToken%3D{token}",
        "/login?returnTo=%2Fuser-dashboard%3FgiftToken%3Dno",
        "/login",
    ):
        assert (await own_site.document(other)).state["props"]["waiting"] == ""
    assert (await grace.call("learning/gifts/claim", token=token))[0] == 200
    assert (await own_site.document(address)).state["props"]["waiting"] == ""
