"""Disputes at the stand-in of the gateway: what is booked equals its ledger, and the reconciliation finds nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import reconciling
from adapters.payments.objects import dispute_snapshot
from tests.adapters.payments.world import World


async def dispute(world: World, amount: int) -> str:
    """A paid order of 55.00, of which the buyer disputes an amount. Returns the id of the dispute."""
    await world.open()
    await world.pay()
    await world.retrieve()
    charge = world.payments()[0].charge_id
    made = await world.standin.dev("/dev/disputes", {"charge": charge, "amount": amount})
    await world.retrieve()
    return str(made["id"])


async def decide(world: World, dispute: str, do: str, **about: int) -> None:
    await world.standin.dev("/dev/disputes", {"dispute": dispute, "do": do, **about})
    await world.retrieve()


async def agrees(world: World, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Nothing is to be found, and what the order keeps is what the gateway has."""
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", datetime.now(UTC) - timedelta(days=1))
    order = world.order()
    return report.findings == () and world.charges() == order.total_minor - order.refunded_minor


async def test_a_part_that_is_lost(world, monkeypatch):
    opened = await dispute(world, 2_000)
    assert (world.order().disputed_at is not None, world.order().refunded_minor) == (True, 0)
    await decide(world, opened, "lose")
    assert (world.states(), world.order().refunded_minor) == (["paid", "paid"], 2_000)
    assert await agrees(world, monkeypatch)


async def test_all_of_it_lost_then_won_on_appeal(world, monkeypatch):
    opened = await dispute(world, 5_500)
    await decide(world, opened, "lose")
    assert (world.states(), await agrees(world, monkeypatch)) == (["refunded", "paid"], True)
    await decide(world, opened, "appeal")
    assert (world.states(), await agrees(world, monkeypatch)) == (["refunded", "paid"], True)
    await decide(world, opened, "win")
    assert (world.states(), await agrees(world, monkeypatch)) == (["paid", "paid"], True)
    assert (world.order().refunded_minor, world.charges()) == (0, 5_500)


async def test_one_that_is_won_in_part_by_its_money_whatever_its_word(world, monkeypatch):
    opened = await dispute(world, 5_500)
    await decide(world, opened, "lose", returned=1_500)
    assert (world.states(), world.order().refunded_minor) == (["paid", "paid"], 4_000)
    assert await agrees(world, monkeypatch)


async def test_a_prevented_one_has_cost_what_its_buyer_got(world, monkeypatch):
    opened = await dispute(world, 1_000)
    await decide(world, opened, "prevent")
    assert world.order().refunded_minor == 1_000
    assert await agrees(world, monkeypatch)


async def test_what_nobody_retrieved_is_found(world, monkeypatch):
    """The negative control: the events of a decision were lost."""
    opened = await dispute(world, 2_000)
    await world.standin.dev("/dev/disputes", {"dispute": opened, "do": "lose"})
    assert not await agrees(world, monkeypatch)


@pytest.mark.parametrize(
    ("amounts", "currency", "taken"),
    [((-2_000,), "usd", 2_000), ((-2_000, 500), "usd", 1_500), ((-1_850, 925), "eur", 1_000), ((), "usd", 0)],
)
def test_what_was_taken_is_counted_in_the_currency_of_the_charge(amounts, currency, taken):
    movements = [{"amount": amount, "currency": currency} for amount in amounts]
    about = {"id": "dp_1", "status": "lost", "amount": 2_000, "currency": "usd", "created": 1, "reason": None}
    found = dispute_snapshot({**about, "balance_transactions": movements})
    assert (found.state, found.taken_minor, found.movements) == ("closed", taken, len(amounts))


def test_a_status_that_is_new_is_open_and_books_nothing():
    about = {"id": "dp_1", "status": "pondered", "amount": 2_000, "currency": "usd", "created": 1, "reason": None}
    movements = [{"amount": -2_000, "currency": "usd"}]
    found = dispute_snapshot({**about, "balance_transactions": movements})
    assert (found.state, found.decided_minor) == ("open", 0)
