"""Trials of the special offer in the area for staff: started with dates and a forecast, watched, stopped; meanwhile
nobody is offered the hidden coupon, and its code stays valid."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from domain.audit.recording import Subject
from domain.coupons.trials.schedule import MIN_PAIRS, TrialPlan
from domain.staff.recorded_events import subject_entries
from domain.tables import CouponTrial, VisitRollup
from tests.domain.coupons.test_trials import PLAN, sold, stored_hours
from tests.host.signing import learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by
from tests.support import factories

HOUR = timedelta(hours=1)


@pytest.fixture
async def marketer(own_site):
    return learner(own_site, "Mia Marketer", area="admin", roles=["marketer"])


@pytest.fixture
def offer(own_site) -> int:
    with own_site.db.write_session() as session:
        return factories.coupon(session, "SPRING15", is_special=True).id


async def page(person, path):
    response = await person.site.get(f"/data{path}", **sent_by(person))
    return response.status, (await response.json()).get("props")


async def start(marketer):
    """As the form does it, from what it holds at first; the id of the trial."""
    _, props = await page(marketer, "/admin/coupons/trials/new")
    status, outcome = await marketer.call("admin/coupons/trials", **body_of(props["form"], reason="Does it pay?"))
    assert status == 201
    return int(outcome["href"].rpartition("/")[2])


async def test_a_trial_is_foreseen_started_watched_and_stopped(own_site, marketer, offer):
    status, props = await page(marketer, "/admin/coupons/trials/new")
    assert (status, props["form"]["text"].split(" is ")[0]) == (200, "SPRING15")
    body = body_of(props["form"], reason="Does it pay?")
    assert (body["blockHours"], body["pairs"]) == ("12", 28)
    status, preview = await marketer.call("admin/coupons/trials/preview", **body)
    assert (status, len(preview["effects"])) == (200, 4)
    assert "SPRING15 is shown in one half of 56 blocks of 12 hours and hidden in the other" in preview["effects"][0]
    assert preview["effects"][3].startswith("How sure the result will be is not known")
    trial_id = await start(marketer)
    _, shown = await page(marketer, f"/admin/coupons/trials/{trial_id}")
    assert (shown["heading"], shown["intervals"], shown["warnings"]) == ("Trial of SPRING15", [], [])
    assert shown["progress"].startswith("The trial begins on ")
    assert [action["id"] for action in shown["actions"]] == ["stop"]
    _, listed = await page(marketer, "/admin/coupons/trials")
    assert [row["cells"][1]["text"] for row in listed["table"]["rows"]] == ["Planned"]
    assert listed["links"] == [{"text": "Start a trial", "href": "/admin/coupons/trials/new"}]
    assert (await marketer.call("admin/coupons/trials", **body))[0] == 403
    stopped = await marketer.call(f"admin/coupons/trials/{trial_id}/stop", reason="The wrong offer")
    assert stopped[1]["text"] == "The trial is stopped: the offer is shown to everybody."
    assert (await marketer.call(f"admin/coupons/trials/{trial_id}/stop", reason="Again"))[1]["text"] == (
        "The trial is over already."
    )
    with own_site.db.read_session() as session:
        events = subject_entries(session, Subject("coupon_trial", trial_id))
        assert [event.action for event in events] == ["coupon_trial.stop", "coupon_trial.start"]


async def test_while_it_is_hidden_nobody_is_offered_it_and_its_code_stays_valid(own_site, marketer, offer):
    ada, trial_id = learner(own_site), await start(marketer)
    now = datetime.now(UTC)
    with own_site.db.write_session() as session:
        row = session.get_one(CouponTrial, trial_id)
        # The trial began so that this moment is in the middle of the block that is hidden.
        row.starts_at = now
        hidden = next(block for block in _plan(row).pair(0) if not block.is_on)
        row.starts_at = now - (hidden.starts_at - now) - HOUR
    assert (await ada.call("GetSpecialCouponDetail"))[1] == {"Status": "failed", "CouponID": 0, "Coupon": ""}
    assert (await ada.call("getcoupondetail", coupon="spring15"))[1]["Status"] == "success"
    _, shown = await page(marketer, f"/admin/coupons/trials/{trial_id}")
    assert "The offer is hidden at this moment." in shown["progress"]
    assert (await marketer.call(f"admin/coupons/trials/{trial_id}/stop", reason="Enough"))[0] == 200
    assert (await ada.call("GetSpecialCouponDetail"))[1]["Coupon"] == "SPRING15"


def _plan(row: CouponTrial) -> TrialPlan:
    return TrialPlan(row.starts_at, row.ends_at, row.block_hours, row.seed)


async def test_a_trial_that_is_over_says_in_words_and_numbers_what_it_has_shown(own_site, marketer, offer):
    with own_site.db.write_session() as session:
        stored_hours(session, shown=(400, 40), hidden=(500, 30))
        for number in range(MIN_PAIRS):
            shown, hidden = sorted(PLAN.pair(number), key=lambda block: not block.is_on)
            sold(session, shown.counted_from, 2 * number, 100_000 + number)
            sold(session, hidden.counted_from, 2 * number + 1, 80_000)
        facts = {"starts_at": PLAN.starts_at, "ends_at": PLAN.ends_at, "block_hours": 12, "seed": PLAN.seed}
        row = CouponTrial(coupon_id=offer, created_at=PLAN.starts_at, **facts)
        session.add(row)
        session.flush()
        trial_id = row.id
    _, shown = await page(marketer, f"/admin/coupons/trials/{trial_id}")
    assert shown["progress"] == "20 of 20 pairs are counted."
    paid, net = shown["intervals"]
    assert paid["verdict"] == (
        "More people buy when the offer is shown: of 100 sessions, 4.00 to 4.00 more end in a paid order."
    )
    assert (net["verdict"][:15], net["meanText"]) == ("The offer pays:", "+$90.02")
    assert [row[0]["text"] for row in shown["tables"][0]["rows"]] == ["Shown", "Hidden"]
    assert len(shown["tables"][1]["rows"]) == 20


async def test_an_offer_that_was_replaced_meanwhile_is_said(own_site, marketer, offer):
    trial_id = await start(marketer)
    with own_site.db.write_session() as session:
        session.execute(update(CouponTrial).values(starts_at=datetime.now(UTC) - HOUR))
        factories.coupon(session, "OTHER", is_special=True)
        session.add(VisitRollup(site=0, day=datetime.now(UTC).date()))
    _, shown = await page(marketer, f"/admin/coupons/trials/{trial_id}")
    assert shown["warnings"] == ["Another offer is shown now, OTHER: the trial mixes both. Stop it."]


async def test_without_an_offer_the_form_says_what_to_do_first(own_site, marketer):
    _, props = await page(marketer, "/admin/coupons/trials/new")
    assert props["form"]["text"] == "There is no special offer now: create a coupon that is shown to everybody first."
    assert (await marketer.call("admin/coupons/trials", **body_of(props["form"])))[0] == 403


async def test_who_reads_coupons_sees_trials_and_changes_none(own_site, marketer, offer):
    trial_id = await start(marketer)
    finance = learner(own_site, "Fay Finance", area="admin", roles=["finance"])
    status, shown = await page(finance, f"/admin/coupons/trials/{trial_id}")
    assert (status, shown["actions"]) == (200, [])
    assert (await page(finance, "/admin/coupons/trials"))[1].get("links") is None
    assert (await page(finance, "/admin/coupons/trials/new"))[0] == 403
    assert (await finance.call(f"admin/coupons/trials/{trial_id}/stop", reason="No"))[0] == 403
    assert (await page(marketer, "/admin/coupons/trials/999"))[0] == 404
