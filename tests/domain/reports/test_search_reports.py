"""The reports on searches and on content gaps: figures by worked examples, thresholds, and what is never said."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from domain.reports.all_reports import SOURCES
from domain.reports.searches.gap_kinds import GAPS, GapKind
from domain.reports.searches.gap_report import GAP_REPORT
from domain.reports.searches.search_report import SEARCHES
from domain.reports.visit_reports.figures import definitions
from domain.reports.visit_reports.parameters import read_parameters
from domain.tables import DismissedSearch, FormerSlug, Product, SearchPurchase, UnknownPathDay
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from tests.domain.visits.days.test_demand import add_order, browse, log, search_url
from tests.domain.visits.days.worlds import DAY, LATER, MIDNIGHT, NOON, add, builder, visit
from tests.domain.visits.retention.worlds import retain
from tests.support import factories

ONE_DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
VAT = "/course-details?course=vat-basics"
PERIOD = {"from": DAY.isoformat(), "to": (DAY + ONE_DAY).isoformat()}


def ask(database, name: str, at=LATER, **values: str):
    source, rules = SOURCES[name], DayRules()
    filters = [values["f"]] if "f" in values else []
    query, errors = read_parameters(source.report, {**PERIOD, **values}, rules.day_of(at), filters)
    assert errors == {}
    with database.read_session() as session:
        return source.answer(session, query, rules, at, None)


def gaps(database, kind: GapKind, **values: str) -> dict[str, tuple]:
    """Key -> figures, detail, what to do, and where."""
    found = ask(database, "gaps", by=kind, **values)
    assert found.row_count == found.totals[GAPS[kind].figure]
    return {
        row.label: (*row.figures.values(), row.words["detail"], row.words["action"], row.links["action"])
        for row in found.rows
    }


def several(session, first: int, count: int, *urls: str, **about) -> None:
    """So many sessions with these visits."""
    for number in range(count):
        browse(session, first + 10 * number, f"s{first}-{number}", *urls, **about)


def course(session, slug: str = "vat-basics", **about) -> int:
    category = session.query(Product.category_id).limit(1).scalar() or factories.category(session).id
    return factories.course(session, category, slug, **about).id


def four_searches(session) -> None:
    """Two are followed, one goes on to the shop, one is the last of its session."""
    course(session)
    log(session, *["vat"] * 4)
    for number, after in enumerate(([VAT], [VAT, "/cart"], ["/shop", VAT], [])):
        browse(session, 10 * number + 1, f"s{number}", search_url("vat"), *after)


def retired(session) -> None:
    course(session, "old", status="retired", retired_at=MIDNIGHT - timedelta(hours=1))
    browse(session, 1, "a", "/course-details?course=old")


def bouncing(session) -> None:
    course(session)
    several(session, 1, 40, VAT)
    several(session, 1001, 10, VAT, "/shop")


def pages_of_one_search(session) -> None:
    log(session, "vat", "excel")
    browse(session, 1, "a", search_url("vat"), search_url("vat", page="2"), search_url("excel"))


def crypto(session) -> None:
    log(session, *["crypto"] * 3, results=0)
    log(session, "crypto", results=1, at=NOON + 9 * MINUTE)


def one_of_four_found_nothing(session) -> None:
    log(session, "a", "b", "c")
    log(session, "d", results=0)


def one_without_session(session) -> None:
    log(session, *["vat"] * 5)
    several(session, 1, 4, search_url("vat"))
    add(session, visit(99, NOON, search_url("vat"), ""))


def unfollowed(session) -> None:
    log(session, *["data"] * 5, *["sql"] * 4)
    several(session, 1, 5, search_url("data"), "/shop")
    several(session, 101, 4, search_url("sql"))


def nothing_found(session) -> None:
    log(session, "crypto", "crypto", "scrum", results=0)


def no_such_course(session) -> None:
    several(session, 1, 3, "/course-details?course=never")
    several(session, 101, 2, "/course-details?course=rarely")


def three_gaps(session) -> None:
    log(session, *["crypto"] * 2, *["nfts"] * 2, results=0)
    several(session, 1, 3, "/nowhere")


EXAMPLES = [
    ("searches", "searches", pages_of_one_search, 2, "2 searches"),
    ("searches", "noResults", crypto, 3, "3 without results"),
    ("searches", "noResultsShare", one_of_four_found_nothing, 25.0, "25%"),
    ("searches", "inSessions", one_without_session, 4, "4 in sessions"),
    ("searches", "followed", four_searches, 2, "2 followed"),
    ("searches", "followedShare", four_searches, 50.0, "50%"),
    ("searches", "abandoned", four_searches, 1, "1 abandoned"),
    ("searches", "abandonedShare", four_searches, 25.0, "25%"),
    ("gaps", "gaps", three_gaps, 3, "3 gaps"),
    ("gaps", "nothingFound", nothing_found, 1, "1 gap, crypto"),
    ("gaps", "notFollowed", unfollowed, 1, "1 gap, data"),
    ("gaps", "unknownPaths", no_such_course, 1, "1 gap"),
    ("gaps", "bouncing", bouncing, 1, "1 gap"),
    ("gaps", "retiredPages", retired, 1, "1 gap"),
]
# This figure stands in rows alone, not above the table.
ENTRANCES = ("entrances", 50, "50 entrances")


@pytest.mark.parametrize("example", EXAMPLES, ids=[row[1] for row in EXAMPLES])
def test_the_worked_example_of_a_figure_is_what_its_report_computes(database, example):
    report, figure, world, value, says = example
    with database.write_session() as session:
        world(session)
    builder(database).build(DAY)
    assert ask(database, report).totals[figure] == value
    assert says in definitions(SEARCHES.definitions)[figure].example


def test_entrances_are_those_of_the_page_that_people_leave_at_once(database):
    figure, value, says = ENTRANCES
    with database.write_session() as session:
        bouncing(session)
        several(session, 2001, 3, "/shop", VAT)
    builder(database).build(DAY)
    assert [row.figures[figure] for row in ask(database, "gaps", by="bounces").rows] == [value]
    assert says in definitions(SEARCHES.definitions)[figure].example


def test_every_definition_has_one_example():
    assert sorted([*(row[1] for row in EXAMPLES), ENTRANCES[0]]) == sorted(definitions(SEARCHES.definitions))
    assert {*SEARCHES.figures, *GAP_REPORT.shown} <= definitions(SEARCHES.definitions).keys()


@pytest.mark.each_database
def test_the_rows_of_searches_add_up_over_days_and_a_query_has_its_own_days(database):
    with database.write_session() as session:
        course(session)
        log(session, "vat", "vat", "ifrs")
        log(session, "vat", at=NOON + ONE_DAY, results=0)
        browse(session, 1, "a", search_url("vat"), VAT)
    days = builder(database)
    days.build(DAY)
    days.build(DAY + ONE_DAY)
    found = ask(database, "searches", compare="none")
    assert [(row.key, *(row.figures[key] for key in SEARCHES.columns)) for row in found.rows] == [
        ("vat", 3, 1, 1, 1, 0),
        ("ifrs", 1, 0, 0, 0, 0),
    ]
    assert [row["searches"] for row in found.series.values] == [3, 1]
    alone = ask(database, "searches", compare="none", f="query:vat")
    assert [(row.key, row.figures["searches"]) for row in alone.rows] == [("2026-03-03", 1), ("2026-03-02", 2)]
    assert (alone.totals["searches"], alone.chosen_label) == (3, "vat")
    assert ask(database, "searches", compare="none", f="query:VAT ").empty == "Nobody searched for this in these days."


def test_a_period_that_is_over_is_compared_and_one_that_is_not_is_in_the_chart_alone(database):
    with database.write_session() as session:
        log(session, "vat")
        log(session, "vat", "vat", at=NOON + ONE_DAY)
        add(session, visit(1, NOON), visit(2, NOON + ONE_DAY))
    second = DAY + ONE_DAY
    builder(database).build_due()
    period = {"from": second.isoformat(), "to": second.isoformat()}
    found = ask(database, "searches", **period)
    assert (found.totals["searches"], found.previous["searches"]) == (2, 1)
    assert found.rows[0].previous["searches"] == 1
    today = ask(database, "searches", at=MIDNIGHT + ONE_DAY + timedelta(hours=20), **period)
    assert (today.is_unfinished, today.previous, today.rows[0].previous) == (True, None, None)
    assert [row["searches"] for row in today.series.previous] == [1]
    assert "compared in the chart" in " ".join(today.notes)


@pytest.mark.each_database
def test_a_product_of_fewer_than_three_buyers_is_not_named(database):
    with database.write_session() as session:
        vat, ifrs = course(session, name="VAT basics"), course(session, "ifrs", name="IFRS")
        log(session, "blockchain", "excel", results=0)
        for number in range(3):
            buyer = factories.learner(session, f"Buyer {number}").id
            browse(session, 10 * number + 1, f"b{number}", search_url("blockchain"), learner_id=buyer)
            add_order(session, number, (buyer, vat), NOON + 5 * MINUTE, LATER)
        browse(session, 91, "c", search_url("excel"), search_url("blockchain"), learner_id=buyer)
        add_order(session, 9, (buyer, ifrs), NOON + 8 * MINUTE, LATER)
    builder(database).build(DAY)
    found = ask(database, "searches", sort="name")
    assert {row.key: row.words["bought"] for row in found.rows} == {
        "blockchain": "VAT basics (3), others",
        "excel": "Products of fewer than 3 people each",
    }
    with database.write_session() as session:
        session.execute(update(SearchPurchase).values(buyers=2))
    found = ask(database, "searches", sort="name")
    assert {row.words["bought"] for row in found.rows} == {"Products of fewer than 3 people each"}


def test_what_is_too_rare_to_be_stored_stays_in_the_totals(database):
    with database.write_session() as session:
        log(session, "vat", "vat", "vat", "rare", "rarer")
    at = MIDNIGHT + 91 * ONE_DAY
    builder(database, at).build_due()
    before = ask(database, "searches", at=at).totals
    retain(database, at, Periods(0, 0))
    found = ask(database, "searches", at=at, compare="none")
    assert (found.totals, [row.key for row in found.rows]) == (before, ["vat"])
    assert found.notes[-1].startswith("2 of the searches were of queries that were sent fewer than 3 times a day.")


def test_a_dismissed_search_and_one_that_finds_something_by_now_are_no_gaps(database):
    with database.write_session() as session:
        log(session, *["crypto"] * 2, *["scrum"] * 2, *["golang"] * 2, results=0)
        log(session, "golang", results=1, at=NOON + ONE_DAY)
        session.add(DismissedSearch(query="scrum", since=DAY, dismissed_at=LATER))
    days = builder(database)
    days.build(DAY)
    days.build(DAY + ONE_DAY)
    assert gaps(database, GapKind.NO_RESULTS) == {
        "crypto": (
            *(2, 2, "Last searched on March 2, 2026", "Create a course or dismiss it"),
            "/admin/searches?week=2026-03-02&query=crypto",
        )
    }


@pytest.mark.each_database
def test_an_address_without_a_page_says_what_led_there_and_where_to_correct_it(database):
    with database.write_session() as session:
        several(session, 1, 4, "/about", "/training")
        several(session, 101, 2, "/course-details?course=vat-2024", referrer="https://blog.example/a")
        several(session, 201, 1, "/course-details?course=vat-2024")
        several(session, 301, 3, "//evil.example/x", "/lost")
        several(session, 401, 3, "/course-details?course=created-since")
    builder(database).build(DAY)
    with database.write_session() as session:
        course(session, "created-since")
    find = "Find the course it meant"
    assert gaps(database, GapKind.UNKNOWN) == {
        "//evil.example/x": (3, "No link is known", find, "/admin/courses?q=x"),
        "/course-details?course=vat-2024": (
            *(3, "From blog.example (2), elsewhere (1)", find),
            "/admin/courses?q=vat+2024",
        ),
        "/lost": (3, "From //evil.example/x (3)", find, "/admin/courses?q=lost"),
        "/training": (4, "From /about (4)", "Correct the link on its page", "/about"),
    }


def test_what_was_folded_of_addresses_is_no_row(database):
    with database.write_session() as session:
        session.add(UnknownPathDay(day=DAY, path="(other)", referrer="(none)", sessions=9))
        add(session, visit(1, NOON))
    assert gaps(database, GapKind.UNKNOWN) == {}


@pytest.mark.parametrize(("bounces", "others", "expected"), [(40, 10, 1), (39, 11, 0), (40, 9, 0)])
def test_a_page_bounces_from_50_entrances_and_80_percent_on(database, bounces, others, expected):
    with database.write_session() as session:
        course(session)
        several(session, 1, bounces, VAT)
        several(session, 1001, others, VAT, "/shop")
    builder(database).build(DAY)
    assert len(gaps(database, GapKind.BOUNCES)) == expected


def test_a_former_address_counts_for_its_course_and_a_draft_does_not_bounce(database):
    with database.write_session() as session:
        product = course(session, name="VAT basics")
        session.add(FormerSlug(kind="course", slug="vat-old", product_id=product, replaced_at=MIDNIGHT))
        several(session, 1, 30, VAT)
        several(session, 1001, 20, "/course-details?course=vat-old")
    builder(database).build(DAY)
    where = f"/admin/courses/{product}"
    assert gaps(database, GapKind.BOUNCES) == {
        "VAT basics": (50, 100.0, "50 sessions saw nothing else", "Improve its page", where)
    }
    with database.write_session() as session:
        session.execute(update(Product).values(status="draft"))
    assert gaps(database, GapKind.BOUNCES) == {}


def test_visits_of_the_day_of_its_retirement_do_not_make_a_page_a_gap(database):
    with database.write_session() as session:
        product = course(session, "old", name="Old", status="retired", retired_at=NOON)
        several(session, 1, 2, "/course-details?course=old")
        add(session, visit(99, NOON + ONE_DAY, "/course-details?course=old", "later"))
    days = builder(database)
    days.build(DAY)
    assert gaps(database, GapKind.RETIRED) == {}
    days.build(DAY + ONE_DAY)
    where = f"/admin/courses/{product}/publication"
    assert gaps(database, GapKind.RETIRED) == {
        "Old": (1, 1, "Retired on March 2, 2026", "Choose a successor", where),
    }


def test_a_shop_without_a_day_and_one_without_a_gap_say_so(database):
    assert ask(database, "searches").empty.startswith("No day has been counted yet.")
    assert ask(database, "gaps").empty.startswith("No day has been counted yet.")
    with database.write_session() as session:
        add(session, visit(1, NOON))
    builder(database).build(DAY)
    assert ask(database, "searches").empty == "Nobody searched in these days."
    assert ask(database, "gaps").empty.startswith("No gaps were found")
    early = {"from": "2026-02-01", "to": "2026-02-02"}
    assert ask(database, "gaps", **early).empty == "Days are counted since March 2, 2026: choose later days."


def test_a_query_in_arabic_and_one_with_markup_are_shown_as_they_were_sent(database):
    texts = ["المحاسبة", "<script>alert(1)</script>", "=cmd()"]
    with database.write_session() as session:
        log(session, *texts, *texts, results=0)
    builder(database).build(DAY)
    assert set(gaps(database, GapKind.NO_RESULTS)) == set(texts)
    assert {row.label for row in ask(database, "searches").rows} == set(texts)
