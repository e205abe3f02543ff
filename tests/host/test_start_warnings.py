"""What a host says at its start about settings that are allowed and that somebody should know of."""

import pytest

VAT_ID = "SHOP_VAT_ID is not set: businesses of other countries of the Union are charged tax"


@pytest.mark.parametrize(
    ("environment", "is_said"),
    [
        ({"SHOP_COUNTRY": "DE"}, True),
        ({"SHOP_COUNTRY": "DE", "SHOP_VAT_ID": "DE136695976"}, False),
        ({"SHOP_COUNTRY": "US"}, False),
    ],
)
async def test_a_seller_of_the_union_without_a_vat_id_reads_what_follows_from_it(
    open_site, caplog, environment, is_said
):
    await open_site(**environment)
    told = [record for record in caplog.records if record.getMessage() == VAT_ID]
    assert [record.levelname for record in told] == ["WARNING"] * is_said
