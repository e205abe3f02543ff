"""Polls of a transaction: too early, too often, too late, and from several tabs."""

import asyncio
from types import SimpleNamespace

import pytest
from aiohttp import web

from host.identity.errors import TEXTS
from host.identity.provider import PROVIDER
from tests.host.identity.browser import PASSWORD
from tests.host.identity.flow import Flow
from tests.support.waiting import until

POLL = "/idp/idx/challenge/poll"


@pytest.fixture
async def hand(world, monkeypatch):
    """The host's clock for polls, set by the test."""
    clock = SimpleNamespace(now=world.standin.clock.now)
    monkeypatch.setattr("host.identity.idx.flow.time", SimpleNamespace(time=lambda: clock.now))
    return clock


@pytest.fixture
async def flow(ada, world, hand):
    """A flow at the code of a mail, a step that can be polled."""
    flow = Flow(ada, world.standin)
    await flow.start("authenticate")
    await flow.go("identify", identifier="email-mfa", passcode=PASSWORD)
    return flow


def counted(standin, answer=None):
    """Counts the polls that reach the provider; `answer` replaces the provider's response."""
    seen = []

    async def before():
        seen.append(1)
        return answer() if answer else None

    standin.before[POLL] = before
    return seen


async def test_the_provider_is_polled_at_most_every_half_second(flow, world, hand):
    seen = counted(world.standin)
    await flow.poll()
    assert (flow.reply["status"], flow.reply["retryAfterMs"], len(seen)) == ("PENDING", None, 1)
    hand.now += 0.2
    for _ in range(5):
        await flow.poll()
    assert (flow.reply["retryAfterMs"], len(seen)) == (300, 1)
    hand.now += 0.3
    await flow.poll()
    assert len(seen) == 2


def busy():
    body = {"version": "1.0.0", "messages": {"type": "array", "value": []}}
    return web.json_response(body, status=429)


async def test_after_a_429_the_next_poll_is_after_1_2_4_8_and_16_s(flow, world, hand):
    seen, pauses = counted(world.standin, busy), []
    for _ in range(5):
        pauses.append((await flow.poll())["retryAfterMs"])
        hand.now += pauses[-1] / 1000
    assert pauses == [1000, 2000, 4000, 8000, 16000]
    await flow.poll()
    assert (flow.status, flow.reply["detail"], len(seen)) == (503, "Unknown error", 6)
    world.standin.before.clear()
    await flow.poll()
    assert (flow.status, flow.reply["status"], flow.names[0]) == (200, "PENDING", "challenge-authenticator")


async def test_a_429_keeps_the_forms(flow, world):
    counted(world.standin, busy)
    await flow.poll()
    assert (flow.names[0], flow.reply["canResend"]) == ("challenge-authenticator", True)


async def test_a_successful_poll_resets_the_failure_count(flow, world, hand):
    counted(world.standin, busy)
    for pause in (1, 2):
        assert (await flow.poll())["retryAfterMs"] == pause * 1000
        hand.now += pause
    world.standin.before.clear()
    await flow.poll()
    hand.now += 0.5
    counted(world.standin, busy)
    assert (await flow.poll())["retryAfterMs"] == 1000


async def test_a_network_failure_only_delays_the_poll(flow, world, hand):
    await world.standin.stop()
    pauses = []
    for _ in range(5):
        pauses.append((await flow.poll())["retryAfterMs"])
        hand.now += pauses[-1] / 1000
    assert pauses == [1000, 2000, 4000, 8000, 16000]
    await flow.poll()
    assert (flow.status, flow.reply["detail"]) == (503, "Unknown error")
    await world.standin.start()
    await until(lambda: world.site.app[PROVIDER].state == "up")
    await flow.go("challenge-authenticator", passcode=await flow.code("email-mfa@example.test"))
    assert flow.reply["status"] == "SUCCESS"


async def test_a_5xx_of_the_provider_is_reported_at_once(flow, world):
    counted(world.standin, lambda: web.json_response({"errorCode": "E0000009"}, status=500))
    await flow.poll()
    assert (flow.status, flow.reply["detail"]) == (503, "Unknown error")
    world.standin.before.clear()
    assert (await flow.resume())["status"] == "PENDING"


def another_tab(flow):
    """A second flow in the same browser, with the same cookies."""
    return Flow(flow.browser, flow.standin)


async def test_a_tab_that_was_overtaken_gets_the_current_state(world, ada):
    slow = Flow(ada, world.standin)
    await slow.start("authenticate")
    fast, begun, go_on = another_tab(slow), asyncio.Event(), asyncio.Event()

    async def held_up():
        begun.set()
        await go_on.wait()

    world.standin.before["/idp/idx/identify"] = held_up
    late = asyncio.create_task(slow.go("identify", identifier="ada", passcode="wrong"))
    await begun.wait()
    await fast.go("select-enroll-profile")
    go_on.set()
    await late
    assert (slow.status, slow.names) == (200, ["enroll-profile", "select-identify"])
    world.standin.before.clear()
    await slow.go("enroll-profile", firstName="Nina", lastName="Novak", email="nina@example.test")
    assert slow.names == ["select-authenticator-enroll"]
    assert (await fast.resume())["steps"] == slow.reply["steps"]


async def test_a_tab_gets_an_error_when_another_tab_ended_the_transaction(world, ada):
    slow = Flow(ada, world.standin)
    await slow.start("authenticate")
    fast, begun, go_on = another_tab(slow), asyncio.Event(), asyncio.Event()

    async def held_up():
        begun.set()
        await go_on.wait()

    world.standin.before["/idp/idx/unlock-account"] = held_up
    late = asyncio.create_task(slow.go("unlock-account"))
    await begun.wait()
    await fast.go("identify", identifier="ada", passcode=PASSWORD)
    assert fast.reply["status"] == "SUCCESS"
    go_on.set()
    await late
    assert (slow.status, slow.reply["detail"]) == (404, TEXTS["noSaved"])
    assert slow.browser.user_info["user"]["Email"] == "ada@example.test"


async def test_a_device_challenge_is_marked_as_step_up(flow, world):
    async def challenge():
        body = {"version": "1.0.0", "stateHandle": "02x", "remediation": {"type": "array", "value": []}}
        headers = {"WWW-Authenticate": 'Oktadevicejwt realm="Okta Device"'}
        return web.json_response(body, status=401, headers=headers)

    assert flow.reply["stepUp"] is False
    world.standin.before["/idp/idx/introspect"] = challenge
    assert (await flow.resume())["stepUp"] is True
