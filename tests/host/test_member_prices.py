"""Pages in their data: a member sees the price that their cart charges; documents and guests have everyone's."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from domain.tables import Organisation
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories
from tests.support.factories import NOON

COURSE = "vat-basics"
PAGES = ["/course-details?course=vat-basics", "/shop", "/search?q=vat", "/"]


def member(site: Site, **about: Any) -> Learner:
    """A member of an organisation whose contract sets 12.34 for the course."""
    ada = learner(site)
    with site.db.write_session() as session:
        organisation = factories.organisation(session)
        prices = {site.id_of(COURSE): Decimal("12.34")}
        factories.contract(session, organisation.id, prices=prices, starts_at=NOON, **about)
        factories.member(session, ada.id, organisation.id)
    return ada


def prices_in(value: Any, product_id: int) -> set[int]:
    """Every price of the product anywhere in the props."""
    if isinstance(value, list):
        return {price for item in value for price in prices_in(item, product_id)}
    if not isinstance(value, dict):
        return set()
    own = {value["price"]} if value.get("id") == product_id and "price" in value else set()
    return own.union(*(prices_in(item, product_id) for item in value.values()))


async def data_prices(site: Site, path: str, headers: dict[str, str]) -> set[int]:
    return prices_in((await (await site.get(f"/data{path}", **headers)).json())["props"], site.id_of(COURSE))


@pytest.mark.parametrize("path", PAGES)
async def test_the_data_of_a_page_has_the_members_price_and_the_document_everyones(own_site, path):
    everyones = await data_prices(own_site, path, {})
    ada = member(own_site)
    assert len(everyones) == 1
    assert await data_prices(own_site, path, ada.headers) == {1234}
    # Only both halves of the sign-in show it, and what one person was shown is stored for nobody.
    for headers in ({}, ada.bearer, ada.cookie):
        assert await data_prices(own_site, path, headers) == everyones
    document = await own_site.document(path, **ada.cookie)
    assert prices_in(document.state["props"], own_site.id_of(COURSE)) == everyones
    assert document.headers["Cache-Control"] == (await own_site.document(path)).headers["Cache-Control"]


async def test_page_and_cart_have_the_same_price(own_site):
    ada = member(own_site)
    await ada.add(COURSE)
    (line,) = (await ada.get("cart"))[1]["lines"]
    assert {line["unitPrice"]} == await data_prices(own_site, PAGES[0], ada.headers)


async def test_a_price_that_a_contract_does_not_lower_stays(own_site):
    everyones = await data_prices(own_site, "/shop", {})
    ada = member(own_site)
    with own_site.db.write_session() as session:
        organisation = session.scalars(select(Organisation)).one()
        organisation.state = "declined"
    assert await data_prices(own_site, "/shop", ada.headers) == everyones
