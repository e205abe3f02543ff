"""The address form of a country, for anyone."""

import pytest

from tests.host.site import SHARED

pytestmark = SHARED


async def test_the_form_of_a_country_is_cached_for_a_day(plain_site):
    response = await plain_site.get("/api/address-form?country=IE")
    fields = {field["name"]: field for field in (await response.json())["fields"]}
    assert (response.status, response.headers["Cache-Control"]) == (200, "public, max-age=86400")
    assert fields["postal_code"] == {
        "name": "postal_code",
        "label": "Eircode",
        "required": False,
        "options": [],
        "autocomplete": "postal-code",
        "lines": 1,
        "example": "A65 F4E2",
    }
    assert fields["country_area"]["options"][3] == {"value": "Co. Cork", "label": "Co. Cork"}


@pytest.mark.parametrize("query", ["", "?country=", "?country=ie", "?country=all", "?country=..%2FIE", "?country=ZZ"])
async def test_no_other_country_has_one(plain_site, query):
    assert (await plain_site.get(f"/api/address-form{query}")).status == 404
