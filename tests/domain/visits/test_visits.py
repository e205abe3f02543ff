"""Visits: cleaning of their fields, and storing batches so that each visit counts once and none is lost."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.tables import DeadLetter, Visit
from domain.visits import visits
from tests.support.factories import NOON


def event(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def row(number: int, **about) -> dict:
    return replace(visits.NewVisit(event(number), NOON.isoformat(), url=f"/shop?n={number}"), **about).as_dict()


def stored(session) -> list[str]:
    session.expire_all()
    return list(session.scalars(select(Visit.url).order_by(Visit.id)))


def test_a_visit_is_stored_with_all_its_fields(session):
    about = {
        "session_id": "5f0e9b1c-0000-4000-8000-0000000000aa",
        "page": "shop",
        "url": "/shop?utm_source=news",
        "claimed_id": 7,
        "coupon_id": "3",
        "student_number": "S-9",
        "special_coupon": "SPRING",
        "campaign": {"utm_source": "news"},
        "referrer": "https://search.example/",
        "referral_id": event(9),
        "partner": "northwind",
        "visitor_class": "crawler",
        "source": "host",
        "agent": "Googlebot",
        "address": "192.0.2.0/24",
    }
    visits.store_visits(session, [row(1, **about)], NOON)
    stored = visits.of_session(session, about["session_id"])
    assert [{name: getattr(visit, name) for name in about} for visit in stored] == [about]
    assert [(visit.event_id, visit.visited_at, visit.learner_id) for visit in stored] == [(event(1), NOON, None)]


@pytest.mark.each_database
def test_a_batch_delivered_twice_counts_once(session):
    rows = [row(number) for number in range(1, 201)]
    visits.store_visits(session, rows, NOON)
    visits.store_visits(session, rows, NOON)
    assert stored(session) == [f"/shop?n={number}" for number in range(1, 201)]


@pytest.mark.each_database
def test_the_first_delivery_of_an_event_stays_as_it_is(session):
    visits.store_visits(session, [row(1)], NOON)
    visits.store_visits(session, [row(1, url="/forged"), row(2)], NOON)
    assert stored(session) == ["/shop?n=1", "/shop?n=2"]


@pytest.mark.each_database
def test_one_event_twice_in_one_batch_counts_once(session):
    visits.store_visits(session, [row(1), row(2), row(1)], NOON)
    assert stored(session) == ["/shop?n=1", "/shop?n=2"]


def test_an_empty_batch_changes_nothing(session):
    visits.store_visits(session, [], NOON)
    assert stored(session) == []


# Rows that no host of this build sends: from other builds, or written into the queue by others.
BAD_ROWS = {"naive time": {**row(2), "at": "2026-03-01T12:00:00"}}
BAD_FORMS = {
    "no time": {"event_id": event(2)},
    "bad time": {**row(2), "at": "yesterday"},
    "null time": {**row(2), "at": None},
    "no event id": {name: value for name, value in row(2).items() if name != "event_id"},
    "null event id": {**row(2), "event_id": None},
    "no row": None,
    "endless number": {**row(2), "claimed_id": 2**80},
    "half a character": {**row(2), "agent": "\ud800"},
}


@pytest.mark.each_database
@pytest.mark.parametrize(
    "bad",
    [
        *(pytest.param(bad, id=name) for name, bad in BAD_ROWS.items()),
        *(pytest.param(bad, id=name) for name, bad in BAD_FORMS.items()),
    ],
)
def test_a_row_that_cannot_be_stored_becomes_a_dead_letter_and_the_others_are_stored(session, bad):
    visits.store_visits(session, [row(1), bad, row(3)], NOON)
    assert stored(session) == ["/shop?n=1", "/shop?n=3"]
    letter = session.scalars(select(DeadLetter)).one()
    assert (letter.task, letter.failed_at) == ("visits.store", NOON)
    assert letter.error


def test_a_row_of_a_newer_build_is_stored_without_the_field_that_is_not_known(session):
    visits.store_visits(session, [{**row(1), "colour": "red"}], NOON)
    assert stored(session) == ["/shop?n=1"]
    assert session.scalars(select(DeadLetter)).first() is None


def test_a_dead_letter_has_the_row(session):
    visits.store_visits(session, [BAD_ROWS["naive time"]], NOON)
    assert session.scalars(select(DeadLetter.body)).one()["url"] == "/shop?n=2"


def test_visits_are_counted_and_listed_by_session_and_time(session):
    one_later = (NOON + timedelta(minutes=1)).isoformat()
    visits.store_visits(
        session, [row(1, session_id="a", at=one_later), row(2, session_id="a"), row(3, session_id="b")], NOON
    )
    assert visits.count_of_session(session, "a") == 2
    assert [visit.event_id for visit in visits.of_session(session, "a")] == [event(2), event(1)]
    assert [visit.event_id for visit in visits.latest(session, NOON + timedelta(seconds=1), 9)] == [event(1)]
    assert [visit.event_id for visit in visits.latest(session, NOON, 1)] == [event(1)]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:aa:bb::1", "2001:db8:aa::/48"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("127.0.0.1", "127.0.0.0/24"),
        ("", ""),
        ("unix:", ""),
        ("192.0.2.256", ""),
    ],
)
def test_an_ip_address_is_reduced_to_its_network(address, expected):
    assert visits.anonymise_ip(address) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/shop?page=2", "/shop?page=2"),
        ("/email-verify/s3cret?x=1", "/email-verify/{token}?x=1"),
        ("/sh\x00op\r\n?a=\u2028b\x9f", "/shop?a=b"),
        ("/shop?q=\ud800x", "/shop?q=x"),
        ("/\x00email-verify/s3cret", "/email-verify/{token}"),
        ("/shop?q=" + "x" * 3000, "/shop?q=" + "x" * 2040),
        ("/shop?" + "x" * 2037 + "&token=s3cret", "/shop?" + "x" * 2037 + "&toke"),
        ("/shop?q=📚", "/shop?q=📚"),
        ("", ""),
    ],
)
def test_a_url_is_stored_without_secrets_and_truncated(url, expected):
    assert visits.clean_url(url) == expected
    assert len(expected) <= visits.URL_LENGTH


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("/", "home"),
        ("/shop?page=2", "shop"),
        ("/email-verify/{token}", "email-verify"),
        ("/shop-details/7", "shop-details"),
        ("/nothing", ""),
        ("", ""),
    ],
)
def test_a_visit_names_its_page(url, page):
    assert visits.page_of(url) == page


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [("abc", 2, "ab"), ("a\tb\x7f\x85c", 9, "abc"), ("\ud83d\ude00", 9, ""), ("ä📚", 2, "ä📚"), ("", 5, "")],
)
def test_text_is_stored_without_control_characters(text, length, expected):
    assert visits.clean_text(text, length) == expected
