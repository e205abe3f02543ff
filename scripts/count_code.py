"""Counts hand-written code: `scripts/count_code.py [COMMIT …]` prints files and lines of the product and of its tests
at each commit, the present one last, and the differences. Left out: what the build or a script writes."""

import subprocess
import sys
from collections import Counter
from pathlib import PurePosixPath

ENDINGS = {".py", ".ts", ".tsx", ".mjs"}
GENERATED = {"components/contracts/schema.ts"}
KINDS = ("product files", "product lines", "test files", "test lines")


def main(commits: list[str]) -> None:
    counted = {commit: count(commit) for commit in [*commits, "HEAD"]}
    print(f"{'':14}" + "".join(f"{commit[:12]:>14}" for commit in counted))
    for kind in KINDS:
        print(f"{kind:14}" + "".join(f"{counts[kind]:14,}" for counts in counted.values()))
    for commit, counts in counted.items():
        if commit != "HEAD":
            print(
                f"since {commit[:8]}: "
                + ", ".join(f"{counted['HEAD'][kind] - counts[kind]:+,} {kind}" for kind in KINDS)
            )


def count(commit: str) -> Counter[str]:
    """Files and lines of `commit` by KINDS. Raises CalledProcessError for one that git does not know."""
    counts: Counter[str] = Counter()
    # One line for each file that has lines: commit:path:number.
    for line in git("grep", "--count", "-e", "", commit, "--").splitlines():
        path, _, number = line.removeprefix(f"{commit}:").rpartition(":")
        if PurePosixPath(path).suffix not in ENDINGS or path in GENERATED:
            continue
        kind = "test" if is_test(path) else "product"
        counts[f"{kind} files"] += 1
        counts[f"{kind} lines"] += int(number)
    return counts


def is_test(path: str) -> bool:
    return path.startswith("tests/") or ".test." in path or path.startswith("components/fixtures/")


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
