"""The stock on the page of a shop item: cached pages change with it only when they show another text."""

import pytest
from sqlalchemy import update

from domain.catalogue import listing as catalogue_listing
from domain.reservations import orders as reservation_orders
from domain.reservations.kinds import Resource
from domain.reservations.owners import OrderOwner
from domain.tables import ShopItem
from host.site_state import SITE
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.waiting import until


@pytest.fixture
async def cached_site(open_site, start_renderer):
    renderer = await start_renderer()
    return await open_site(renderer.address, PAGE_CACHE="on", DEV_DELAY="")


def sell_one(site, item_id: int, code: str) -> int:
    """The version of the catalogue afterwards."""
    with site.db.write_session() as session:
        learner = factories.learner(session, f"Buyer {code}")
        order = order_rows.open_order(session, learner.id, code=code)
        owner = OrderOwner(learner.id, order.id, order_rows.order_line(session, order.id, product_id=item_id).id)
        assert reservation_orders.claim(session, Resource("stock", item_id), owner, 1, NOON) is None
    with site.db.read_session() as session:
        return catalogue_listing.version(session)


async def test_a_sale_changes_a_cached_page_from_the_tenth_last_piece_on(cached_site):
    item_id = cached_site.id_of("tax-tables")
    with cached_site.db.write_session() as session:
        session.execute(update(ShopItem).where(ShopItem.id == item_id).values(stock=12))

    async def stock() -> int | None:
        return (await cached_site.document(f"/shop-details/{item_id}")).state["props"]["stock"]

    before = cached_site.app[SITE].state.version
    assert (await stock(), sell_one(cached_site, item_id, "FIRST"), await stock()) == (None, before, None)
    assert sell_one(cached_site, item_id, "SECOND") == before + 1
    await until(lambda: cached_site.app[SITE].state.version > before)
    assert await stock() == 10
