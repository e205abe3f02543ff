"""A rush through the calls of the site on MariaDB: sixteen people fill their carts, use codes, order, cancel and order
again at the same time, and nobody is answered by an error. The rush of the domain, with its control, is in
tests/domain/orders/test_rush.py."""

import asyncio
from collections import Counter
from decimal import Decimal
from random import Random

import pytest

from domain.tables import ShopItem
from tests.domain.orders import rush
from tests.host.api.checkout.conftest import buyer
from tests.host.api.checkout.shop import BERLIN, BOOK, CALIFORNIA, VAT, Buyer
from tests.host.site import Site
from tests.support import factories

pytestmark = [
    pytest.mark.soak,
    pytest.mark.mariadb,
    pytest.mark.parametrize("selling_site", ["mariadb"], indirect=True),
]

BUYERS, ROUNDS, STOCK, USES = 16, 4, 12, 10
# What a person is told as the shop's answer; everything else is an error.
ANSWERS = {200, 201, 202, 403, 404, 409, 422}


class Rush:
    """`answers`: how often each call had which status, and which outcome in words."""

    def __init__(self) -> None:
        self.answers = Counter[str]()
        self.errors: list[str] = []

    async def call(self, who: Buyer, name: str, method: str = "POST", **body: object) -> dict:
        status, answer = await who.learner.call(name, method, **body)
        outcome = answer.get("Status") or answer.get("status") or ""
        self.answers[f"{name.partition('/')[0]}: {status} {outcome}"] += 1
        if status not in ANSWERS:
            self.errors.append(f"{method} {name}: {status} {answer}"[:200])
        return dict(answer)

    async def buy(self, who: Buyer, number: int, ids: dict[str, int]) -> None:
        """All that one person does. Every third one orders the course alone, for nothing, which is paid at once."""
        chance = Random(number)
        for _ in range(ROUNDS):
            for slug in chance.sample([BOOK, VAT], 1 if number % 3 == 0 else 2):
                await self.call(who, "SetAAUserCourse", AAUserID=who.learner.id, CourseID=ids[slug])
            for slug, code in ((BOOK, "HALF"), (VAT, "FREE")):
                await self.call(who, "SetCourseCoupon", AAUserID=who.learner.id, CourseID=ids[slug], Code=code)
            placed = await self.order(who, {**CALIFORNIA, **BERLIN})
            if placed.get("code") and chance.random() < 0.6:
                _, order = await who.learner.get(f"orders/{placed['code']}")
                await self.call(who, f"orders/{placed['code']}/cancel", key=order.get("paymentKey") or "")
            if chance.random() < 0.3:
                await self.call(who, "DelAAUserCourse", AAUserID=who.learner.id, CourseID=ids[BOOK])

    async def order(self, who: Buyer, typed: dict[str, str]) -> dict:
        status, answer = await who.order(typed)
        self.answers[f"checkout: {status} {answer.get('status')}"] += 1
        if status not in ANSWERS:
            self.errors.append(f"POST checkout: {status} {answer}"[:200])
        return answer


def stock_up(site: Site) -> None:
    with site.db.write_session() as session:
        session.get_one(ShopItem, site.id_of(BOOK)).stock = STOCK
        for name, value in (("HALF", 50), ("FREE", 100)):
            about = {"total_limit": USES, "learner_limit": 2, "value": Decimal(value)}
            factories.coupon(session, name, **about)


async def test_nobody_in_a_rush_over_http_is_answered_by_an_error(selling_site):
    stock_up(selling_site)
    ids = {slug: selling_site.id_of(slug) for slug in (BOOK, VAT)}
    people = [buyer(selling_site, f"Buyer{number} Person") for number in range(BUYERS)]
    held = Rush()
    await asyncio.gather(*(held.buy(who, number, ids) for number, who in enumerate(people)))
    assert held.errors == []
    goods = rush.RushGoods((ids[BOOK],), {}, ids[VAT], 0, (), STOCK, USES)
    assert rush.disagreements(selling_site.db, goods) == []
    happened = ("checkout: 200 success", "checkout: 200 failed", "SetCourseCoupon: 200 failed", "orders: 200 success")
    assert [answer for answer in happened if not any(key.startswith(answer) for key in held.answers)] == [], (
        held.answers
    )
