"""Coupons over the wire: one answer for what a guesser might ask, budgets, the special offer, a guest's cart coupon."""

import json
import time
from datetime import UTC, datetime, timedelta
from statistics import median

import pytest

from domain.coupons import UNUSABLE
from tests import factories
from tests.host.signing import learner
from tests.host.world import CHROME

VAT = "vat-basics"
NONE = {"discountPercentage": 0.0, "minimumAmount": 0.0, "discountProductType": "", "discountAmount": 0.0}


def coupon(site, code: str, **about) -> int:
    with site.db.session() as session:
        return factories.coupon(session, code, **about).id


async def detail(site, code: str, headers=None) -> tuple[int, dict]:
    return await site.call("getcoupondetail", {"coupon": code}, headers)


async def test_a_code_is_described_in_major_units(bare_site):
    coupon(bare_site, "EIGHTH", value="12.5", minimum="49.99", covers="course")
    coupon(bare_site, "TEN", kind="amount", value=10)
    described = {"Status": "success", "Message": ""}
    assert (await detail(bare_site, " eighth "))[1] == {
        **described,
        "discountPercentage": 12.5,
        "minimumAmount": 49.99,
        "discountProductType": "course",
        "discountAmount": 0.0,
    }
    assert (await detail(bare_site, "ten"))[1] == {
        **described,
        **NONE,
        "discountProductType": "all",
        "discountAmount": 10.0,
    }


async def hidden(site) -> list[str]:
    """Codes that nobody may tell from one that does not exist."""
    past, future = (datetime.now(UTC) + timedelta(days=days) for days in (-1, 1))
    with site.db.session() as session:
        theirs = factories.organisation(session).id
        factories.coupon(session, "OVER", ends_at=past)
        factories.coupon(session, "SOON", starts_at=future)
        factories.coupon(session, "PAUSED", state="paused")
        factories.coupon(session, "DRAFT", state="draft")
        factories.coupon(session, "THEIRS", organisation_id=theirs)
        used = factories.coupon(session, "USED", total_limit=1, uses=1)
        factories.coupon_use(session, used.id, factories.learner(session, "Somebody Else").id)
    return ["NOBODY", "OVER", "SOON", "PAUSED", "DRAFT", "THEIRS", "USED", "", "é📚"]


async def test_unknown_and_expired_and_others_codes_answer_alike(open_site):
    site = await open_site(LIMITS="off")
    answers = {code: await site.answer("getcoupondetail", {"coupon": code}) for code in await hidden(site)}
    bodies = {await one.read() for one in answers.values()}
    assert {one.status for one in answers.values()} == {200}
    assert [json.loads(one) for one in bodies] == [{"Status": "failed", "Message": UNUSABLE.message, **NONE}]
    heads = {frozenset(name for name in one.headers if name != "Date") for one in answers.values()}
    assert len(heads) == 1


async def test_they_answer_alike_on_a_line_and_on_a_cart_too(open_site):
    site = await open_site(LIMITS="off")
    ada = learner(site)
    one = await ada.add(VAT)
    lines = [{"id": one, "quantity": 1}]
    for code in [one for one in await hidden(site) if one]:
        assert (await ada.code(one, code))["Message"] == UNUSABLE.message
        _, answer = await site.call("cart/coupon", {"code": code, "lines": lines}, method="PUT")
        assert answer == {"status": "failed", "message": UNUSABLE.message, "cart": None}


async def test_they_take_as_long_as_one_another(open_site):
    site = await open_site(LIMITS="off")
    await hidden(site)
    times: dict[str, list[float]] = {"NOBODY": [], "OVER": []}
    for _ in range(60):
        for code, taken in times.items():
            began = time.perf_counter()
            await detail(site, code)
            taken.append(time.perf_counter() - began)
    unknown, expired = (median(taken) for taken in times.values())
    assert abs(unknown - expired) < 0.5 * max(unknown, expired)


async def test_a_thousand_guesses_are_ten_a_minute(open_site):
    site = await open_site(COUPONS_PER_MINUTE="10", COUPONS_PER_HOUR="60")
    coupon(site, "RIGHT")
    statuses = []
    for number in range(1_000):
        forged = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250}", "Forwarded": f"for=10.1.1.{number % 250}"}
        answer = await site.answer("getcoupondetail", {"coupon": f"GUESS-{number}"}, {**forged, "X-Real-IP": "1.2.3.4"})
        statuses.append(answer.status)
        if answer.status == 429:
            assert 1 <= int(answer.headers["Retry-After"]) <= 3600
    # At most one minute of the limiter's clock ends while the guesses are made.
    assert statuses[:10] == [200] * 10
    assert statuses.count(200) <= 30
    assert (await detail(site, "RIGHT"))[0] == 429


async def test_an_hour_has_its_own_budget(open_site):
    site = await open_site(COUPONS_PER_MINUTE="0", COUPONS_PER_HOUR="5")
    assert [(await detail(site, "X"))[0] for _ in range(7)] == [200] * 5 + [429] * 2


async def test_all_coupon_calls_share_a_budget_and_a_right_code_is_refused_too(open_site):
    site = await open_site(COUPONS_PER_MINUTE="3", COUPONS_PER_HOUR="0")
    coupon(site, "RIGHT")
    ada = learner(site)
    one = await ada.add(VAT)
    assert (await detail(site, "A"))[0] == 200
    assert (await site.call("cart/coupon", {"code": "B"}, method="PUT"))[0] == 200
    assert (await ada.code(one, "C"))["Status"] == "failed"
    body = {"AAUserID": ada.id, "CourseID": one, "Code": "RIGHT"}
    assert (await ada.call("SetCourseCoupon", **body))[0] == 429
    assert (await ada.get("cart"))[1]["lines"][0]["code"] is None


