"""The sitemap index and its files: what they name, since when, and what is made anew when something changes."""

import asyncio
import gzip
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from xml.etree import ElementTree

import pytest
from sqlalchemy import select

from domain.catalogue import changes, sitemap
from domain.publishing import prices as publishing_prices
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord
from domain.tables import Product, RetiredPageVisit
from host.seo import sitemap_xml
from host.seo.sitemaps import SITEMAPS
from host.site_state import SITE
from tests.host.site import ORIGIN
from tests.support.shops import USD
from tests.support.waiting import until

NS = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "i": "http://www.google.com/schemas/sitemap-image/1.1"}
DAY = timedelta(days=1)


async def read(site, path):
    """Address -> (last change, pictures), both as they stand there."""
    answer = await site.get(path)
    assert answer.status == 200
    tree = ElementTree.fromstring(await answer.text())
    rows = {}
    for one in tree:
        pictures = [found.text for found in one.findall("i:image/i:loc", NS)]
        rows[one.findtext("s:loc", None, NS).removeprefix(ORIGIN)] = (one.findtext("s:lastmod", None, NS), pictures)
    return rows


async def alter(site, change):
    """Makes a change in the records and waits until the host has noticed."""
    before = site.app[SITE].state.version
    with site.db.write_session() as session:
        change(session)
        changes.bump_version(session)
    await until(lambda: site.app[SITE].state.version > before)


def course(session, slug="vat-basics"):
    return session.scalars(select(Product).where(Product.slug == slug)).one()


async def test_the_index_names_every_file_with_its_last_change(bare_site):
    found = await read(bare_site, "/sitemap.xml")
    assert list(found) == ["/sitemaps/pages.xml", "/sitemaps/courses-0.xml", "/sitemaps/items-0.xml"]
    assert found["/sitemaps/courses-0.xml"] == ("2026-03-01T12:00:00Z", [])


async def test_a_course_comes_with_its_picture(bare_site):
    found = await read(bare_site, "/sitemaps/courses-0.xml")
    picture = f"{ORIGIN}/pictures/course/tax/vat-basics/0.svg"
    assert found["/course-details?course=vat-basics"] == ("2026-03-01T12:00:00Z", [picture])


@pytest.mark.parametrize("name", ["courses-1", "items-7", "nothing", "courses-999999999", "courses"])
async def test_a_file_that_the_index_does_not_name_is_not_there(bare_site, name):
    assert (await bare_site.get(f"/sitemaps/{name}.xml")).status == 404


