"""What the page of a retired product answers, when that changes by itself, and what is proposed."""

from datetime import timedelta

import pytest

from domain.catalogue.retirement_rules import RetiredPage, next_status, proposal, retirement_status
from domain.display_text import day_text
from tests.support.factories import NOON

DAY = timedelta(days=1)
QUIET, VISITED = NOON - 365 * DAY, NOON - 364 * DAY
ENDS = NOON + DAY
COURSE = RetiredPage("course", "auto", VISITED, has_successor=True)


@pytest.mark.parametrize(
    ("page", "status", "later"),
    [
        (
            RetiredPage("course", "auto", NOON - 365 * DAY + timedelta(seconds=1), has_successor=False),
            "landing",
            "gone",
        ),
        (RetiredPage("course", "auto", VISITED, has_successor=True), "landing", "unlisted"),
        (RetiredPage("course", "auto", QUIET, has_successor=True), "unlisted", None),
        (RetiredPage("course", "auto", QUIET, has_successor=False), "gone", None),
        (RetiredPage("course", "landing", VISITED, has_successor=False), "landing", None),
        (RetiredPage("course", "landing", QUIET, has_successor=False), "landing", None),
        (RetiredPage("course", "redirect", VISITED, has_successor=True), "redirect", None),
        (RetiredPage("course", "redirect", QUIET, has_successor=True), "redirect", None),
        (RetiredPage("course", "redirect", VISITED, has_successor=False), "unlisted", "gone"),
        (RetiredPage("course", "redirect", QUIET, has_successor=False), "gone", None),
        (RetiredPage("course", "gone", VISITED, has_successor=True), "gone", None),
        (RetiredPage("item", "auto", VISITED, has_successor=True), "redirect", None),
        (RetiredPage("item", "auto", VISITED, has_successor=False), "gone", None),
        (RetiredPage("item", "redirect", VISITED, has_successor=False), "gone", None),
        (RetiredPage("item", "gone", VISITED, has_successor=True), "gone", None),
    ],
)
def test_the_page_of_a_retired_product_answers_as_decided_or_by_the_rule(page, status, later):
    assert retirement_status(page, NOON) == status
    assert next_status(page, NOON) == (None if later is None else (page.quiet_from, later))


def test_the_day_of_the_change_is_12_months_after_the_last_activity():
    page = RetiredPage("course", "auto", VISITED, has_successor=False)
    assert next_status(page, NOON) == (ENDS, "gone")
    assert retirement_status(page, ENDS) == "gone"


@pytest.mark.parametrize(
    ("page", "visits", "choice", "reason"),
    [
        (COURSE, 1, "landing", "In the last 12 months people opened its page once."),
        (COURSE, 1234, "landing", "In the last 12 months people opened its page 1,234 times."),
        (COURSE, 0, "landing", f"Its page was last in use on {day_text(VISITED)}: search engines may still know it."),
        (
            *(COURSE._replace(last_active_at=QUIET), 0, "redirect"),
            f"Its page was last in use on {day_text(QUIET)}, more than 12 months ago, and VAT 2 takes its place.",
        ),
        (
            *(COURSE._replace(last_active_at=QUIET, has_successor=False), 0, "gone"),
            f"Its page was last in use on {day_text(QUIET)}, more than 12 months ago, and nothing takes its place.",
        ),
        (COURSE._replace(kind="item"), 9, "redirect", "VAT 2 takes its place, and an item has no landing page."),
        (
            *(COURSE._replace(kind="item", has_successor=False), 9, "gone"),
            "Nothing takes its place, and an item has no landing page.",
        ),
    ],
)
def test_a_proposal_has_its_reason(page, visits, choice, reason):
    assert proposal(page, visits, "VAT 2", NOON) == (choice, reason)


def test_what_was_decided_changes_no_proposal():
    wanted = {
        proposal(RetiredPage("course", choice, QUIET, has_successor=True), 0, "VAT 2", NOON).choice
        for choice in ("auto", "landing", "redirect", "gone")
    }
    assert wanted == {"redirect"}
