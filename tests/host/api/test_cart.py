"""Cart calls on both databases: the specification's responses, and the prices in our own calls."""

from decimal import Decimal

import pytest

from domain.tables import Product
from tests.host.signing import learner
from tests.support import factories

VAT, BOOK = "vat-basics", "tax-tables"


@pytest.fixture
async def ada(each_site):
    return learner(each_site)


def coupon(site, code: str, **about) -> None:
    with site.db.write_session() as session:
        factories.coupon(session, code, **about)


def lines(form) -> list[tuple]:
    return [(line["name"], line["quantity"], line["unitPrice"], line["total"]) for line in form["lines"]]


@pytest.mark.each_database
async def test_a_course_is_added_once_and_removed_once(each_site, ada):
    body = {"AAUserID": ada.id, "CourseID": each_site.id_of(VAT)}
    for name in ("SetAAUserCourse", "SetAAUserCourse", "DelAAUserCourse", "DelAAUserCourse"):
        assert await ada.call(name, **body) == (200, {"Status": "success", "Message": ""})
    assert (await ada.get("cart"))[1]["lines"] == []


async def test_a_retired_product_is_refused_with_a_message(each_site, ada):
    body = {"AAUserID": ada.id, "CourseID": each_site.id_of("ended-course")}
    answer = await ada.call("SetAAUserCourse", **body)
    assert answer == (200, {"Status": "failed", "Message": "Ended Course is no longer sold."})


@pytest.mark.parametrize(
    "more", [{"Price": 0}, {"DiscountPrice": 0}, {"checkflag": 1}, {"orderQuantity": 99}, {"LoginEmail": "a@b.co"}]
)
async def test_unknown_fields_are_refused(each_site, ada, more):
    body = {"AAUserID": ada.id, "CourseID": each_site.id_of(VAT), **more}
    status, answer = await ada.call("SetAAUserCourse", **body)
    assert (status, list(answer["errors"])) == (422, list(more))
    assert (await ada.get("cart"))[1]["lines"] == []


@pytest.mark.each_database
async def test_a_cart_shows_the_breakdown_of_its_prices(each_site, ada):
    coupon(each_site, "SPRING")
    course_id = await ada.add(VAT)
    assert await ada.code(course_id, "spring") == {
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
        "id": course_id,
        "kind": "course",
        "name": "VAT basics",
        "href": "/course-details?course=vat-basics",
        "picture": {
            "src": "/pictures/course/tax/vat-basics/0.svg",
            "width": 800,
            "height": 450,
            "alt": "A picture",
        },
        "category": {"slug": "tax", "name": "Tax"},
        "itemKind": None,
        "quantity": 1,
        "lowestBefore": None,
        "codeAmount": None,
        "isGift": False,
        "promise": "",
        "stock": None,
        "listPrice": 10000,
        "salePrice": 8000,
        "unitPrice": 7200,
        "unitDiscount": 800,
        "code": "SPRING",
        "seenPrice": 8000,
        "steps": [
            {"step": "list", "name": "", "change": 0, "total": 10000},
            {"step": "sale", "name": "", "change": -2000, "total": 8000},
            {"step": "code", "name": "SPRING", "change": -800, "total": 7200},
        ],
        "rejectedOffers": [],
        "total": 7200,
    }
    sums = {"subtotal": 7200, "discount": 0, "tax": 0, "total": 7200, "version": 2}
    assert form == {"saved": [], "unavailable": [], "coupon": None, "refusals": [], **sums}


async def test_a_guests_lines_are_priced_by_the_server(each_site):
    requested = [{"id": each_site.id_of(VAT), "quantity": 1}, {"id": each_site.id_of(BOOK), "quantity": 2}]
    gone = {"id": each_site.id_of("ended-course"), "quantity": 1}
    status, form = await each_site.call("cart/quote", {"lines": [*requested, gone]})
    assert (status, lines(form)) == (200, [("VAT basics", 1, 8000, 8000), ("Tax tables", 2, 1990, 3980)])
    assert (form["unavailable"], form["total"]) == ([gone["id"]], 11980)


