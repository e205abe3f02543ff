"""schemathesis against /openapi.json, all checks: no failure, and every call succeeds at least once.

The long form: `scripts/bench faults calls`.
"""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from host.api.registry import CALLS, REDIRECTS
from tests.support.fuzzing import SETTINGS, merge_counts, run_fuzzer
from tests.support.site import Site

pytestmark = pytest.mark.fuzz

# Generated examples for each call; coverage adds some thousands.
EXAMPLES = 12
PROVIDERS = ("auth/", "account")
# Nobody can guess the key of a form, or the return cookie that the state of an order takes without a sign-in.
WITH_KEY = {
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


@pytest.fixture
def running_shop(todays_demo, tmp_path):
    shutil.copy(todays_demo, tmp_path / "coursefront.db")
    site = Site(var_dir=tmp_path, **SETTINGS)
    try:
        yield site.ready()
    finally:
        site.clear()


def test_fuzzing_finds_only_described_responses(running_shop):
    with ThreadPoolExecutor(len(PHASES)) as at_once:
        runs = list(at_once.map(lambda seed: run_fuzzer(running_shop, seed, EXAMPLES, PHASES[seed]), PHASES))
    # Printed in full for the report of a failed test; an assertion would truncate it.
    print(*(run.said for run in runs if not run.is_good), sep="\n")
    assert all(run.is_good for run in runs)
    reached = merge_counts(runs)
    calls = {f"{method} /api/{name}": call for (method, name), call in CALLS.items()}
    assert set(reached) == set(calls) | {f"GET /api/{name}" for name in REDIRECTS}
    # Calls that need a person known to the provider are tested in tests/host/identity, against the stand-in.
    ours = {name: call for name, call in calls.items() if not name.partition("/api/")[2].startswith(PROVIDERS)}
    assert [name for name, call in ours.items() if not reached[name][call.status] and name not in WITH_KEY] == []
    # tests/host/test_area_matrix.py sends the calls of staff without a token.
    signed_in = [name for name, call in calls.items() if call.policy.caller == "learner" and name not in OF_STAFF_NAMES]
    assert [name for name in signed_in if not reached[name][401]] == []
    assert [name for name, statuses in reached.items() if any(status >= 500 for status in statuses)] == []
