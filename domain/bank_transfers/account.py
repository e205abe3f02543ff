"""The shop's bank account, as buyers read it."""

import re
from dataclasses import dataclass

from stdnum import bic as stdnum_bic
from stdnum import iban as stdnum_iban
from stdnum.exceptions import ValidationError

# In `payments.gateway`: a transfer of the buyer's bank, of which no gateway knows.
TRANSFER = "transfer"
# In `payments.method`.
METHOD = "Bank transfer"
MAX_HOLDER = 70
# Lines of an account without an IBAN.
MAX_LINES, MAX_LINE = 6, 80


@dataclass(frozen=True)
class BankAccount:
    """`iban` and `bic` without spaces. `lines`: what a bank needs where there is no IBAN, such as a routing number."""

    holder: str
    iban: str = ""
    bic: str = ""
    lines: tuple[str, ...] = ()

    @property
    def is_usable(self) -> bool:
        """Whether somebody can transfer money to it."""
        return bool(self.holder and (self.iban or self.lines))

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """What a form of a bank asks for: labels and values, the IBAN in groups of four."""
        numbers = (("IBAN", in_groups(self.iban)), ("BIC", self.bic))
        return (
            ("Account holder", self.holder),
            *((label, text) for label, text in numbers if text),
            *(_labelled(line) for line in self.lines),
        )


def _labelled(line: str) -> tuple[str, str]:
    label, colon, text = line.partition(":")
    return (label.strip(), text.strip()) if colon and text.strip() else ("Account", line)


def in_groups(text: str) -> str:
    """Four characters a group, as banks print numbers."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def read_iban(text: str) -> str:
    """An IBAN without spaces. Raises ValueError, which says what is accepted."""
    try:
        return str(stdnum_iban.validate(text))
    except ValidationError:
        raise ValueError("an IBAN whose check digits are right, such as DE89 3704 0044 0532 0130 00") from None


def read_bic(text: str) -> str:
    """A BIC without spaces. Raises ValueError, which says what is accepted."""
    try:
        return str(stdnum_bic.validate(text))
    except ValidationError:
        raise ValueError("a BIC of 8 or 11 characters, such as COBADEFFXXX") from None


def read_holder(text: str) -> str:
    """The name on the account. Raises ValueError, which says what is accepted."""
    name = " ".join(text.split())
    if not name or len(name) > MAX_HOLDER or not name.isprintable():
        raise ValueError(f"a name of at most {MAX_HOLDER} characters")
    return name


def read_lines(text: str) -> tuple[str, ...]:
    """Lines separated by "|". Raises ValueError, which says what is accepted."""
    lines = tuple(" ".join(line.split()) for line in text.split("|") if line.strip())
    if len(lines) > MAX_LINES or any(len(line) > MAX_LINE or not line.isprintable() for line in lines):
        raise ValueError(f"at most {MAX_LINES} lines of {MAX_LINE} characters, separated by |")
    return lines


def account_number(text: str) -> str:
    """An account's number as statements are compared by it: capital letters and digits alone."""
    return re.sub(r"[^0-9A-Z]", "", text.upper())


def means_of(method: str) -> str:
    """The method of a payment as it stands after "paid with": a card has a name, a bank transfer none."""
    return "a bank transfer" if method == METHOD else method
