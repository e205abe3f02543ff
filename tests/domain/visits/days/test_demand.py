"""What people looked for on a day: searches and what came of them, what they bought, addresses that lead nowhere."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from sqlalchemy import func, select, update

from domain.search import query_log
from domain.search.query_log import LoggedQuery
from domain.tables import SearchDay, SearchPurchase, SearchQuery, UnknownPathDay, VisitRollup
from domain.visits.days import demand
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days import demand_rows
from domain.visits.stored_days.demand_keys import DemandRows, SearchDayRow, SearchPurchaseRow, UnknownPathRow
from tests.domain.visits.days.worlds import DAY, LATER, MIDNIGHT, NOON, add, builder, visit
from tests.support import factories, order_rows

MINUTE = timedelta(minutes=1)
VAT = "/course-details?course=vat-basics"


def search_url(query: str, **more: str) -> str:
    return f"/search?{urlencode({'q': query, **more})}"


def log(session, *texts: str, results: int = 3, at=NOON) -> None:
    for number, text in enumerate(texts):
        query_log.log_query(session, text, results, "exact" if results else "none", at + number * MINUTE)


def browse(session, first: int, session_id: str, *urls: str, **about) -> None:
    """Visits a minute apart."""
    add(
        session,
        *(visit(first + number, NOON + number * MINUTE, url, session_id, **about) for number, url in enumerate(urls)),
    )


def computed(database, at=LATER, **rules) -> DemandRows:
    builder(database, at, **rules).build(DAY)
    with database.read_session() as session:
        return demand_rows.stored(session, DAY)


@pytest.mark.each_database
def test_a_search_is_followed_by_a_product_or_ends_its_session_or_neither(database):
    with database.write_session() as session:
        factories.course(session, factories.category(session).id)
        log(session, "VAT", "vat", "vat", "ifrs", results=1)
        log(session, "crypto", results=0)
        browse(session, 1, "a", search_url("vat"), VAT, search_url("VAT"))
        browse(session, 11, "b", "/", search_url("vat"), "/shop", VAT)
        browse(session, 21, "c", search_url("ifrs"), "/course-details?course=gone")
        browse(session, 31, "d", search_url("crypto"))
    assert computed(database).searches == [
        SearchDayRow("crypto", 1, 1, 1, 0, 1, 0),
        SearchDayRow("ifrs", 1, 0, 1, 0, 0, 1),
        SearchDayRow("vat", 3, 0, 3, 1, 1, 1),
    ]


def test_further_pages_filters_and_a_reload_are_one_search(database):
    with database.write_session() as session:
        factories.course(session, factories.category(session).id)
        log(session, "vat")
        pages = [search_url("vat", **more) for more in ({}, {"page": "2"}, {"level": "beginner"}, {"exact": "1"}, {})]
        browse(session, 1, "a", *pages, VAT)
    assert computed(database).searches == [SearchDayRow("vat", 1, 0, 1, 1, 0, 3)]


def test_sessions_of_programs_and_queries_that_nobody_searched_for_are_not_counted(database):
    with database.write_session() as session:
        log(session, "vat")
        browse(session, 1, "a", search_url("vat"), visitor_class="suspected")
        browse(session, 11, "b", search_url("buy my pills"), search_url(""), "/search")
    assert computed(database).searches == [SearchDayRow("vat", 1, 0, 0, 0, 0, 3)]


def test_what_a_search_found_last_is_what_its_last_search_of_the_day_found(database):
    with database.write_session() as session:
        log(session, "vat", results=0)
        log(session, "vat", results=7, at=NOON + 5 * MINUTE)
        log(session, "vat", results=9, at=NOON + timedelta(days=1))
    assert computed(database).searches == [SearchDayRow("vat", 2, 1, 0, 0, 0, 7)]


@pytest.mark.each_database
def test_a_search_that_is_delivered_twice_counts_once(database):
    once = LoggedQuery("vat", 3, "exact", NOON)
    for _ in range(2):
        with database.write_session() as session:
            query_log.log_queries(session, [once, LoggedQuery("ifrs", 1, "exact", NOON)])
    with database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(SearchQuery)) == 3
    assert computed(database).searches[1] == SearchDayRow("vat", 1, 0, 0, 0, 0, 3)


def add_order(session, number: int, bought: tuple[int, int], at, paid_at=None) -> None:
    learner_id, product_id = bought
    about = {"placed_at": at, "changed_at": at, "paid_at": paid_at, "state": "paid" if paid_at else "expired"}
    order = order_rows.order(session, learner_id, f"CODE{number:016}", open_learner_id=None, **about)
    order_rows.order_line(session, order.id, product_id=product_id)


@pytest.mark.each_database
def test_what_people_bought_is_what_they_paid_after_the_search_on_that_day(database):
    with database.write_session() as session:
        category = factories.category(session).id
        vat, ifrs = (factories.course(session, category, slug).id for slug in ("vat-basics", "ifrs"))
        ada, bob, eve = (factories.learner(session, name).id for name in ("Ada", "Bob", "Eve"))
        log(session, "blockchain", "excel", results=0)
        browse(session, 1, "a", search_url("blockchain"), search_url("excel"), "/checkout", learner_id=ada)
        # Signed in after the search, and bought in another session.
        browse(session, 11, "b", search_url("blockchain"))
        add(session, visit(15, NOON + 5 * MINUTE, "/login", "b", learner_id=bob))
        browse(session, 21, "c", search_url("excel"))
        later = NOON + 30 * MINUTE
        add_order(session, 1, (ada, vat), later, later)
        add_order(session, 2, (bob, vat), later, later + timedelta(days=2))
        add_order(session, 3, (ada, ifrs), NOON - MINUTE, later)
        add_order(session, 4, (bob, ifrs), later)
        add_order(session, 5, (eve, ifrs), later, later)
        add_order(session, 6, (bob, ifrs), MIDNIGHT + timedelta(days=1), LATER)
    assert computed(database).purchases == [
        SearchPurchaseRow("blockchain", vat, 2),
        SearchPurchaseRow("excel", vat, 1),
    ]


@pytest.mark.each_database
def test_addresses_that_lead_nowhere_are_counted_by_session_and_by_what_led_there(database):
    missing = "/course-details?course=old-vat"
    with database.write_session() as session:
        factories.course(session, factories.category(session).id)
        browse(session, 1, "a", "/old-page", "/shop", "/old-page", referrer="https://blog.example/post")
        browse(session, 11, "b", "/shop", missing, VAT, "/shop-details/99")
        browse(session, 21, "c", missing)
        browse(session, 31, "d", missing, visitor_class="suspected")
        browse(session, 41, "e", "/admin/nowhere")
    assert computed(database).unknown_paths == [
        UnknownPathRow(missing, "(none)", 1),
        UnknownPathRow(missing, "/shop", 1),
        UnknownPathRow("/old-page", "blog.example", 1),
        UnknownPathRow("/shop-details/99", VAT, 1),
    ]


def test_a_day_keeps_the_most_visited_of_them_and_the_sum_of_the_others(database):
    with database.write_session() as session:
        for number in range(4):
            browse(session, 10 * number, f"a{number}", *["/x", f"/only-{number}"][: number + 1])
        browse(session, 90, "r", "/x", referrer="https://b.example/")
    assert computed(database, keys=2).unknown_paths == [
        UnknownPathRow("(other)", "(none)", 2),
        UnknownPathRow("/only-1", "/x", 1),
        UnknownPathRow("/x", "(none)", 4),
        UnknownPathRow("/x", "(other)", 1),
    ]


def test_a_day_of_23_hours_has_its_searches_and_no_others(database):
    berlin = DayRules("Europe/Berlin")
    day = DAY.replace(month=3, day=29)
    window = berlin.window(day)
    assert window.until - window.since == timedelta(hours=23)
    with database.write_session() as session:
        for at in (window.since - MINUTE, window.since, window.until - MINUTE, window.until):
            query_log.log_query(session, "vat", 1, "exact", at)
    builder(database, window.until + timedelta(days=2), zone="Europe/Berlin").build(day)
    with database.read_session() as session:
        assert demand_rows.stored_searches(session, day) == [SearchDayRow("vat", 2, 0, 0, 0, 0, 1)]


def test_searches_that_come_late_let_their_day_be_computed_again(database):
    with database.write_session() as session:
        log(session, "vat")
    days = builder(database, LATER)
    assert days.build_due() == 2, "a day without visits, and today"
    with database.write_session() as session:
        log(session, "vat", at=NOON + MINUTE)
    assert builder(database, LATER + MINUTE).build_due() == 2
    with database.read_session() as session:
        assert demand_rows.stored_searches(session, DAY)[0].searches == 2
    assert builder(database, LATER + 2 * MINUTE).build_due() <= 1, "nothing new: today alone"


@pytest.mark.each_database
def test_a_tampered_row_of_what_people_looked_for_shows_in_the_check(database):
    with database.write_session() as session:
        factories.course(session, factories.category(session).id)
        log(session, "vat")
        browse(session, 1, "a", "/old-page", search_url("vat"))
    days = builder(database)
    days.build(DAY)
    assert days.is_stored(DAY)
    for table, values in ((SearchDay, {"followed": 5}), (UnknownPathDay, {"sessions": 5})):
        days.build(DAY)
        with database.write_session() as session:
            session.execute(update(table).values(values))
        assert not days.is_stored(DAY), table
    days.build(DAY)
    with database.write_session() as session:
        session.add(SearchPurchase(day=DAY, query="vat", product_id=1, buyers=1))
    assert not days.is_stored(DAY)


def test_no_computation_changes_what_a_day_has_of_a_log_that_is_gone(database):
    with database.write_session() as session:
        log(session, "vat", "vat", "vat", "rare")
        browse(session, 1, "a", search_url("vat"), search_url("rare"))
    first = computed(database)
    with database.write_session() as session:
        window = DayRules().window(DAY)
        session.execute(update(VisitRollup).where(VisitRollup.day == DAY).values(searches_deleted_at=LATER))
        query_log.delete_some(session, window.since, window.until)
    assert computed(database) == first
    with database.read_session() as session:
        assert demand.logged_queries(session, DAY, window)["vat"].searches == 3
