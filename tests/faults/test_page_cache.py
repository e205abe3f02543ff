"""Kept pages on real processes: new prices everywhere and at once, and something to show while the records are away."""

from collections.abc import Iterator

import pytest

from tests.conftest import missing
from tests.support.faults import outages, prices
from tests.support.faults.prices import Observation, PriceObservations
from tests.support.servers import MariaServer, mariadb_binary
from tests.support.site import WITHOUT_STANDINS, Site, running

pytestmark = [pytest.mark.faults, pytest.mark.usefixtures("filled_sites")]

TWO_HOSTS = {"HOST_WORKERS": "2", "ROBOTS": "open", "LIMITS": "off", **WITHOUT_STANDINS}


# The product promises 1 s, which `scripts/bench faults prices` holds on an idle machine. A page that no change of the
# catalogue makes invalid stays for 600 s.
WITHIN_S, PAUSE_S = 20.0, 25.0


async def test_a_new_price_reaches_every_page_soon_and_never_appears_with_the_old_one() -> None:
    with running(**TWO_HOSTS) as site:
        seen = await prices.observe_changes(site, 2, 100, PAUSE_S, until_settled=True, hosts=2)
    assert seen.flaws(WITHIN_S) == []
    assert seen.is_settled()
    assert len(seen.answers) >= 2 * prices.SETTLED
    assert min(seen.processes.values()) > 0
    assert len(seen.processes) == 2


@pytest.mark.soak
async def test_a_site_that_never_invalidates_cached_pages_is_detected() -> None:
    with running(module="tests.faults.unguarded", UNGUARDED="edition", **TWO_HOSTS) as site:
        seen = await prices.observe_changes(site, 1, 100, 3.0, until_settled=True)
    assert not seen.is_settled()
    assert any("still [10]" in flaw for flaw in seen.flaws(1.0))


def test_two_prices_in_one_response_are_detected() -> None:
    mixed = Observation("/shop", 0.0, 0.1, 200, "hit", frozenset({10, 11}))
    assert PriceObservations([mixed]).flaws() == ["/shop: prices [10, 11] in one answer"]


@pytest.fixture(scope="module")
def on_mariadb(request: pytest.FixtureRequest) -> Iterator[tuple[Site, MariaServer]]:
    """One site for both outages: each ends when every page is fresh again."""
    if mariadb_binary() is None:
        missing("MariaDB (mariadbd)")
    with outages.site_on_mariadb(**getattr(request, "param", {})) as both:
        yield both


@pytest.mark.mariadb
@pytest.mark.parametrize("frozen", [False, True], ids=["stopped", "frozen"])
async def test_without_the_database_cached_pages_are_still_served(
    on_mariadb: tuple[Site, MariaServer], frozen: bool
) -> None:
    outcome = await outages.run_outage(*on_mariadb, 5, rate=50, frozen=frozen)
    assert (outcome.flaws, outcome.unmarked, outcome.visits_lost) == ([], [], 0)
    assert outcome.stale > 100


@pytest.mark.soak
@pytest.mark.mariadb
@pytest.mark.parametrize("on_mariadb", [{"module": "tests.faults.unguarded", "UNGUARDED": "stale"}], indirect=True)
async def test_a_site_that_serves_no_stale_pages_is_detected(on_mariadb: tuple[Site, MariaServer]) -> None:
    outcome = await outages.run_outage(*on_mariadb, 5)
    assert any("status 503" in flaw for flaw in outcome.flaws)
