"""VAT ids: their form alone, with the prefix of the billing country or of the country whose VAT it has."""

import pytest

from domain.errors import InvalidInput
from domain.tax import vat_ids

VALID = {
    "spaces and dots are left out": ("DE", "de 136.695.976", "DE136695976"),
    "the prefix may be missing": ("DE", "136695976", "DE136695976"),
    "full width, with what nobody sees": ("DE", "\u200b\uff24\uff25 136695976", "DE136695976"),
    "Greece begins with EL": ("GR", "EL 094259216", "EL094259216"),
    "GR becomes EL": ("GR", "GR094259216", "EL094259216"),
    "Greece without a prefix": ("GR", "094259216", "EL094259216"),
    "letters within the number": ("AT", "ATU13585627", "ATU13585627"),
    "letters before the number, without a prefix": ("AT", "U13585627", "ATU13585627"),
    "Ireland ends with letters": ("IE", "IE6433435F", "IE6433435F"),
    "Spain begins with a letter": ("ES", "B58378431", "ESB58378431"),
    # jsvat 2.5.4 refuses those: findings/jsvat_belgium.sh.
    "firms founded lately in Belgium begin with 1": ("BE", "BE 1987.654.318", "BE1987654318"),
    "Monaco has French ids": ("MC", "FR 53 000004605", "FR53000004605"),
    "Monaco without a prefix": ("MC", "53000004605", "FR53000004605"),
    "Monaco with its own code": ("MC", "MC53000004605", "FR53000004605"),
    "Åland has Finnish ids": ("AX", "FI20774740", "FI20774740"),
    "Northern Ireland, for goods": ("GB", "XI 110 3058 78", "XI110305878"),
    "the United Kingdom": ("GB", "980 7806 84", "GB980780684"),
    "the Isle of Man": ("IM", "GB 980780684", "GB980780684"),
    "Switzerland": ("CH", "CHE-107.787.577 IVA", "CHE107787577IVA"),
    "Switzerland without the tax behind it": ("CH", "CHE-100.155.212", "CHE100155212"),
    "Liechtenstein": ("LI", "CHE-107.787.577 MWST", "CHE107787577MWST"),
    "Norway": ("NO", "NO 995 525 828 MVA", "NO995525828MVA"),
    "Norway, the number alone": ("NO", "995525828", "NO995525828MVA"),
}


@pytest.mark.parametrize(("country", "text", "stored"), VALID.values(), ids=VALID)
def test_a_vat_id_is_stored_compact_with_its_prefix(country, text, stored):
    assert vat_ids.check(country, text) == stored


WRONG_DIGIT = "Check this VAT id for DE: its length or a digit is wrong."
NO_COUNTRY = (
    "Leave this empty: VAT ids are for addresses in the European Union, the United Kingdom, Switzerland, Liechtenstein "
    "and Norway."
)
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
    "a country whose VAT ids nobody knows here": ("US", "12-3456789", NO_COUNTRY),
    "a wrong digit in the United Kingdom": (
        "GB",
        "GB980780685",
        "Check this VAT id for GB: its length or a digit is wrong.",
    ),
    "a British id at a German address": (
        "DE",
        "GB980780684",
        "This VAT id begins with GB, but one of the billing address begins with DE.",
    ),
}


@pytest.mark.parametrize(("country", "text", "message"), REFUSED.values(), ids=REFUSED)
def test_any_other_is_refused_at_its_field(country, text, message):
    with pytest.raises(InvalidInput) as refused:
        vat_ids.check(country, text)
    assert refused.value.errors == {"vat_id": message}


def test_an_id_of_northern_ireland_is_for_goods_alone():
    assert vat_ids.check("GB", "XI110305878", True) == "XI110305878"
    with pytest.raises(InvalidInput) as refused:
        vat_ids.check("GB", "XI110305878", False)
    assert refused.value.errors == {
        "vat_id": "A VAT id with XI is for goods, and nothing of this order is shipped: for services Northern Ireland "
        "is part of the United Kingdom. Enter the id with GB, or leave this empty."
    }
