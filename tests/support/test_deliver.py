"""scripts/deliver moves main only to a commit whose .ci/run passes in a clean clone."""

import os
import subprocess
from pathlib import Path

import pytest

from config.settings import ROOT

# Passes in a clone that holds what was committed, and nothing else.
PASSING = (
    '#!/bin/sh\n[ -f committed ] && [ ! -f forgotten ] && [ "$CI" = true ] && echo "== summary" && echo "1 passed"\n'
)
FAILING = "#!/bin/sh\necho '1 failed'\nexit 1\n"
NOBODY = {f"GIT_{who}_{what}": "ada" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class Checkout:
    """A repository with a branch main, and the branch next checked out."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("begun")
        self.git("switch", "--quiet", "--create", "next")

    def git(self, *words: str) -> str:
        command = ["git", "-c", "core.hooksPath=/dev/null", *words]
        done = subprocess.run(
            command, cwd=self.folder, env=os.environ | NOBODY, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, name: str, text: str = "") -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        self.git("add", name)
        self.git("commit", "--quiet", "-m", f"Add {name}")

    def deliver(self) -> int:
        """The exit status."""
        command = [ROOT / "scripts" / "deliver"]
        return subprocess.run(command, cwd=self.folder, check=False, capture_output=True).returncode

    @property
    def is_delivered(self) -> bool:
        return self.git("rev-parse", "main") == self.git("rev-parse", "next")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_main_moves_to_a_commit_that_passes_without_what_was_not_committed(checkout):
    checkout.commit(".ci/run", PASSING)
    checkout.commit("committed")
    (checkout.folder / "forgotten").touch()
    assert (checkout.deliver(), checkout.is_delivered) == (0, True)


def test_main_stays_when_the_run_fails(checkout):
    checkout.commit(".ci/run", FAILING)
    assert (checkout.deliver(), checkout.is_delivered) == (1, False)


def test_nothing_runs_while_changes_are_not_committed(checkout):
    checkout.commit(".ci/run", PASSING)
    (checkout.folder / ".ci/run").write_text(FAILING)
    assert (checkout.deliver(), checkout.is_delivered) == (2, False)


def test_a_branch_that_lacks_commits_of_main_is_refused(checkout):
    checkout.commit(".ci/run", PASSING)
    checkout.git("switch", "--quiet", "main")
    checkout.commit("other")
    checkout.git("switch", "--quiet", "next")
    assert (checkout.deliver(), checkout.is_delivered) == (2, False)
