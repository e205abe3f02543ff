"""The provider as tests see it: its real application over HTTP, with a clock of the test's own."""

import time
from collections.abc import Awaitable, Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestServer

from standins.identity.app import create_app
from standins.identity.provider import ProviderConfig, ProviderData, demo_data, open_provider
from tests.standins.driver import SITE, Browser, Clock
from tests.standins.idx_driver import Engine
from tests.standins.provider_files import copy_to, filled_provider
from tests.support.run_cache import RunCache

# Known to tests alone: one account for each thing that the demo accounts do not have.
MORE = [
    {"login": "phone", "firstName": "Pia", "lastName": "Ring", "policy": "any-mfa", "phone": "+15550100001"},
    {
        "login": "asked",
        "firstName": "Ask",
        "lastName": "Embla",
        "policy": "any-mfa",
        "question": {"questionKey": "favorite_walk", "answer": "Along the river"},
    },
    {"login": "enroller", "firstName": "Eno", "lastName": "Roll", "policy": "enroll-mfa"},
    {"login": "must", "firstName": "Mia", "lastName": "Must", "policy": "enroll-one"},
    {"login": "bare", "firstName": "Bo", "lastName": "Are", "password": None},
]
Open = Callable[..., Awaitable[Browser]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


def with_more(data: ProviderData) -> ProviderData:
    return ProviderData(data.policies, [*data.accounts, *MORE], data.clients)


@pytest.fixture(scope="session")
def provider_folder(shared: RunCache) -> Path:
    """The provider's folder at the time at which clocks of tests begin, to be copied."""
    return filled_provider(shared, "fixed", with_more(demo_data()), Clock().now)


@pytest.fixture(scope="session")
def todays_provider(shared: RunCache) -> Path:
    """The provider's folder at the time of the run, to be copied for clients with a real clock."""
    return filled_provider(shared, "today", with_more(demo_data()), time.time())


@pytest.fixture
async def provider(tmp_path: Path, clock: Clock, provider_folder: Path, aiohttp_client: Any) -> Open:
    """Opens the provider on the test's folder, again after `close`; keywords replace policies of the data."""

    async def start(**policies: Any) -> Browser:
        copy_to(provider_folder, tmp_path)
        data = with_more(demo_data())
        rules = deepcopy(data.policies)
        for name, change in policies.items():
            rules[name] = {**rules[name], **change} if isinstance(change, dict) else change
        provider_data = ProviderData(rules, data.accounts, data.clients)
        server = TestServer(
            create_app(open_provider(ProviderConfig("http://127.0.0.1:1", SITE, tmp_path), provider_data, clock))
        )
        return Browser(await aiohttp_client(server), clock)

    return start


@pytest.fixture
async def browser(provider: Open) -> Browser:
    return await provider()


@pytest.fixture
async def engine(browser: Browser) -> Engine:
    return Engine(browser)
