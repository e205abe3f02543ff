"""Touchpoints of a learner, also those from before the sign-in."""

from datetime import timedelta

import pytest

from domain.visits import touchpoints
from tests.domain.visits.days.worlds import DAY, LATER, NOON, add, builder, event, link, visit
from tests.support import factories

ADA, EVE = 7, 8
MINUTE, ONE_DAY = timedelta(minutes=1), timedelta(days=1)
NEWS = "/?utm_source=news"


def urls_of(database, rows, learner: int = ADA, since=NOON) -> list[tuple[int, bool]]:
    """The numbers of the touchpoints among visits a minute apart, each `(browser session, learner or None, more)`, and
    whether nobody was signed in."""
    with database.write_session() as session:
        for code in ("AUTUMN", "SPRING"):
            factories.coupon(session, code)
        factories.organisation(session, "northwind")
        for number, (browser, learner_id, about) in enumerate(rows):
            more = {"url": "/shop", **about}
            at = NOON + number * MINUTE
            add(session, visit(number, at, session_id=browser, learner_id=learner_id, **more))
    builder(database).build(DAY)
    with database.read_session() as session:
        found = touchpoints.of_learners(session, {learner}, since)
    return [(int(touchpoint.row.event_id.replace("-", ""), 16), touchpoint.row.was_anonymous) for touchpoint in found]


SPRING, AUTUMN, GUESS = {"coupon_id": "Spring"}, {"coupon_id": "AUTUMN"}, {"coupon_id": "GUESS"}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([("a", None, {}), ("a", ADA, {})], [(0, True)], id="before the sign-in"),
        pytest.param([("a", None, SPRING), ("b", ADA, {})], [(1, False)], id="another browser session"),
        pytest.param([("", None, SPRING), ("", ADA, {})], [], id="no session at all"),
        pytest.param([("a", None, SPRING), ("a", EVE, {}), ("a", ADA, {})], [], id="somebody else first"),
        pytest.param([("a", EVE, SPRING), ("a", ADA, {})], [], id="somebody else's"),
        pytest.param([("a", EVE, {}), ("a", None, SPRING), ("a", ADA, {})], [(1, True)], id="after somebody else"),
        pytest.param([("a", ADA, {}), ("a", None, SPRING)], [(0, False)], id="signed out, and never back"),
        pytest.param([("a", ADA, SPRING), ("a", ADA, SPRING), ("a", ADA, {})], [(0, False)], id="carried on"),
        pytest.param([("a", None, SPRING), ("a", None, AUTUMN), ("a", ADA, {})], [(0, True), (1, True)], id="changed"),
        pytest.param(
            [("a", ADA, SPRING), ("a", ADA, AUTUMN), ("a", ADA, SPRING)],
            [(0, False), (1, False), (2, False)],
            id="back",
        ),
        pytest.param([("a", ADA, {}), ("a", ADA, GUESS)], [(0, False)], id="a code that nobody knows"),
        pytest.param([("b", ADA, SPRING), ("a", ADA, SPRING)], [(0, False), (1, False)], id="two sessions"),
        pytest.param([("a", ADA, SPRING), ("A", None, AUTUMN)], [(0, False)], id="ids that differ in case"),
        pytest.param([("a", ADA, SPRING), ("a ", None, AUTUMN)], [(0, False)], id="ids that differ in a space"),
    ],
)
@pytest.mark.each_database
def test_a_touchpoint_belongs_to_the_right_learner(database, rows, expected):
    assert urls_of(database, rows) == expected


def test_older_touchpoints_are_left_out(database):
    assert urls_of(database, [("a", None, SPRING), ("a", ADA, AUTUMN)], since=NOON + MINUTE) == [(1, False)]


def test_a_visit_of_a_program_is_none(database):
    rows = [("a", None, {"visitor_class": "suspected"}), ("a", None, {"url": "/.env"}), ("b", ADA, {})]
    assert urls_of(database, rows) == [(2, False)]


def test_a_session_that_goes_on_over_midnight_brings_no_second_one(database):
    midnight = NOON + ONE_DAY / 2
    with database.write_session() as session:
        add(session, visit(1, midnight - MINUTE, NEWS, "a"), visit(2, midnight + MINUTE, "/", "a", learner_id=ADA))
        add(session, visit(3, midnight - MINUTE, NEWS, "b"), visit(4, midnight + 40 * MINUTE, "/", "b", learner_id=ADA))
    for day in (DAY + ONE_DAY, DAY):
        assert builder(database).build(day)
    with database.read_session() as session:
        found = touchpoints.of_learners(session, {ADA})
    assert [(one.row.event_id, one.row.source, one.day) for one in found] == [
        (event(1), "news", DAY),
        (event(3), "news", DAY),
        (event(4), "(none)", DAY + ONE_DAY),
    ]


def test_the_touchpoint_of_a_link_has_its_source_and_the_page_and_session_of_the_visit(database):
    with database.write_session() as session:
        factories.organisation(session, "northwind")
        target = visit(2, NOON + MINUTE, "/about", "a", learner_id=ADA, referral_id=event(1))
        add(session, link(1, NOON, "/d?utm_content=b", page="doorway", partner="northwind"), target)
    builder(database, LATER).build(DAY)
    with database.read_session() as session:
        (found,) = touchpoints.of_learners(session, {ADA})
    row = found.row
    assert (row.event_id, row.session_id, row.channel, row.partner) == (event(1), "a", "partner", "northwind")
    assert (row.content, row.landing, row.coupon, row.was_anonymous) == ("b", "/about", "(none)", True)
