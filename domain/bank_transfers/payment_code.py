"""The text of a payment code (EPC069-12, version 002), which banking apps read: a credit transfer in euros."""

import re

from domain.bank_transfers.account import MAX_HOLDER, BankAccount, read_bic, read_iban

CURRENCY = "EUR"
# 0.01 to 999,999,999.99 euros.
MAX_MINOR = 99_999_999_999
MAX_BYTES = 331
_REFERENCE = re.compile(r"RF[0-9]{2}[0-9A-Z]{1,21}")


def payment_code(account: BankAccount, reference: str, amount_minor: int, currency: str) -> str | None:
    """None where no such code can be: in another currency, without an IBAN, and for an amount that is none. Every
    value is checked here, as whoever draws the code checks nothing."""
    if currency != CURRENCY or not 0 < amount_minor <= MAX_MINOR or not _REFERENCE.fullmatch(reference):
        return None
    try:
        iban, bic = read_iban(account.iban), read_bic(account.bic) if account.bic else ""
    except ValueError:
        return None
    holder = account.holder[:MAX_HOLDER]
    if not holder.strip() or "\n" in holder:
        return None
    amount = f"{CURRENCY}{amount_minor // 100}.{amount_minor % 100:02}"
    # Service tag, version, UTF-8, kind of transfer; then without a purpose, and the reference instead of a text.
    lines = ("BCD", "002", "1", "SCT", bic, holder, iban, amount, "", reference)
    text = "\n".join(lines)
    return text if len(text.encode()) <= MAX_BYTES else None
