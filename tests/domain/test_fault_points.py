"""Fault points: they kill a process at the named place and time, and otherwise do nothing."""

import signal
import subprocess
import sys

import pytest

from config.settings import ROOT
from domain import fault_points
from tests.support.waiting import LIMIT_S

PASS_TWICE = """
from domain import fault_points
fault_points.arm({spec!r})
for _ in range(2):
    print("before", flush=True)
    fault_points.hit("place.written")
print("end", flush=True)
"""


def run(spec: str) -> tuple[int, str]:
    command = [sys.executable, "-c", PASS_TWICE.format(spec=spec)]
    ended = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S)
    return ended.returncode, ended.stdout


@pytest.mark.parametrize(
    ("spec", "code", "lines"),
    [
        ("place.written", -signal.SIGKILL, 1),
        ("place.written:2", -signal.SIGKILL, 2),
        ("place.written:3", 0, 3),
        ("place.read", 0, 3),
        ("", 0, 3),
    ],
)
def test_a_process_ends_at_the_armed_time_of_its_fault_point(spec, code, lines):
    returned, output = run(spec)
    assert (returned, len(output.splitlines())) == (code, lines)


@pytest.mark.parametrize("spec", ["place", "place.written:0", "place.written:x", "nowhere:1"])
def test_other_texts_arm_nothing_and_are_refused(spec):
    with pytest.raises(ValueError, match=r".+"):
        fault_points.arm(spec)
    fault_points.hit("place.written")
