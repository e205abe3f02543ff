"""Pages of the build before read carts and wishlists by their former names, and send lists by them."""

import json

import pytest

from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories

SEEN = 2500


@pytest.fixture
async def site(open_site) -> Site:
    opened: Site = await open_site(LIMITS="off")
    with opened.db.write_session() as session:
        factories.coupon(session, "TEN")
        factories.coupon(session, "HALF", value=50)
    return opened


@pytest.fixture
async def ada(site) -> Learner:
    return learner(site)


async def test_a_cart_carries_the_former_names(site, ada):
    product = await ada.add("vat-basics")
    await ada.code(product, "TEN")
    _, changed = await ada.call("cart/coupon", "PUT", code="HALF")
    _, read = await ada.get("cart")
    for cart in (read, changed["cart"]):
        (line,) = cart["lines"]
        assert (line["unitOff"], cart["missing"]) == (line["unitDiscount"], cart["unavailable"])
        (offer,) = line["rejectedOffers"]
        assert line["losers"] == [{**offer, "reason": "dearer"}]
        assert offer["reason"] == "higher"


@pytest.mark.parametrize("call", ["wishlist/look", "wishlist/preview"])
@pytest.mark.parametrize("name", ["wishes", "items"])
async def test_a_wishlist_is_taken_and_returned_by_both_names(site, call, name):
    product = site.id_of("vat-basics")
    status, preview = await site.call(call, {name: [{"id": product, "seenPrice": SEEN}]})
    assert (status, preview["wishes"]) == (200, preview["items"])
    (item,) = preview["items"]
    assert (item["id"], item["seenPrice"], item["isSold"], item["isAvailable"]) == (product, SEEN, True, True)


async def test_a_wishlist_under_both_names_at_once_is_refused(site):
    assert (await site.call("wishlist/look", {"items": [], "wishes": []}))[0] == 422


async def test_the_description_names_the_current_call_and_members_alone(site):
    document = await (await site.get("/openapi.json")).json()
    text = json.dumps(document)
    for former in ('"losers"', '"unitOff"', '"wishes"', '"isSold"', "wishlist/look"):
        assert former not in text
    assert "missing" not in document["components"]["schemas"]["CartSchema"]["properties"]
