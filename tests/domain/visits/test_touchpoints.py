"""Touchpoints of a learner, also those from before the sign-in."""

from datetime import timedelta

import pytest

from domain.visits import touchpoints, visits
from tests.support.factories import NOON

ADA, EVE = 7, 8
NEWS = {"utm_source": "news"}


def event(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def store(session, *sent) -> None:
    """Visits a minute apart, each `(browser session, learner or None, attribution)`."""
    rows = []
    for number, (browser, learner, attribution) in enumerate(sent):
        at = NOON + timedelta(minutes=number)
        about = {"session_id": browser, "learner_id": learner, "url": f"/{number}", **attribution}
        rows.append(visits.NewVisit(event(number), at.isoformat(), **about).as_dict())
    visits.store_visits(session, rows, NOON)


def urls_of(session, learner: int = ADA, since=NOON) -> list[tuple[str, bool]]:
    return [
        (touchpoint.url, touchpoint.was_anonymous)
        for touchpoint in touchpoints.learner_touchpoints(session, learner, since)
    ]


def test_a_visit_before_the_sign_in_is_the_learners(session):
    store(session, ("a", None, {"campaign": NEWS, "student_number": "S-9"}), ("a", ADA, {}))
    (touchpoint,) = touchpoints.learner_touchpoints(session, ADA, NOON)
    assert (
        touchpoint.campaign,
        touchpoint.student_number,
        touchpoint.url,
        touchpoint.at,
        touchpoint.was_anonymous,
    ) == (NEWS, "S-9", "/0", NOON, True)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([("a", None, {"coupon_id": "3"}), ("b", ADA, {})], [], id="another browser session"),
        pytest.param([("", None, {"coupon_id": "3"}), ("", ADA, {})], [], id="no session at all"),
        pytest.param([("a", None, {"coupon_id": "3"}), ("a", EVE, {}), ("a", ADA, {})], [], id="somebody else first"),
        pytest.param([("a", EVE, {"coupon_id": "3"}), ("a", ADA, {})], [], id="somebody else's"),
        pytest.param(
            [("a", EVE, {}), ("a", None, {"coupon_id": "3"}), ("a", ADA, {})], [("/1", True)], id="after somebody else"
        ),
        pytest.param([("a", ADA, {}), ("a", None, {"coupon_id": "3"})], [], id="signed out, and never back"),
        pytest.param(
            [("a", ADA, {"coupon_id": "3"}), ("a", ADA, {"coupon_id": "3"})], [("/0", False)], id="carried on"
        ),
        pytest.param(
            [("a", None, {"coupon_id": "3"}), ("a", None, {"special_coupon": "SPRING"}), ("a", ADA, {})],
            [("/0", True), ("/1", True)],
            id="changed",
        ),
        pytest.param(
            [("b", ADA, {"coupon_id": "1"}), ("a", ADA, {"coupon_id": "1"})],
            [("/0", False), ("/1", False)],
            id="two sessions, by time",
        ),
        pytest.param([("a", None, {}), ("a", ADA, {})], [], id="no attribution"),
        pytest.param(
            [("a", ADA, {"coupon_id": "3"}), ("A", ADA, {}), ("a", ADA, {"coupon_id": "3"})],
            [("/0", False)],
            id="ids that differ in case",
        ),
    ],
)
def test_a_touchpoint_belongs_to_the_right_learner(session, rows, expected):
    store(session, *rows)
    assert urls_of(session) == expected


@pytest.mark.each_database
def test_older_touchpoints_are_left_out(session):
    store(session, ("a", None, {"coupon_id": "3"}), ("a", ADA, {"coupon_id": "4"}))
    assert urls_of(session, since=NOON + timedelta(minutes=1)) == [("/1", False)]


LINK = {"source": "host", "campaign": NEWS, "partner": "northwind"}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(
            [("", None, LINK), ("a", None, {"referral_id": event(0)}), ("a", ADA, {})],
            [("/0", True)],
            id="before sign-in",
        ),
        pytest.param([("", None, LINK), ("a", ADA, {"referral_id": event(0)})], [("/0", True)], id="signed in already"),
        pytest.param(
            [("", None, LINK), ("a", None, {**LINK, "source": "browser", "referral_id": event(0)}), ("a", ADA, {})],
            [("/0", True)],
            id="the target page repeats it",
        ),
        pytest.param([("", None, LINK), ("a", None, {"referral_id": event(0)})], [], id="never signed in"),
        pytest.param([("", None, LINK), ("a", None, {}), ("a", ADA, {})], [], id="not referred to"),
        pytest.param(
            [("", None, LINK), ("a", None, {"referral_id": event(0)}), ("a", EVE, {}), ("a", ADA, {})],
            [],
            id="somebody else first",
        ),
        pytest.param(
            [("b", None, {"coupon_id": "3"}), ("a", ADA, {"referral_id": event(0)})],
            [],
            id="a visit of another session",
        ),
        pytest.param(
            [("", None, {"coupon_id": "3"}), ("a", ADA, {"referral_id": event(0)})], [], id="a private visit, no link"
        ),
        pytest.param(
            [("", None, LINK), ("b", EVE, {"referral_id": event(0)}), ("a", ADA, {"referral_id": event(0)})],
            [],
            id="taken by an earlier visit, of another host process",
        ),
        pytest.param(
            [("", None, LINK), ("a", ADA, {"referral_id": event(0)}), ("b", ADA, {"referral_id": event(0)})],
            [("/0", True)],
            id="taken twice, by two tabs at two host processes",
        ),
    ],
)
def test_a_link_belongs_to_the_session_of_the_visit_that_refers_to_it(session, rows, expected):
    store(session, *rows)
    assert urls_of(session) == expected


@pytest.mark.each_database
def test_the_touchpoint_of_a_link_has_its_campaign_partner_and_referrer_and_the_session_of_the_visit(session):
    store(session, ("", None, {**LINK, "referrer": "https://news.example/"}), ("a", ADA, {"referral_id": event(0)}))
    (touchpoint,) = touchpoints.learner_touchpoints(session, ADA, NOON)
    assert (touchpoint.campaign, touchpoint.partner, touchpoint.referrer, touchpoint.session_id) == (
        NEWS,
        "northwind",
        "https://news.example/",
        "a",
    )


def test_a_link_before_the_period_is_left_out(session):
    store(session, ("", None, LINK), ("a", ADA, {"referral_id": event(0)}))
    assert urls_of(session, since=NOON + timedelta(minutes=1)) == []
