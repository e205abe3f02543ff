"""Touches: what brought a learner here, joined from before the sign-in."""

from datetime import timedelta

import pytest

from domain import touches, visits
from tests.factories import NOON

ADA, EVE = 7, 8
NEWS = {"utm_source": "news"}


def keep(session, *given) -> None:
    """Visits a minute apart, each `(browser session, learner or None, marks)`."""
    rows = []
    for number, (browser, learner, marks) in enumerate(given):
        at = NOON + timedelta(minutes=number)
        event = f"00000000-0000-4000-8000-{number:012}"
        about = {"session_id": browser, "learner_id": learner, "url": f"/{number}", **marks}
        rows.append(visits.Row(event, at.isoformat(), **about).as_dict())
    visits.store(session, rows, NOON)


def found(session, learner: int = ADA, since=NOON) -> list[tuple[str, bool]]:
    return [(one.url, one.is_joined) for one in touches.of_learner(session, learner, since)]


def test_a_visit_before_the_sign_in_is_the_learners(session):
    keep(session, ("a", None, {"campaign": NEWS, "student_number": "S-9"}), ("a", ADA, {}))
    (one,) = touches.of_learner(session, ADA, NOON)
    assert (one.campaign, one.student_number, one.url, one.at, one.is_joined) == (NEWS, "S-9", "/0", NOON, True)


@pytest.mark.parametrize(
    ("given", "expected"),
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
        pytest.param([("a", None, {}), ("a", ADA, {})], [], id="no marks"),
        pytest.param(
            [("a", ADA, {"coupon_id": "3"}), ("A", ADA, {}), ("a", ADA, {"coupon_id": "3"})],
            [("/0", False)],
            id="ids that differ in case",
        ),
    ],
)
def test_whose_a_touch_is(session, given, expected):
    keep(session, *given)
    assert found(session) == expected


def test_what_is_older_than_asked_for_is_left_out(session):
    keep(session, ("a", None, {"coupon_id": "3"}), ("a", ADA, {"coupon_id": "4"}))
    assert found(session, since=NOON + timedelta(minutes=1)) == [("/1", False)]
