"""Reports about crawlers, to the second: sums, times to a first reading, and exactly the pages of each state."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from domain.crawlers.fetches import AnsweredFetch, ServedPage
from domain.crawlers.verification import CheckedCrawler, CrawlerVerification, Finding, Method, store_checks
from domain.publishing import prices
from domain.publishing.prices import PricePlan
from domain.reports.all_reports import SOURCES
from domain.reports.crawl_reports.readers import NOT_VERIFIED_NOTE, percentile
from domain.reports.visit_reports.parameters import read_parameters
from domain.tables import PageChange
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.domain.visits.days.worlds import add, crawl
from tests.support import factories
from tests.support.shops import USD

pytestmark = pytest.mark.each_database
DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
AT = NOON + 20 * DAY
OLD = NOON - 100 * DAY


def path(slug):
    return f"/course-details?course={slug}"


def served(slug, price=10000, title=None):
    return ServedPage(title or slug.replace("-", " ").title(), price, "USD", "0123456789abcdef")


class World:
    """Courses of which each may be read by crawlers at some times."""

    def __init__(self, database):
        self.database, self.numbers = database, iter(range(1, 10_000))
        with database.write_session() as session:
            self.tax = factories.category(session).id

    def course(self, slug, published_at=OLD):
        with self.database.write_session() as session:
            factories.course(session, self.tax, slug, published_at=published_at)

    def change(self, slug, at, kind="change"):
        with self.database.write_session() as session:
            session.add(PageChange(path=path(slug), kind=kind, changed_at=at))

    def read(self, url, at, agent="Googlebot", *, status=200, seen=None, ip_hash=""):
        answer = AnsweredFetch(status, 2_000_000, 30, served=seen)
        row = crawl(next(self.numbers), at, url, agent=agent, attributes=answer.as_text(), ip_hash=ip_hash)
        with self.database.write_session() as session:
            add(session, row)

    def proved(self, agent, ip_hash, verification=CrawlerVerification.VERIFIED):
        with self.database.write_session() as session:
            store_checks(session, [CheckedCrawler(agent, ip_hash, Finding(verification, Method.RANGE))], NOON)

    def ask(self, name, at=AT, **values):
        DayBuilder(self.database, DayRules(), lambda: at).build_due(600)
        source, filters = SOURCES[name], [values["f"]] if "f" in values else []
        query, errors = read_parameters(source.report, values, at.date(), filters)
        assert errors == {}
        with self.database.read_session() as session:
            return source.answer(session, query, DayRules(), at, None)


@pytest.fixture
def world(database):
    return World(database)


def rows(answer):
    return {row.label: {**row.figures, **row.words} for row in answer.rows}


def states(answer):
    return {row.label: row.words["state"] for row in answer.rows if row.key.startswith("/course-details")}


def test_fetches_are_counted_by_crawler_with_mean_time_and_waste(world):
    for hours in (0, 1, 2):
        world.read("/terms", AT - DAY - hours * HOUR)
    world.read("/nothing", AT - DAY, status=404)
    world.read("/robots.txt", AT - DAY, agent="bingbot")
    answer = world.ask("crawlers", **{"from": "2026-04-03", "to": "2026-04-09"})
    assert (answer.totals["fetches"], answer.totals["fetchesPerDay"], answer.totals["wastedShare"]) == (5, 0.7, 20.0)
    google = rows(answer)["Googlebot (not verified)"]
    assert (google["fetches"], google["megabytes"], google["meanMs"], google["wasted"]) == (4, 8.0, 30, 1)
    assert [values["fetches"] for values in answer.series.values] == [0, 0, 0, 0, 0, 5, 0]
    of_google = world.ask("crawlers", f="crawler:Googlebot")
    assert [(row.key, row.figures["fetches"]) for row in of_google.rows] == [("2026-04-08", 4)]
    assert (of_google.totals["fetches"], of_google.chosen_label) == (4, "Googlebot (not verified)")
    kinds = rows(world.ask("crawlers", by="kind"))
    assert {name: row["fetches"] for name, row in kinds.items()} == {
        "Other pages": 3,
        "robots.txt": 1,
        "Addresses without a page": 1,
    }
    assert answer.notes == [NOT_VERIFIED_NOTE]


def test_the_time_from_a_change_to_its_first_reading_is_exact_to_the_second(world):
    for number, delay in enumerate((1, 3_600, 90_061)):
        world.course(f"c{number}")
        world.change(f"c{number}", NOON)
        world.read(path(f"c{number}"), NOON + delay * SECOND)
        world.read(path(f"c{number}"), NOON + 10 * DAY)
    world.course("unread")
    world.change("unread", NOON)
    # Gone since, so nobody waits for it.
    world.change("retired-since", NOON)
    world.read(path("c0"), NOON + 2 * HOUR, agent="bingbot")
    answer = world.ask("crawlers")
    totals, found = answer.totals, rows(answer)
    assert (totals["p50"], totals["p90"], totals["notYet"]) == (3_600, 90_061, 1)
    google, bing = found["Googlebot (not verified)"], found["bingbot (not verified)"]
    assert (google["p50"], google["p90"], google["notYet"]) == (3_600, 90_061, 1)
    assert (bing["p50"], bing["p90"], bing["notYet"]) == (7_200, 7_200, 3)


def test_a_sale_that_began_by_the_clock_waits_for_a_reader_from_that_second(world):
    world.course("vat-basics")
    plan = PricePlan(NOON + DAY, NOON + 5 * DAY, has_window=True)
    with world.database.write_session() as session:
        prices.change_price(session, "vat-basics", Decimal(100), Decimal(60), NOON, USD, plan)
    world.read(path("vat-basics"), NOON + DAY - SECOND, seen=served("vat-basics"))
    world.read(path("vat-basics"), NOON + DAY + 7 * SECOND, seen=served("vat-basics", 6000))
    answer = world.ask("crawlers")
    # The end of the sale is not read yet.
    assert (answer.totals["p50"], answer.totals["notYet"]) == (7, 1)
    reading = rows(world.ask("crawl-readings"))["Vat Basics"]
    assert (reading["served"], reading["now"]) == ("$60.00", "$100.00")
    assert reading["says"] == "Price changed, still read as the old one for 15 days"


def test_pages_never_read_and_stale_ones_are_exactly_those(world):
    for slug in ("known", "stale", "cheaper", "never", "moved"):
        world.course(slug)
    world.course("new", AT - 6 * DAY)
    world.course("just-late", AT - 7 * DAY)
    world.change("moved", AT - 10 * DAY, "move")
    for slug in ("known", "stale", "moved"):
        world.read(path(slug), AT - 15 * DAY, seen=served(slug))
    world.read(path("cheaper"), AT - 15 * DAY, seen=served("cheaper", 12000))
    world.change("known", AT - 15 * DAY - SECOND)
    world.change("stale", AT - 15 * DAY + SECOND)
    # A failed fetch reads nothing, and a crawler of another kind is not asked for.
    world.read(path("never"), AT - DAY, status=503)
    world.read(path("never"), AT - DAY, agent="AhrefsBot", seen=served("never"))
    answer = world.ask("crawl-pages", limit="500")
    assert states(answer) == {
        "Known": "Up to date",
        "Stale": "Changed since",
        "Cheaper": "Old price",
        "Never": "Never read",
        "Moved": "Never read",
        "New": "New, not read yet",
        "Just Late": "Never read",
    }
    assert states(world.ask("crawl-pages", state="stale")) == {"Stale": "Changed since"}
    assert answer.totals["stale"] == 1
    assert states(world.ask("crawl-pages", readers="all", state="known", limit="500")).keys() == {"Known", "Never"}
    marks = {row.label: [mark.what for mark in row.marks] for row in answer.rows}
    # The last one is now. A move is a publication.
    assert marks["Stale"] == ["published", "read", "read", "changed", "read"]
    assert (marks["Moved"], marks["Never"]) == (["published", "read"], ["published", "read"])
    stale = rows(answer)["Stale"]
    assert (stale["last"], stale["unreadDays"]) == ("2026-03-25 12:00:00", 14)


def test_pages_of_before_fetches_were_recorded_have_a_week_and_no_delay(world):
    world.course("old")
    world.course("late", AT - DAY)
    world.read("/terms", AT - 6 * DAY)
    assert states(world.ask("crawl-pages", limit="500")) == {"Old": "New, not read yet", "Late": "New, not read yet"}
    for slug in ("old", "late"):
        world.read(path(slug), AT - HOUR, seen=served(slug))
    found = rows(world.ask("crawl-pages", limit="500"))
    assert (found["Old"]["firstRead"], found["Late"]["firstRead"]) == (None, 23 * 3_600)
    assert states(world.ask("crawl-pages", at=AT + 3 * DAY, state="never")) == {}


def test_a_page_that_was_revalidated_is_known(world):
    world.course("known")
    world.read(path("known"), AT - 15 * DAY, seen=served("known"))
    world.change("known", AT - 10 * DAY)
    world.read(path("known"), AT - 5 * DAY, status=304, seen=served("known"))
    assert states(world.ask("crawl-pages")) == {"Known": "Up to date"}


def test_each_crawler_has_what_it_was_last_served_beside_what_is_true_now(world):
    for slug in ("vat", "ifrs", "sql"):
        world.course(slug)
    with world.database.write_session() as session:
        prices.change_price(session, "vat", Decimal(80), None, AT - 9 * DAY, USD)
    world.change("sql", AT - HOUR)
    for agent, days in (("Googlebot", 10), ("bingbot", 8)):
        world.read(path("vat"), AT - days * DAY, agent, seen=served("vat", 10000 if days == 10 else 8000))
    world.read(path("ifrs"), AT - 2 * DAY, seen=served("ifrs", title="IFRS of old"))
    world.read(path("sql"), AT - 2 * DAY, seen=served("sql"))
    answer = world.ask("crawl-readings")
    says = {(row.label, row.words["crawler"]): row.words["says"] for row in answer.rows}
    assert says == {
        ("Vat", "Googlebot (not verified)"): "Price changed, still read as the old one for 9 days",
        ("Ifrs", "Googlebot (not verified)"): "Title changed, still read as the old one for 2 days",
        ("Sql", "Googlebot (not verified)"): "Changed, not read again for less than a day",
    }
    assert answer.totals == {"readings": 4, "oldPrices": 1, "oldTitles": 1, "otherwise": 1}
    assert len(world.ask("crawl-readings", state="all").rows) == 4
    ifrs = rows(answer)["Ifrs"]
    assert (ifrs["served"], ifrs["now"]) == ("IFRS of old · $100.00", "Ifrs · $100.00")


def test_once_somebody_has_proved_who_they_are_their_fetches_alone_count(world):
    world.course("vat")
    world.proved("Googlebot", "a" * 16)
    world.proved("Googlebot", "b" * 16, CrawlerVerification.SPOOFED)
    for ip_hash, hours in (("a" * 16, 1), ("b" * 16, 2), ("b" * 16, 3), ("c" * 16, 4)):
        world.read(path("vat"), AT - DAY + hours * HOUR, seen=served("vat"), ip_hash=ip_hash)
    answer = world.ask("crawlers")
    assert {name: row["fetches"] for name, row in rows(answer).items()} == {"Googlebot": 1}
    assert answer.notes == [
        "Left out: 2 fetches under the name of a crawler that the sender is not.",
        "Left out: 1 fetch that nobody has checked, under a name that others have proved.",
    ]
    assert rows(world.ask("crawl-readings", state="all"))["Vat"]["at"] == "2026-04-08 13:00:00"


@pytest.mark.parametrize("name", ["crawlers", "crawl-pages", "crawl-readings"])
def test_an_empty_shop_says_why_there_is_nothing(world, name):
    answer = world.ask(name)
    assert (answer.rows == [] or name == "crawl-pages", bool(answer.empty)) == (True, True)


def test_a_percentile_is_a_value_that_occurred():
    assert [percentile([1, 2, 3, 4], percent) for percent in (50, 90, 100)] == [2, 4, 4]
    assert (percentile([7], 50), percentile([], 50)) == (7, None)
