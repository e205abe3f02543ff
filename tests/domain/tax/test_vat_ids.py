"""VAT ids: their form alone, with the prefix of the billing country."""

import pytest

from domain.errors import InvalidInput
from domain.tax import vat_ids

VALID = {
    "spaces and dots are left out": ("DE", "de 136.695.976", "DE136695976"),
    "the prefix may be missing": ("DE", "136695976", "DE136695976"),
    "Greece begins with EL": ("GR", "EL 094259216", "EL094259216"),
    "GR becomes EL": ("GR", "GR094259216", "EL094259216"),
    "Greece without a prefix": ("GR", "094259216", "EL094259216"),
    "letters within the number": ("AT", "ATU13585627", "ATU13585627"),
    "letters before the number, without a prefix": ("AT", "U13585627", "ATU13585627"),
    "Ireland ends with letters": ("IE", "IE6433435F", "IE6433435F"),
    "Spain begins with a letter": ("ES", "B58378431", "ESB58378431"),
    # jsvat 2.5.4 refuses those: findings/jsvat_belgium.sh.
    "firms founded lately in Belgium begin with 1": ("BE", "BE 1987.654.318", "BE1987654318"),
}


@pytest.mark.parametrize(("country", "text", "stored"), VALID.values(), ids=VALID)
def test_a_vat_id_is_stored_compact_with_its_prefix(country, text, stored):
    assert vat_ids.check(country, text) == stored


WRONG_DIGIT = "Check this VAT id for DE: its length or a digit is wrong."
REFUSED = {
    "a wrong check digit": ("DE", "DE136695977", WRONG_DIGIT),
    "no VAT id": ("DE", "none", WRONG_DIGIT),
    "nothing": ("DE", "", WRONG_DIGIT),
    "digits of another script": ("DE", "DE\u0661\u0663\u0666695976", WRONG_DIGIT),
    "of another country": (
        "FR",
        "DE136695976",
        "This VAT id begins with DE, but one of the billing address begins with FR.",
    ),
    "outside the Union": ("US", "12-3456789", "Leave this empty: VAT ids are for addresses in the European Union."),
}


@pytest.mark.parametrize(("country", "text", "message"), REFUSED.values(), ids=REFUSED)
def test_any_other_is_refused_at_its_field(country, text, message):
    with pytest.raises(InvalidInput) as refused:
        vat_ids.check(country, text)
    assert refused.value.errors == {"vat_id": message}
