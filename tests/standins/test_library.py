"""The vendor's own library for browsers, unmodified, against the stand-in: each case of okta/ in a Node of its own."""

import asyncio
import json
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestServer

from standins.identity.app import create_app
from standins.identity.provider import ProviderConfig, ProviderData, demo_data, open_provider
from tests.standins.conftest import with_more
from tests.standins.driver import SITE
from tests.standins.provider_files import copy_to
from tests.support.servers import free_port
from tests.support.waiting import LIMIT_S

RUN = Path(__file__).parent / "okta" / "run.mjs"
DEADLINE_S = 60
NODE = shutil.which("node") or "node"


def _names() -> list[list[str]]:
    process = subprocess.run(
        [NODE, str(RUN), "http://nowhere"], capture_output=True, text=True, check=True, timeout=LIMIT_S
    )
    return list(json.loads(process.stdout))


CASES = _names()


def _policies(name: str) -> dict[str, Any]:
    """A case whose name ends in "second factor: KEY" wants that authenticator from everybody who has it."""
    _, marked, key = name.partition("second factor: ")
    return {"enroll-mfa": {"second": [key], "enroll": {key: "optional"}}} if marked else {}


@pytest.fixture
async def origin(tmp_path: Path, todays_provider: Path) -> AsyncIterator[Callable[..., Awaitable[str]]]:
    """Opens the provider on a port of its own; by the real clock, which is the library's."""
    servers: list[TestServer] = []

    async def start(sign_on: dict[str, Any]) -> str:
        copy_to(todays_provider, tmp_path)
        data, port = with_more(demo_data()), free_port()
        rules = deepcopy(data.policies)
        rules["signOn"] |= sign_on
        provider_data = ProviderData(rules, data.accounts, data.clients)
        place = ProviderConfig(f"http://127.0.0.1:{port}", SITE, tmp_path)
        servers.append(TestServer(create_app(open_provider(place, provider_data, time.time)), port=port))
        await servers[0].start_server()
        return place.origin

    yield start
    for server in servers:
        await server.close()


@pytest.mark.parametrize(("group", "name"), CASES, ids=[f"{group}: {name}" for group, name in CASES])
async def test_the_official_client_library_works_with_the_stand_in(origin, group, name):
    at = await origin(_policies(name))
    node = await asyncio.create_subprocess_exec(
        NODE, str(RUN), at, group, name, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        async with asyncio.timeout(DEADLINE_S):
            output, _ = await node.communicate()
    finally:
        if node.returncode is None:
            node.kill()
            await node.wait()
    assert (node.returncode, output.decode()) == (0, "passed\n"), output.decode()
