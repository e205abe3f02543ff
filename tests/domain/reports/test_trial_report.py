"""The report of trials of the special offer: the numbers of each trial's own page, in one list."""

from datetime import timedelta

import pytest

from domain.coupons.trials.schedule import MIN_PAIRS
from domain.reports.coupon_trials import result
from domain.reports.sale_reports.trials import DEFINITIONS, FIGURES
from domain.reports.visit_reports.figures import definitions
from domain.tables import CouponTrial
from tests.domain.coupons.test_trials import LATER, PLAN, sold, stored_hours
from tests.domain.reports.report_worlds import ask
from tests.support import factories

DAY = timedelta(days=1)
NO_PERIOD = {"from": "", "to": ""}


def trial(session, coupon_id, plan=PLAN, **about):
    facts = {"starts_at": plan.starts_at, "ends_at": plan.ends_at, "block_hours": plan.block_hours, "seed": plan.seed}
    row = CouponTrial(**{"coupon_id": coupon_id, "created_at": plan.starts_at, **facts, **about})
    session.add(row)
    session.flush()
    return row.id


def fill(database, pairs=MIN_PAIRS):
    """A trial that is over, in which the offer brought 90.00 more by 100 sessions; and one that is planned."""
    with database.write_session() as session:
        offer = factories.coupon(session, "=SPRING").id
        stored_hours(session, shown=(400, 40), hidden=(500, 30))
        for number in range(pairs):
            shown, hidden = sorted(PLAN.pair(number), key=lambda block: not block.is_on)
            sold(session, shown.counted_from, 2 * number, 100_000 + 100 * number)
            sold(session, hidden.counted_from, 2 * number + 1, 80_000)
        later = {"starts_at": LATER + DAY, "ends_at": LATER + 21 * DAY}
        return trial(session, offer), trial(session, offer, **later)


@pytest.mark.each_database
def test_each_trial_is_a_row_with_what_its_page_says(database):
    over, planned = fill(database)
    found = ask(database, "trials", LATER, **NO_PERIOD)
    assert [(row.label, row.words["state"], row.href) for row in found.rows] == [
        ("=SPRING", "Planned", f"/admin/coupons/trials/{planned}"),
        ("=SPRING", "Over", f"/admin/coupons/trials/{over}"),
    ]
    figures = found.rows[1].figures
    assert [figures[key] for key in ("pairs", "sessions", "paidOn", "paidOff", "paidLow", "paidHigh")] == [
        *(20, 18_000, 10.0, 6.0, 4.0, 4.0)
    ]
    with database.read_session() as session:
        own = result(session, PLAN, PLAN.ends_at, LATER, "USD").net
    assert (figures["netLow"], figures["netHigh"]) == (round(100 * own.low), round(100 * own.high))
    assert (found.rows[1].words["verdict"], found.rows[0].words["verdict"]) == ("Brings more", "Too few pairs")
    assert (found.rows[0].figures["pairs"], found.rows[0].figures.get("netLow")) == (0, None)
    assert [found.totals[key] for key in ("trials", "pairs", "sessions", "paidOn")] == [2, 20, 18_000, 10.0]


def test_orders_in_another_currency_count_as_paid_alone_and_a_note_says_so(database):
    fill(database)
    found = ask(database, "trials", LATER, **NO_PERIOD, currency="JPY")
    assert (found.currency, found.rows[1].figures["netLow"], found.rows[1].figures["paidOn"]) == ("JPY", 0, 10.0)
    assert any("Orders in other currencies, which count as paid: 40." in note for note in found.notes)


def test_without_trials_the_report_says_how_to_start_one(database):
    assert ask(database, "trials", LATER, **NO_PERIOD).empty.startswith("No trial of the special offer")


def test_the_worked_examples_are_what_the_report_computes():
    texts = definitions(DEFINITIONS / "trials.json")
    sums = {"sessions_on": 400, "paid_on": 40, "sessions_off": 500, "paid_off": 30}
    assert ("10%" in texts["paidOn"].example, FIGURES["paidOn"].compute(sums)) == (True, 10.0)
    assert ("6%" in texts["paidOff"].example, FIGURES["paidOff"].compute(sums)) == (True, 6.0)
