"""Fuzzing: every call of /openapi.json responds as the document says, whatever is sent."""

from tests.support.fuzzing import SEEDS, FuzzResult, run_fuzzer
from tests.support.site import Site


def run_seeds(site: Site, examples: int) -> list[FuzzResult]:
    """Runs the fuzzer once per seed."""
    return [run_fuzzer(site, seed, examples) for seed in SEEDS]


def flaws(runs: list[FuzzResult]) -> list[str]:
    """The failures that schemathesis reports: the call, the check, and the command that reproduces it."""
    texts, where = [], ""
    for line in "\n".join(run.said for run in runs if not run.is_good).splitlines():
        if line.startswith("____"):
            where = line.strip("_ ")
        elif line.startswith(("- ", "    curl ")):
            texts.append(f"{where}: {line.strip()}")
    return texts
