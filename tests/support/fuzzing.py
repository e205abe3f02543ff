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
from typing import Any, Protocol

from config.settings import ROOT

# A coupon of the demo shop, valid for everyone and without a limit.
CODE = "TAX25"
# Each seed has a learner of its own, so that the runs do not share a cart.
SEEDS = {1: "ada", 2: "grace", 3: "alan"}
PHASES = "coverage,fuzzing,stateful"
DEADLINE_S = 600
# schemathesis reports every 503 as a failure, also one from a slow write on a busy machine: hence the long deadline.
SETTINGS = {"LIMITS": "off", "REDIS_URL": "none", "SSR_WORKERS": "1", "DATABASE_DEADLINE_MS": "9000"}
_OPTIONS = ("--checks", "all", "--generation-database", "none", "--no-color", "--continue-on-failure")
# The token pair is configured as authentication: as plain headers, it would also be sent by checks that leave it out.
# An invalid body may also be refused as too large.
# Two unsupported methods are tried instead of all.
_CONFIG = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]

[phases.coverage]
unexpected-methods = ["DELETE", "TRACE"]

[auth.openapi.bearer]
bearer = "{handle}"

[auth.openapi.sessionCookie]
api_key = "{cookie_secret}"

# Staff and people of organisations alone may make these calls: whatever is sent, the fuzzer is refused before its body
# is read. The phase that fuzzes reaches them; every bound of their many fields would only be refused again.
[[operations]]
include-path-regex = "^/api/(admin|organization|uploads)"
phases.coverage.enabled = false

{finer}
"""
# Calls with rules that a schema cannot express, and the statuses with which they refuse valid-looking input: the
# fields of a message (contracts/cases/contact.json), the account's address, passwords, the provider's attributes, names
# of fields and keys of forms at the checkout, names on certificates, what organisations say of themselves, and either
# of two ways to join.
_FINER = {
    "POST /api/contact": (422,),
    # A program asks for products, and no schema knows what the shop sells.
    "POST /api/cart/links": (422,),
    "DELETE /api/account": (401, 422),
    "PUT /api/account/profile": (401, 422),
    "POST /api/auth/login": (401, 409, 422),
    "POST /api/auth/idx/start": (410,),
    "PUT /api/checkout": (422,),
    "POST /api/checkout": (409, 422),
    "POST /api/orders/{code}/refunds": (401, 404, 409, 422),
    "POST /api/learning/courses/{id}/certificate": (401, 404, 409, 422),
    "POST /api/learning/join": (401, 403, 404, 422),
    "POST /api/organization/applications": (401, 403, 409, 422),
    "POST /api/organization/applications/{id}/resubmit": (401, 403, 404, 409, 422),
}

Counts = dict[str, Counter[int]]


class FuzzedSite(Protocol):
    """What the fuzzer must know of a running site: a process of its own, or the application in a test."""

    @property
    def url(self) -> str: ...

    def dev(self, *words: str) -> str:
        """What `python -m host dev …` prints."""
        ...

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]: ...


@dataclass(frozen=True)
class FuzzResult:
    """`counts`: call -> status -> how often, such as "POST /api/cart/quote"; `said`: the output."""

    is_good: bool
    said: str
    counts: Counts


def run_fuzzer(site: FuzzedSite, seed: int, examples: int, phases: str = PHASES) -> FuzzResult:
    """Runs schemathesis with `examples` of each call."""
    token = json.loads(site.dev("token", SEEDS[seed]))
    products = [
        product_id
        for (product_id,) in site.query("SELECT id FROM products WHERE status = 'published' ORDER BY id LIMIT 7")
    ]
    owner = f"learner_id = {int(token['AAUserID'])}"
    orders = [code for (code,) in site.query(f"SELECT code FROM orders WHERE {owner} ORDER BY id LIMIT 3")]
    with tempfile.TemporaryDirectory() as name:
        config, counts = Path(name, "schemathesis.toml"), Path(name, "counts.json")
        config.write_text(_config(token))
        shop = {"learner_id": token["AAUserID"], "products": products, "code": CODE, "orders": orders}
        variables = {"FUZZED_SHOP": json.dumps(shop), "FUZZED_COUNTS": str(counts), "PYTHONPATH": str(ROOT)}
        command = ["run", f"{site.url}/openapi.json", *_OPTIONS, "--phases", phases]
        process = subprocess.run(
            [
                sys.executable,
                "-m",
                "schemathesis.cli",
                "--config-file",
                config,
                *command,
                f"--seed={seed}",
                f"-n{examples}",
            ],
            cwd=name,
            env={**os.environ, **variables, "SCHEMATHESIS_HOOKS": "tests.support.fuzz_hooks"},
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        return FuzzResult(
            process.returncode == 0, process.stdout + process.stderr, _counts(json.loads(counts.read_text()))
        )


def _config(token: dict[str, str]) -> str:
    finer = "".join(
        f'[[operations]]\ninclude-name = "{name}"\n'
        f"checks.positive_data_acceptance.expected-statuses = {json.dumps(['2xx', *statuses])}\n"
        for name, statuses in _FINER.items()
    )
    return _CONFIG.format(handle=token["accessToken"], cookie_secret=token["cookie"].partition("=")[2], finer=finer)


def _counts(reached: dict[str, int]) -> Counts:
    counts: Counts = defaultdict(Counter)
    for name, count in reached.items():
        call, _, status = name.rpartition(" ")
        counts[call][int(status)] += count
    return dict(counts)


def merge_counts(runs: Iterable[FuzzResult]) -> Counts:
    counts: Counts = defaultdict(Counter)
    for run in runs:
        for call, statuses in run.counts.items():
            counts[call] += statuses
    return dict(counts)
