"""Whom `limit` counts a request for: never nobody."""

from types import SimpleNamespace

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from host.app_keys import SETTINGS
from host.http.problems import RateLimited
from host.http.request_keys import AUTH_SESSION
from host.rate_limits import policies
from host.rate_limits.limiter import LIMITER, Limiter

LEARNERS, ADDRESSES = "quotes_per_learner_hour", "feeds_per_address_minute"
ADA, BOB = SimpleNamespace(learner_id=1), SimpleNamespace(learner_id=2)


@pytest.fixture
def request_of(monkeypatch):
    """Makes requests from one address to a host whose limits are 1."""
    monkeypatch.setattr(policies, "client_ip", lambda request: "192.0.2.1")
    app = web.Application()
    app[LIMITER] = Limiter(None, enabled=True)
    app[SETTINGS] = SimpleNamespace(**dict.fromkeys((LEARNERS, ADDRESSES, "status_per_order_minute"), 1))

    def of(learner=None):
        request = make_mocked_request("POST", "/", app=app)
        if learner is not None:
            request[AUTH_SESSION] = learner
        return request

    return of


async def test_each_learner_of_a_call_has_a_limit_of_their_own(request_of):
    await policies.limit(request_of(ADA), LEARNERS)
    await policies.limit(request_of(BOB), LEARNERS)
    with pytest.raises(RateLimited):
        await policies.limit(request_of(), LEARNERS, learner=ADA)


async def test_an_address_has_one_limit_for_all_who_share_it(request_of):
    await policies.limit(request_of(ADA), ADDRESSES)
    with pytest.raises(RateLimited):
        await policies.limit(request_of(), ADDRESSES)


@pytest.mark.parametrize("name", [LEARNERS, "status_per_order_minute", "unknown_per_learner_minute"])
async def test_a_limit_that_nobody_can_be_counted_for_is_an_error_and_not_left_out(request_of, name):
    for _ in range(2):
        with pytest.raises(KeyError):
            await policies.limit(request_of(), ADDRESSES, name)
    await policies.limit(request_of(), ADDRESSES)
