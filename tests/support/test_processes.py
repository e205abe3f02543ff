"""A run in several processes runs every test once, and passes only when every process has run its tests to the end."""

import subprocess
import sys
from pathlib import Path

import pytest

from config.settings import ROOT

CONFTEST = """
from tests.support.processes import Processes

def pytest_configure(config):
    config.pluginmanager.register(Processes(2))
"""
FILE = """
import os
import pytest

@pytest.fixture(scope="module")
def process(tmp_path_factory):
    return os.getpid(), tmp_path_factory.mktemp("shared")

def test_in_its_process(process):
    assert os.getpid() == process[0]

def test_of_the_same_file(process):
    print("printed", "here")
    assert process[1].parent.name.startswith("process-")
    assert not os.environ.get("FAILS")

def test_that_may_end_its_process():
    if os.environ.get("ENDS"):
        os._exit(7)

def test_after_it():
    pass
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(CONFTEST)
    for name in ("a", "b", "c"):
        (folder / f"test_{name}.py").write_text(FILE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={folder}", str(folder)]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "status", "counts"),
    [
        ({}, 0, "12 passed in"),
        ({"FAILS": "1"}, 1, "3 failed, 9 passed in"),
        # Two processes end in their first files: nobody has run the third.
        ({"ENDS": "1"}, 1, "4 failed, 4 passed in"),
    ],
    ids=["passes", "fails", "ends early"],
)
def test_every_test_is_counted_once(tmp_path, environment, status, counts):
    ended = run(tmp_path, **environment)
    assert ended.returncode == status, ended.stdout + ended.stderr
    assert counts in ended.stdout
    assert ended.stdout.count("printed here") == counts.count("3 failed") * 3
    if "ENDS" in environment:
        assert "its process ended with 7 before this test had" in ended.stdout
        assert "a process ended before its tests" in ended.stdout + ended.stderr
