"""The lowest price of the 30 days before beside reductions: in shops of the Union, or where a setting says so."""

import pytest

VAT = "/course-details?course=vat-basics"
WORDS, SHORT = "Lowest price in the 30 days before: $90.00", "Lowest in 30 days: $90.00"

SHOPS = {
    "in the Union": ({"SHOP_COUNTRY": "DE"}, True),
    "elsewhere": ({"SHOP_COUNTRY": "US"}, False),
    "elsewhere, and it says so": ({"UNION_RULES": "on"}, True),
    "in the Union, and it says no": ({"SHOP_COUNTRY": "AT", "UNION_RULES": "off"}, False),
}


@pytest.mark.parametrize("shop", SHOPS)
async def test_a_reduction_is_shown_with_the_lowest_price_before_it_where_the_country_asks(open_site, shop):
    environment, is_shown = SHOPS[shop]
    site = await open_site(**environment)
    course, listed = await site.document(VAT), await site.document("/shop")
    shown = (WORDS in " ".join(course.words), SHORT in " ".join(listed.words))
    assert shown == (is_shown, is_shown)
    assert course.state["props"].get("lowestBefore") == (9000 if is_shown else None)
    cards = [card for card in listed.state["props"]["cards"] if "lowestBefore" in card]
    assert [(card["name"], card["lowestBefore"]) for card in cards] == ([("VAT basics", 9000)] if is_shown else [])
    assert "90.00" not in str(course.json_ld), "search engines get the price, as before"
    product = site.id_of("vat-basics")
    _, cart = await site.call("cart/quote", {"lines": [{"id": product, "quantity": 1}]})
    assert [line["lowestBefore"] for line in cart["lines"]] == [9000 if is_shown else None]
