"""The counts of lists: read once for all requests, and anew when they may have changed."""

import asyncio
from decimal import Decimal

from sqlalchemy import select

from domain.catalogue import changes, facet_cells
from domain.tables import CatalogueVersion, Product
from host.site_state import SITE
from tests.support.waiting import until


async def alter(site, row=CatalogueVersion.EDITS, change=lambda session: None):
    """Makes a change in the records and waits until the host has noticed."""
    before = site.app[SITE].state
    with site.db.write_session() as session:
        change(session)
        changes.bump_version(session, row)
    await until(lambda: site.app[SITE].state is not before)


async def facet(site, path, name):
    """Value -> count, of one facet of a list."""
    answer = await site.get(path)
    facets = (await answer.json())["props"]["facets"]
    [found] = [one for one in facets if one["name"] == name]
    return {option["value"]: option["count"] for option in found["options"]}


async def test_requests_at_once_and_with_other_filters_share_one_reading(bare_site, monkeypatch):
    readings = []

    def counted(*args):
        readings.append(args)
        return read_piece(*args)

    read_piece = facet_cells.read_piece
    monkeypatch.setattr(facet_cells, "read_piece", counted)
    await alter(bare_site)
    await asyncio.gather(*(bare_site.get(path) for path in ("/data/shop", "/data/shop?kind=course", "/data/shop")))
    await bare_site.get("/data/shop?category=tax")
    assert len(readings) == 1


async def test_a_change_of_the_stock_leaves_the_counts_and_another_change_does_not(bare_site):
    counts = bare_site.app[SITE].state.counts
    await alter(bare_site, CatalogueVersion.STOCK)
    assert bare_site.app[SITE].state.counts is counts
    await alter(bare_site)
    assert bare_site.app[SITE].state.counts is not counts


async def test_a_new_price_is_counted_in_its_band_as_soon_as_it_is_noticed(bare_site):
    before = await facet(bare_site, "/data/shop", "price")

    def raise_price(session):
        session.scalars(select(Product).where(Product.slug == "contracts")).one().list_price = Decimal(5000)

    await alter(bare_site, change=raise_price)
    after = await facet(bare_site, "/data/shop", "price")
    assert after["over-300"] == before.get("over-300", 0) + 1
    assert sum(after.values()) == sum(before.values())
