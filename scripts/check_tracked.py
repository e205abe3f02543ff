"""Whether a tracked file holds a secret, a path of somebody's machine, or is one that the build makes."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.resolve()
MADE = {".git", ".venv", "node_modules", "var", "static/dist", "ssr/dist"}
# Brackets keep the patterns from finding themselves.
SECRETS = {
    "a private key": r"-{5}BEGIN [A-Z ]*PRIVATE KEY-{5}",
    "an AWS key": r"\bAKI[A][0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pa[t]_\w{20,})",
    "a Slack token": r"\bxo[x][abprs]-[A-Za-z0-9-]{10,}",
    "a Stripe key": r"\b[rs]k_liv[e]_[A-Za-z0-9]{16,}",
    "a signed token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
}
# Folders of people, and the place of this very checkout.
PATHS = re.compile(rf"(?<![\w.])(?:/[h]ome/\w+/|/[U]sers/\w+/|/[r]oot/|[A-Z]:\\Users\\)|{re.escape(str(ROOT))}/")


def tracked() -> Iterator[Path]:
    """Files of the repository; without git, everything that the build did not make."""
    try:
        names = _git("ls-files", "-z").split("\0")
        yield from (ROOT / name for name in names if name)
    except (OSError, subprocess.CalledProcessError):
        print("no git here: looking at every file that is not made")
        for path in ROOT.rglob("*"):
            if not any(path.is_relative_to(ROOT / made) for made in MADE):
                yield path


def problems() -> Iterator[str]:
    for path in tracked():
        if not path.is_file() or path.is_symlink():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        name = path.relative_to(ROOT)
        yield from (f"{name} holds {what}" for what, pattern in SECRETS.items() if re.search(pattern, text))
        if found := PATHS.search(text):
            yield f"{name} names a path of one machine: {found[0]}"
    try:
        made = _git("ls-files", "--cached", "--ignored", "--exclude-standard", "-z")
    except (OSError, subprocess.CalledProcessError):
        return
    yield from (f"{name} is made by the build and is not to be tracked" for name in made.split("\0") if name)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    for line in (found := list(problems())):
        print(line, file=sys.stderr)
    sys.exit(1 if found else 0)
