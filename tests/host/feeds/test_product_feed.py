"""The product feed: what it says of each product, and to whom something is new."""

import csv
import gzip
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from sqlalchemy import select

from domain.catalogue import changes
from domain.publishing import prices as publishing_prices
from domain.tables import Category, Product, ShopItem
from host.feeds import product_feed
from host.site_state import SITE
from tests.host.site import ORIGIN
from tests.support.shops import USD
from tests.support.waiting import until

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch):
    monkeypatch.setattr(product_feed, "REST", 0)


async def read(site, query=""):
    """The products by their names in addresses or, removed ones, by their ids; and the cursor."""
    answer = await site.get(f"/products.jsonl{query}")
    assert answer.status == 200, await answer.text()
    lines = [json.loads(line) for line in (await answer.text()).splitlines()]
    named = {
        line["link"].rpartition("=")[2] if "=" in line.get("link", "") else int(line["id"]): line for line in lines
    }
    return named, answer.headers["X-Feed-Cursor"]


async def alter(site, change):
    """Makes a change in the records and waits until the host has noticed."""
    before = site.app[SITE].state
    with site.db.write_session() as session:
        change(session)
        changes.bump_version(session)
    await until(lambda: site.app[SITE].state is not before)


def product(session, slug):
    return session.scalars(select(Product).where(Product.slug == slug)).one()


async def test_a_course_has_everything_that_a_shopping_feed_asks_for(bare_site):
    found, _ = await read(bare_site)
    line = found["vat-basics"]
    assert line.pop("image_link").startswith(f"{ORIGIN}/og/course/{line['id']}-")
    assert line.pop("id") == str(bare_site.id_of("vat-basics"))
    assert line == {
        "title": "VAT basics",
        "description": line["description"],
        "link": f"{ORIGIN}/course-details?course=vat-basics",
        "availability": "in_stock",
        "price": "100.00 USD",
        "sale_price": "80.00 USD",
        "sale_price_effective_date": "2026-03-01T12:00:00Z/2100-01-01T00:00:00Z",
        "brand": line["brand"],
        "product_type": "Tax",
        "kind": "course",
        "identifier_exists": "no",
        "language": "en",
        "updated_at": "2026-03-01T12:00:00Z",
    }


async def test_what_is_not_published_is_in_no_form_of_it(bare_site):
    def withdraw(session):
        product(session, "contracts").status = "draft"

    await alter(bare_site, withdraw)
    hidden = [str(bare_site.id_of(slug)) for slug in ("contracts", "old-course", "ended-course")]
    found, _ = await read(bare_site)
    table = csv.DictReader(StringIO(await (await bare_site.get("/products.csv")).text()))
    ids = {line["id"] for line in found.values()}
    assert ids == {row["id"] for row in table}
    assert (len(ids), ids.intersection(hidden)) == (31, set())


async def test_a_reader_who_has_it_is_told_so_in_every_encoding(bare_site):
    for path in ("/products.jsonl", "/products.csv", "/products.jsonl?since=n0"):
        plain = await bare_site.get(path, Accept_Encoding="identity")
        packed = await bare_site.get(path, Accept_Encoding="gzip")
        assert (plain.headers.get("Content-Encoding"), packed.headers["Content-Encoding"]) == (None, "gzip")
        assert await plain.read() == await packed.read() != b""
        for known in (plain, packed):
            again = await bare_site.get(path, If_None_Match=known.headers["ETag"])
            assert (again.status, await again.read()) == (304, b"")
        changed = await bare_site.get(path, If_None_Match='"other"')
        assert changed.status == 200
    length = (await bare_site.get("/products.csv", method="HEAD", Accept_Encoding="identity")).headers["Content-Length"]
    assert int(length) == len(await (await bare_site.get("/products.csv")).read())


async def test_a_cursor_gives_what_has_changed_since_and_what_is_gone(bare_site):
    _, cursor = await read(bare_site)
    assert await read(bare_site, f"?since={cursor}") == ({}, cursor)
    at, gone = datetime.now(UTC), bare_site.id_of("contracts")

    def change(session):
        publishing_prices.change_price(session, "vat-basics", Decimal(7), None, at, USD)
        product(session, "contracts").status = "retired"

    tag = (await bare_site.get("/products.jsonl")).headers["ETag"]
    await alter(bare_site, change)
    found, after = await read(bare_site, f"?since={cursor}")
    assert {key: line.get("price", line.get("deleted")) for key, line in found.items()} == {
        "vat-basics": "7.00 USD",
        gone: True,
    }
    assert await read(bare_site, f"?since={after}") == ({}, after)
    assert (await bare_site.get("/products.jsonl", If_None_Match=tag)).status == 200

    def publish(session):
        product(session, "contracts").status = "published"

    await alter(bare_site, publish)
    assert set((await read(bare_site, f"?since={after}"))[0]) == {"contracts"}
    # For who has slept, each comes once, as it is now.
    assert set((await read(bare_site, f"?since={cursor}"))[0]) == {"vat-basics", "contracts"}


