"""Suggestions while somebody types, and the log of queries that feeds them."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain import search
from domain.search import queries
from domain.search.suggesting import MOST
from domain.tables import SearchQuery
from tests.factories import NOON

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
    ("chairing meeting", ("course", "Chairing Meetings That End on Time")),
]


@pytest.mark.parametrize(("typed", "first"), SUGGESTED, ids=[typed for typed, _ in SUGGESTED])
def test_the_first_suggestion_is(demo, typed, first):
    found = search.suggest(demo, typed)
    assert (found[0].kind, found[0].text) == first
    assert len(found) <= MOST


@pytest.mark.parametrize("typed", ["", " ", "!", "🙂", "qwrtz", "%", "_", "distance selling", "x" * 200])
def test_what_leads_nowhere_suggests_nothing(demo, typed):
    assert search.suggest(demo, typed) == []


def test_a_word_of_a_text_is_no_reason_to_suggest_a_course(demo):
    assert [one for one in search.suggest(demo, "invoice") if "nvoice" not in one.text] == []


def test_past_queries_come_first_whatever_their_accents_but_not_what_is_typed_already(demo):
    past = ["vat", "vat returns", "inglés financiero", "vat audit", "vat books"]
    found = [(one.kind, one.text) for one in search.suggest(demo, "VAT", past)]
    assert found[:3] == [
        ("query", "vat returns"),
        ("query", "vat audit"),
        ("course", "VAT Fundamentals for Finance Teams"),
    ]
    assert search.suggest(demo, "ingles", past)[0].text == "inglés financiero"


def test_a_suggestion_names_the_product_it_leads_to(demo):
    found = search.suggest(demo, "vat fundamentals")[0]
    assert (found.kind, found.slug) == ("course", "vat-fundamentals-finance-teams")
    assert found.id > 0


def note(session, *asked, answer="exact", results=3):
    for number, text in enumerate(asked):
        search.remember(session, text, results, answer, NOON + timedelta(seconds=number))


def kept(session):
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
def test_a_query_is_kept_without_what_may_name_a_person(session, typed, stored):
    note(session, typed)
    assert kept(session) == [stored] if stored else len(kept(session)[0]) == 200


def test_popular_is_what_several_asked_for_in_words_of_the_catalogue_and_found(demo):
    assert search.popular(demo, 4) == ["vat", "excel", "meetings", "ifrs"]
    assert {"acounting", "crypto"}.isdisjoint(search.popular(demo))


def test_a_word_that_says_nothing_is_never_popular(demo):
    savepoint = demo.begin_nested()
    note(demo, *(4 * ["of", "the of", "books of tax"]))
    found = search.popular(demo)
    savepoint.rollback()
    assert ("books of tax" in found, {"of", "the of"}.isdisjoint(found)) == (True, True)


def test_what_one_or_two_asked_for_is_nobodys_suggestion(session):
    note(session, "vat", "vat")
    assert search.popular(session) == []


def test_the_log_tells_what_was_asked_how_often_and_whether_it_was_found(session):
    note(session, "crypto", results=0, answer="none")
    note(session, "crypto", "vat", "vat", "vat", results=4)
    note(session, "nfts", "nfts", results=0, answer="none")
    told = [(one.query, one.times, one.results, one.answer) for one in search.asked(session, NOON, 9)]
    assert told == [("vat", 3, 4, "exact"), ("crypto", 2, 4, "exact"), ("nfts", 2, 0, "none")]
    assert [one.query for one in search.asked(session, NOON, 9, nothing_only=True)] == ["nfts"]
    assert search.asked(session, NOON + timedelta(hours=1), 9) == []


def test_old_queries_go(session, monkeypatch):
    monkeypatch.setattr(queries, "_TIDY_EVERY", 1)
    search.remember(session, "old", 1, "exact", NOON - timedelta(days=91))
    search.remember(session, "recent", 1, "exact", NOON - timedelta(days=89))
    search.remember(session, "new", 1, "exact", NOON)
    assert kept(session) == ["recent", "new"]
