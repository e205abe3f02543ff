"""How the gateway counts money: in the smallest unit of a currency, with limits and exceptions of its own."""

import re
from dataclasses import dataclass

ZERO_DECIMALS = frozenset(re.findall(r"\w+", "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf"))
THREE_DECIMALS = frozenset(re.findall(r"\w+", "bhd jod kwd omr tnd"))
# They have no decimals, but are counted in hundredths as long ago, and only whole units may be charged.
IN_HUNDREDTHS = frozenset({"isk", "ugx"})
OTHERS = frozenset(
    re.findall(
        r"\w+",
        """
        aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad
        cdf chf cny cop crc cve czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl
        htg huf idr ils inr jmd kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur
        mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd
        scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah usd uyu uzs wst xcd yer
        zar zmw
        """,
    )
)
CURRENCIES = ZERO_DECIMALS | THREE_DECIMALS | IN_HUNDREDTHS | OTHERS
# In the smallest unit. Of other currencies the gateway converts to its own; half a unit stands for that here.
MINIMUMS = {
    **{
        "usd": 50,
        "aed": 200,
        "aud": 50,
        "bgn": 100,
        "brl": 50,
        "cad": 50,
        "chf": 50,
        "czk": 1_500,
        "dkk": 250,
        "eur": 50,
    },
    **{"gbp": 30, "hkd": 400, "huf": 17_500, "inr": 50, "jpy": 50, "mxn": 1_000, "myr": 200, "nok": 300, "nzd": 50},
    **{"pln": 200, "ron": 200, "sek": 300, "sgd": 50, "thb": 1_000},
}
DEFAULT_MINIMUM = 50
MAXIMUM = 99_999_999
_SYMBOLS = {"usd": "$", "eur": "€", "gbp": "£", "jpy": "¥", "cad": "CA$", "aud": "A$", "inr": "₹"}


@dataclass(frozen=True)
class AmountProblem:
    """Why an amount cannot be charged, in the gateway's form."""

    code: str | None
    text: str


def exponent(currency: str) -> int:
    return 0 if currency in ZERO_DECIMALS else 3 if currency in THREE_DECIMALS else 2


def minimum(currency: str) -> int:
    return MINIMUMS.get(currency, DEFAULT_MINIMUM)


def display(amount: int, currency: str) -> str:
    """For people, such as $1,234.50 or KWD 1.230."""
    digits = exponent(currency)
    number = f"{amount / 10**digits:,.{0 if currency in IN_HUNDREDTHS else digits}f}"
    symbol = _SYMBOLS.get(currency)
    return f"{symbol}{number}" if symbol else f"{currency.upper()} {number}"


def step_problem(amount: int, currency: str) -> AmountProblem | None:
    """None when the amount is one that the currency's cards can have."""
    if currency in THREE_DECIMALS and amount % 10:
        return AmountProblem(
            None, f"Amounts in {currency} must be rounded to the nearest ten: the last digit must be 0."
        )
    if currency in IN_HUNDREDTHS and amount % 100:
        return AmountProblem(None, f"Amounts in {currency} must be evenly divisible by 100: it has no decimals.")
    return None


def total_problem(amount: int, currency: str) -> AmountProblem | None:
    """None when a session may have this total."""
    if amount < minimum(currency):
        least = display(minimum(currency), currency)
        return AmountProblem(
            "amount_too_small", f"The Checkout Session's total amount due must add up to at least {least} {currency}"
        )
    if amount > MAXIMUM:
        most = display(MAXIMUM, currency)
        return AmountProblem(
            "amount_too_large", f"The Checkout Session's total amount due must be no more than {most} {currency}"
        )
    return step_problem(amount, currency)
