"""Sites with a payment gateway, and a buyer."""

from collections.abc import Iterator

import pytest

from domain.shop_settings import stored
from domain.tables import Learner as LearnerRow
from tests.conftest import database_kind
from tests.host.api.checkout.shop import Buyer, add_rates
from tests.host.conftest import OpenSite
from tests.host.signing import learner
from tests.host.site import Site
from tests.support.servers import PaymentsServer


@pytest.fixture(scope="session")
def gateway() -> Iterator[PaymentsServer]:
    """The stand-in of the payment gateway, for all tests of this process."""
    server = PaymentsServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def open_checkout(open_site: OpenSite, gateway: PaymentsServer):
    """`await open_checkout(**environment)`: a site that sells, with rates of tax and delivery."""

    async def opened(**environment: str) -> Site:
        site = await open_site(**{**gateway.environment, "LIMITS": "off", **environment})
        add_rates(site)
        with site.db.write_session() as session:
            stored.record_currency(session, site.settings.shop.currency)
        return site

    return opened


@pytest.fixture
async def selling_site(request: pytest.FixtureRequest, open_checkout) -> Site:
    """A site that sells (`open_checkout`), on the database that the test asks for."""
    if database_kind(request) == "sqlite":
        return await open_checkout()
    return await open_checkout(DATABASE_URL=request.getfixturevalue("mariadb_shop_url"))


def buyer(site: Site, name: str = "Ada Lovelace") -> Buyer:
    signed_in = learner(site, name)
    with site.db.write_session() as session:
        session.get_one(LearnerRow, signed_in.id).email = f"{name.split(maxsplit=1)[0].lower()}@example.test"
    return Buyer(signed_in)


@pytest.fixture
async def ada(selling_site: Site) -> Buyer:
    return buyer(selling_site)
