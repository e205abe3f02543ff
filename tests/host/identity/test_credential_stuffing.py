"""Many guesses: one name with many passwords, many names from one address. Others can sign in, memory does not grow."""

import asyncio
from collections import Counter

import psutil

from host.identity.errors import TEXTS
from host.rate_limits.limiter import LIMITER

GUESSES = 500
# Allowance for Python and the allocator; one object kept for each guess would exceed it.
MOST_GROWTH = 8 * 2**20


async def count_statuses(browser, names, password="wrong"):
    """The number of replies by status; ten requests at a time."""
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
    await count_statuses(attacker, ["ada"] * 20)
    before, slots = memory(), len(site.app[LIMITER]._local)
    seen = await count_statuses(attacker, ["ada", "ADA", " ada ", "Ada", "aDa"] * 96)
    assert seen == {429: 480}
    assert len(asked) == 10
    assert memory() - before < MOST_GROWTH
    assert len(site.app[LIMITER]._local) <= slots + 2
    status, answer = await attacker.login("ada", "wrong")
    assert (status, answer["detail"]) == (429, TEXTS["tooMany"])
    assert await other.sign_in("warn") == "/"


async def test_500_names_from_one_address_are_throttled_and_other_addresses_are_not(world):
    site = await world.open(SIGN_INS_PER_NAME="0", TRUSTED_PROXIES="127.0.0.1")
    attacker, other = world.browser(site), world.browser(site)
    # Guesses that reach the stand-in are hashed in this process: that memory is not part of the measurement.
    assert await count_statuses(attacker, [f"name-{number}" for number in range(40)]) == {401: 30, 429: 10}
    before = memory()
    assert await count_statuses(attacker, [f"name-{number}" for number in range(40, GUESSES)]) == {429: 460}
    assert memory() - before < MOST_GROWTH
    answer = await other.ask(
        "POST", "/api/auth/login", {"username": "warn", "password": "x"}, X_Forwarded_For="203.0.113.9"
    )
    assert answer.status == 401