@pytest.mark.parametrize("quantity", [0, -1, 100, 1.5, True, "2", 10**9, None])
async def test_a_quantity_is_a_whole_number_from_1_to_99(each_site, ada, quantity):
    item_id = await ada.add(BOOK)
    status, _ = await each_site.call("cart/quote", {"lines": [{"id": item_id, "quantity": quantity}]})
    assert status == 422
    if quantity is not None:
        assert (await ada.call(f"cart/lines/{item_id}", "PUT", quantity=quantity))[0] == 422
    assert lines((await ada.get("cart"))[1]) == [("Tax tables", 1, 1990, 1990)]


@pytest.mark.each_database
async def test_a_line_changes_its_quantity_and_is_saved_for_later(each_site, ada):
    item_id = await ada.add(BOOK)
    _, answer = await ada.call(f"cart/lines/{item_id}", "PUT", quantity=3)
    assert (answer["status"], lines(answer["cart"])) == ("success", [("Tax tables", 3, 1990, 5970)])
    _, answer = await ada.call(f"cart/lines/{item_id}", "PUT", saved=True)
    assert (answer["cart"]["lines"], [line["id"] for line in answer["cart"]["saved"]]) == ([], [item_id])
    assert answer["cart"]["total"] == 0


async def test_a_change_of_a_missing_line_fails(ada):
    _, answer = await ada.call("cart/lines/999999", "PUT", quantity=2)
    assert (answer["status"], answer["message"]) == ("failed", "This is not in your cart any more.")


@pytest.mark.each_database
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


@pytest.mark.each_database
async def test_a_changed_price_is_announced_until_it_was_seen(each_site, ada):
    item_id = await ada.add(BOOK)
    with each_site.db.write_session() as session:
        session.get_one(Product, item_id).list_price = Decimal("25.00")
    seen = {"lines": [{"id": item_id, "price": 2500}]}
    for shown in (1990, 1990):
        (line,) = (await ada.get("cart"))[1]["lines"]
        assert (line["seenPrice"], line["listPrice"]) == (shown, 2500)
    assert (await ada.call("cart/seen", "PUT", **seen))[1] == {"status": "success", "message": ""}
    assert (await ada.get("cart"))[1]["lines"][0]["seenPrice"] == 2500


async def test_too_many_lines_are_refused(each_site, ada):
    sent = {"lines": [{"id": number, "quantity": 1} for number in range(101)]}
    assert (await each_site.call("cart/quote", sent))[0] == 422
    assert (await ada.call("cart/merge", **sent))[0] == 422


async def test_personal_responses_are_not_cacheable(each_site, ada):
    for name, body, method in (("cart", None, "GET"), ("wishlist", None, "GET"), ("cart/quote", {"lines": []}, "POST")):
        answer = await each_site.answer(name, body, ada.headers, method)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")


@pytest.mark.each_database
async def test_a_wishlist_over_the_wire(each_site, ada):
    vat, gone = each_site.id_of(VAT), each_site.id_of("ended-course")
    assert (await ada.call(f"wishlist/{vat}", "PUT", wished=True))[1] == {"status": "success", "message": ""}
    assert (await ada.call(f"wishlist/{gone}", "PUT", wished=True))[1]["status"] == "failed"
    _, merged = await ada.call("wishlist/merge", items=[{"id": each_site.id_of(BOOK), "seenPrice": 2500}])
    assert [(item["id"], item["price"], item["seenPrice"]) for item in merged["items"]] == [
        (each_site.id_of(BOOK), 1990, 2500),
        (vat, 8000, 8000),
    ]
    assert (await ada.call("wishlist/move", id=vat))[1]["status"] == "success"
    assert [item["id"] for item in (await ada.get("wishlist"))[1]["items"]] == [each_site.id_of(BOOK)]
    assert [line["id"] for line in (await ada.get("cart"))[1]["lines"]] == [vat]
    assert (await ada.call(f"wishlist/{each_site.id_of(BOOK)}", "PUT", wished=False))[1]["status"] == "success"
    assert (await ada.get("wishlist"))[1] == {"items": []}


async def test_a_guests_wishlist_gets_the_prices_of_today(each_site):
    gone, vat = each_site.id_of("ended-course"), each_site.id_of(VAT)
    sent = {"items": [{"id": gone}, {"id": vat, "seenPrice": 9000}, {"id": 999999}]}
    _, answer = await each_site.call("wishlist/preview", sent)
    shown = [(item["id"], item["isAvailable"], item["isOwned"], item["seenPrice"]) for item in answer["items"]]
    assert shown == [(gone, False, False, None), (vat, True, False, 9000)]
