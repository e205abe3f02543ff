"""Places whose VAT is not that of the country in their address: the one table of them.

Which places: articles of directive 2006/112/EC, read in its form of 2025. Article 6 leaves territories out of the
Union's VAT area, with Campione d'Italia since directive (EU) 2019/475; article 7 counts Monaco as France, the Isle of
Man as the United Kingdom and the British bases in Cyprus as Cyprus. Article 104 lets Austria have a rate of its own for
Jungholz and Mittelberg (section 10 (4) of its law: 19 percent). The table "Territorial scope" of the Commission, the
manual VATSM2200 of the British tax authority and the lists of the Danish one agree with this, and have Gibraltar, the
Channel Islands, San Marino, the Vatican and Greenland outside as well. Northern Ireland is in the area for goods alone
(article 8 of the protocol of the withdrawal agreement; its VAT ids begin with XI, directive (EU) 2020/1756). Svalbard
and Jan Mayen are no part of the Norwegian VAT area, and Norway's post names their codes as 9170 to 9179.
Liechtenstein shares Swiss VAT by the treaty of 1994; the Swiss law counts Büsingen as Swiss (treaty of 1964), also
under its Swiss code 8238.

Postal codes: those of countrystatecity-postal-codes 2.0.1 (Austria, Greece, Liechtenstein, Norway, San Marino, Spain,
Åland, overseas France; Heligoland, Büsingen), and the tables of the packages vat_moss 0.11.0 (PyPI) and
mpociot/vat-calculator (Packagist), which also have the German codes of Jungholz and Mittelberg, which Austria's
parliament and post confirm (2006), and Livigno and Campione d'Italia with the codes that Italy gave them later. Their
former codes, 23030 and 22060, are those of other municipalities too, and the Swiss code of Campione (6911) ended in
2020. The numbers 57 (Akrotiri) and 58 (Dhekelia) of the British Forces Post Office with BF1 2AT and BF1 2AU are in both
packages; 53 with BF1 2AS is Episkopi in the area of Akrotiri, by the list of the British government.
Not confirmed, and so not in the table: a number of its own for Ayios Nikolaos in the area of Dhekelia. Of St Martin
(978), St Barthélemy (977) and the French Southern Territories (984) the codes were not found in a second source.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Vat = Literal["outside", "inside", "goods"]


@dataclass(frozen=True)
class Territory:
    """A part of `country` as the post has it. `code`: its region in a place of tax, which rates may name.
    `postal_code`: how its postal codes begin, without signs between their parts. `area`: the area of an address that it
    belongs to; `is_whole_area`: it is all of that. `vat`: outside the country's VAT area; inside, under a name of its
    own; or inside for goods alone. `own_country`: the country code under which an address may also have it.
    `vat_country`: the country in whose VAT area it is, where that is not the one whose post it has."""

    country: str
    code: str
    name: str
    postal_code: re.Pattern[str]
    vat: Vat
    area: str = ""
    is_whole_area: bool = False
    own_country: str = ""
    vat_country: str = ""


def _whole_area(country: str, area: str, name: str, postal_code: str) -> Territory:
    return Territory(country, area, name, re.compile(postal_code), "outside", area, is_whole_area=True)


def _place(country: str, name: str, postal_code: str, area: str = "") -> Territory:
    return Territory(country, name, name, re.compile(postal_code), "outside", area)


def _country(country: str, own: str, name: str, postal_code: str, vat: Vat = "outside") -> Territory:
    return Territory(country, own, name, re.compile(postal_code), vat, own_country=own)


TERRITORIES = (
    _whole_area("ES", "GC", "Canary Islands", "35"),
    _whole_area("ES", "TF", "Canary Islands", "38"),
    _whole_area("ES", "CE", "Ceuta", "51"),
    _whole_area("ES", "ML", "Melilla", "52"),
    _place("IT", "Livigno", "23041", "SO"),
    _place("IT", "Campione d'Italia", "22061", "CO"),
    _country("IT", "SM", "San Marino", "4789"),
    _country("IT", "VA", "Vatican City", "00120"),
    _place("DE", "Büsingen", "78266"),
    _place("DE", "Heligoland", "27498"),
    Territory("AT", "Jungholz", "Jungholz", re.compile("6691"), "inside"),
    Territory("AT", "Mittelberg", "Mittelberg", re.compile("699[1-3]"), "inside"),
    Territory("DE", "Jungholz", "Jungholz", re.compile("87491"), "inside", vat_country="AT"),
    Territory("DE", "Mittelberg", "Mittelberg", re.compile("8756[7-9]"), "inside", vat_country="AT"),
    _place("GR", "Mount Athos", "6308[67]"),
    _country("FI", "AX", "Åland Islands", "22"),
    # Articles 349 and 355 (1) of the Treaty on the Functioning of the European Union, and overseas countries.
    _country("FR", "BL", "St Barthélemy", "97133|977"),
    _country("FR", "MF", "St Martin", "97150|978"),
    _country("FR", "GP", "Guadeloupe", "971"),
    _country("FR", "MQ", "Martinique", "972"),
    _country("FR", "GF", "French Guiana", "973"),
    _country("FR", "RE", "Réunion", "974"),
    _country("FR", "PM", "St Pierre and Miquelon", "975"),
    _country("FR", "YT", "Mayotte", "976"),
    _country("FR", "TF", "French Southern Territories", "984"),
    _country("FR", "WF", "Wallis and Futuna", "986"),
    _country("FR", "PF", "French Polynesia", "987"),
    _country("FR", "NC", "New Caledonia", "988"),
    _country("FR", "MC", "Monaco", "980", "inside"),
    _country("GB", "IM", "Isle of Man", "IM", "inside"),
    _country("GB", "XI", "Northern Ireland", "BT", "goods"),
    Territory("GB", "", "Akrotiri and Dhekelia", re.compile("BFPO5[378]$|BF12A[STU]$"), "inside", vat_country="CY"),
    _country("GB", "JE", "Jersey", "JE"),
    _country("GB", "GG", "Guernsey", "GY"),
    _country("GB", "GI", "Gibraltar", "GX11"),
    _country("DK", "GL", "Greenland", "39"),
    _country("NO", "SJ", "Svalbard and Jan Mayen", "917|8099"),
    _country("CH", "LI", "Liechtenstein", "948[5-9]|949[0-8]", "inside"),
)
_BY_CODE = {(row.country, row.code): row for row in TERRITORIES if not row.vat_country}
# Countries of their own whose VAT is another country's.
_SHARED = {row.own_country: row for row in TERRITORIES if row.own_country and row.vat == "inside"}


def by_code(country: str, code: str) -> Territory | None:
    """The territory that a place of tax names."""
    return _BY_CODE.get((country, code))


def sharing_vat(country: str) -> Territory | None:
    """The territory as which a country counts whose VAT is another's, such as Monaco."""
    return _SHARED.get(country)


def by_address(country: str, area: str, postal_code: str) -> Territory | None:
    """The territory of an address. `area`, `postal_code`: "" where the address has none. None if the two disagree: then
    the post, and so the goods, may go to the rest of the country."""
    return next((row for row in _of_country(country) if _has(row, area, postal_code)), None)


def contradicts(country: str, area: str, postal_code: str) -> bool:
    """Whether the area of an address is a territory to which its postal code does not belong."""
    rows = [row for row in _of_country(country) if row.is_whole_area and row.area == area]
    return bool(postal_code) and any(not row.postal_code.match(postal_code) for row in rows)


def has_whole_areas(country: str) -> bool:
    """Whether the VAT in a country depends on the area of an address."""
    return any(row.is_whole_area for row in _of_country(country))


def _has(row: Territory, area: str, postal_code: str) -> bool:
    is_in_area = not area or not row.area or area == row.area
    if not postal_code:
        return row.is_whole_area and area == row.area
    return is_in_area and row.postal_code.match(postal_code) is not None


@lru_cache(64)
def _of_country(country: str) -> tuple[Territory, ...]:
    return tuple(row for row in TERRITORIES if row.country == country)
