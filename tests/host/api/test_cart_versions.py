"""Versions of a cart in the answers of its calls: browsers order the answers of their tabs by them."""

import asyncio
import random
from typing import Any

import pytest

from tests.host.signing import Learner, learner

VAT, BOOK, VOUCHER = "vat-basics", "tax-tables", "exam-voucher"
CALLS_OF_A_TAB = 20


@pytest.fixture
async def ada(each_site) -> Learner:
    return learner(each_site)


async def version_after(ada: Learner, name: str, product_id: int) -> int:
    """The header of the specification's calls, whose response has no room for the version."""
    body = {"AAUserID": ada.id, "CourseID": product_id}
    response = await ada.site.client.post(f"/api/{name}", json=body, headers=ada.headers)
    assert await response.json() == {"Status": "success", "Message": ""}
    return int(response.headers["X-Cart-Version"])


async def test_the_calls_of_the_specification_name_the_version_in_a_header(each_site, ada):
    book = each_site.id_of(BOOK)
    versions = [await version_after(ada, name, book) for name in ("SetAAUserCourse", "DelAAUserCourse")]
    assert versions == [1, 2]
    assert (await ada.get("cart"))[1]["version"] == 2


@pytest.mark.each_database
async def test_a_removal_of_nothing_keeps_the_version(each_site, ada):
    assert await version_after(ada, "DelAAUserCourse", each_site.id_of(BOOK)) == 0


async def press_in_a_tab(ada: Learner, products: list[int], seed: int) -> list[dict[str, Any]]:
    """The carts in the answers of one tab, which sends one call at a time."""
    choose, carts = random.Random(seed), []
    for _ in range(CALLS_OF_A_TAB):
        product = choose.choice(products)
        name = choose.choice(["SetAAUserCourse", "DelAAUserCourse", "quantity", "quantity"])
        if name == "quantity":
            _, answer = await ada.call(f"cart/lines/{product}", method="PUT", quantity=choose.randint(1, 3))
            carts.append(answer["cart"])
        else:
            await version_after(ada, name, product)
    return carts


@pytest.mark.each_database
async def test_of_the_answers_to_two_tabs_the_one_with_the_highest_version_is_the_cart(each_site, ada):
    products = [each_site.id_of(slug) for slug in (VAT, BOOK)]
    tabs = await asyncio.gather(*(press_in_a_tab(ada, products, seed) for seed in (1, 2)))
    _, last = await ada.get("cart")
    by_version: dict[int, set[str]] = {}
    for cart in [*tabs[0], *tabs[1], last]:
        lines = [(line["id"], line["quantity"]) for line in cart["lines"]]
        by_version.setdefault(cart["version"], set()).add(str(lines))
    assert max(by_version) == last["version"]
    assert [lines for lines in by_version.values() if len(lines) > 1] == []
