"""JSON-LD as a search engine parses it: exact values, and the same price everywhere."""

import pytest

from config.settings import Settings
from host.seo import head_texts, structured_data
from host.seo.structured_data import OfferContext
from tests.host.site import ORIGIN, SHARED
from tests.host.small_shop import HOSTILE

pytestmark = SHARED

VAT = "/course-details?course=vat-basics"
# What the refund policy promises people.
RETURNS = {
    "@type": "MerchantReturnPolicy",
    "applicableCountry": "US",
    "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
    "merchantReturnDays": 14,
    "merchantReturnLink": f"{ORIGIN}/refund-grievance-policy",
}


def crumbs(*pairs):
    entries = [
        {"@type": "ListItem", "position": at, "name": name, "item": ORIGIN + path}
        for at, (name, path) in enumerate(pairs, 1)
    ]
    return {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": entries}


def specification(price: str, *, includes_tax: bool = False) -> dict[str, object]:
    """The price of an offer, and whether tax is inside."""
    kind = {"@type": "UnitPriceSpecification", "valueAddedTaxIncluded": includes_tax}
    return {**kind, "price": price, "priceCurrency": "USD"}


async def test_returns_are_promised_in_the_country_of_the_seller_whatever_the_locale():
    for locale in ("en-GB", "es-419", "uk", "no-NO"):
        settings = Settings.from_environment({"LOCALE": locale, "SHOP_COUNTRY": "DE"})
        assert head_texts.return_policy(settings, 14)["applicableCountry"] == "DE"


async def test_an_offer_says_whether_its_price_includes_tax():
    settings = Settings.from_environment({"PRICES_INCLUDE_TAX": "on"})
    offer = structured_data.offer(settings, {"price": 1990, "saleUntil": None}, OfferContext("/a", ""))
    assert offer["priceSpecification"] == specification("19.90", includes_tax=True)


async def test_a_course_says_what_it_is(site):
    found = await site.document(VAT)
    assert found.json_ld_of("Course") == {
        "@context": "https://schema.org",
        "@type": "Course",
        "name": "VAT basics",
        "description": "File a return without fear.",
        "url": ORIGIN + VAT,
        "image": f"{ORIGIN}/pictures/course/tax/vat-basics/0.svg",
        "about": "Tax",
        "datePublished": "2026-03-01T12:00:00Z",
        "dateModified": "2026-03-01T12:00:00Z",
        "teaches": ["File a return"],
        "provider": {"@type": "Organization", "name": "Meridian Learning", "sameAs": f"{ORIGIN}/"},
        "educationalLevel": "beginner",
        "inLanguage": "en",
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.5, "reviewCount": 12},
        "syllabusSections": [
            {"@type": "Syllabus", "name": "First", "timeRequired": "PT1H"},
            {"@type": "Syllabus", "name": "Then", "timeRequired": "PT35M"},
        ],
        "offers": {
            "@type": "Offer",
            "price": "80.00",
            "priceCurrency": "USD",
            "availability": "https://schema.org/InStock",
            "url": ORIGIN + VAT,
            "priceValidUntil": "2100-01-01T00:00:00Z",
            "priceSpecification": specification("80.00"),
            "category": "Paid",
        },
        "hasCourseInstance": {
            "@type": "CourseInstance",
            "courseMode": "Online",
            "location": {"@type": "VirtualLocation", "url": ORIGIN + VAT},
            "courseWorkload": "PT1H35M",
            "instructor": [
                {
                    "@type": "Person",
                    "name": "Ada Lovelace",
                    "jobTitle": "Adviser",
                    "url": f"{ORIGIN}/instructors/ada",
                }
            ],
        },
    }


async def test_a_course_stands_below_the_catalogue_and_its_category(site):
    found = await site.document(VAT)
    steps = [("Home", "/"), ("Catalogue", "/shop"), ("Tax", "/shop?category=tax"), ("VAT basics", VAT)]
    assert found.json_ld_of("BreadcrumbList") == crumbs(*steps)


@pytest.mark.parametrize("slug", ["old-course", "ended-course"])
async def test_a_retired_course_keeps_its_facts_and_has_no_offer(site, slug):
    course = (await site.document(f"/course-details?course={slug}")).json_ld_of("Course")
    assert course["url"] == f"{ORIGIN}/course-details?course={slug}"
    assert {"offers", "hasCourseInstance", "aggregateRating"} & course.keys() == set()


