"""schemathesis against /openapi.json, all checks, three seeds: no fault, and every call reached and answered well.

The long form: `scripts/bench faults calls`.
"""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from host.calls import CALLS
from tests.host.fuzzing import SEEDS, SETTINGS, fuzzed, together
from tests.site import Site

EXAMPLES = 4
PROVIDERS = ("auth/", "account")
# Coverage tries every bound of the document in turn, the same whatever the seed.
PHASES = {1: "coverage,fuzzing", 2: "fuzzing", 3: "fuzzing"}


@pytest.fixture
def running_shop(demo_file, tmp_path):
    shutil.copy(demo_file, tmp_path / "coursefront.db")
    site = Site(var_dir=tmp_path, **SETTINGS)
    try:
        yield site.ready()
    finally:
        site.clear()


def test_no_call_answers_other_than_described(running_shop):
    with ThreadPoolExecutor(len(SEEDS)) as at_once:
        runs = list(at_once.map(lambda seed: fuzzed(running_shop, seed, EXAMPLES, PHASES[seed]), SEEDS))
    # Whole, where the failed test can be read; an assertion would cut it short.
    print(*(one.said for one in runs if not one.is_good), sep="\n")
    assert all(one.is_good for one in runs)
    reached = together(runs)
    calls = {f"{method} /api/{name}": one for (method, name), one in CALLS.items()}
    assert set(reached) == set(calls)
    # What only a person known to the provider can bring about: tests/host/identity, against the stand-in.
    ours = {name: one for name, one in calls.items() if not name.partition("/api/")[2].startswith(PROVIDERS)}
    assert [name for name, one in ours.items() if not reached[name][one.status]] == []
    assert [name for name, one in calls.items() if one.who == "learner" and not reached[name][401]] == []
    assert [name for name, statuses in reached.items() if any(status >= 500 for status in statuses)] == []
