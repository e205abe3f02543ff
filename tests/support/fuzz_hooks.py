"""Hooks for schemathesis: put existing ids and codes into its calls, so that some succeed, and count the calls.

schemathesis loads this module in its own process (tests/support/fuzzing.py).
"""

import atexit
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis

_shop = json.loads(os.environ["FUZZED_SHOP"])
_reached: Counter[str] = Counter()
_MESSAGE = {"name": "Ada", "email": "ada@example.test", "subject": "Payroll", "message": "Which course comes first?"}
_CODES = ("Code", "code", "coupon")
# Codes with a digit first stay as they are, so that some orders are unknown.
_ORDER = re.compile("[A-Za-z_-][A-Za-z0-9_-]{0,63}")


@schemathesis.hook
def before_call(_context: Any, case: Any, _options: Any) -> None:
    """Replaces only valid values, so that deliberately invalid ones stay."""
    if isinstance(case.body, dict):
        _fill(case.body)
    path = case.path_parameters
    if isinstance(path, dict) and _is_id(path.get("id"), 10**15):
        path["id"] = _product(path["id"])
    if isinstance(path, dict) and _shop["orders"] and _is_text(path.get("code")) and _ORDER.fullmatch(path["code"]):
        path["code"] = _shop["orders"][len(path["code"]) % len(_shop["orders"])]
    query = case.query
    if isinstance(query, dict) and _is_text(query.get("country")) and len(query["country"]) % 2:
        query["country"] = "DE"


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
        elif name == "values" and isinstance(value, dict) and len(value) % 2 == 0:
            body[name] = {"billing.name": "Ada"} if all(_is_text(typed) for typed in value.values()) else value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    _fill(item)


def _is_id(value: object, below: int = 2**53) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 64


def _product(value: int) -> int:
    """The id of an existing product, except for one value in eight."""
    return value if value % 8 == 0 else int(_shop["products"][value % len(_shop["products"])])


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    _reached[f"{case.operation.label} {response.status_code}"] += 1


@atexit.register
def _write_counts() -> None:
    Path(os.environ["FUZZED_COUNTS"]).write_text(json.dumps(_reached))