@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/courses-0.xml"])
async def test_who_has_a_file_is_told_so(bare_site, path):
    first = await bare_site.get(path)
    again = await bare_site.get(path, If_None_Match=first.headers["ETag"])
    since = await bare_site.get(path, If_Modified_Since="Fri, 01 Jan 2100 00:00:00 GMT")
    assert (again.status, since.status, await again.read(), await since.read()) == (304, 304, b"", b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    other = await bare_site.get(path, If_None_Match='"other"', If_Modified_Since=first.headers["Last-Modified"])
    assert other.status == 200


async def test_two_changes_within_a_second_are_two_changes(bare_site, monkeypatch):
    at = datetime.now(UTC).replace(microsecond=0)
    path = "/sitemaps/courses-0.xml"

    async def after(seconds, slug):
        """Last-Modified of the file that this change made, as it was asked for at once."""
        _stop_clock(monkeypatch, at + timedelta(seconds=seconds))
        await alter(bare_site, lambda session: publishing_prices.change_price(session, slug, Decimal(7), None, at, USD))
        return (await bare_site.get(path)).headers["Last-Modified"]

    stamps = [await after(0.1, "vat-basics"), await after(0.5, "contracts")]
    assert [(await bare_site.get(path, If_Modified_Since=one)).status for one in stamps] == [200, 200]
    _stop_clock(monkeypatch, at + timedelta(seconds=3))
    settled = (await bare_site.get(path)).headers["Last-Modified"]
    again = [await bare_site.get(path, If_Modified_Since=one) for one in (*stamps, settled)]
    assert [one.status for one in again] == [200, 200, 304]


def _stop_clock(monkeypatch, moment):
    """For what dates a sitemap; everything else goes on."""

    class Stopped(datetime):
        @classmethod
        def now(cls, tz=None):
            return moment

    monkeypatch.setattr("host.seo.sitemaps.datetime", Stopped)
    monkeypatch.setattr("host.seo.sitemap_handlers.datetime", Stopped)


async def test_a_file_is_packed_for_those_who_take_it_so(bare_site):
    plain = await bare_site.get("/sitemaps/courses-0.xml", Accept_Encoding="identity")
    packed = await bare_site.get("/sitemaps/courses-0.xml", Accept_Encoding="gzip")
    assert (plain.headers.get("Content-Encoding"), packed.headers["Content-Encoding"]) == (None, "gzip")
    assert await plain.read() == await packed.read()
    assert plain.headers["ETag"] != packed.headers["ETag"]
    assert (await bare_site.get("/sitemaps/courses-0.xml", If_None_Match=packed.headers["ETag"])).status == 304


async def test_a_price_is_a_change_of_its_course_alone(bare_site):
    before = await read(bare_site, "/sitemaps/courses-0.xml")
    at = datetime.now(UTC).replace(microsecond=0)
    await alter(
        bare_site, lambda session: publishing_prices.change_price(session, "vat-basics", Decimal(7), None, at, USD)
    )
    after = await read(bare_site, "/sitemaps/courses-0.xml")
    assert {path for path in after if after[path] != before[path]} == {"/course-details?course=vat-basics"}
    assert after["/course-details?course=vat-basics"][0] == at.strftime("%Y-%m-%dT%H:%M:%SZ")


async def test_a_new_course_touches_one_file_of_courses(bare_site, monkeypatch):
    monkeypatch.setattr(sitemap, "BUCKET", 10)
    before = await read(bare_site, "/sitemap.xml")
    tags = {path: (await bare_site.get(path)).headers["ETag"] for path in before}
    record = CourseRecord(
        slug="new", name="New", subtitle="All new.", category="tax", list_price=Decimal(5), duration_min=60
    )
    await alter(bare_site, lambda session: publishing_writer.put_course(session, record, datetime.now(UTC)))
    after = await read(bare_site, "/sitemap.xml")
    moved = {path for path in before if (await bare_site.get(path)).headers["ETag"] != tags[path]}
    assert {path for path in after if after[path] != before.get(path)} == {
        "/sitemaps/pages.xml",
        "/sitemaps/courses-3.xml",
    }
    assert moved - {"/sitemaps/courses-3.xml"} == {"/sitemaps/pages.xml"}


async def test_pages_of_lists_that_one_file_cannot_hold_are_in_further_ones(bare_site, monkeypatch):
    monkeypatch.setattr("host.seo.sitemaps.PAGE_SIZE", 1)
    whole = list(await read(bare_site, "/sitemaps/pages.xml"))
    lists = [path for path in whole if "?" in path]
    monkeypatch.setattr("host.seo.sitemaps.RESERVED", 3)
    monkeypatch.setattr("host.seo.sitemaps.MAX_URLS", 5)
    bare_site.app[SITEMAPS]._files.clear()
    named = [path for path in await read(bare_site, "/sitemap.xml") if "pages" in path]
    parts = [[path for path in await read(bare_site, file) if "?" in path] for file in named]
    assert named[:2] == ["/sitemaps/pages.xml", "/sitemaps/pages-2.xml"]
    assert [path for part in parts for path in part] == lists
    assert [len(part) for part in parts[:-1]] == [2] + [5] * (len(parts) - 2)
    assert 0 < len(parts[-1]) <= 5
    assert (await bare_site.get(f"/sitemaps/pages-{len(parts) + 1}.xml")).status == 404


async def test_a_catalogue_of_several_pieces_has_the_same_summary(bare_site, monkeypatch):
    at = datetime.now(UTC)
    whole = await bare_site.db.read(sitemap.summary, at)
    monkeypatch.setattr(sitemap, "PIECE", 2)
    assert await bare_site.db.read(sitemap.summary, at) == whole


async def test_a_file_is_made_once_until_it_changes(bare_site, monkeypatch):
    made = []
    entries = sitemap.entries

    def counted(session, bucket, *rest):
        made.append(bucket.kind)
        return entries(session, bucket, *rest)

    monkeypatch.setattr(sitemap, "entries", counted)
    await asyncio.gather(*(bare_site.get("/sitemaps/courses-0.xml") for _ in range(5)))
    await bare_site.get("/sitemaps/courses-0.xml")
    # Two pieces: the courses, and the look that finds no more.
    assert made == ["course", "course"]


async def test_a_file_that_did_not_change_is_known_after_a_change_elsewhere(bare_site):
    first = await bare_site.get("/sitemaps/courses-0.xml")
    at = datetime.now(UTC)
    await alter(
        bare_site, lambda session: publishing_prices.change_price(session, "tax-tables", Decimal(7), None, at, USD)
    )
    for known in ({"If_None_Match": first.headers["ETag"]}, {"If_Modified_Since": first.headers["Last-Modified"]}):
        again = await bare_site.get("/sitemaps/courses-0.xml", **known)
        # Within its first second a file says that it is a second older, to be asked for once more.
        assert again.status == 304 or "If_Modified_Since" in known
    assert again.headers["ETag"] == first.headers["ETag"]


async def test_a_sale_that_begins_or_ends_by_itself_is_a_change(bare_site):
    now = datetime.now(UTC).replace(microsecond=0)

    def put_on_sale(session):
        product = course(session)
        product.sale_price, product.sale_from, product.sale_until = Decimal(5), now - 3 * DAY, now - DAY

    await alter(bare_site, put_on_sale)
    found = await read(bare_site, "/sitemaps/courses-0.xml")
    assert found["/course-details?course=vat-basics"][0] == f"{now - DAY:%Y-%m-%dT%H:%M:%SZ}"
    assert (await read(bare_site, "/sitemaps/pages.xml"))["/shop?category=tax"][0] == f"{now - DAY:%Y-%m-%dT%H:%M:%SZ}"


async def test_a_sale_that_begins_later_is_when_the_summary_is_made_again(bare_site):
    later = datetime.now(UTC) + DAY

    def put_on_sale(session):
        product = course(session)
        product.sale_price, product.sale_from, product.sale_until = Decimal(5), later, later + DAY

    await alter(bare_site, put_on_sale)
    made = await bare_site.db.read(sitemap.summary, datetime.now(UTC))
    assert made.until == later


async def test_a_retired_course_stays_while_people_come_to_it(bare_site):
    long_ago = datetime.now(UTC) - 400 * DAY

    def retire(session):
        for slug in ("old-course", "ended-course"):
            course(session, slug).retired_at = long_ago
        session.add(
            RetiredPageVisit(product_id=course(session, "ended-course").id, last_at=datetime.now(UTC) - 300 * DAY)
        )

    await alter(bare_site, retire)
    found = await read(bare_site, "/sitemaps/courses-0.xml")
    assert "/course-details?course=ended-course" in found
    assert "/course-details?course=old-course" not in found
    listed = await bare_site.db.read(sitemap.summary, datetime.now(UTC))
    assert listed.until - datetime.now(UTC) < 66 * DAY


async def test_a_retired_course_is_listed_as_staff_decided(bare_site):
    now = datetime.now(UTC)

    def decide(session):
        kept, redirected = course(session, "ended-course"), course(session, "old-course")
        kept.retired_at, kept.retirement_choice = now - 400 * DAY, "landing"
        redirected.retired_at, redirected.retirement_choice = now - 10 * DAY, "redirect"

    await alter(bare_site, decide)
    found = await read(bare_site, "/sitemaps/courses-0.xml")
    assert "/course-details?course=ended-course" in found
    assert "/course-details?course=old-course" not in found
    # Neither changes by itself: what comes next is the end of a sale.
    assert (await bare_site.db.read(sitemap.summary, now)).until == datetime(2100, 1, 1, tzinfo=UTC)


async def test_with_the_records_away_the_last_files_are_served(bare_site, monkeypatch):
    paths = ["/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/items-0.xml"]
    before = [await (await bare_site.get(path)).read() for path in paths]
    bare_site.db.engine.dispose()
    (bare_site.settings.var_dir / "coursefront.db").rename(bare_site.settings.var_dir / "away")
    (bare_site.settings.var_dir / "coursefront.db").mkdir()
    maps = bare_site.app[SITEMAPS]
    monkeypatch.setattr(maps, "_summary", (maps._summary[0], datetime.now(UTC) - DAY))
    assert [await (await bare_site.get(path)).read() for path in paths] == before
    assert (await bare_site.get("/sitemaps/courses-0.xml")).status == 503


def test_addresses_are_escaped():
    made = sitemap_xml.entry("https://a.example/?a=1&b=付加'<>", None, ["https://b.example/x&y.png"])
    assert "<loc>https://a.example/?a=1&amp;b=%E4%BB%98%E5%8A%A0&apos;%3C%3E</loc>" in made
    assert "<image:loc>https://b.example/x&amp;y.png</image:loc>" in made
    ElementTree.fromstring(sitemap_xml.urlset([made]))


async def test_what_is_kept_is_bounded(bare_site, monkeypatch):
    monkeypatch.setattr("host.seo.sitemaps.MAX_BYTES", 700)
    for path in ("/sitemaps/pages.xml", "/sitemaps/courses-0.xml", "/sitemaps/items-0.xml"):
        assert gzip.compress(await (await bare_site.get(path)).read())
    assert len(bare_site.app[SITEMAPS]._files) < 3
