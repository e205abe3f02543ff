"""The cart over the wire, on both databases: the specification's answers, and what our own calls show of prices."""

from decimal import Decimal

import pytest

from domain.tables import Product
from tests import factories
from tests.host.signing import learner

VAT, BOOK = "vat-basics", "tax-tables"


@pytest.fixture
async def ada(each_site):
    return learner(each_site)


def coupon(site, code: str, **about) -> None:
    with site.db.session() as session:
        factories.coupon(session, code, **about)


def lines(form) -> list[tuple]:
    return [(one["name"], one["quantity"], one["unitPrice"], one["total"]) for one in form["lines"]]


async def test_a_course_is_put_in_once_and_taken_out_once(each_site, ada):
    body = {"AAUserID": ada.id, "CourseID": each_site.id_of(VAT)}
    for name in ("SetAAUserCourse", "SetAAUserCourse", "DelAAUserCourse", "DelAAUserCourse"):
        assert await ada.call(name, **body) == (200, {"Status": "success", "Message": ""})
    assert (await ada.get("cart"))[1]["lines"] == []


async def test_what_is_no_longer_sold_is_failed_with_words(each_site, ada):
    body = {"AAUserID": ada.id, "CourseID": each_site.id_of("ended-course")}
    answer = await ada.call("SetAAUserCourse", **body)
    assert answer == (200, {"Status": "failed", "Message": "Ended Course is no longer sold."})


@pytest.mark.parametrize(
    "more", [{"Price": 0}, {"DiscountPrice": 0}, {"checkflag": 1}, {"orderQuantity": 99}, {"LoginEmail": "a@b.co"}]
)
async def test_nobody_slips_anything_in(each_site, ada, more):
    body = {"AAUserID": ada.id, "CourseID": each_site.id_of(VAT), **more}
    status, answer = await ada.call("SetAAUserCourse", **body)
    assert (status, list(answer["errors"])) == (422, list(more))
    assert (await ada.get("cart"))[1]["lines"] == []


async def test_a_cart_shows_every_step_of_its_prices(each_site, ada):
    coupon(each_site, "SPRING")
    one = await ada.add(VAT)
    assert await ada.code(one, "spring") == {
        "Status": "success",
        "Message": "",
        "DiscountPrice": 72.0,
        "orderDiscount": 8.0,
        "orderDiscountCode": "SPRING",
    }
    status, form = await ada.get("cart")
    (line,) = form.pop("lines")
    assert status == 200
    assert line == {
        "id": one,
        "kind": "course",
        "name": "VAT basics",
        "href": "/course-details?course=vat-basics",
        "picture": {"src": "/pictures/course/tax/vat-basics/0.svg", "width": 800, "height": 450, "alt": "A picture"},
        "category": {"slug": "tax", "name": "Tax"},
        "itemKind": None,
        "quantity": 1,
        "stock": None,
        "listPrice": 10000,
        "salePrice": 8000,
        "unitPrice": 7200,
        "unitOff": 800,
        "code": "SPRING",
        "seenPrice": 8000,
        "steps": [
            {"step": "list", "name": "", "change": 0, "total": 10000},
            {"step": "sale", "name": "", "change": -2000, "total": 8000},
            {"step": "code", "name": "SPRING", "change": -800, "total": 7200},
        ],
        "losers": [],
        "total": 7200,
    }
    sums = {"subtotal": 7200, "discount": 0, "tax": 0, "total": 7200}
    assert form == {"saved": [], "missing": [], "coupon": None, "refusals": [], **sums}


async def test_a_guests_lines_are_priced_by_the_server(each_site):
    asked = [{"id": each_site.id_of(VAT), "quantity": 1}, {"id": each_site.id_of(BOOK), "quantity": 2}]
    gone = {"id": each_site.id_of("ended-course"), "quantity": 1}
    status, form = await each_site.call("cart/quote", {"lines": [*asked, gone]})
    assert (status, lines(form)) == (200, [("VAT basics", 1, 8000, 8000), ("Tax tables", 2, 1990, 3980)])
    assert (form["missing"], form["total"]) == ([gone["id"]], 11980)


@pytest.mark.parametrize("quantity", [0, -1, 100, 1.5, True, "2", 10**9, None])
async def test_a_quantity_is_a_whole_number_from_1_to_99(each_site, ada, quantity):
    one = await ada.add(BOOK)
    status, _ = await each_site.call("cart/quote", {"lines": [{"id": one, "quantity": quantity}]})
    assert status == 422
    if quantity is not None:
        assert (await ada.call(f"cart/lines/{one}", "PUT", quantity=quantity))[0] == 422
    assert lines((await ada.get("cart"))[1]) == [("Tax tables", 1, 1990, 1990)]


