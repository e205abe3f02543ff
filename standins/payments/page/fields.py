"""The fields of the hosted page: what was typed, and what is wrong with it."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from standins.payments.paying.attempts import Payer
from standins.payments.paying.methods import compact

COUNTRIES = {
    "AT": "Austria",
    "AU": "Australia",
    "BE": "Belgium",
    "CA": "Canada",
    "CH": "Switzerland",
    "DE": "Germany",
    "ES": "Spain",
    "FR": "France",
    "GB": "United Kingdom",
    "IE": "Ireland",
    "IN": "India",
    "IT": "Italy",
    "JP": "Japan",
    "KW": "Kuwait",
    "NL": "Netherlands",
    "SE": "Sweden",
    "SG": "Singapore",
    "US": "United States",
}
NAMES = ("method", "email", "number", "expiry", "cvc", "name", "country", "iban", "account_name")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


@dataclass(frozen=True)
class Typed:
    """The form as it was sent. `errors`: a sentence by field; `number`: of the card or the account."""

    values: dict[str, str]
    errors: dict[str, str]
    number: str
    payer: Payer


def read(form: dict[str, str], methods: list[str], email: str | None, now: float) -> Typed:
    """`email` is the session's own, which the buyer cannot change."""
    values = {name: form.get(name, "").strip() for name in NAMES}
    values["method"] = values["method"] if values["method"] in methods else methods[0]
    address = email or values["email"]
    errors = {} if _EMAIL.fullmatch(address) else {"email": "Enter an email address, such as ada@example.org."}
    if values["method"] == "sepa_debit":
        errors |= _account_errors(values)
        payer = Payer(email=address, name=values["account_name"], country=compact(values["iban"])[:2] or None)
        return Typed(values, errors, values["iban"], payer)
    month, year = _expiry(values["expiry"])
    errors |= _card_errors(values, month, year, now)
    payer = Payer(email=address, name=values["name"], country=values["country"] or None, month=month, year=year)
    return Typed(values, errors, values["number"], payer)


def _account_errors(values: dict[str, str]) -> dict[str, str]:
    errors = {} if values["iban"] else {"iban": "Enter the IBAN of the account."}
    return errors if values["account_name"] else errors | {"account_name": "Enter the name of the account's holder."}


def _card_errors(values: dict[str, str], month: int, year: int, now: float) -> dict[str, str]:
    today = datetime.fromtimestamp(now, UTC)
    errors = {} if values["number"] else {"number": "Enter the card number."}
    if not 1 <= month <= 12:
        errors["expiry"] = "Enter the month and year on the card, such as 12 / 34."
    elif (year, month) < (today.year, today.month):
        errors["expiry"] = "Your card's expiration date is in the past."
    if not re.fullmatch(r"\d{3,4}", values["cvc"]):
        errors["cvc"] = "Enter the 3 digits on the back of the card."
    if not values["name"]:
        errors["name"] = "Enter the name on the card."
    return errors


def _expiry(text: str) -> tuple[int, int]:
    """(12, 2034) of 12 / 34, 1234 or 12/2034; (0, 0) of anything else."""
    found = re.fullmatch(r"(\d{1,2})\s*/\s*(\d{2}|20\d{2})|(\d{2})(\d{2})", text)
    if found is None:
        return 0, 0
    month, year = int(found[1] or found[3]), int(found[2] or found[4])
    return month, year if year > 99 else 2_000 + year


def filled(number: str) -> dict[str, str]:
    """The fields with a test card or a test account, for people who try the page."""
    if number[:2].isalpha():
        return {"method": "sepa_debit", "iban": number, "account_name": "Ada Example"}
    return {**typed_before(number, Payer(name="Ada Example", country="US")), "cvc": "123"}


def typed_before(number: str, payer: Payer) -> dict[str, str]:
    """The fields of an attempt to pay by card; the security code is typed again."""
    return {
        "method": "card",
        "number": " ".join(number[at : at + 4] for at in range(0, len(number), 4)),
        "expiry": f"{payer.month:02} / {payer.year % 100:02}",
        "email": payer.email or "",
        "name": payer.name or "",
        "country": payer.country or "",
    }
