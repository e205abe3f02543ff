"""schemathesis against a running site: every call of /openapi.json with all checks, as a signed-in learner."""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from host.settings import ROOT
from tests.site import Site

# Of the demo shop: for everyone, as often as they like.
CODE = "TAX25"
# Each seed has a learner of its own: what one puts into the cart another does not find there.
SEEDS = {1: "ada", 2: "grace", 3: "alan"}
PHASES = "coverage,fuzzing,stateful"
DEADLINE_S = 600
# To schemathesis every 503 is a fault, also that of a machine too busy to write in time.
SETTINGS = {"LIMITS": "off", "REDIS_URL": "none", "SSR_WORKERS": "1", "DATABASE_DEADLINE_MS": "9000"}
_OPTIONS = ("--checks", "all", "--generation-database", "none", "--no-color", "--continue-on-failure")
# Given as headers of every request, the halves of a sign-in would stay where a check leaves them out on purpose.
# A body that breaks a rule may also be too large.
# Two methods that no call has stand for all of them.
_CONFIG = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]

[phases.coverage]
unexpected-methods = ["DELETE", "TRACE"]

[auth.openapi.bearer]
bearer = "{handle}"

[auth.openapi.half]
api_key = "{half}"

{finer}
"""
# Calls whose rules are finer than a schema: what a message needs (tests/agreements/contact.json), which address an
# account has, which links and passwords are right, which attributes the provider knows.
_FINER = {
    "POST /api/contact": (422,),
    "DELETE /api/account": (401, 422),
    "PUT /api/account/profile": (401, 422),
    "POST /api/auth/login": (401, 409, 422),
    "POST /api/auth/idx/start": (410,),
}

Counts = dict[str, Counter[int]]


@dataclass(frozen=True)
class Fuzzed:
    """`counts`: call -> status -> how often, such as "POST /api/cart/quote"; `said`: the faults found, in words."""

    is_good: bool
    said: str
    counts: Counts


def fuzzed(site: Site, seed: int, examples: int, phases: str = PHASES) -> Fuzzed:
    """One run with `examples` of each call."""
    token = json.loads(site.dev("token", SEEDS[seed]))
    products = [one for (one,) in site.query("SELECT id FROM products WHERE status = 'published' ORDER BY id LIMIT 7")]
    with tempfile.TemporaryDirectory() as name:
        config, counts = Path(name, "schemathesis.toml"), Path(name, "counts.json")
        config.write_text(_config(token))
        shop = {"learner_id": token["AAUserID"], "products": products, "code": CODE}
        told = {"FUZZED_SHOP": json.dumps(shop), "FUZZED_COUNTS": str(counts), "PYTHONPATH": str(ROOT)}
        run = ["run", f"{site.url}/openapi.json", *_OPTIONS, "--phases", phases]
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "schemathesis.cli",
                "--config-file",
                config,
                *run,
                f"--seed={seed}",
                f"-n{examples}",
            ],
            cwd=name,
            env={**os.environ, **told, "SCHEMATHESIS_HOOKS": "tests.host.fuzz_hooks"},
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        return Fuzzed(done.returncode == 0, done.stdout + done.stderr, _counts(json.loads(counts.read_text())))


def _config(token: dict[str, str]) -> str:
    finer = "".join(
        f'[[operations]]\ninclude-name = "{name}"\n'
        f"checks.positive_data_acceptance.expected-statuses = {json.dumps(['2xx', *statuses])}\n"
        for name, statuses in _FINER.items()
    )
    return _CONFIG.format(handle=token["accessToken"], half=token["cookie"].partition("=")[2], finer=finer)


def _counts(reached: dict[str, int]) -> Counts:
    found: Counts = defaultdict(Counter)
    for name, count in reached.items():
        call, _, status = name.rpartition(" ")
        found[call][int(status)] += count
    return dict(found)


def together(runs: Iterable[Fuzzed]) -> Counts:
    found: Counts = defaultdict(Counter)
    for run in runs:
        for call, statuses in run.counts.items():
            found[call] += statuses
    return dict(found)
