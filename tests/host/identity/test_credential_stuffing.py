"""Many guesses: one name and many words, many names from one address. Others go on, and nothing grows."""

import asyncio
from collections import Counter

import psutil

from host import keys
from host.identity.errors import TEXTS

GUESSES = 500
# What Python and the allocator take on the way; a record kept for each guess would be more.
MOST_GROWTH = 8 * 2**20


async def told(browser, names, password="wrong"):
    """Status by status how many; ten at a time, as an attacker would."""
    seen, left = Counter(), list(names)

    async def one_after_the_other():
        while left:
            seen[(await browser.login(left.pop(), password))[0]] += 1

    await asyncio.gather(*(one_after_the_other() for _ in range(10)))
    return seen


def memory():
    return psutil.Process().memory_info().rss


async def test_500_wrong_passwords_for_one_name_are_throttled_and_others_are_not(world):
    site = await world.open(SIGN_INS_PER_ADDRESS="0")
    attacker, other = world.browser(site), world.browser(site)
    asked = []

    async def count():
        asked.append(1)

    world.standin.before["/api/v1/authn"] = count
    await told(attacker, ["ada"] * 20)
    before, slots = memory(), len(site.app[keys.LIMITER]._local)
    seen = await told(attacker, ["ada", "ADA", " ada ", "Ada", "aDa"] * 96)
    assert seen == {429: 480}
    assert len(asked) == 10
    assert memory() - before < MOST_GROWTH
    assert len(site.app[keys.LIMITER]._local) <= slots + 2
    status, answer = await attacker.login("ada", "wrong")
    assert (status, answer["detail"]) == (429, TEXTS["tooMany"])
    assert await other.sign_in("warn") == "/"


async def test_500_names_from_one_address_are_throttled_and_other_addresses_are_not(world):
    site = await world.open(SIGN_INS_PER_NAME="0", TRUSTED_PROXIES="127.0.0.1")
    attacker, other = world.browser(site), world.browser(site)
    # Those that reach the stand-in make it hash, in this very process: that memory is not what is measured.
    assert await told(attacker, [f"name-{one}" for one in range(40)]) == {401: 30, 429: 10}
    before = memory()
    assert await told(attacker, [f"name-{one}" for one in range(40, GUESSES)]) == {429: 460}
    assert memory() - before < MOST_GROWTH
    answer = await other.ask(
        "POST", "/api/auth/login", {"username": "warn", "password": "x"}, X_Forwarded_For="203.0.113.9"
    )
    assert answer.status == 401
