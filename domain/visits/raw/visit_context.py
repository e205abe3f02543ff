"""What a raw visit says beside its time and address."""

from collections.abc import Mapping
from dataclasses import dataclass

from domain.visits.evidence_bits import MAX_BITS

CRAWLER, SUSPECTED = "crawler", "suspected"
# Signs beside the bits of EvidenceBit, which are stored: our script in a browser sent the visit; a program did.
BY_SCRIPT, BY_PROGRAM = MAX_BITS + 1, 2 * (MAX_BITS + 1)


@dataclass(frozen=True, slots=True, eq=False)
class VisitContext:
    """Many visits of a day say the same, and share the object: what is found out about it once holds for all of them.

    `values`: coupon, special offer, student number and partner, in the order of `attribution.FIELDS`. `signs`: bits of
    EvidenceBit that the host noted, BY_SCRIPT and BY_PROGRAM. `ip_hash`, `attributes`: of a crawler's fetch the hash of
    its address, and what the host noted of it."""

    values: tuple[str, str, str, str]
    campaign: Mapping[str, str]
    referrer: str
    visitor_class: str
    signs: int
    agent: str
    ip_hash: str = ""
    attributes: str | None = None


def signs_of(visitor_class: str, evidence: int, *, is_script: bool) -> int:
    return evidence | (BY_SCRIPT if is_script else 0) | (BY_PROGRAM if visitor_class == SUSPECTED else 0)
