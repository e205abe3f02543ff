"""Reads the JSON cases on which Python and TypeScript must agree."""

import json
from typing import Any

import pytest

from config.settings import ROOT


def cases(file: str, group: str) -> list[Any]:
    """The cases of one group, each a pytest parameter under its own name."""
    groups = json.loads((ROOT / "contracts" / "cases" / file).read_text("utf-8"))
    return [pytest.param(case, id=case["name"]) for case in groups[group]]
