"""schemathesis against /openapi.json, all checks: no failure, and at night every call succeeds at least once.

The long form: `scripts/bench faults calls`.
"""

import asyncio
import contextlib
import io
import sqlite3
import threading
import time
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import Any

import pytest

from host.api.registry import CALLS, REDIRECTS
from host.cli import dev
from host.identity.provider import PROVIDER
from standins.identity.provider import demo_data
from tests.host.identity.conftest import StandIn
from tests.host.site import Site
from tests.standins.conftest import with_more
from tests.standins.driver import Clock
from tests.standins.provider_files import filled_provider
from tests.support.fuzzing import merge_counts, run_fuzzer
from tests.support.servers import free_port
from tests.support.waiting import until

pytestmark = pytest.mark.fuzz

# Generated examples for each call, with every change and at night; coverage adds some thousands.
FEW, EXAMPLES = 2, 12
PROVIDERS = ("auth/", "account")
# Nobody can guess the key of a form, or the return cookie that the state of an order takes without a sign-in; nor which
# of all ids is that of a free course, which tests/host/api/checkout has.
WITH_KEY = {
    "POST /api/enrol",
    "GET /api/orders/{code}/status",
    "POST /api/checkout",
    "POST /api/orders/{code}/pay",
    "POST /api/orders/{code}/cancel",
    "POST /api/orders/{code}/refunds",
}
# Nobody guesses the id of a course, a lesson or a review of their own; what they answer is tested in
# tests/host/learning and tests/host/api/learning.
OF_OWN_COURSES = ("learning/courses/", "learning/lessons/", "learning/progress", "reviews/")
# Nor the number or the link of a gift: tests/host/api/orders, tests/host/api/learning.
OF_GIFTS = ("orders/{code}/gifts/", "learning/gifts/")
# Only staff and members of an organisation may make these calls, and the fuzzer is neither: tests/host/admin,
# tests/host/organisation, tests/host/test_area_matrix.py.
OF_STAFF = ("admin/", "uploads", "organization/")
# The fuzzer has no invitation, no code and no seat: tests/host/organisation, tests/host/api/learning/test_ids.py.
OF_MEMBERS = ("learning/invitations/", "learning/join", "learning/seats/")
OF_OTHERS = OF_OWN_COURSES + OF_GIFTS + OF_STAFF + OF_MEMBERS
OF_STAFF_NAMES = {f"{method} /api/{name}" for method, name in CALLS if name.startswith(OF_STAFF)}
WITH_KEY |= {f"{method} /api/{name}" for method, name in CALLS if name.startswith(OF_OTHERS)}
# Each seed is a process with a learner of its own. Coverage tests every bound of the document in turn.
PHASES = {1: "coverage", 2: "fuzzing"}

# The fuzzers are threads, and redirecting the output redirects that of the whole process.
_PRINTING = threading.Lock()


@dataclass(frozen=True)
class OpenedSite:
    """A site that runs in this process, as the fuzzer sees it."""

    site: Site

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.site.port}"

    def dev(self, *words: str) -> str:
        parser, printed = ArgumentParser(), io.StringIO()
        dev.add_arguments(parser)
        with _PRINTING, contextlib.redirect_stdout(printed):
            assert dev.run(parser.parse_args(words), self.site.settings) == 0
        return printed.getvalue()

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        file = self.site.settings.var_dir / "coursefront.db"
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return connection.execute(statement, values).fetchall()


@pytest.fixture
async def shop(open_shop, shared, tmp_path):
    """The demo shop with the stand-in of its provider, both in this process."""
    clock = Clock()
    clock.now = time.time()
    filled = filled_provider(shared, "today", with_more(demo_data()), clock.now)
    provider = StandIn(free_port(), filled, tmp_path / "standin", clock)
    await provider.start()
    site = await open_shop(OIDC_ISSUER=provider.origin)
    await until(lambda: site.app[PROVIDER].state == "up")
    yield OpenedSite(site)
    await provider.stop()


def reached_without_a_flaw(runs):
    """Statuses by call, of runs that found only responses that the document describes, none of them over 499."""
    # Printed in full for the report of a failed test; an assertion would truncate it.
    print(*(run.said for run in runs if not run.is_good), sep="\n")
    assert all(run.is_good for run in runs)
    reached = merge_counts(runs)
    assert set(reached) == {f"{method} /api/{name}" for method, name in CALLS} | {
        f"GET /api/{name}" for name in REDIRECTS
    }
    assert [name for name, statuses in reached.items() if any(status >= 500 for status in statuses)] == []
    return reached


async def test_fuzzing_reaches_every_call_and_finds_only_described_responses(shop):
    """A few examples of each call, valid and not; test_every_bound_is_tried_and_every_call_succeeds tries the rest."""
    reached_without_a_flaw([await asyncio.to_thread(run_fuzzer, shop, 2, FEW, "fuzzing")])


@pytest.mark.soak
async def test_every_bound_is_tried_and_every_call_succeeds(shop):
    runs = [asyncio.to_thread(run_fuzzer, shop, seed, EXAMPLES, phase) for seed, phase in PHASES.items()]
    reached = reached_without_a_flaw(await asyncio.gather(*runs))
    calls = {f"{method} /api/{name}": call for (method, name), call in CALLS.items()}
    # Calls that need a person known to the provider are tested in tests/host/identity, against the stand-in.
    ours = {name: call for name, call in calls.items() if not name.partition("/api/")[2].startswith(PROVIDERS)}
    assert [name for name, call in ours.items() if not reached[name][call.status] and name not in WITH_KEY] == []
    # tests/host/test_area_matrix.py sends the calls of staff without a token.
    signed_in = [name for name, call in calls.items() if call.policy.caller == "learner" and name not in OF_STAFF_NAMES]
    assert [name for name in signed_in if not reached[name][401]] == []
