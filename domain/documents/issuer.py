"""Who issues documents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Issuer:
    """The seller as it is printed. `address`: its lines. `vat_id` "": none. `prefix`: of numbers, such as `ML-`."""

    name: str
    address: tuple[str, ...] = ()
    vat_id: str = ""
    prefix: str = ""
