"""How many orders one process places at once."""

import asyncio

import pytest

from host.checkout import turns as checkout_turns
from host.checkout.turns import CheckoutBusy, CheckoutTurns


async def test_turns_are_given_in_the_order_in_which_buyers_came():
    turns, served, holders = CheckoutTurns(2), [], []

    async def place(number: int) -> None:
        async with turns.turn():
            holders.append(number)
            assert len(holders) <= 2
            await asyncio.sleep(0)
            served.append(number)
            holders.remove(number)

    await asyncio.gather(*(place(number) for number in range(6)))
    assert served == [0, 1, 2, 3, 4, 5]


async def test_whoever_comes_while_all_turns_are_taken_has_waited():
    turns, waited = CheckoutTurns(1), []

    async def place() -> None:
        async with turns.turn() as has_waited:
            waited.append(has_waited)
            await asyncio.sleep(0)

    await place()
    await asyncio.gather(place(), place())
    assert waited == [False, False, True]


async def test_who_gets_no_turn_in_time_is_told_so_and_takes_none_from_others():
    turns = CheckoutTurns(1, wait_s=0.01)
    async with turns.turn():
        with pytest.raises(CheckoutBusy, match="Nothing is charged"):
            async with turns.turn():
                raise AssertionError
    async with turns.turn():
        pass


async def test_a_place_that_fails_gives_its_turn_back():
    turns = CheckoutTurns(1, wait_s=0.01)
    for _attempt in range(2):
        with pytest.raises(ValueError, match="no order"):
            async with turns.turn():
                raise ValueError("no order")


async def test_others_are_served_before_and_after_each_reader(monkeypatch):
    turns, seen = CheckoutTurns(1), []

    async def pause() -> None:
        seen.append("others")
        await asyncio.sleep(0)

    async def read(name: str) -> None:
        async with turns.reading():
            seen.append(name)

    monkeypatch.setattr(checkout_turns, "pause", pause)
    await asyncio.gather(read("first"), read("second"))
    assert seen == ["others", "first", "others", "others", "second", "others"]
