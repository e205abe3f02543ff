"""Who issues documents."""

from dataclasses import dataclass

from domain.display_text import DEFAULT_LOCALE


@dataclass(frozen=True)
class Issuer:
    """The seller as it is printed. `address`: its lines. `vat_id` "": none. `prefix`: of numbers, such as `ML-`.
    `locale`: in whose form the seller writes amounts and days. `country`: ISO 3166, "" where it is not known."""

    name: str
    address: tuple[str, ...] = ()
    vat_id: str = ""
    prefix: str = ""
    locale: str = DEFAULT_LOCALE
    country: str = ""