async def test_stock_and_the_name_of_a_category_are_changes_too(bare_site):
    _, cursor = await read(bare_site)

    def sell_out(session):
        session.get_one(ShopItem, product(session, "tax-tables").id).stock = 0

    await alter(bare_site, sell_out)
    found, cursor = await read(bare_site, f"?since={cursor}")
    assert [line["availability"] for line in found.values()] == ["out_of_stock"]

    def rename(session):
        session.scalars(select(Category).where(Category.slug == "tax")).one().name = "Taxes"

    await alter(bare_site, rename)
    found, _ = await read(bare_site, f"?since={cursor}")
    whole, _ = await read(bare_site)
    assert found == {key: line for key, line in whole.items() if line["product_type"] == "Taxes"}


async def test_a_sale_that_begins_or_ends_by_the_clock_changes_the_feed_without_a_write(bare_site):
    now = datetime.now(UTC)

    def plan(session):
        planned = product(session, "contracts")
        planned.sale_price, planned.sale_from = Decimal(1), now + timedelta(seconds=1)
        planned.sale_until = now + timedelta(seconds=2)

    await alter(bare_site, plan)
    found, cursor = await read(bare_site)
    assert "sale_price" not in found["contracts"]
    version, seen = bare_site.app[SITE].state.version, []
    while len(seen) < 2:
        state = bare_site.app[SITE].state
        await until(lambda known=state: bare_site.app[SITE].state is not known)
        found, cursor = await read(bare_site, f"?since={cursor}")
        seen.append([(key, line.get("sale_price")) for key, line in found.items()])
    assert seen == [[("contracts", "1.00 USD")], [("contracts", None)]]
    assert bare_site.app[SITE].state.version == version


async def test_times_are_read_with_a_margin(bare_site):
    found, _ = await read(bare_site)
    now = datetime.now(UTC)
    for text, count in (
        (f"{now:%Y-%m-%dT%H:%M:%SZ}", len(found)),
        (f"{now:%Y-%m-%dT%H:%M:%S}%2B00:00", len(found)),
        (f"{now:%Y-%m-%dT%H:%M:%S}+00:00", len(found)),
        (f"{now + DAY:%Y-%m-%dT%H:%M:%SZ}", 0),
        ("2000-01-01T00:00Z", len(found)),
    ):
        assert len((await read(bare_site, f"?since={text}"))[0]) == count, text


@pytest.mark.parametrize(
    "query",
    [
        "since=", "since=yesterday", "since=2026-12-01", "since=2026-12-01T09:30:00", "since=2026-13-01T09:30:00Z",
        "since=n", "since=n-1", "since=n999999999", "since=12", "since=n1&since=n2",
        "since=0001-01-01T00:00:00%2B23:00",
    ],
)  # fmt: skip
async def test_a_wrong_since_is_refused_in_words(bare_site, query):
    answer = await bare_site.get(f"/products.jsonl?{query}")
    assert (answer.status, answer.headers["Cache-Control"]) == (422, "no-store")
    assert ("since" in (await answer.json(content_type=None))["errors"]) is True


async def test_changes_are_not_there_as_csv(bare_site):
    answer = await bare_site.get("/products.csv?since=n0")
    assert answer.status == 422
    assert "/products.jsonl" in (await answer.json(content_type=None))["errors"]["since"]


async def test_no_cell_is_a_formula_and_the_columns_stay(bare_site):
    def name(session):
        changed = product(session, "contracts")
        changed.name = '=HYPERLINK("http://evil", "x")\n, "quoted"'

    await alter(bare_site, name)
    text = await (await bare_site.get("/products.csv")).text()
    rows = {row["link"].rpartition("=")[2]: row for row in csv.DictReader(StringIO(text), strict=True)}
    assert rows["contracts"]["title"] == '\'=HYPERLINK("http://evil", "x") , "quoted"'
    assert not [cell for row in rows.values() for cell in row.values() if cell is None or cell.startswith(("=", "+"))]
    assert text.count("\r\n") == text.count("\n") == 33


async def test_the_limit_is_one_of_the_table(open_site):
    site = await open_site(FEEDS_PER_ADDRESS_MINUTE="2")
    assert [(await site.get("/products.csv")).status for _ in range(3)] == [200, 200, 429]


async def test_a_catalogue_that_changes_all_the_time_is_not_read_each_time(bare_site, monkeypatch):
    monkeypatch.setattr(product_feed, "REST", 10**9)
    first = await bare_site.get("/products.jsonl")
    await alter(bare_site, lambda session: product(session, "contracts").__setattr__("name", "Other"))
    assert (await bare_site.get("/products.jsonl")).headers["ETag"] == first.headers["ETag"]


async def test_a_file_is_gzip_as_any_reader_knows_it(bare_site):
    feed = await bare_site.app[product_feed.PRODUCT_FEED].current(bare_site.app[SITE].state)
    for packed in (feed.json_lines, feed.csv):
        assert len(gzip.decompress(b"".join(packed.gzip()))) == packed.size
