"""Files created once per test run: its worker processes share them through a folder and a lock per file."""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest


class RunCache:
    """The first process that needs a folder fills it; the others wait for it and get the same folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def get(self, name: str, fill: Callable[[Path], None]) -> Path:
        """The folder `name`, filled by `fill(folder)` once per run. A failed attempt leaves nothing behind."""
        finished = self.folder / name
        with (self.folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not finished.exists():
                fill(_new_folder(self.folder / f"{name}.unfinished"))
                (self.folder / f"{name}.unfinished").rename(finished)
        return finished


def _new_folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


# Set in the processes that a run forks (tests/support/processes.py).
IS_CHILD = pytest.StashKey[bool]()


def of_run(config: pytest.Config) -> RunCache:
    """The cache of the run that `config` belongs to: in the temporary folder in which those of its processes are."""
    factory: pytest.TempPathFactory = config._tmp_path_factory
    base = factory.getbasetemp()
    return RunCache((base.parent if config.stash.get(IS_CHILD, False) else base) / "shared")
