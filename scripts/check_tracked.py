"""Checks tracked files: none has a secret or a path of one machine, and none is written by the build."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.resolve()
BUILT = {".git", ".venv", "node_modules", "var", "static/dist", "ssr/dist"}
# Brackets prevent the patterns from matching their own source.
SECRETS = {
    "a private key": r"-{5}BEGIN [A-Z ]*PRIVATE KEY-{5}",
    "an AWS key": r"\bAKI[A][0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pa[t]_\w{20,})",
    "a Slack token": r"\bxo[x][abprs]-[A-Za-z0-9-]{10,}",
    "a Stripe key": r"\b[rs]k_liv[e]_[A-Za-z0-9]{16,}",
    "a signed token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
}
# Home folders, and the path of this checkout.
PATHS = re.compile(rf"(?<![\w.])(?:/[h]ome/\w+/|/[U]sers/\w+/|/[r]oot/|[A-Z]:\\Users\\)|{re.escape(str(ROOT))}/")


def tracked() -> Iterator[Path]:
    """Files of the repository; without git, all files outside the folders that the build writes."""
    try:
        names = _git("ls-files", "-z").split("\0")
        yield from (ROOT / name for name in names if name)
    except (OSError, subprocess.CalledProcessError):
        print("git is not available: checking every file that the build does not write")
        for path in ROOT.rglob("*"):
            if not any(path.is_relative_to(ROOT / folder) for folder in BUILT):
                yield path


def problems() -> Iterator[str]:
    for path in tracked():
        if not path.is_file() or path.is_symlink():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        name = path.relative_to(ROOT)
        yield from (f"{name} has {what}" for what, pattern in SECRETS.items() if re.search(pattern, text))
        if match := PATHS.search(text):
            yield f"{name} has a path of one machine: {match[0]}"
    try:
        ignored = _git("ls-files", "--cached", "--ignored", "--exclude-standard", "-z")
    except (OSError, subprocess.CalledProcessError):
        return
    yield from (f"{name} is written by the build and must not be tracked" for name in ignored.split("\0") if name)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    for line in (lines := list(problems())):
        print(line, file=sys.stderr)
    sys.exit(1 if lines else 0)