async def test_an_item_says_what_it_is(site):
    number = site.id_of("tax-tables")
    found = await site.document(f"/shop-details/{number}")
    assert found.json_ld_of("Product") == {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": "Tax tables",
        "description": "What tax-tables is about.",
        "category": "Tax",
        "sku": "SKU-tax-tables",
        "url": f"{ORIGIN}/shop-details/{number}",
        "image": [f"{ORIGIN}/pictures/course/tax/tax-tables/0.svg"],
        "brand": {"@type": "Brand", "name": "Meridian Learning"},
        "offers": {
            "@type": "Offer",
            "price": "19.90",
            "priceCurrency": "USD",
            "availability": "https://schema.org/InStock",
            "url": f"{ORIGIN}/shop-details/{number}",
            "priceSpecification": specification("19.90"),
            "hasMerchantReturnPolicy": RETURNS,
        },
    }
    assert found.meta("og:type") == "product"


async def test_a_sold_out_item_is_out_of_stock(site):
    found = await site.document(f"/shop-details/{site.id_of('sold-out')}")
    assert found.json_ld_of("Product")["offers"]["availability"] == "https://schema.org/OutOfStock"


async def test_a_list_names_its_cards_in_order_and_counts_on_over_pages(site):
    first, second = [await site.document(f"/shop?page={page}") for page in (1, 2)]
    for found, start in ((first, 1), (second, 25)):
        cards, made = found.state["props"]["cards"], found.json_ld_of("ItemList")
        assert made["numberOfItems"] == len(cards)
        assert made["itemListElement"] == [
            {"@type": "ListItem", "position": at, "name": card["name"], "url": ORIGIN + card["href"]}
            for at, card in enumerate(cards, start)
        ]


async def test_the_front_page_names_the_shop(site):
    found = await site.document("/")
    assert [one["@type"] for one in found.json_ld] == ["Organization", "WebSite", "ItemList"]
    assert found.json_ld_of("Organization") == {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": "Meridian Learning",
        "url": f"{ORIGIN}/",
        "slogan": "Courses for people who have work to do",
        "logo": f"{ORIGIN}/static/images/logo.svg",
        "email": "hello@meridian-learning.example",
        "contactPoint": {
            "@type": "ContactPoint",
            "contactType": "customer support",
            "email": "hello@meridian-learning.example",
            "url": f"{ORIGIN}/contact",
        },
        "hasMerchantReturnPolicy": RETURNS,
    }
    assert found.json_ld_of("WebSite")["url"] == f"{ORIGIN}/"
    assert found.json_ld_of("ItemList")["itemListElement"][0]["url"] == ORIGIN + VAT


@pytest.mark.parametrize(("path", "kind"), [(VAT, "Course"), ("/shop-details/{item}", "Product")])
async def test_the_price_for_machines_is_the_price_that_people_see(plain_site, path, kind):
    found = await plain_site.document(path.format(item=plain_site.id_of("tax-tables")))
    price = found.json_ld_of(kind)["offers"]["price"]
    assert found.state["props"]["price"] == round(float(price) * 100)
    assert any(f"${price}" in words for words in found.words)


async def test_a_name_that_looks_like_a_script_stays_data(site):
    found = await site.document("/course-details?course=script-course")
    assert found.json_ld_of("Course")["name"] == HOSTILE
    assert found.json_ld_of("BreadcrumbList")["itemListElement"][-1]["name"] == HOSTILE
    assert found.state["props"]["name"] == HOSTILE
    assert not [text for _, text in found.scripts if "alert(1)" in text and '"name":' not in text]
    assert "<script>alert" not in found.html


@pytest.mark.parametrize("path", ["/about", "/contact", "/refund-grievance-policy"])
async def test_a_written_page_has_its_place(site, path):
    found = await site.document(path)
    title = found.state["props"]["title"]
    assert found.json_ld == [crumbs(("Home", "/"), (title, path))]


@pytest.mark.parametrize("path", ["/nothing", "/cart", "/course-details?course=unknown", "/shop?page=99"])
async def test_an_error_page_has_no_structured_data(site, path):
    assert (await site.document(path)).json_ld == []
