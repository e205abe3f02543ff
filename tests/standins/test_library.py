"""The vendor's own library for browsers, unmodified, against the stand-in: the cases of okta/, in one Node."""

import asyncio
import json
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestServer

from standins.identity.app import create_app
from standins.identity.provider import ProviderConfig, ProviderData, demo_data, open_provider
from tests.conftest import missing
from tests.standins.conftest import with_more
from tests.standins.driver import SITE
from tests.standins.provider_files import copy_to
from tests.support.servers import free_port

OKTA = Path(__file__).parent / "okta"
GROUPS = ("authenticators", "authn", "idx", "myaccount", "oauth")
CASE = re.compile(r"""^  async (['"])(.+)\1\(\) \{$""", re.MULTILINE)
DEADLINE_S = 60
# Read from the text: to ask Node for them would cost its start at every collection of tests.
CASES = [(group, name) for group in GROUPS for _, name in CASE.findall((OKTA / f"{group}.mjs").read_text("utf-8"))]


@dataclass(frozen=True)
class Library:
    """The library in a Node of its own, which runs one case after the other."""

    process: subprocess.Popen[str]

    async def line(self) -> Any:
        assert self.process.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            text = await asyncio.to_thread(self.process.stdout.readline)
        return json.loads(text)

    async def failure(self, origin: str, group: str, name: str) -> str | None:
        """What went wrong in a case; None when it has passed."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"origin": origin, "group": group, "name": name}) + "\n")
        self.process.stdin.flush()
        failure: str | None = (await self.line())["failure"]
        return failure


@contextmanager
def started() -> Iterator[Library]:
    if (node := shutil.which("node")) is None:
        missing("Node")
    command = [str(node), str(OKTA / "run.mjs")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Library(process)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    """Shared by the cases: each has clients and a memory of its own."""
    with started() as running:
        # The names of the cases come first.
        names = json.loads(running.process.stdout.readline())
        assert [tuple(pair) for pair in names] == CASES
        yield running


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
async def test_the_official_client_library_works_with_the_stand_in(library, origin, group, name):
    assert await library.failure(await origin(_policies(name)), group, name) is None


async def test_a_case_that_fails_is_reported(library):
    assert "fetch failed" in str(await library.failure("http://127.0.0.1:1", "authn", "a locked account says so"))
