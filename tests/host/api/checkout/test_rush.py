"""Many press at once for the last piece: one gets it, and the others are told so without a transaction each."""

import asyncio
from typing import Any

import pytest

from domain.checkout import purchase
from domain.tables import ShopItem
from host.checkout.turns import CHECKOUT_TURNS
from tests.host.api.checkout.conftest import buyer
from tests.host.api.checkout.shop import BERLIN, BOOK
from tests.host.site import Site
from tests.support.waiting import until

NAMES = ("Ada Lovelace", "Grace Hopper", "Mary Somerville", "Sofia Kovalevskaya")


@pytest.fixture
async def site(open_checkout) -> Site:
    """With one book."""
    site: Site = await open_checkout(CHECKOUT_CONCURRENCY="1")
    with site.db.write_session() as session:
        session.get_one(ShopItem, site.id_of(BOOK)).stock = 1
    return site


@pytest.fixture
def placed(monkeypatch) -> list[int]:
    """Learners for whom a transaction was begun."""
    learners: list[int] = []
    place = purchase.place_cart

    def counted(session, learner_id: int, *rest: Any):
        learners.append(learner_id)
        return place(session, learner_id, *rest)

    monkeypatch.setattr(purchase, "place_cart", counted)
    return learners


async def rush(site: Site) -> list[dict[str, Any]]:
    """The answers to buyers who press while the only turn is taken."""
    buyers = [buyer(site, name) for name in NAMES]
    for who in buyers:
        await who.learner.add(BOOK)
    turns = site.app[CHECKOUT_TURNS]
    async with turns.turn():
        presses = [asyncio.create_task(who.order(BERLIN)) for who in buyers]
        await until(lambda: turns.waiting == len(buyers))
    answers = await asyncio.gather(*presses)
    assert [status for status, _ in answers] == [200] * len(buyers)
    return [answer for _, answer in answers]


async def test_those_who_get_nothing_are_refused_by_reading(site, placed):
    answers = await rush(site)
    assert sorted(answer["status"] for answer in answers) == ["failed", "failed", "failed", "success"]
    assert {line["message"] for answer in answers if answer["status"] == "failed" for line in answer["lines"]} == {
        "Tax tables is sold out."
    }
    assert len(placed) == 1


async def test_without_reading_each_of_them_takes_a_transaction(site, placed, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(purchase, "refusal", lambda *_: None)
    answers = await rush(site)
    assert sorted(answer["status"] for answer in answers) == ["failed", "failed", "failed", "success"]
    assert len(placed) == len(NAMES)


@pytest.mark.parametrize(("stock", "expected"), [(0, (200, "failed")), (1, (503, 503))])
async def test_who_gets_no_turn_in_time_is_refused_all_the_same_when_it_is_sold_out(
    site, placed, monkeypatch, stock, expected
):
    ada, turns = buyer(site), site.app[CHECKOUT_TURNS]
    await ada.learner.add(BOOK)
    with site.db.write_session() as session:
        session.get_one(ShopItem, site.id_of(BOOK)).stock = stock
    monkeypatch.setattr(turns, "_wait_s", 0.05)
    async with turns.turn():
        status, answer = await ada.order(BERLIN)
    assert ((status, answer["status"]), placed) == (expected, [])
