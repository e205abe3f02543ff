"""Postal codes as people write them, and the form in which each is stored."""

# ruff: noqa: RUF001 the signs and digits that people type

import pytest

from domain.postal_addresses.postal_codes import PostalCode, read_postal_code
from domain.postal_addresses.rules import rules_of


def wide(text: str) -> str:
    """Letters and digits of full width."""
    return "".join(chr(ord(char) + 0xFEE0) for char in text)


# Country and stored form -> how it is typed, one writing after the other, between bars.
WRITINGS = {
    ("AD", "AD100"): "ad100|100|AD-100",
    ("AT", "1010"): "A-1010|AT 1010|a1010",
    ("AX", "22100"): "AX-22100|FI-22100|22 100",
    ("BB", "BB23026"): "23026|BB 23026",
    ("BR", "01310-100"): "01310100|01.310-100|01310 100",
    ("CA", "K1A 0B1"): "K1A-0B1|k1a0b1|CA-K1A 0B1|ON K1A 0B1|K1A\u00a00B1",
    ("CH", "8001"): "CH-8001|CH 8001|80 01",
    ("CZ", "110 00"): "11000|CZ-110 00|110\u201300",
    ("DE", "10115"): "D-10115|DE-10115|D 10115|10 115|\u200e10115\u200b|\ufeff10115|١٠١١٥",
    ("DK", "2100"): "DK-2100",
    ("ES", "28039"): "E-28039|28.039|M-28039",
    ("FI", "00100"): "FI-00100|FIN-00100",
    ("FR", "75001"): "F-75001|75 001",
    ("GB", "BFPO 61"): "bfpo61",
    ("GB", "EC1Y 8SY"): "ec1y8sy|EC1Y-8SY|GB-EC1Y 8SY|UK EC1Y 8SY|EC1Y\u2003 8SY",
    ("GB", "M2 5BQ"): "m25bq",
    ("GG", "GY10 1AA"): "GY101AA",
    ("GR", "151 24"): "15124|GR-15124|EL 151 24",
    ("HR", "10000"): "HR-10000",
    ("HT", "6120"): "HT6120|HT 6120",
    ("IE", "A65 F4E2"): "a65f4e2|A65-F4E2",
    ("IN", "110001"): "110 001|IN-110001|११०००१",
    ("IR", "11936-12345"): "1193612345|۱۱۹۳۶۱۲۳۴۵",
    ("JP", "154-0023"): "1540023|〒154-0023|154ー0023|154−0023|154‐0023",
    ("KY", "KY1-1100"): "KY11100|11100",
    ("LT", "01103"): "LT-01103|LT01103",
    ("LU", "1009"): "L-1009|LU-1009|L1009",
    ("LV", "LV-1010"): "1010|LV1010|LV 1010|lv-1010|LV\u20131010",
    ("MD", "2001"): "MD-2001",
    ("MM", "1101001"): "110 1001",
    ("MT", "VLT 1117"): "VLT1117|vlt-1117",
    ("NL", "1234 AB"): "1234ab|NL-1234 AB|1234-AB",
    ("NO", "0025"): "N-0025|NO-0025",
    ("PL", "00-950"): "00950|PL-00-950|00 950",
    ("PR", "00930-1234"): "009301234|00930 1234",
    ("PT", "1000-205"): "1000205|1000 205|P-1000-205|PT 1000-205",
    ("PY", "001001"): "001 001",
    ("SA", "11564-1234"): "115641234|11564 1234",
    ("SE", "111 22"): "11122|SE-111 22|S-11122",
    ("SK", "010 01"): "01001|SK-010 01",
    ("SV", "CP 1101"): "1101|CP1101|CP-1101",
    ("US", "95014"): "CA 95014|USA 95014|US-95014",
    ("US", "95014-1234"): "95014 1234|950141234|95014\u20131234",
}


@pytest.mark.parametrize(("country", "stored"), WRITINGS, ids=map(" ".join, WRITINGS))
def test_every_usual_writing_becomes_the_form_of_the_country(country, stored):
    writings = [*WRITINGS[country, stored].split("|"), stored, stored.lower(), f" {stored} "]
    writings += [wide(stored)] if stored.isalnum() else []
    read = {typed: read_postal_code(typed, rules_of(country)) for typed in writings}
    assert read == dict.fromkeys(writings, PostalCode(stored))


# name -> (country, key of the area, typed, what is read)
SHORT = {
    "a code of Dresden": ("DE", "", "1067", PostalCode("01067", has_new_zeros=True)),
    "two zeros": ("FI", "", "100", PostalCode("00100", has_new_zeros=True)),
    "zeros before a hyphen": ("PL", "", "950", PostalCode("00-950", has_new_zeros=True)),
    "a code of Massachusetts": ("US", "MA", "2139", PostalCode("02139", has_new_zeros=True)),
    "a digit missing in California": ("US", "CA", "9501", None),
    "no code of the country begins with zero": ("AT", "", "101", None),
    "three zeros would be missing": ("DE", "", "67", None),
}


@pytest.mark.parametrize(("country", "key", "typed", "read"), SHORT.values(), ids=SHORT)
def test_zeros_that_a_spreadsheet_took_come_back_where_no_other_code_is_possible(country, key, typed, read):
    area = next((area.postal_code for area in rules_of(country).areas if area.key == key), None)
    assert read_postal_code(typed, rules_of(country), area) == read


@pytest.mark.parametrize("typed", ["", "abc", "1", "101155", "10115 Berlin", "1O115", "CH-10115", "10115 十"])
def test_what_is_no_postal_code_of_the_country_is_none(typed):
    assert read_postal_code(typed, rules_of("DE")) is None


def test_where_no_form_is_known_any_text_is_one():
    assert read_postal_code("ab-1", rules_of("AE")) == PostalCode("AB-1")
