"""Raw visits as a day reads them: what many of them share comes as one text from the database."""

import pytest

from domain.visits.raw.day_rows import DayRow, rows_of
from domain.visits.raw.local_days import DayRules
from domain.visits.raw.visit_context import BY_PROGRAM, BY_SCRIPT
from tests.domain.visits.days.worlds import DAY, NOON, add, crawl, visit

# Quotes, a backslash, a line, emoji, Arabic, an ampersand, and words that JSON has of its own.
HOSTILE = '"\'\\ \n\u2028😀 عربي & null true [1, {"a": 2}]'
WORDS = "null"


def read(session) -> list[DayRow]:
    return sorted(rows_of(session, DayRules().window(DAY)), key=lambda row: row.event_id)


@pytest.mark.each_database
def test_texts_of_visitors_come_back_as_they_were_sent(session):
    texts = {"coupon_id": HOSTILE, "student_number": WORDS, "special_coupon": "7", "partner": "{}"}
    about = {"referrer": HOSTILE, "agent": WORDS, "campaign": {"utm_source": HOSTILE, "utm_term": "[]"}}
    add(session, visit(1, NOON, **texts, **about))
    (row,) = read(session)
    assert row.context.values == (HOSTILE, "7", WORDS, "{}")
    assert (row.context.referrer, row.context.agent) == (HOSTILE, WORDS)
    assert row.context.campaign == {"utm_source": HOSTILE, "utm_term": "[]"}


@pytest.mark.each_database
def test_what_the_host_noted_of_a_crawler_stays_text(session):
    noted = '{"status": 304, "ms": 7}'
    add(session, crawl(1, NOON, ip_hash="00ff", evidence=4, attributes=noted))
    (row,) = read(session)
    assert (row.context.ip_hash, row.context.attributes, row.context.signs) == ("00ff", noted, 4)


@pytest.mark.each_database
def test_signs_say_who_sent_a_visit(session):
    about = {"evidence": 3, "ip_hash": "", "attributes": None}
    add(
        session,
        visit(1, NOON, **about),
        visit(2, NOON, source="host", visitor_class="suspected", **about),
    )
    assert [row.context.signs for row in read(session)] == [3 | BY_SCRIPT, 3 | BY_PROGRAM]


@pytest.mark.each_database
def test_visits_that_say_the_same_share_what_is_found_out_about_it(session):
    add(session, visit(1, NOON), visit(2, NOON), visit(3, NOON, agent="Safari"), visit(4, NOON, agent="safari"))
    contexts = [row.context for row in read(session)]
    assert contexts[0] is contexts[1]
    assert len(set(contexts)) == 3
