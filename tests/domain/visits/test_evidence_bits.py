"""What hosts note of requests, by name."""

import json
from pathlib import Path

import pytest

from domain.visits import evidence_bits
from domain.visits.days import traffic_class
from domain.visits.evidence_bits import MAX_BITS, EvidenceBit, evidence_names


@pytest.mark.parametrize(
    ("bits", "names"),
    [
        (0, ()),
        (1, ("no_fetch_metadata",)),
        (2, ("no_language",)),
        (12, ("hosting", "crawler_range")),
        # Of a newer build.
        (16, ()),
        (MAX_BITS, ("no_fetch_metadata", "no_language", "hosting", "crawler_range")),
    ],
)
def test_bits_have_names(bits, names):
    assert evidence_names(bits) == names


def test_every_bit_has_its_weight():
    weights = json.loads((Path(traffic_class.__file__).parent / "evidence.json").read_text("utf-8"))
    assert {name.lower() for name in EvidenceBit.__members__} <= set(weights["tenths_of_log_odds"])
    assert max(EvidenceBit) <= evidence_bits.MAX_BITS
