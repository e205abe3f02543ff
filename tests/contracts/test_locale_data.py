"""contracts/locales.json and the cases are what scripts/locales.mjs writes with the release of Node that they name."""

import json
import shutil
import subprocess

import pytest

from config.settings import ROOT

SOURCE = json.loads((ROOT / "contracts/locales.json").read_text("utf-8"))["source"]


@pytest.mark.soak
def test_the_data_of_locales_are_those_of_the_named_release_of_unicode() -> None:
    node = shutil.which("node")
    assert node is not None
    icu = subprocess.run(
        [node, "-p", "process.versions.icu"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if icu != SOURCE["icu"]:
        pytest.skip(f"this Node has ICU {icu}, the data are of {SOURCE['icu']}")
    script = [node, "scripts/locales.mjs", "--check"]
    checked = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_cases_are_of_the_same_release_as_the_data() -> None:
    cases = json.loads((ROOT / "contracts/cases/locales.json").read_text("utf-8"))
    assert cases["source"] == SOURCE
    assert len(cases["rows"]) >= 90
