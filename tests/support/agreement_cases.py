"""Cases on which Python and TypeScript must agree: one JSON file each, read by pytest and by jest."""

import json
from pathlib import Path
from typing import Any

import pytest


def cases(file: str, group: str) -> list[Any]:
    """The cases of one group, each a pytest parameter under its own name."""
    found = json.loads((Path(__file__).parent / file).read_text("utf-8"))
    return [pytest.param(one, id=one["name"]) for one in found[group]]
