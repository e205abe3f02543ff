"""Suggestions for the search box, and the query log that they use."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.search import query_log
from domain.search import query_log as search_query_log
from domain.search import suggestions as search_suggestions
from domain.search.suggestions import MAX_SUGGESTIONS
from domain.tables import SearchQuery
from tests.support.factories import NOON

SUGGESTED = [
    ("v", ("course", "VAT Fundamentals for Finance Teams")),
    ("vat", ("course", "VAT Fundamentals for Finance Teams")),
    ("cross-bor", ("course", "Cross-Border VAT: Goods, Services and Platforms")),
    ("vat at the bor", ("item", "VAT at the Border")),
    ("ta", ("category", "Tax")),
    ("data & an", ("category", "Data & Analytics")),
    ("go", ("course", "Go for Internal Services")),
    ("c#", ("course", "C# for Automating Office Work")),
    ("ING", ("course", "Inglés para reuniones de finanzas")),
    ("naive for", ("course", "Naïve Forecasts and Beyond: Demand Planning Basics")),
    ("英文", ("course", "英文財務諸表の読み方と説明のしかた")),
    ("phising", ("course", "Phishing & Password Habits at Work")),
    ("exel pi", ("course", "Clean Data in Excel: Tables, Queries and Pivots")),
    ("exel pivots", ("course", "Clean Data in Excel: Tables, Queries and Pivots")),
    ("acounting", ("category", "Accounting & Reporting")),
    ("leadrship", ("category", "Leadership")),
    ("chairing meeting", ("course", "Chairing Meetings That End on Time")),
]


@pytest.mark.parametrize(("typed", "first"), SUGGESTED, ids=[typed for typed, _ in SUGGESTED])
def test_the_first_suggestion_is(demo, typed, first):
    suggestions = search_suggestions.suggest(demo, typed)
    assert (suggestions[0].kind, suggestions[0].text) == first
    assert len(suggestions) <= MAX_SUGGESTIONS


@pytest.mark.parametrize("typed", ["", " ", "!", "🙂", "qwrtz", "%", "_", "distance selling", "x" * 200])
def test_text_without_matches_suggests_nothing(demo, typed):
    assert search_suggestions.suggest(demo, typed) == []


def test_words_outside_names_suggest_no_course(demo):
    assert [item for item in search_suggestions.suggest(demo, "invoice") if "nvoice" not in item.text] == []


@pytest.mark.each_database
def test_past_queries_come_first_ignoring_accents_without_the_typed_one(demo):
    past = ["vat", "vat returns", "inglés financiero", "vat audit", "vat books"]
    suggestions = [(item.kind, item.text) for item in search_suggestions.suggest(demo, "VAT", past)]
    assert suggestions[:3] == [
        ("query", "vat returns"),
        ("query", "vat audit"),
        ("course", "VAT Fundamentals for Finance Teams"),
    ]
    assert search_suggestions.suggest(demo, "ingles", past)[0].text == "inglés financiero"


def test_a_suggestion_names_the_product_it_leads_to(demo):
    suggestion = search_suggestions.suggest(demo, "vat fundamentals")[0]
    assert (suggestion.kind, suggestion.slug) == ("course", "vat-fundamentals-finance-teams")
    assert suggestion.id > 0


def log(session, *queries, answer="exact", results=3):
    for number, text in enumerate(queries):
        search_query_log.log_query(session, text, results, answer, NOON + timedelta(seconds=number))


def logged(session):
    return list(session.scalars(select(SearchQuery.query).order_by(SearchQuery.id)))


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  VAT  Basics ", "vat basics"),
        ("Naïve", "naïve"),
        ("order ada@example.test please", "order {address} please"),
        ("4111 1111 1111 1111", "{number}"),
        ("+49 (0)170 1234567", "+49 (0){number}"),
        ("ifrs 15 and ias 12", "ifrs 15 and ias 12"),
        ("ﷺ" * 200, None),
    ],
)
def test_a_query_is_stored_without_personal_data(session, typed, stored):
    log(session, typed)
    assert logged(session) == [stored] if stored else len(logged(session)[0]) == 200


def test_popular_queries_are_frequent_have_results_and_only_known_words(demo):
    assert search_query_log.popular(demo, 4) == ["vat", "excel", "meetings", "ifrs"]
    assert {"acounting", "crypto"}.isdisjoint(search_query_log.popular(demo))


@pytest.mark.each_database
def test_an_optional_word_is_never_popular(demo):
    savepoint = demo.begin_nested()
    log(demo, *(4 * ["of", "the of", "books of tax"]))
    popular = search_query_log.popular(demo)
    savepoint.rollback()
    assert ("books of tax" in popular, {"of", "the of"}.isdisjoint(popular)) == (True, True)


@pytest.mark.each_database
def test_a_query_that_was_sent_once_or_twice_is_not_suggested(session):
    log(session, "vat", "vat")
    assert search_query_log.popular(session) == []


@pytest.mark.each_database
def test_the_log_has_queries_with_their_frequency_and_results(session):
    log(session, "crypto", results=0, answer="none")
    log(session, "crypto", "vat", "vat", "vat", results=4)
    log(session, "nfts", "nfts", results=0, answer="none")
    stats = [(row.query, row.times, row.results, row.answer) for row in search_query_log.query_stats(session, NOON, 9)]
    assert stats == [("vat", 3, 4, "exact"), ("crypto", 2, 4, "exact"), ("nfts", 2, 0, "none")]
    assert [row.query for row in search_query_log.query_stats(session, NOON, 9, nothing_only=True)] == ["nfts"]
    assert search_query_log.query_stats(session, NOON + timedelta(hours=1), 9) == []


@pytest.mark.each_database
def test_old_queries_are_deleted(session):
    search_query_log.log_query(session, "old", 1, "exact", NOON - timedelta(days=91))
    search_query_log.log_query(session, "recent", 1, "exact", NOON - timedelta(days=89))
    search_query_log.log_query(session, "new", 1, "exact", NOON)
    old = (NOON - timedelta(days=92), NOON - timedelta(days=90))
    assert query_log.count_between(session, *old) == 1
    assert [query_log.delete_some(session, *old) for _ in range(2)] == [1, 0]
    assert logged(session) == ["recent", "new"]