async def test_a_line_changes_its_quantity_and_waits_for_later(each_site, ada):
    one = await ada.add(BOOK)
    _, answer = await ada.call(f"cart/lines/{one}", "PUT", quantity=3)
    assert (answer["status"], lines(answer["cart"])) == ("success", [("Tax tables", 3, 1990, 5970)])
    _, answer = await ada.call(f"cart/lines/{one}", "PUT", saved=True)
    assert (answer["cart"]["lines"], [line["id"] for line in answer["cart"]["saved"]]) == ([], [one])
    assert answer["cart"]["total"] == 0


async def test_a_line_that_is_not_there_is_failed(ada):
    _, answer = await ada.call("cart/lines/999999", "PUT", quantity=2)
    assert (answer["status"], answer["message"]) == ("failed", "This is not in your cart any more.")


async def test_a_cart_merges_line_by_line(each_site, ada):
    vat, book, gone = (each_site.id_of(slug) for slug in (VAT, BOOK, "ended-course"))
    await ada.add(VAT)
    sent = [{"id": vat, "quantity": 1}, {"id": book, "quantity": 2}, {"id": gone, "quantity": 1}]
    for outcome in ("added", "kept"):
        status, answer = await ada.call("cart/merge", lines=sent)
        assert (status, answer["lines"]) == (
            200,
            [
                {"id": vat, "outcome": "kept", "message": ""},
                {"id": book, "outcome": outcome, "message": ""},
                {"id": gone, "outcome": "refused", "message": "Ended Course is no longer sold."},
            ],
        )
        assert lines(answer["cart"]) == [("VAT basics", 1, 8000, 8000), ("Tax tables", 2, 1990, 3980)]


async def test_a_price_that_moved_is_told_until_it_was_seen(each_site, ada):
    one = await ada.add(BOOK)
    with each_site.db.session() as session:
        session.get_one(Product, one).list_price = Decimal("25.00")
    seen = {"lines": [{"id": one, "price": 2500}]}
    for shown in (1990, 1990):
        (line,) = (await ada.get("cart"))[1]["lines"]
        assert (line["seenPrice"], line["listPrice"]) == (shown, 2500)
    assert (await ada.call("cart/seen", "PUT", **seen))[1] == {"status": "success", "message": ""}
    assert (await ada.get("cart"))[1]["lines"][0]["seenPrice"] == 2500


async def test_too_many_lines_are_a_field_to_mend(each_site, ada):
    sent = {"lines": [{"id": one, "quantity": 1} for one in range(101)]}
    assert (await each_site.call("cart/quote", sent))[0] == 422
    assert (await ada.call("cart/merge", **sent))[0] == 422


async def test_nothing_personal_may_be_kept(each_site, ada):
    for name, body, method in (("cart", None, "GET"), ("wishlist", None, "GET"), ("cart/quote", {"lines": []}, "POST")):
        answer = await each_site.answer(name, body, ada.headers, method)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")


async def test_a_wishlist_over_the_wire(each_site, ada):
    vat, gone = each_site.id_of(VAT), each_site.id_of("ended-course")
    assert (await ada.call(f"wishlist/{vat}", "PUT", wished=True))[1] == {"status": "success", "message": ""}
    assert (await ada.call(f"wishlist/{gone}", "PUT", wished=True))[1]["status"] == "failed"
    _, merged = await ada.call("wishlist/merge", wishes=[{"id": each_site.id_of(BOOK), "seenPrice": 2500}])
    assert [(one["id"], one["price"], one["seenPrice"]) for one in merged["wishes"]] == [
        (each_site.id_of(BOOK), 1990, 2500),
        (vat, 8000, 8000),
    ]
    assert (await ada.call("wishlist/move", id=vat))[1]["status"] == "success"
    assert [one["id"] for one in (await ada.get("wishlist"))[1]["wishes"]] == [each_site.id_of(BOOK)]
    assert [one["id"] for one in (await ada.get("cart"))[1]["lines"]] == [vat]
    assert (await ada.call(f"wishlist/{each_site.id_of(BOOK)}", "PUT", wished=False))[1]["status"] == "success"
    assert (await ada.get("wishlist"))[1] == {"wishes": []}


async def test_a_guests_wishes_are_looked_at(each_site):
    gone, vat = each_site.id_of("ended-course"), each_site.id_of(VAT)
    sent = {"wishes": [{"id": gone}, {"id": vat, "seenPrice": 9000}, {"id": 999999}]}
    _, answer = await each_site.call("wishlist/look", sent)
    shown = [(one["id"], one["isSold"], one["isOwned"], one["seenPrice"]) for one in answer["wishes"]]
    assert shown == [(gone, False, False, None), (vat, True, False, 9000)]
