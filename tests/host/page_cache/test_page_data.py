"""The data of pages, composed once: the same as composed anew, and never older than the database."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from multidict import MultiDict
from sqlalchemy import update

from domain.catalogue import changes
from domain.catalogue import details as catalogue_details
from domain.catalogue.scope import CatalogueScope
from domain.publishing import prices as publishing_prices
from domain.routes import match_route
from domain.search import search as search_search
from domain.tables import Course, Product
from host.page_handler import load
from host.rendering.page_request import PageRequest
from host.site_state import SITE
from tests.conftest import EACH_DATABASE
from tests.support import factories
from tests.support.shops import USD

SEARCH = "/search?q=vat"
VAT = "/course-details?course=vat-basics"
AT = datetime.now(UTC)
UNTIL = AT + timedelta(minutes=5)
WITHOUT_PAGES = {"PAGE_CACHE": "off", "DEV_DELAY": ""}


@pytest.fixture(params=EACH_DATABASE)
async def site(request, open_site, start_renderer):
    """Without the poll of the catalogue: what changes, nobody has told this process."""
    settings = dict(WITHOUT_PAGES)
    if request.param == "mariadb":
        settings["DATABASE_URL"] = request.getfixturevalue("mariadb_shop_url")
    site = await open_site((await start_renderer()).address, **settings)
    await site.app[SITE].loop.stop()
    return site


@pytest.fixture
def reads(monkeypatch):
    """The courses and items that were read, in their order."""
    found = []

    def counted(read):
        def counting(session, which):
            found.append(which)
            return read(session, which)

        return counting

    monkeypatch.setattr(catalogue_details, "course", counted(catalogue_details.course))
    monkeypatch.setattr(catalogue_details, "item", counted(catalogue_details.item))
    return found


@pytest.fixture
def searches(monkeypatch):
    """The texts that were searched for, in their order."""
    found = []
    search = search_search.search

    def counting(session, text, *about, **options):
        found.append(text)
        return search(session, text, *about, **options)

    monkeypatch.setattr(search_search, "search", counting)
    return found


async def search_props(site, at: datetime = AT, scope: CatalogueScope | None = None):
    return await props_of(site, at, scope, "/search", q="vat")


async def price_found(site, at: datetime = AT):
    """The price that a search shows of the course, and how many products it counts under 50."""
    props = await search_props(site, at)
    prices = next(facet for facet in props["facets"] if facet["name"] == "price")
    cheap = sum(option["count"] for option in prices["options"] if option["value"] == "under-50")
    return next(card["price"] for card in props["cards"] if card["id"] == site.id_of("vat-basics")), cheap


async def props_of(
    site, at: datetime = AT, scope: CatalogueScope | None = None, path: str = "/course-details", **query: str
):
    """The props of a page, of the course's by default, as its loader gives them."""
    match = match_route(path)
    request = PageRequest(
        settings=site.settings,
        db=site.db,
        site=site.app[SITE].state,
        path=path,
        query=MultiDict(query or {"course": "vat-basics"}),
        values={},
        at=at,
        scope=scope,
        route=match.page,
    )
    return (await load(request)).props


async def test_a_second_document_and_its_data_are_those_of_the_first(site, reads):
    item = f"/shop-details/{site.id_of('tax-tables')}"
    for address, read in ((VAT, "vat-basics"), (item, site.id_of("tax-tables"))):
        reads.clear()
        first, second = [await site.document(address) for _ in range(2)]
        assert (first.state, first.json_ld) == (second.state, second.json_ld)
        data = await site.data(address)
        assert (data["props"], reads) == (first.state["props"], [read])


async def test_a_change_of_the_catalogue_is_on_the_next_page(site):
    assert (await props_of(site))["price"] == 8000
    with site.db.write_session() as session:
        publishing_prices.change_price(session, "vat-basics", Decimal(70), None, AT, USD)
    assert (await props_of(site))["price"] == 7000


