"""Runs the failed tests of a run once more, each alone in a fresh process. One that passes then is unsteady.

Usage: repeat_failed.py FAILED; the file with a line of JSON for each failed test that pytest wrote (--failed-to).
Says so and exits with 0 when all are unsteady, and with 1 when one fails again, must be steady, or too many failed
(docs/testing.md, "Unsteady tests"). Unsteady tests are added to var/unsteady.jsonl.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "var" / "unsteady.jsonl"
# More failures than this are a fault of the change or of the machine, not of single tests.
MOST = 3
# A test that takes longer has failed again.
LIMIT_S = 600


class Failed(TypedDict):
    """A line of the file that tests/support/failures.py writes."""

    test: str
    mustBeSteady: bool
    failure: str


def passes_alone(test: str) -> bool:
    """Whether a test passes in a process of its own; False after LIMIT_S."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", test]
    try:
        return subprocess.run(command, cwd=ROOT, timeout=LIMIT_S, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def find_unsteady(failed: list[Failed], passes: Callable[[str], bool]) -> tuple[list[Failed], str]:
    """The unsteady tests, and why the run has failed; the reason is empty when it has passed."""
    if not failed:
        return [], "pytest failed, but no single test did"
    if len(failed) > MOST:
        return [], f"{len(failed)} tests failed; only up to {MOST} are run once more"
    if steady := [row["test"] for row in failed if row["mustBeSteady"]]:
        return [], "never run once more (money, rights or a negative control): " + ", ".join(steady)
    unsteady = [row for row in failed if passes(row["test"])]
    again = [row["test"] for row in failed if row not in unsteady]
    return unsteady, "failed again, alone: " + ", ".join(again) if again else ""


def record(unsteady: list[Failed], path: Path = RECORD) -> None:
    """Adds the unsteady tests to the file of all runs in this checkout."""
    path.parent.mkdir(exist_ok=True)
    about = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "load": round(os.getloadavg()[0], 1)}
    with path.open("a", encoding="utf-8") as file:
        file.writelines(
            json.dumps({**about, "test": row["test"], "failure": row["failure"]}) + "\n" for row in unsteady
        )


def main(path: str) -> int:
    lines = Path(path).read_text("utf-8").splitlines() if Path(path).exists() else []
    unsteady, reason = find_unsteady([json.loads(line) for line in lines], passes_alone)
    if unsteady:
        record(unsteady)
    for row in unsteady:
        print(f"{row['failure']}\nunsteady: {row['test']}")
    print(reason or "All failed tests passed alone.")
    return 1 if reason else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
