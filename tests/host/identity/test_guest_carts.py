"""What a guest chose is in the learner's cart as soon as the sign-in has ended: the cookies of both kinds of carts."""

import pytest

from domain.errors import ServiceUnavailable
from host.identity import open_session
from tests.support import factories


@pytest.fixture
def sold(world):
    """Ids of a course and a book."""
    return world.site.id_of("vat-basics"), world.site.id_of("tax-tables")


GUEST_LINES = {
    "by script": ("guest_lines", "/logincallback"),
    "without script": ("plain_lines", "/"),
}


@pytest.mark.parametrize(("name", "path"), GUEST_LINES.values(), ids=GUEST_LINES)
async def test_what_a_guest_chose_is_in_the_cart_before_the_next_page_is_read(ada, sold, name, path):
    course, book = sold
    ada.jar[name] = (f"{course}*1.{book}*3", path)
    assert await ada.sign_in(returnTo="/checkout") == "/checkout"
    assert name not in ada.cookies
    _, cart = await ada.call("cart", "GET")
    assert [(line["id"], line["quantity"]) for line in cart["lines"]] == [(course, 1), (book, 3)]


async def test_the_coupon_of_the_guests_cart_comes_along(ada, sold, world):
    with world.site.db.write_session() as session:
        factories.coupon(session, "SPRING")
    lines = [{"id": sold[0], "quantity": 1}]
    status, _ = await ada.call("cart/coupon", "PUT", code="SPRING", lines=lines)
    assert (status, "__Host-guest" in ada.cookies) == (200, True)
    ada.jar["guest_lines"] = (f"{sold[0]}*1", "/logincallback")
    await ada.sign_in()
    _, cart = await ada.call("cart", "GET")
    assert cart["coupon"]["code"] == "SPRING"


async def test_what_is_refused_without_script_is_offered_with_the_reason_a_press_away(ada, sold):
    course, _ = sold
    ada.jar["plain_lines"] = (f"{course}*1.999*2", "/")
    assert await ada.sign_in(returnTo="/cart") == "/cart?kept=999*2"


UNREADABLE = ["0*x", "1*0", "1*100", "*", "1*1..2*1", "1*1." * 400, "\uff11*1"]


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
async def test_a_cookie_that_is_not_ours_adds_nothing(ada, sold, text):
    ada.jar["guest_lines"] = (text.encode().decode("latin-1"), "/logincallback")
    assert await ada.sign_in() == "/"
    _, cart = await ada.call("cart", "GET")
    assert cart["lines"] == []


async def test_a_database_that_is_busy_during_the_merge_delays_no_sign_in(ada, sold, monkeypatch):
    def fail(*_):
        raise ServiceUnavailable

    monkeypatch.setattr(open_session.cart_merge, "merge", fail)
    ada.jar["guest_lines"] = (f"{sold[0]}*1", "/logincallback")
    assert await ada.sign_in() == "/"
    # The next sign-in tries again, and so does the browser's script.
    assert ada.cookies["guest_lines"] == f"{sold[0]}*1"
