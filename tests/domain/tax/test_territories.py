"""Addresses whose VAT is not that of their country: outside its VAT area, of another country, or for goods alone."""

import pytest

from domain.tax.places import Place, tax_place

OUTSIDE, INSIDE, GOODS = (False, False), (True, True), (False, True)
# (country, area, postal code) -> (place of tax, whether the Union's VAT holds there for services, for goods)
ADDRESSES = {
    ("ES", "TF", ""): ("ES-TF", OUTSIDE),
    ("ES", "GC", "35001"): ("ES-GC", OUTSIDE),
    ("ES", "", "38001"): ("ES-TF", OUTSIDE),
    ("ES", "CE", "51001"): ("ES-CE", OUTSIDE),
    ("ES", "ML", "52001"): ("ES-ML", OUTSIDE),
    ("ES", "M", "28001"): ("ES-M", INSIDE),
    # The parcel goes to Madrid, whatever the form says of the province, or the other way round.
    ("ES", "TF", "28001"): ("ES", INSIDE),
    ("ES", "M", "38001"): ("ES-M", INSIDE),
    ("FI", "", "22100"): ("FI-AX", OUTSIDE),
    ("AX", "", "22100"): ("AX", OUTSIDE),
    ("FI", "", "00100"): ("FI", INSIDE),
    ("IT", "SO", "23041"): ("IT-Livigno", OUTSIDE),
    ("IT", "SO", "23030"): ("IT-SO", INSIDE),
    ("IT", "CO", "22061"): ("IT-Campione d'Italia", OUTSIDE),
    ("IT", "MI", "23041"): ("IT-MI", INSIDE),
    ("IT", "", "47890"): ("IT-SM", OUTSIDE),
    ("SM", "", "47890"): ("SM", OUTSIDE),
    ("VA", "", "00120"): ("VA", OUTSIDE),
    ("DE", "", "78266"): ("DE-Büsingen", OUTSIDE),
    ("DE", "", "27498"): ("DE-Heligoland", OUTSIDE),
    ("DE", "", "78267"): ("DE", INSIDE),
    ("GR", "", "630 86"): ("GR-Mount Athos", OUTSIDE),
    ("GR", "", "63087"): ("GR-Mount Athos", OUTSIDE),
    ("GR", "", "63075"): ("GR", INSIDE),
    ("FR", "", "97400"): ("FR-RE", OUTSIDE),
    ("FR", "", "97133"): ("FR-BL", OUTSIDE),
    ("FR", "", "98800"): ("FR-NC", OUTSIDE),
    ("RE", "", "97400"): ("RE", OUTSIDE),
    ("FR", "", "98000"): ("FR-MC", INSIDE),
    ("MC", "", "98000"): ("FR-MC", INSIDE),
    ("MC", "", ""): ("FR-MC", INSIDE),
    ("CY", "", "4640"): ("CY", INSIDE),
    ("GB", "", "BFPO 57"): ("CY", INSIDE),
    ("GB", "", "BFPO 58"): ("CY", INSIDE),
    ("GB", "", "BFPO 53"): ("CY", INSIDE),
    ("GB", "", "BF1 2AS"): ("CY", INSIDE),
    ("GB", "", "BF1 2AT"): ("CY", INSIDE),
    ("GB", "", "BF1 2AU"): ("CY", INSIDE),
    # Not in Cyprus.
    ("GB", "", "BFPO 5"): ("GB", OUTSIDE),
    ("GB", "", "BFPO 570"): ("GB", OUTSIDE),
    ("GB", "", "BF1 2AA"): ("GB", OUTSIDE),
    ("AT", "", "6691"): ("AT-Jungholz", INSIDE),
    ("AT", "", "6991"): ("AT-Mittelberg", INSIDE),
    ("AT", "", "6992"): ("AT-Mittelberg", INSIDE),
    ("AT", "", "6993"): ("AT-Mittelberg", INSIDE),
    ("AT", "", "6900"): ("AT", INSIDE),
    ("DE", "", "87491"): ("AT-Jungholz", INSIDE),
    ("DE", "", "87567"): ("AT-Mittelberg", INSIDE),
    ("DE", "", "87568"): ("AT-Mittelberg", INSIDE),
    ("DE", "", "87569"): ("AT-Mittelberg", INSIDE),
    # Büsingen by the Swiss post: the Swiss law counts it as Swiss.
    ("CH", "", "8238"): ("CH", OUTSIDE),
    ("DE", "", "87561"): ("DE", INSIDE),
    ("GB", "", "BT1 1AA"): ("GB-XI", GOODS),
    ("GB", "", "B1 1TT"): ("GB", OUTSIDE),
    ("GB", "", "IM1 1AA"): ("GB-IM", OUTSIDE),
    ("IM", "", "IM1 1AA"): ("GB-IM", OUTSIDE),
    ("GB", "", "JE2 3AB"): ("GB-JE", OUTSIDE),
    ("GB", "", "GX11 1AA"): ("GB-GI", OUTSIDE),
    ("GI", "", "GX11 1AA"): ("GI", OUTSIDE),
    ("GG", "", "GY1 1AA"): ("GG", OUTSIDE),
    ("LI", "", "9490"): ("CH-LI", OUTSIDE),
    ("NO", "", "9170"): ("NO-SJ", OUTSIDE),
    ("NO", "", "9179"): ("NO-SJ", OUTSIDE),
    ("NO", "", "8099"): ("NO-SJ", OUTSIDE),
    ("NO", "", "9180"): ("NO", OUTSIDE),
    ("DK", "", "3900"): ("DK-GL", OUTSIDE),
    ("US", "CA", "95014"): ("US-CA", OUTSIDE),
    ("PT", "", "9000-001"): ("PT", INSIDE),
}


@pytest.mark.parametrize("address", ADDRESSES, ids=[" ".join(filter(None, address)) for address in ADDRESSES])
def test_an_address_has_the_vat_of_its_territory(address):
    country, area, postal_code = address
    place = tax_place({"country": country, "country_area": area, "postal_code": postal_code})
    assert (place.text, (place.is_in_eu, place.is_in_eu_for_goods)) == ADDRESSES[address]


# Places outside the VAT area of the country that carries their post, and those inside it under a name of their own.
@pytest.mark.parametrize(
    ("place", "is_outside"),
    [
        (Place("ES", "TF"), True),
        (Place("GB", "JE"), True),
        (Place("GB", "GI"), True),
        (Place("NO", "SJ"), True),
        (Place("GB", "IM"), False),
        (Place("GB", "XI"), False),
        (Place("CH", "LI"), False),
        (Place("FR", "MC"), False),
        (Place("ES", "M"), False),
    ],
)
def test_rates_of_a_country_do_not_reach_outside_its_vat_area(place, is_outside):
    assert place.is_outside == is_outside
