"""Feed, page and structured data say the same of every product of the demo shop."""

import csv
import json
from io import StringIO

from tests.host.site import ORIGIN

STATES = {"in_stock": "https://schema.org/InStock", "out_of_stock": "https://schema.org/OutOfStock"}


async def test_every_product_of_the_demo_shop_is_the_same_in_feed_page_and_structured_data(open_shop):
    shop = await open_shop()
    lines = [json.loads(line) for line in (await (await shop.get("/products.jsonl")).text()).splitlines()]
    rows = csv.DictReader(StringIO(await (await shop.get("/products.csv")).text()))
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    assert len(lines) >= 84
    for line in lines:
        page = await shop.document(line["link"].removeprefix(ORIGIN))
        kind = "Course" if line["kind"] == "course" else "Product"
        data = page.json_ld_of(kind)
        offer = data["offers"]
        assert (page.status, page.canonical, page.meta("robots")) == (200, line["link"], "index, follow"), line
        assert page.meta("og:image") == line["image_link"]
        assert data["name"] == line["title"]
        assert f"{offer['price']} {offer['priceCurrency']}" == line.get("sale_price", line["price"])
        assert (offer["availability"], offer["url"]) == (STATES[line["availability"]], line["link"])
        assert offer.get("priceValidUntil", "") == line.get("sale_price_effective_date", "").rpartition("/")[2]
        assert (data.get("gtin"), data.get("sku")) == (line.get("gtin"), line.get("sku"))
        if kind == "Course":
            assert data["provider"]["name"] == line["brand"]
            assert (data["about"], data.get("inLanguage")) == (line["product_type"], line.get("language"))
        else:
            assert (data["brand"]["name"], data["category"]) == (line["brand"], line["product_type"])


async def test_the_text_for_programs_says_where_everything_is_and_every_link_leads_there(open_shop):
    shop = await open_shop(SITE_NAME="Müller & [Söhne] *GmbH*", PRICES_INCLUDE_TAX="on")
    answer = await shop.get("/llms.txt")
    text = await answer.text()
    assert (answer.content_type, answer.charset, answer.headers["X-Robots-Tag"]) == ("text/plain", "utf-8", "noindex")
    assert text.startswith("# Müller & \\[Söhne\\] \\*GmbH\\*\n\n> ")
    assert "- Prices are in USD. Prices include tax. " in text
    assert "within 14 days" in text
    links = [part.partition(")")[0] for part in text.split("](")[1:]]
    assert {f"{ORIGIN}/products.jsonl", f"{ORIGIN}/products.csv", f"{ORIGIN}/shop", f"{ORIGIN}/about"} <= set(links)
    for link in links:
        assert (await shop.get(link.removeprefix(ORIGIN))).status == 200, link
    again = await shop.get("/llms.txt", If_None_Match=answer.headers["ETag"])
    assert (again.status, await again.read()) == (304, b"")
