"""Coupons in the area for staff: created, shown and changed by whom they belong to."""

import pytest

from adapters.jobs import JobRunner
from domain.coupons import forecast_job
from tests.host.page_props import page_props
from tests.host.signing import learner
from tests.host.staff_forms import body_of

KEY = "0123456789abcdef"
COUPON = {"code": "Spring-20", "kind": "percent", "value": "20", "campaign": "spring"}


@pytest.fixture
async def marketer(own_site):
    return learner(own_site, "Mia Marketer", area="admin", roles=["marketer"])


async def test_a_coupon_is_created_shown_paused_and_usable_until_then(own_site, marketer):
    ada = learner(own_site)
    status, created = await marketer.call("admin/coupons", **COUPON)
    assert status == 201
    path = f"/admin/coupons/{created['id']}"
    shown = await page_props(marketer, path)
    assert (shown["heading"], [form["id"] for form in shown["actions"]]) == ("Coupon Spring-20", ["pause", "end"])
    listed = await page_props(marketer, "/admin/coupons?q=SPRING-20")
    assert [row["cells"][0]["text"] for row in listed["table"]["rows"]] == ["Spring-20"]
    assert (await ada.call("getcoupondetail", coupon="spring-20"))[1]["Status"] == "success"
    changed = await marketer.call(f"admin/coupons/{created['id']}/pause", reason="Leaked")
    assert changed == (200, {"text": "It is paused now.", "href": None, "changed": True})
    assert (await ada.call("getcoupondetail", coupon="spring-20"))[1]["Status"] == "failed"


REFUSED = {
    "too many percent": ({"value": "61"}, 422, "value"),
    "no percentage": ({"value": "a lot"}, 422, "value"),
    "what is no number": ({"value": "NaN"}, 422, "value"),
    "no amount": ({"kind": "amount", "value": "1.234"}, 422, "value"),
    "an end before the start": ({"startsAt": "2026-03-02T00:00:00Z", "endsAt": "2026-03-01T00:00:00Z"}, 422, "endsAt"),
    "an unknown category": ({"appliesTo": "nowhere"}, 422, "form"),
    "a code of nothing": ({"code": " "}, 422, "code"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_wrong_is_named_at_its_field(marketer, name):
    about, expected, field = REFUSED[name]
    status, problem = await marketer.call("admin/coupons", **{**COUPON, **about})
    assert (status, [*problem["errors"]]) == (expected, [field])
    assert (await page_props(marketer, "/admin/coupons?q=SPRING-20"))["table"]["rows"] == []


async def test_a_code_exists_once_and_readers_change_nothing(own_site, marketer):
    assert (await marketer.call("admin/coupons", **COUPON))[0] == 201
    assert (await marketer.call("admin/coupons", **{**COUPON, "code": "SPRING-20"}))[0] == 403
    finance = learner(own_site, "Fay Finance", area="admin", roles=["finance"])
    assert (await finance.call("admin/coupons", **{**COUPON, "code": "OTHER"}))[0] == 403
    shown = await page_props(finance, "/admin/coupons")
    assert shown["mayWrite"] is False


FIVE = {"code": "FIVE", "kind": "amount", "value": "5.00"}
COSTS = {
    "a percentage": (COUPON, ("No upper limit (a percentage grows with the prices of what is bought)",) * 2),
    "an amount": (FIVE | {"totalLimit": 100}, ("$5.00 (once per order)", "$500.00 (100 uses)")),
    "an amount off each piece": (
        FIVE | {"oncePerOrder": False, "learnerLimit": 1},
        (
            "$495.00 (99 pieces of a line, on 1 line)",
            "No upper limit (it may be used any number of times)",
        ),
    ),
}


@pytest.mark.parametrize("name", COSTS)
async def test_what_a_coupon_costs_at_most_is_said_before_it_is_made_and_after(own_site, name):
    body, (in_order, in_total) = COSTS[name]
    staff = learner(own_site, "Ada Administrator", area="admin", roles=["administrator"])
    said = [f"In one order it costs at most: {in_order}.", f"Over all uses it costs at most: {in_total}."]
    assert (await staff.call("admin/coupons/preview", **body))[1]["effects"] == said
    assert (await page_props(staff, "/admin/coupons"))["table"]["rows"] == []
    created = (await staff.call("admin/coupons", **body))[1]
    (cost, _) = (await page_props(staff, created["href"]))["groups"]
    assert [fact["cell"]["text"] for fact in cost["facts"]] == [in_order, in_total]


async def test_the_form_of_a_coupon_asks_for_the_code_first_and_finds_products(marketer):
    form = (await page_props(marketer, "/admin/coupons/new"))["form"]
    fields = {field["name"]: field for field in form["fields"]}
    assert next(iter(fields)) == "code"
    assert (fields["products"]["kind"], fields["products"]["source"]) == ("picks", "/admin/picker/products")
    assert (fields["oncePerOrder"]["value"], fields["oncePerOrder"]["shownIf"]["values"]) == ("yes", ["amount"])
    assert fields["value"]["hint"].startswith("A percentage up to 60,")


async def test_a_coupon_is_tried_on_past_orders_before_it_is_made(own_site, marketer):
    """In a shop without orders: tests/domain/coupons/test_forecast.py has the sums."""
    new = await page_props(marketer, "/admin/coupons/forecasts/new")
    body = body_of(new["form"], value="15", minimum="20.00")
    wrong = await marketer.call_once("admin/coupons/forecasts", f"{KEY}0", **body | {"value": "0"})
    assert (wrong[0], [*wrong[1]["errors"]]) == (422, ["value"])
    answers = [await marketer.call_once("admin/coupons/forecasts", KEY, **body) for _ in range(2)]
    assert [status for status, _ in answers] == [201, 201]
    assert answers[0] == answers[1]
    path = f"/admin/coupons/forecasts/{answers[0][1]['id']}"
    shown = await page_props(marketer, path)
    assert (shown["heading"], shown["isRunning"], shown["answer"]) == ("15% off, from $20.00", True, [])
    assert [form["id"] for form in shown["actions"]] == ["stop"]
    JobRunner(own_site.db, {forecast_job.KIND: forecast_job.steps}).run_slice()
    shown = await page_props(marketer, path)
    assert (shown["isRunning"], shown["answer"]) == (
        False,
        ["No order of these days was paid: there is nothing to try the coupon on."],
    )
    assert (await marketer.call(f"{path[1:]}/stop"))[1]["text"] == "It had ended before."
    assert (await page_props(marketer, "/admin/coupons?q=15"))["table"]["rows"] == []
    finance = learner(own_site, "Fay Finance", area="admin", roles=["finance"])
    assert (await finance.call_once("admin/coupons/forecasts", KEY, **body))[0] == 403
