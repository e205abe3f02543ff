"""Creditor references (ISO 11649): made of an order's code, and found in what a bank says about a transfer."""

import re

from stdnum import iso11649
from stdnum.iso7064 import mod_97_10

from domain.bank_transfers.account import in_groups
from domain.readable_codes import ALPHABET

# As long as the code of an order.
CODE_LENGTH = 20
# Texts of banks are at most a few lines long; what is longer is no text of a payer.
MAX_TEXT = 4_000
MAX_CODES = 20
_CODE = f"[{ALPHABET}]{{{CODE_LENGTH}}}"
# Overlapping: what stands before a reference may look like the beginning of one.
_REFERENCE, _BARE = re.compile(f"(?=(RF[0-9]{{2}}{_CODE}))"), re.compile(f"(?=({_CODE}))")


def reference_of(code: str) -> str:
    """The reference of an order: RF, two check digits, and its code."""
    return f"RF{mod_97_10.calc_check_digits(f'{code}RF')}{code}"


def in_print(reference: str) -> str:
    """The reference in groups of four."""
    return in_groups(reference)


def codes_referred_to(text: str) -> tuple[str, ...]:
    """The codes of orders whose references are in a text, in either case and with any spaces and signs between. One
    with wrong check digits is none."""
    found = (match[1] for match in _REFERENCE.finditer(_joined(text)))
    return tuple(dict.fromkeys(reference[4:] for reference in found if iso11649.is_valid(reference)))


def codes_in(text: str) -> tuple[str, ...]:
    """What may be codes of orders, without a reference around them: a few, as anything of their form is one."""
    found = dict.fromkeys(match[1] for match in _BARE.finditer(_joined(text)))
    return tuple(found)[:MAX_CODES]


def _joined(text: str) -> str:
    return re.sub(r"[^0-9A-Z]", "", text[:MAX_TEXT].upper())