async def test_a_changed_review_is_on_the_next_page_though_its_stars_are_not_counted_yet(site):
    before = (await props_of(site))["reviews"]["items"]
    with site.db.write_session() as session:
        course_id = site.id_of("vat-basics")
        factories.review(session, course_id, 1, reviewed_at=AT)
        session.execute(update(Course).where(Course.id == course_id).values(reviews_changed_at=AT))
    for _ in range(2):
        assert len((await props_of(site))["reviews"]["items"]) == len(before) + 1


async def test_a_sale_ends_on_the_second(site, reads):
    with site.db.write_session() as session:
        sale = {"sale_price": Decimal(50), "sale_until": UNTIL}
        session.execute(update(Product).where(Product.slug == "vat-basics").values(**sale))
        changes.bump_version(session)
    await site.app[SITE].refresh()
    for _ in range(2):
        assert (await props_of(site))["price"] == 5000
    assert (await props_of(site, UNTIL - timedelta(seconds=1)))["price"] == 5000
    assert len(reads) == 1
    assert [(await props_of(site, UNTIL))["price"] for _ in range(2)] == [10000, 10000]


async def test_a_restricted_visitor_gets_no_page_that_was_composed_for_everyone(site):
    assert (await props_of(site))["slug"] == "vat-basics"
    assert "slug" not in await props_of(site, scope=CatalogueScope((), has_all_courses=False))


async def test_what_a_restricted_visitor_sees_is_composed_for_nobody_else(site):
    await props_of(site, scope=CatalogueScope((), has_all_courses=True))
    assert len(site.app[SITE].state.composed) == 0


async def test_a_second_search_is_that_of_the_first_and_searches_for_nothing(site, searches):
    first, second = [await site.document(SEARCH) for _ in range(2)]
    assert (first.state, first.state["props"]["total"] > 0) == (second.state, True)
    data = await site.data(SEARCH)
    assert (data["props"], searches) == (first.state["props"], ["vat"])


async def test_each_page_order_and_filter_of_a_search_is_composed_by_itself(site, searches):
    addresses = [SEARCH, f"{SEARCH}&sort=newest", f"{SEARCH}&kind=course", f"{SEARCH}&exact=1"]
    first, second = [[(await site.data(address))["props"] for address in addresses] for _ in range(2)]
    assert (first, len(searches), len({str(props) for props in first})) == (second, 4, 4)


async def test_a_search_without_results_is_not_composed(site, searches):
    for _ in range(2):
        assert (await site.data("/search?q=qqqqq"))["props"]["total"] == 0
    assert searches == ["qqqqq"] * 2


async def test_a_search_that_was_composed_is_logged_as_well(site):
    for _ in range(2):
        response = await site.client.get(SEARCH)
        assert response.headers["X-Search-Results"].startswith("exact ")


async def test_a_change_of_the_catalogue_is_in_the_next_search(site):
    assert (await price_found(site))[0] == 8000
    with site.db.write_session() as session:
        publishing_prices.change_price(session, "vat-basics", Decimal(70), None, AT, USD)
    assert (await price_found(site))[0] == 7000


async def test_in_a_search_a_sale_ends_on_the_second(site, searches):
    before = await price_found(site)
    with site.db.write_session() as session:
        sale = {"sale_price": Decimal(40), "sale_until": UNTIL}
        session.execute(update(Product).where(Product.slug == "vat-basics").values(**sale))
        changes.bump_version(session)
    await site.app[SITE].refresh()
    searches.clear()
    assert [await price_found(site, at) for at in (AT, AT, UNTIL - timedelta(seconds=1))] == [(4000, before[1] + 1)] * 3
    assert searches == ["vat"]
    assert [await price_found(site, UNTIL) for _ in range(2)] == [(10000, before[1])] * 2


async def test_a_restricted_visitor_gets_no_search_that_was_composed_for_everyone(site):
    assert (await search_props(site))["total"] > 0
    assert (await search_props(site, scope=CatalogueScope((), has_all_courses=False)))["total"] == 0
    await search_props(site, scope=CatalogueScope((), has_all_courses=True))
    assert len(site.app[SITE].state.composed_searches) == 1
