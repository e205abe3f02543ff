# ruff: noqa: RUF001 signs of other scripts look like Latin letters
"""Signs and codes of currencies beside an amount, as people write them in files and forms."""

import re

from contracts.currencies import EXPONENTS


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DOLLARS = _codes("USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD")
_PESOS = _codes("ARS CLP COP CUP DOP MXN UYU")
# Sign in lower case -> the currencies that use it. A code of ISO 4217 stands for itself.
SIGNS: dict[str, frozenset[str]] = {
    "$": _DOLLARS | _PESOS,
    **{
        sign: _codes(codes)
        for sign, codes in {
            "us$": "USD",
            "u$s": "USD",
            "a$": "AUD",
            "au$": "AUD",
            "c$": "CAD",
            "ca$": "CAD",
            "cad$": "CAD",
            "nz$": "NZD",
            "hk$": "HKD",
            "s$": "SGD",
            "sg$": "SGD",
            "nt$": "TWD",
            "mx$": "MXN",
            "mex$": "MXN",
            "r$": "BRL",
            "ar$": "ARS",
            "cl$": "CLP",
            "co$": "COP",
            "€": "EUR",
            "eur.": "EUR",
            "euro": "EUR",
            "£": "GBP EGP FKP GIP SHP SSP SDG SYP LBP",
            "¥": "JPY CNY",
            "￥": "JPY CNY",
            "cn¥": "CNY",
            "rmb": "CNY",
            "元": "CNY TWD HKD",
            "円": "JPY",
            "₹": "INR",
            "rs": "INR PKR LKR NPR MUR SCR",
            "rs.": "INR PKR LKR NPR MUR SCR",
            "₨": "INR PKR LKR NPR MUR SCR",
            "₩": "KRW KPW",
            "원": "KRW",
            "₽": "RUB",
            "руб": "RUB BYN",
            "руб.": "RUB BYN",
            "р.": "RUB BYN",
            "₺": "TRY",
            "tl": "TRY",
            "₪": "ILS",
            "฿": "THB",
            "₫": "VND",
            "đ": "VND",
            "₴": "UAH",
            "грн": "UAH",
            "грн.": "UAH",
            "₱": "PHP CUP",
            "₦": "NGN",
            "₡": "CRC",
            "₲": "PYG",
            "₵": "GHS",
            "₸": "KZT",
            "₾": "GEL",
            "₼": "AZN",
            "zł": "PLN",
            "kč": "CZK",
            "ft": "HUF",
            "lei": "RON MDL",
            "лв": "BGN",
            "лв.": "BGN",
            "kr": "SEK NOK DKK ISK",
            "kr.": "SEK NOK DKK ISK",
            "fr": "CHF XAF XOF",
            "fr.": "CHF",
            "sfr": "CHF",
            "sfr.": "CHF",
            "rp": "IDR",
            "rm": "MYR",
            "r": "ZAR",
            "s/": "PEN",
            "s/.": "PEN",
            "aed.": "AED",
            "dh": "AED MAD",
            "dhs": "AED MAD",
            "dhs.": "AED MAD",
            "sr": "SAR",
            "﷼": "SAR QAR OMR YER IRR",
            "qr": "QAR",
            "kd": "KWD",
            "bd": "BHD",
            "jd": "JOD",
            "дин": "RSD",
            "дин.": "RSD",
            "din": "RSD",
            "din.": "RSD",
        }.items()
    },
}
_SIGN = r"[^\W\d_]{0,4}[$€£¥￥₹₨₩₽₺₪฿₫₴₱₦₡₲₵₸₾₼﷼]|[^\W\d_]{1,4}[./]{0,2}"
_BESIDE = re.compile(
    rf"(?P<before>{_SIGN})?\s*(?P<amount>[-+]?\d.*?|[-+]?\.\d+)\s*(?P<after>{_SIGN})?(?:\s*(?P<code>[A-Za-z]{{3}}))?"
)


class OtherCurrency(ValueError):
    """The amount carries the sign or code of a currency that is not the expected one."""


def bare_amount(text: str, code: str) -> str:
    """The amount without the signs of the currency `code`: "CHF 20", "19.99 €" and "$49 USD" lose them. A text that is
    no amount with signs stays as it is. Raises OtherCurrency."""
    parts = _BESIDE.fullmatch(text)
    if parts is None:
        return text
    signs = [sign for sign in (parts["before"], parts["after"], parts["code"]) if sign]
    known = [codes for sign in signs if (codes := currencies_of(sign))]
    if len(known) < len(signs):
        return text
    for codes in known:
        if code not in codes:
            raise OtherCurrency(f"{text[:40]!r} is not in {code}, the currency of this shop")
    return parts["amount"]


def currencies_of(sign: str) -> frozenset[str]:
    """The codes that a sign or code may stand for; none for other words."""
    if sign.upper() in EXPONENTS:
        return frozenset((sign.upper(),))
    return SIGNS.get(sign.casefold(), frozenset())
