"""The cards and bank accounts of the gateway's test mode, and what happens to each."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Failure:
    """Why a payment was refused, in the gateway's words. `field`: of the form, where the buyer can mend it."""

    code: str
    message: str
    decline_code: str | None = None
    field: str = "number"


@dataclass(frozen=True)
class KnownCard:
    """`refund`: later: pending first; fails: succeeded first, then failed. `about`: what it does, for people."""

    number: str
    about: str
    failure: Failure | None = None
    needs_challenge: bool = False
    is_disputed: bool = False
    refund: Literal["at once", "later", "fails"] = "at once"


@dataclass(frozen=True)
class KnownAccount:
    """A bank account to debit; `later`: the bank answers after minutes, else after a second."""

    iban: str
    about: str
    later: bool = False
    failure: Failure | None = None


DECLINED = Failure("card_declined", "Your card was declined.", "generic_decline")
NO_FUNDS = Failure("card_declined", "Your card has insufficient funds.", "insufficient_funds")
EXPIRED = Failure("expired_card", "Your card has expired.", "expired_card", "expiry")
WRONG_CVC = Failure("incorrect_cvc", "Your card's security code is incorrect.", "incorrect_cvc", "cvc")
TRY_AGAIN = "An error occurred while processing your card. Try again in a little bit."
PROCESSING_ERROR = Failure("processing_error", TRY_AGAIN, "processing_error")
NOT_A_TEST_CARD = Failure(
    "card_declined",
    "Your card was declined. Your request was in test mode, but used a non test card.",
    "test_mode_live_card",
)
WRONG_NUMBER = Failure("incorrect_number", "Your card number is invalid.")
NOT_AUTHENTICATED = Failure(
    "payment_intent_authentication_failure",
    "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
)
DEBIT_FAILED = Failure("insufficient_funds", "The bank account has insufficient funds.", None, "iban")
WRONG_IBAN = Failure("invalid_iban", "The IBAN you entered is invalid.", None, "iban")

CARDS = (
    KnownCard("4242424242424242", "is paid"),
    KnownCard("4000000000000002", "is declined", DECLINED),
    KnownCard("4000000000009995", "has insufficient funds", NO_FUNDS),
    KnownCard("4000000000000069", "has expired", EXPIRED),
    KnownCard("4000000000000127", "has another security code", WRONG_CVC),
    KnownCard("4000000000000119", "has a processing error", PROCESSING_ERROR),
    KnownCard("4000002500003155", "needs authentication", needs_challenge=True),
    KnownCard("4000000000000259", "is paid, then disputed", is_disputed=True),
    KnownCard("4000000000007726", "is paid, its refund is pending first", refund="later"),
    KnownCard("4000000000005126", "is paid, its refund fails later", refund="fails"),
)
ACCOUNTS = (
    KnownAccount("DE89370400440532013000", "is debited"),
    KnownAccount("DE08370400440532013003", "is debited after three minutes", later=True),
    KnownAccount("DE62370400440532013001", "fails", failure=DEBIT_FAILED),
    KnownAccount("DE78370400440532013004", "fails after three minutes", later=True, failure=DEBIT_FAILED),
)
_BY_NUMBER = {card.number: card for card in CARDS}
_BY_IBAN = {account.iban: account for account in ACCOUNTS}


def compact(text: str) -> str:
    return "".join(text.split()).replace("-", "").upper()


def known_card(number: str) -> KnownCard | Failure:
    """A card by its number, or why it is refused."""
    digits = compact(number)
    if digits in _BY_NUMBER:
        return _BY_NUMBER[digits]
    return NOT_A_TEST_CARD if _is_card_number(digits) else WRONG_NUMBER


def known_account(iban: str) -> KnownAccount | Failure:
    return _BY_IBAN.get(compact(iban), WRONG_IBAN)


def _is_card_number(digits: str) -> bool:
    """Whether the last digit is right (Luhn)."""
    if not (digits.isascii() and digits.isdigit() and 12 <= len(digits) <= 19):
        return False
    doubled = [int(digit) * 2 - 9 * (digit > "4") for digit in digits[-2::-2]]
    return (sum(doubled) + sum(int(digit) for digit in digits[::-2])) % 10 == 0


def card_details(number: str, month: int, year: int) -> dict[str, object]:
    """What the API shows of a card."""
    return {
        "brand": "visa",
        "checks": {"address_line1_check": None, "address_postal_code_check": None, "cvc_check": "pass"},
        "country": "US",
        "exp_month": month,
        "exp_year": year,
        "fingerprint": f"standin{number[-4:]}",
        "funding": "credit",
        "last4": number[-4:],
        "network": "visa",
        "three_d_secure": None,
        "wallet": None,
    }


def account_details(iban: str) -> dict[str, object]:
    """What the API shows of a bank account."""
    return {
        "bank_code": iban[4:12],
        "branch_code": "",
        "country": iban[:2],
        "fingerprint": f"standin{iban[-4:]}",
        "last4": iban[-4:],
        "mandate": None,
    }
