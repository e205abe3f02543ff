"""Coupon calls and student numbers on both databases: codes, the special offer, a guest's cart coupon."""

import pytest

from tests.host.signing import learner
from tests.host.site import CHROME
from tests.support import factories

VAT = "vat-basics"
NONE = {"discountPercentage": 0.0, "minimumAmount": 0.0, "discountProductType": "", "discountAmount": 0.0}


def coupon(site, code: str, **about) -> int:
    with site.db.write_session() as session:
        return factories.coupon(session, code, **about).id


async def detail(site, code: str, headers=None) -> tuple[int, dict]:
    return await site.call("getcoupondetail", {"coupon": code}, headers)


@pytest.mark.each_database
async def test_a_code_is_described_in_major_units(each_site):
    coupon(each_site, "EIGHTH", value="12.5", minimum="49.99", applies_to="course")
    coupon(each_site, "TEN", kind="amount", value=10)
    described = {"Status": "success", "Message": ""}
    assert (await detail(each_site, " eighth "))[1] == {
        **described,
        "discountPercentage": 12.5,
        "minimumAmount": 49.99,
        "discountProductType": "course",
        "discountAmount": 0.0,
    }
    assert (await detail(each_site, "ten"))[1] == {
        **described,
        **NONE,
        "discountProductType": "all",
        "discountAmount": 10.0,
    }


async def special(site) -> dict:
    return (await site.call("GetSpecialCouponDetail", None))[1]


async def test_every_visitor_gets_the_special_offer(each_site):
    assert await special(each_site) == {"Status": "failed", "CouponID": 0, "Coupon": ""}
    coupon_id = coupon(each_site, "SPRING15", is_special=True)
    assert await special(each_site) == {"Status": "success", "CouponID": coupon_id, "Coupon": "SPRING15"}


@pytest.mark.parametrize("body", [None, b"", {}, b"{}"])
async def test_the_special_offer_accepts_no_body_or_an_empty_one(each_site, body):
    answer = await each_site.answer("GetSpecialCouponDetail", body)
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "public, max-age=60")


@pytest.mark.parametrize(("body", "status"), [({"a": 1}, 422), (b"[]", 400), (b"{", 400)])
async def test_the_special_offer_refuses_any_other_body(each_site, body, status):
    assert (await each_site.call("GetSpecialCouponDetail", body))[0] == status


@pytest.mark.each_database
async def test_a_guest_applies_a_coupon_to_the_cart(each_site):
    coupon(each_site, "SPRING")
    lines = [{"id": each_site.id_of(VAT), "quantity": 1}]
    answer = await each_site.answer("cart/coupon", {"code": "spring", "lines": lines}, method="PUT")
    form = (await answer.json())["cart"]
    assert (form["coupon"]["code"], form["discount"], form["total"]) == ("SPRING", 800, 7200)
    cookie = answer.cookies["__Host-guest"]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["path"]) == (True, True, "Lax", "/")
    assert cookie["max-age"] == "10800"
    guest = {"Cookie": f"__Host-guest={cookie.value}"}
    assert (await each_site.call("cart/quote", {"lines": lines}, guest))[1]["total"] == 7200
    assert (await each_site.call("cart/quote", {"lines": lines}))[1]["total"] == 8000
    removed = await each_site.call("cart/coupon", {"code": "", "lines": lines}, guest, method="PUT")
    assert (removed[1]["cart"]["coupon"], removed[1]["cart"]["total"]) == (None, 8000)


async def test_a_refused_coupon_sets_no_cookie_and_explains_the_reason(each_site):
    coupon(each_site, "BIG", minimum=500)
    lines = [{"id": each_site.id_of(VAT), "quantity": 1}]
    answer = await each_site.answer("cart/coupon", {"code": "big", "lines": lines}, method="PUT")
    refusal = {"status": "failed", "message": "Spend $500.00 or more to use BIG: $420.00 to go.", "cart": None}
    assert (await answer.json(), dict(answer.cookies)) == (refusal, {})


async def test_a_code_for_a_missing_line_is_refused(each_site):
    coupon(each_site, "SPRING")
    answer = await learner(each_site).code(each_site.id_of(VAT), "SPRING")
    assert answer == {
        "Status": "failed",
        "Message": "This is not in your cart. Add it first, then use the code.",
        "DiscountPrice": -1.0,
        "orderDiscount": -1.0,
        "orderDiscountCode": "",
    }


@pytest.mark.each_database
async def test_an_empty_code_removes_the_lines_code(each_site):
    coupon(each_site, "SPRING")
    ada = learner(each_site)
    course_id = await ada.add(VAT)
    await ada.code(course_id, "SPRING")
    answer = await ada.code(course_id, "")
    assert (answer["Status"], answer["DiscountPrice"], answer["orderDiscount"]) == ("success", 80.0, -1.0)


async def named(site, number, headers=None):
    return await site.call("getUsername", {"Stunum": number}, headers)


@pytest.mark.each_database
async def test_a_student_number_returns_first_name_and_initial(each_site):
    with each_site.db.write_session() as session:
        factories.learner(session, "Ada Lovelace", student_number="s-ada2-lq27")
    assert await named(each_site, "S-ADA2-LQ27") == (200, {"Status": "success", "Username": "Ada L."})
    for unknown in ("S-0000-0000", "", "%", "s-ada2-lq2_"):
        assert await named(each_site, unknown) == (200, {"Status": "success", "Username": ""})


async def test_student_numbers_cannot_be_enumerated(open_site, caplog):
    site = await open_site(USERNAME_LOOKUPS_PER_MINUTE="3", USERNAME_ALARM_PER_HOUR="2")
    answers = [await site.answer("getUsername", {"Stunum": str(number)}, {"User-Agent": CHROME}) for number in range(5)]
    assert [answer.status for answer in answers] == [200] * 3 + [429] * 2
    assert "Retry-After" in answers[-1].headers
    assert [record.message for record in caplog.records if "alarm" in record.message] == [
        "alarm: more than 2 of unknown student numbers within 3600 s"
    ]
