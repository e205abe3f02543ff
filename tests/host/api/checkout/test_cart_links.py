"""A link to a guest's cart, with its coupon."""

from datetime import UTC, datetime

from domain.cart.owners import RequestedLine
from domain.checkout import cart_links
from domain.checkout.cart_links import LinkedCart
from host.app_keys import SETTINGS
from tests.support import factories


async def test_a_link_carries_lines_and_coupon_for_a_day(own_site):
    vat, now = own_site.id_of("vat-basics"), datetime.now(UTC)
    lines = [{"id": vat, "quantity": 1}]
    with own_site.db.write_session() as session:
        coupon_id = factories.coupon(session, "SPRING").id
    priced = await own_site.answer("cart/coupon", {"code": "SPRING", "lines": lines}, method="PUT")
    guest = {"Cookie": f"__Host-guest={priced.cookies['__Host-guest'].value}"}
    status, answer = await own_site.call("cart/links", {"lines": [*lines, *lines]}, guest)
    address, _, secret = answer["url"].partition("?cartToken=")
    assert (status, address) == (200, f"{own_site.app[SETTINGS].site_origin}/cart")
    left = datetime.fromisoformat(answer["expiresAt"]) - now
    assert round(left.total_seconds() / 3600) == 24
    with own_site.db.read_session() as session:
        assert cart_links.read(session, secret, now) == LinkedCart((RequestedLine(vat, 1),), coupon_id)
