"""What a host notes of a request beside its page: signs that no person's browser sent it, as the bits of a number."""

from enum import IntFlag
from functools import lru_cache

# As many as the column has.
MAX_BITS = 2**15 - 1
# No sign of anything, and no bit of EvidenceBit: the visit is the first one of a document that was loaded, which our
# script has seen by that. Visits by links within a document do not have it.
OF_LOADED_DOCUMENT = 2**14


class EvidenceBit(IntFlag):
    """Names of domain/visits/days/evidence.json, in capitals. Bits are stored: a new sign gets a new one."""

    # A browser that sends Sec-Fetch-Site with every request did not.
    NO_FETCH_METADATA = 1
    NO_LANGUAGE = 2
    # The address is a hosting provider's.
    HOSTING = 4
    # The address is a crawler's, which calls itself a browser.
    CRAWLER_RANGE = 8


@lru_cache(1_000)
def evidence_names(bits: int) -> tuple[str, ...]:
    """The names of the known bits."""
    return tuple(bit.name.lower() for bit in EvidenceBit if bit.name is not None and bits & bit)
