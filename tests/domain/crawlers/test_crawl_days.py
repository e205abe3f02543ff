"""What a day has of crawlers, on both databases: sums, who has read what, and first readings of changes, whatever the
order in which days are computed."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from domain.crawlers.fetches import AnsweredFetch, ServedPage
from domain.crawlers.verification import CheckedCrawler, CrawlerVerification, Finding, Method, store_checks
from domain.tables import ChangeFetch, CrawlDay, CrawlPage, PageChange, Visit, VisitDay, VisitRollup
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from domain.visits.retention.run import Retention
from domain.visits.stored_days.day_rows import is_intact
from tests.domain.visits.days.worlds import DAY, LATER, MIDNIGHT, NOON, add, builder, crawl

pytestmark = pytest.mark.each_database
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
VAT = "/course-details?course=vat-basics"
SERVED = ServedPage("VAT basics", 4900, "USD", "0123456789abcdef")


def fetch(number, at, url=VAT, status=200, **about):
    answer = AnsweredFetch(status, 1000, 20, served=about.pop("served", SERVED if status == 200 else None))
    return crawl(number, at, url, **{"attributes": answer.as_text(), **about})


def counted(number, at, count, status=200, kind="product"):
    answer = AnsweredFetch(status, 10 * count, 2 * count, count, kind)
    return crawl(number, at, "", attributes=answer.as_text())


def fill(database, *visits, days=(DAY,)):
    with database.write_session() as session:
        add(session, *[{"ip_hash": "", "attributes": None, **visit} for visit in visits])
    for day in days:
        assert builder(database).build(day)


def crawl_days(database):
    columns = (CrawlDay.crawler, CrawlDay.verification, CrawlDay.page_kind, CrawlDay.status)
    sums = (CrawlDay.fetches, CrawlDay.bytes, CrawlDay.ms, CrawlDay.wasted)
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns, *sums).order_by(*columns))]


def test_fetches_are_summed_by_crawler_kind_and_status(database):
    fill(
        database,
        fetch(1, NOON),
        fetch(2, NOON + 2 * HOUR),
        fetch(3, NOON, "/robots.txt", served=None),
        fetch(4, NOON, "/sitemaps/pages.xml", 304),
        fetch(5, NOON, "/products.jsonl", served=None, agent="GPTBot"),
        fetch(6, NOON, "/nothing", 404),
        # A host of the build before notes nothing.
        crawl(7, NOON, "/shop"),
        counted(8, NOON, 37),
        counted(9, NOON, 3, 404),
    )
    assert crawl_days(database) == [
        ("GPTBot", "claimed", "feed", 200, 1, 1000, 20, 0),
        ("Googlebot", "claimed", "list", 0, 1, 0, 0, 0),
        ("Googlebot", "claimed", "other", 404, 1, 1000, 20, 1),
        ("Googlebot", "claimed", "product", 200, 39, 2370, 114, 0),
        ("Googlebot", "claimed", "product", 404, 3, 30, 6, 3),
        ("Googlebot", "claimed", "robots", 200, 1, 1000, 20, 0),
        ("Googlebot", "claimed", "sitemap", 304, 1, 1000, 20, 0),
    ]


def test_files_and_counts_are_no_visits_and_raw_rows_all_the_same(database):
    fill(database, fetch(1, NOON), fetch(2, NOON, "/robots.txt", served=None), counted(3, NOON, 37))
    with database.read_session() as session:
        of_all = select(VisitDay.visits).where(VisitDay.dimension == "all", VisitDay.audience == "crawlers")
        assert session.scalar(of_all) == 1
        assert session.scalar(select(VisitRollup.visits)) == 3
        assert is_intact(session, session.scalars(select(VisitRollup)).one())


def test_what_is_read_again_within_an_hour_or_hidden_or_not_there_is_wasted(database):
    hidden = ServedPage("Hidden", None, "", "0123456789abcdef", is_indexable=False)
    fill(
        database,
        fetch(1, NOON),
        fetch(2, NOON + HOUR - MINUTE),
        # An hour after the last one.
        fetch(3, NOON + 2 * HOUR - MINUTE),
        # Another crawler, another list.
        fetch(4, NOON + MINUTE, agent="bingbot"),
        fetch(5, NOON, "/shop?category=tax", served=None),
        fetch(6, NOON + MINUTE, "/shop?category=payroll", served=None),
        fetch(7, NOON, "/search?q=vat", served=hidden),
        fetch(8, NOON, "/robots.txt", served=None),
        fetch(9, NOON + MINUTE, "/robots.txt", served=None),
        fetch(10, NOON, "/terms", 301),
    )
    wasted = {(row[0], row[2], row[3]): row[7] for row in crawl_days(database) if row[7]}
    assert wasted == {
        ("Googlebot", "product", 200): 1,
        ("Googlebot", "list", 200): 1,
        ("Googlebot", "page", 301): 1,
    }


def test_attributes_that_nobody_wrote_this_way_count_as_nothing(database):
    texts = ("[]", "{}", '{"status": "200"}', '{"status": -1, "bytes": 1e9}', '{"status": 99999, "digest": 7}')
    fill(database, *[crawl(number, NOON, VAT, attributes=text) for number, text in enumerate(texts)])
    assert crawl_days(database) == [("Googlebot", "claimed", "product", 0, 5, 0, 0, 0)]


def test_a_crawler_knows_what_it_last_read_and_how_it_was_last_answered(database):
    newer = ServedPage("VAT, renewed", 3900, "USD", "fedcba9876543210")
    fill(database, fetch(1, NOON), fetch(2, NOON + HOUR, served=newer), fetch(3, NOON + 2 * HOUR, status=503))
    with database.read_session() as session:
        page = session.scalars(select(CrawlPage)).one()
    assert (page.path, page.first_ok_at, page.last_ok_at) == (VAT, NOON, NOON + HOUR)
    assert (page.last_at, page.last_status) == (NOON + 2 * HOUR, 503)
    assert (page.title, page.price_minor, page.currency, page.digest) == (
        "VAT, renewed",
        3900,
        "USD",
        "fedcba9876543210",
    )


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2, 0)])
def test_days_in_any_order_give_the_same_readings(database, order):
    days = [DAY + timedelta(days=number) for number in range(3)]
    at = [NOON + timedelta(days=number) for number in range(3)]
    with database.write_session() as session:
        for number, hours in enumerate((-20, 1, 25, 60)):
            session.add(PageChange(id=number + 1, path=VAT, kind="change", changed_at=NOON + hours * HOUR))
    fill(
        database,
        fetch(1, at[0] + HOUR),
        fetch(2, at[1] - HOUR),
        fetch(3, at[1] + 3 * HOUR, agent="bingbot"),
        fetch(4, at[2], served=ServedPage("New", 1, "USD", "f" * 16)),
        days=[days[number] for number in order],
    )
    with database.read_session() as session:
        pages = {page.crawler: page for page in session.scalars(select(CrawlPage))}
        google = pages["Googlebot"]
        assert (google.first_ok_at, google.last_ok_at, google.title) == (at[0] + HOUR, at[2], "New")
        firsts = select(ChangeFetch.change_id, ChangeFetch.crawler, ChangeFetch.first_at)
        found = {(key, crawler): first for key, crawler, first in session.execute(firsts)}
    assert found == {
        (1, "Googlebot"): at[0] + HOUR,
        # In the very second of the change.
        (2, "Googlebot"): at[0] + HOUR,
        (3, "Googlebot"): at[2],
        (1, "bingbot"): at[1] + 3 * HOUR,
        (2, "bingbot"): at[1] + 3 * HOUR,
        (3, "bingbot"): at[1] + 3 * HOUR,
    }


def test_proved_and_imitated_crawlers_are_told_apart(database):
    with database.write_session() as session:
        checked = [
            CheckedCrawler("Googlebot", "a" * 16, Finding(CrawlerVerification.VERIFIED, Method.RANGE)),
            CheckedCrawler("Googlebot", "b" * 16, Finding(CrawlerVerification.SPOOFED, Method.NAME)),
        ]
        store_checks(session, checked, NOON)
    fill(database, *[fetch(number, NOON, ip_hash=letter * 16) for number, letter in enumerate("abbc")])
    assert [(row[1], row[4]) for row in crawl_days(database)] == [("claimed", 1), ("spoofed", 2), ("verified", 1)]
    with database.read_session() as session:
        assert set(session.scalars(select(CrawlPage.verification))) == {"claimed", "spoofed", "verified"}


def test_a_changed_row_of_crawlers_no_longer_fits_the_digest(database):
    fill(database, fetch(1, NOON))
    with database.write_session() as session:
        session.execute(update(CrawlDay).values(fetches=2))
    with database.read_session() as session:
        assert not is_intact(session, session.scalars(select(VisitRollup)).one())
    assert not builder(database).is_stored(DAY)


def test_names_beyond_the_most_active_ones_are_counted_together(database):
    fill(database)
    with database.write_session() as session:
        rows = [fetch(n, NOON + n * MINUTE, agent=name) for n, name in enumerate(("A", "A", "A", "B", "B", "C", "D"))]
        add(session, *rows)
    builder(database, keys=2).build(DAY)
    assert [(row[0], row[4]) for row in crawl_days(database)] == [("(other)", 2), ("A", 3), ("B", 2)]
    with database.read_session() as session:
        assert set(session.scalars(select(CrawlPage.crawler))) == {"A", "B"}


def test_old_changes_and_readings_go_with_touchpoints(database):
    with database.write_session() as session:
        session.add(PageChange(id=1, path=VAT, kind="change", changed_at=MIDNIGHT))
        session.add(PageChange(id=2, path=VAT, kind="change", changed_at=LATER))
    fill(database, fetch(1, NOON))
    at = LATER + timedelta(days=399)
    report = Retention(database, DayRules(), Periods(0, 400), lambda: at, pause=lambda _s: None).run()
    assert report.crawls == 2
    with database.read_session() as session:
        assert session.scalars(select(PageChange.id)).all() == [2]
        assert session.scalars(select(ChangeFetch.change_id)).all() == []
        assert session.scalars(select(CrawlPage.path)).all() == []
        # Sums of days and raw visits stay.
        assert session.scalar(select(CrawlDay.fetches)) == 1
        assert session.scalars(select(Visit.id)).one()
