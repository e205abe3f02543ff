"""Whatever is sent to the calls of /openapi.json, they answer as it says."""

from tests.host.fuzzing import SEEDS, Fuzzed, fuzzed
from tests.site import Site


def fuzzed_with(site: Site, examples: int) -> list[Fuzzed]:
    """One run for each seed, one after the other."""
    return [fuzzed(site, seed, examples) for seed in SEEDS]


def flaws(runs: list[Fuzzed]) -> list[str]:
    """What schemathesis has to say of the runs that did not pass: the call, the check, and how to see it again."""
    found, where = [], ""
    for line in "\n".join(run.said for run in runs if not run.is_good).splitlines():
        if line.startswith("____"):
            where = line.strip("_ ")
        elif line.startswith(("- ", "    curl ")):
            found.append(f"{where}: {line.strip()}")
    return found
