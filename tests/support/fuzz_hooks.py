"""What schemathesis is told about the shop: ids and codes that exist there, so that calls also succeed.

It loads this itself, in its own process (tests/host/fuzzing.py), and counts here which calls were reached.
"""

import atexit
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis

_shop = json.loads(os.environ["FUZZED_SHOP"])
_reached: Counter[str] = Counter()
_MESSAGE = {"name": "Ada", "email": "ada@example.test", "subject": "Payroll", "message": "Which course comes first?"}
_CODES = ("Code", "code", "coupon")


@schemathesis.hook
def before_call(_context: Any, case: Any, _options: Any) -> None:
    """Only what the document allows is replaced: what breaks one of its rules goes on doing so."""
    if isinstance(case.body, dict):
        _fill(case.body)
    path = case.path_parameters
    if isinstance(path, dict) and _is_id(path.get("id"), 10**15):
        path["id"] = _product(path["id"])


def _fill(body: dict[str, Any]) -> None:
    for name, value in body.items():
        if name == "AAUserID" and _is_id(value) and value % 8:
            body[name] = _shop["learner_id"]
        elif name in ("CourseID", "id") and _is_id(value):
            body[name] = _product(value)
        elif name in _CODES and _is_text(value) and len(value) % 2:
            body[name] = _shop["code"]
        elif name in _MESSAGE and _is_text(value):
            body[name] = _MESSAGE[name]
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, dict):
                    _fill(one)


def _is_id(value: object, below: int = 2**53) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 64


def _product(value: int) -> int:
    """Seven times out of eight it is there."""
    return value if value % 8 == 0 else int(_shop["products"][value % len(_shop["products"])])


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    _reached[f"{case.operation.label} {response.status_code}"] += 1


@atexit.register
def _tell() -> None:
    Path(os.environ["FUZZED_COUNTS"]).write_text(json.dumps(_reached))
