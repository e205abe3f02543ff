"""Rules of structured data: what each kind of page must have (SEO contract, 4a), and what must equal visible text."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from seo_audit.breaches import Contract, Rule
from seo_audit.page import Page

Block = dict[str, Any]

SCHEMA = "https://schema.org"
# Start of a path -> the types that its page must have. The first match counts.
EXPECTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("/course-details", ("Course", "BreadcrumbList")),
    ("/shop-details/", ("Product", "BreadcrumbList")),
    ("/instructors/", ("ProfilePage", "BreadcrumbList")),
    ("/shop", ("BreadcrumbList",)),
)
HOME = ("Organization", "WebSite")
CATEGORIES = {"Free", "Partially Free", "Subscription", "Paid"}
MODES = {"Online", "Onsite", "Blended"}
DURATION = re.compile(r"P(?=.)(?:\d+[YMWD])*(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?")
AMOUNT = re.compile(r"\d+(?:\.\d{2,3})?")
MIN_LIST_ITEMS = 3


def readable(page: Page, _contract: Contract) -> Iterator[str]:
    for number, block in enumerate(page.json_ld, 1):
        if not isinstance(block, dict) or block.get("@context") != SCHEMA or not block.get("@type"):
            yield f"block {number} is not JSON-LD of {SCHEMA}"


def expected_types(page: Page, _contract: Contract) -> Iterator[str]:
    expected = next((types for path, types in EXPECTED if page.route.startswith(path)), ("BreadcrumbList",))
    for name in HOME if page.route == "/" else expected:
        if not page.of_type(name):
            yield f"no {name}"


def courses(page: Page, contract: Contract) -> Iterator[str]:
    for block in page.of_type("Course"):
        yield from _missing_fields(block, "Course", ("name", "description", "url", "image", "provider"))
        yield from _missing_fields(_inside(block, "provider"), "Course.provider", ("name", "sameAs"))
        if block.get("url") != page.canonical:
            yield f"Course.url {block.get('url')} is not the canonical"
        yield from _absolute(block.get("image"), "Course.image", contract)
        if "offers" in block:
            yield from _offer(_inside(block, "offers"), "Course.offers")
            if _inside(block, "offers").get("category") not in CATEGORIES:
                yield f"Course.offers.category is {_inside(block, 'offers').get('category')!r}"
            yield from _instance(_inside(block, "hasCourseInstance"))


def _instance(instance: Block) -> Iterator[str]:
    if instance.get("courseMode") not in MODES:
        yield f"Course.hasCourseInstance.courseMode is {instance.get('courseMode')!r}"
    workload = instance.get("courseWorkload")
    if workload is None and not instance.get("courseSchedule"):
        yield "Course.hasCourseInstance has neither courseWorkload nor courseSchedule"
    elif workload is not None and not DURATION.fullmatch(str(workload)):
        yield f"Course.hasCourseInstance.courseWorkload {workload!r} is not an ISO 8601 duration"


def products(page: Page, contract: Contract) -> Iterator[str]:
    for block in page.of_type("Product"):
        yield from _missing_fields(block, "Product", ("name", "description", "image", "sku", "brand", "offers"))
        for image in block["image"] if isinstance(block.get("image"), list) else [block.get("image")]:
            yield from _absolute(image, "Product.image", contract)
        offers = _inside(block, "offers")
        yield from _offer(offers, "Product.offers")
        if AMOUNT.fullmatch(str(offers.get("price"))) and float(offers["price"]) <= 0:
            yield "Product.offers.price is not above zero"
        policy = _inside(offers, "hasMerchantReturnPolicy") or _inside(block, "hasMerchantReturnPolicy")
        yield from _missing_fields(
            policy, "Product.hasMerchantReturnPolicy", ("applicableCountry", "returnPolicyCategory")
        )


def _offer(offers: Block, name: str) -> Iterator[str]:
    yield from _missing_fields(offers, name, ("price", "priceCurrency", "availability"))
    if not AMOUNT.fullmatch(str(offers.get("price"))):
        yield f"{name}.price is {offers.get('price')!r}"
    if not re.fullmatch("[A-Z]{3}", str(offers.get("priceCurrency"))):
        yield f"{name}.priceCurrency is {offers.get('priceCurrency')!r}"
    if not str(offers.get("availability")).startswith(f"{SCHEMA}/"):
        yield f"{name}.availability is {offers.get('availability')!r}"


def breadcrumbs(page: Page, contract: Contract) -> Iterator[str]:
    for block in page.of_type("BreadcrumbList"):
        entries = _entries(block)
        if len(entries) < 2:
            yield f"BreadcrumbList has {len(entries)} entries, at least two are expected"
        if [entry.get("position") for entry in entries] != list(range(1, len(entries) + 1)):
            yield "BreadcrumbList.position does not count from 1"
        for entry in entries:
            if not entry.get("name"):
                yield "an entry of BreadcrumbList has no name"
            yield from _absolute(entry.get("item"), "BreadcrumbList.item", contract)


def lists(page: Page, contract: Contract) -> Iterator[str]:
    for block in page.of_type("ItemList"):
        entries = _entries(block)
        addresses = [str(entry.get("url")) for entry in entries]
        if len(entries) < MIN_LIST_ITEMS:
            yield f"ItemList has {len(entries)} entries, at least {MIN_LIST_ITEMS} are expected"
        if len(set(addresses)) < len(addresses):
            yield "ItemList has an address twice"
        for address in addresses:
            yield from _absolute(address, "ItemList.url", contract)
        first = entries[0].get("position") if entries else 1
        positions = [entry.get("position") for entry in entries]
        if not isinstance(first, int) or positions != list(range(first, first + len(entries))):
            yield "ItemList.position is not consecutive"
        if block.get("numberOfItems") not in (None, len(entries)):
            yield f"ItemList.numberOfItems is {block.get('numberOfItems')}, there are {len(entries)}"


def shop(page: Page, contract: Contract) -> Iterator[str]:
    for block in page.of_type("Organization"):
        yield from _missing_fields(
            block, "Organization", ("name", "url", "logo", "contactPoint", "hasMerchantReturnPolicy")
        )
        yield from _absolute(block.get("logo"), "Organization.logo", contract)
    for block in page.of_type("WebSite"):
        yield from _missing_fields(block, "WebSite", ("name", "url"))


def ratings(page: Page, _contract: Contract) -> Iterator[str]:
    """A rating needs at least one review, and a review that is visible on the page."""
    for block in page.json_ld:
        if not isinstance(block, dict) or "aggregateRating" not in block:
            continue
        rating = _inside(block, "aggregateRating")
        count = rating.get("reviewCount") or rating.get("ratingCount")
        if not isinstance(count, int) or count < 1:
            yield f"aggregateRating on {count!r} reviews"
        value = rating.get("ratingValue")
        if not isinstance(value, int | float) or not 1 <= value <= 5:
            yield f"aggregateRating.ratingValue is {value!r}"
        if not page.all(".review"):
            yield "aggregateRating without a review on the page"


def prices(page: Page, _contract: Contract) -> Iterator[str]:
    """Structured data, `data-price` and the visible text must have the same price."""
    blocks = [block for kind in ("Course", "Product") for block in page.of_type(kind)]
    markup_prices = [str(_inside(block, "offers").get("price")) for block in blocks]
    markup_prices = [price for price in markup_prices if AMOUNT.fullmatch(price)]
    if not markup_prices and page.prices:
        yield f"the page shows {page.prices[0][1]!r}, its markup has no price"
    for price in markup_prices:
        decimals = len(price.partition(".")[2])
        expected = int(price.replace(".", ""))
        for minor, text in page.prices:
            if str(expected) != minor:
                yield f"price {price} in the markup, {minor} minor units in the page"
            if amount_in(text, decimals) != expected:
                yield f"price {price} in the markup, {text!r} on the page"


def amount_in(text: str, decimals: int) -> int | None:
    """Minor units of a formatted price such as "$1,299.00", "1.299,00 €" or "¥1,299" of a currency with so many
    decimals; 0 for words such as "Free", None for ""."""
    match = re.search(r"\d[\d.,\u00a0\u202f\u2019' ]*", text)
    if match is None:
        return 0 if text.strip() else None
    digits = match[0].rstrip(" .,\u00a0\u202f")
    fraction = re.search(rf"[.,](\d{{{decimals}}})\Z", digits) if decimals else None
    whole = digits[: fraction.start()] if fraction else digits
    return int(re.sub(r"\D", "", whole) or 0) * int(10**decimals) + (int(fraction[1]) if fraction else 0)


def _inside(block: Block, name: str) -> Block:
    value = block.get(name)
    return value if isinstance(value, dict) else {}


def _entries(block: Block) -> list[Block]:
    entries = block.get("itemListElement")
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _missing_fields(block: Block, name: str, fields: tuple[str, ...]) -> Iterator[str]:
    for field in fields:
        if not block.get(field):
            yield f"{name}.{field} is missing"


def _absolute(address: object, name: str, contract: Contract) -> Iterator[str]:
    if not str(address).startswith((contract.origin + "/", "https://")):
        yield f"{name} {address!r} is not absolute"


_CHECKS: tuple[tuple[str, Callable[[Page, Contract], Iterator[str]]], ...] = (
    ("markup-readable", readable),
    ("markup-types", expected_types),
    ("markup-course", courses),
    ("markup-product", products),
    ("markup-breadcrumbs", breadcrumbs),
    ("markup-list", lists),
    ("markup-shop", shop),
    ("markup-rating", ratings),
    ("markup-price", prices),
)
RULES = tuple(Rule(name, "error", check) for name, check in _CHECKS)