async def test_a_learner_carries_their_budget_from_address_to_address_and_others_do_not(open_site):
    site = await open_site(COUPONS_PER_MINUTE="4", COUPONS_PER_HOUR="0", TRUSTED_PROXIES="127.0.0.0/8")
    ada, grace = learner(site), learner(site, "Grace Hopper")
    at = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(9)]
    statuses = [(await detail(site, "X", {**ada.headers, **at[number]}))[0] for number in range(6)]
    assert statuses == [200] * 4 + [429] * 2
    assert (await detail(site, "X", {**grace.headers, **at[7]}))[0] == 200
    assert (await detail(site, "X", at[8]))[0] == 200


async def test_many_misses_are_one_alarm(open_site, caplog):
    site = await open_site(LIMITS="on", COUPONS_PER_MINUTE="0", COUPONS_PER_HOUR="0", COUPON_MISSES_PER_HOUR="3")
    for _ in range(8):
        await detail(site, "X")
    alarms = [one.message for one in caplog.records if one.message.startswith("alarm")]
    assert alarms == ["alarm: more than 3 of refused coupon codes within 3600 s"]


async def special(site) -> dict:
    return (await site.call("GetSpecialCouponDetail", None))[1]


async def test_the_special_offer_is_told_to_everyone(bare_site):
    assert await special(bare_site) == {"Status": "failed", "CouponID": 0, "Coupon": ""}
    made = coupon(bare_site, "SPRING15", is_special=True)
    assert await special(bare_site) == {"Status": "success", "CouponID": made, "Coupon": "SPRING15"}


@pytest.mark.parametrize("body", [None, b"", {}, b"{}"])
async def test_the_special_offer_takes_no_body_or_an_empty_one(bare_site, body):
    answer = await bare_site.answer("GetSpecialCouponDetail", body)
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "public, max-age=60")


@pytest.mark.parametrize(("body", "status"), [({"a": 1}, 422), (b"[]", 400), (b"{", 400)])
async def test_the_special_offer_takes_nothing_else(bare_site, body, status):
    assert (await bare_site.call("GetSpecialCouponDetail", body))[0] == status


async def test_a_guest_has_a_coupon_on_their_cart(bare_site):
    coupon(bare_site, "SPRING")
    lines = [{"id": bare_site.id_of(VAT), "quantity": 1}]
    answer = await bare_site.answer("cart/coupon", {"code": "spring", "lines": lines}, method="PUT")
    form = (await answer.json())["cart"]
    assert (form["coupon"]["code"], form["discount"], form["total"]) == ("SPRING", 800, 7200)
    cookie = answer.cookies["__Host-guest"]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["path"]) == (True, True, "Lax", "/")
    assert cookie["max-age"] == "10800"
    mine = {"Cookie": f"__Host-guest={cookie.value}"}
    assert (await bare_site.call("cart/quote", {"lines": lines}, mine))[1]["total"] == 7200
    assert (await bare_site.call("cart/quote", {"lines": lines}))[1]["total"] == 8000
    taken_off = await bare_site.call("cart/coupon", {"code": "", "lines": lines}, mine, method="PUT")
    assert (taken_off[1]["cart"]["coupon"], taken_off[1]["cart"]["total"]) == (None, 8000)


async def test_a_refused_coupon_leaves_no_cookie_and_says_what_helps(bare_site):
    coupon(bare_site, "BIG", minimum=500)
    lines = [{"id": bare_site.id_of(VAT), "quantity": 1}]
    answer = await bare_site.answer("cart/coupon", {"code": "big", "lines": lines}, method="PUT")
    told = {"status": "failed", "message": "Spend 500.00 or more to use BIG: 420.00 to go.", "cart": None}
    assert (await answer.json(), dict(answer.cookies)) == (told, {})


async def test_a_code_needs_its_line(bare_site):
    coupon(bare_site, "SPRING")
    answer = await learner(bare_site).code(bare_site.id_of(VAT), "SPRING")
    assert answer == {
        "Status": "failed",
        "Message": "This is not in your cart. Add it first, then use the code.",
        "DiscountPrice": -1.0,
        "orderDiscount": -1.0,
        "orderDiscountCode": "",
    }


async def test_an_empty_code_takes_the_lines_code_off(bare_site):
    coupon(bare_site, "SPRING")
    ada = learner(bare_site)
    one = await ada.add(VAT)
    await ada.code(one, "SPRING")
    answer = await ada.code(one, "")
    assert (answer["Status"], answer["DiscountPrice"], answer["orderDiscount"]) == ("success", 80.0, -1.0)


async def named(site, number, headers=None):
    return await site.call("getUsername", {"Stunum": number}, headers)


async def test_a_student_number_has_a_first_name_and_an_initial(bare_site):
    with bare_site.db.session() as session:
        factories.learner(session, "Ada Lovelace", student_number="s-ada2-lq27")
    assert await named(bare_site, "S-ADA2-LQ27") == (200, {"Status": "success", "Username": "Ada L."})
    for unknown in ("S-0000-0000", "", "%", "s-ada2-lq2_"):
        assert await named(bare_site, unknown) == (200, {"Status": "success", "Username": ""})


async def test_student_numbers_cannot_be_walked_through(open_site, caplog):
    site = await open_site(NAMES_PER_MINUTE="3", NAME_MISSES_PER_HOUR="2")
    answers = [await site.answer("getUsername", {"Stunum": str(number)}, {"User-Agent": CHROME}) for number in range(5)]
    assert [one.status for one in answers] == [200] * 3 + [429] * 2
    assert "Retry-After" in answers[-1].headers
    assert [one.message for one in caplog.records if "alarm" in one.message] == [
        "alarm: more than 2 of unknown student numbers within 3600 s"
    ]
