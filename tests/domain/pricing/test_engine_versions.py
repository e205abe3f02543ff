"""A case of contracts/cases/pricing.json that changes needs a new version of the engine."""

import hashlib
import json
from pathlib import Path
from typing import Any

from config.settings import ROOT
from domain.pricing import engine, engine_versions

# Version -> name of a case -> digest of the case when it was recorded.
RECORDED = Path(__file__).parent / "recorded_cases.json"


def digests() -> dict[str, str]:
    groups: dict[str, Any] = json.loads((ROOT / "contracts/cases/pricing.json").read_text("utf-8"))
    cases = [case for name in ("quotes", "orders") for case in groups[name]]
    return {case["name"]: hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()[:16] for case in cases}


def record() -> None:
    """Record the cases of the current version; run it by `python -m tests.domain.pricing.test_engine_versions`."""
    recorded = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    recorded[str(engine.VERSION)] = digests()
    RECORDED.write_text(json.dumps(recorded, indent=2, ensure_ascii=False) + "\n", "utf-8")


def test_no_recorded_case_of_the_current_engine_changes():
    """Raise VERSION, keep the engine of before in engine_versions.py, then record the cases."""
    recorded = json.loads(RECORDED.read_text("utf-8"))[str(engine.VERSION)]
    current = digests()
    assert {name: current.get(name) for name in recorded} == recorded


def test_every_case_is_recorded_and_every_recorded_version_has_its_engine():
    recorded = json.loads(RECORDED.read_text("utf-8"))
    assert digests().keys() == recorded[str(engine.VERSION)].keys()
    assert {int(version) for version in recorded} == set(engine_versions.ENGINES)


if __name__ == "__main__":
    record()
