"""Guessing codes: one answer for all that cannot be used, with the same work behind it, and budgets that end it.

The variants without one of the guards must fail the same check.
"""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event

from domain.coupons.rules import UNUSABLE
from host.rate_limits import policies
from host.resilience.background_loop import BackgroundLoop
from tests.host.api.test_coupons import NONE, VAT, coupon, detail, named
from tests.host.signing import learner
from tests.support import factories

RIGHT = "RIGHT"
# Values of a statement as SQLite traces it.
VALUE = re.compile(r"'[^']*'|\b\d+(\.\d+)?\b|\bNULL\b")


async def hidden(site) -> list[str]:
    """Codes that nobody may tell from one that does not exist."""
    past, future = (datetime.now(UTC) + timedelta(days=days) for days in (-1, 1))
    with site.db.write_session() as session:
        theirs = factories.organisation(session).id
        factories.coupon(session, "OVER", ends_at=past)
        factories.coupon(session, "SOON", starts_at=future)
        factories.coupon(session, "PAUSED", state="paused")
        factories.coupon(session, "DRAFT", state="draft")
        factories.coupon(session, "THEIRS", organisation_id=theirs)
        used = factories.coupon(session, "USED", total_limit=1, uses=1)
        factories.coupon_use(session, used.id, factories.learner(session, "Somebody Else").id, expires_at=future)
    return ["NOBODY", "OVER", "SOON", "PAUSED", "DRAFT", "THEIRS", "USED", "", "é📚"]


async def test_unknown_expired_and_other_learners_codes_get_the_same_reply(open_site):
    site = await open_site(LIMITS="off")
    answers = {code: await site.answer("getcoupondetail", {"coupon": code}) for code in await hidden(site)}
    bodies = {await answer.read() for answer in answers.values()}
    assert {answer.status for answer in answers.values()} == {200}
    assert [json.loads(body) for body in bodies] == [{"Status": "failed", "Message": UNUSABLE.message, **NONE}]
    heads = {frozenset(name for name in answer.headers if name != "Date") for answer in answers.values()}
    assert len(heads) == 1


async def test_they_get_the_same_reply_on_a_line_and_on_a_cart(open_site):
    site = await open_site(LIMITS="off")
    ada = learner(site)
    course_id = await ada.add(VAT)
    lines = [{"id": course_id, "quantity": 1}]
    for code in [code for code in await hidden(site) if code]:
        assert (await ada.code(course_id, code))["Message"] == UNUSABLE.message
        _, answer = await site.call("cart/coupon", {"code": code, "lines": lines}, method="PUT")
        assert answer == {"status": "failed", "message": UNUSABLE.message, "cart": None}


async def test_they_cause_the_same_database_statements(open_site, monkeypatch):
    # The host looks for changes, jobs and mails all the time: their statements must not be among the counted ones.
    monkeypatch.setattr(BackgroundLoop, "start", lambda _loop: None)
    site = await open_site(LIMITS="off")
    ada = learner(site)
    course_id = await ada.add(VAT)
    codes = [code for code in await hidden(site) if code]
    lines, executed = [{"id": course_id, "quantity": 1}], []

    def listen(connection, *_about) -> None:
        """At the driver: prepared statements do not pass through SQLAlchemy."""
        connection.set_trace_callback(lambda statement: executed.append(VALUE.sub("?", statement)))

    event.listen(site.db.engine, "checkout", listen)
    ways = {
        "detail": lambda code: detail(site, code),
        "a learner's detail": lambda code: detail(site, code, ada.headers),
        "a line": lambda code: ada.code(course_id, code),
        "a guest's cart": lambda code: site.call("cart/coupon", {"code": code, "lines": lines}, method="PUT"),
        "a learner's cart": lambda code: ada.call("cart/coupon", "PUT", code=code),
    }
    for way, call in ways.items():
        statements = {}
        for code in codes:
            executed.clear()
            await call(code)
            statements[code] = list(executed)
        assert [code for code in codes if statements[code] != statements["NOBODY"]] == [], way
        assert any("FROM coupons" in statement for statement in statements["NOBODY"]), way


async def check_guesses_are_throttled(site) -> None:
    """A thousand guesses from one address, which claims another address each time."""
    statuses = []
    for number in range(1_000):
        forged = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250}", "Forwarded": f"for=10.1.1.{number % 250}"}
        answer = await site.answer("getcoupondetail", {"coupon": f"GUESS-{number}"}, {**forged, "X-Real-IP": "1.2.3.4"})
        statuses.append(answer.status)
        assert answer.status == 200 or 1 <= int(answer.headers["Retry-After"]) <= 3600
    assert statuses[:10] == [200] * 10
    # At most one minute of the limiter's clock ends during the guesses.
    assert statuses.count(429) >= 980
    assert (await detail(site, RIGHT))[0] == 429


async def test_a_thousand_guesses_are_limited_to_ten_a_minute(open_site):
    site = await open_site(COUPONS_PER_MINUTE="10", COUPONS_PER_HOUR="60")
    coupon(site, RIGHT)
    await check_guesses_are_throttled(site)


def believing(request) -> str:
    """The address that the client claims."""
    return request.headers.get("X-Forwarded-For", "")


async def counting_nobody(*_about) -> None:
    """Counts nothing: no rate limit."""


TWINS = {"client_ip": believing, "limit_coupon_call": counting_nobody}


@pytest.mark.parametrize("guard", TWINS)
async def test_without_its_guard_the_thousand_guesses_go_through(open_site, monkeypatch, guard):
    monkeypatch.setattr(policies, guard, TWINS[guard])
    site = await open_site(COUPONS_PER_MINUTE="10", COUPONS_PER_HOUR="60")
    coupon(site, RIGHT)
    with pytest.raises(AssertionError):
        await check_guesses_are_throttled(site)


async def test_an_hour_has_its_own_limit(open_site):
    site = await open_site(COUPONS_PER_MINUTE="0", COUPONS_PER_HOUR="5")
    assert [(await detail(site, "X"))[0] for _ in range(7)] == [200] * 5 + [429] * 2


async def test_all_coupon_calls_share_a_limit_that_refuses_valid_codes_too(open_site):
    site = await open_site(COUPONS_PER_MINUTE="3", COUPONS_PER_HOUR="0")
    coupon(site, "RIGHT")
    ada = learner(site)
    course_id = await ada.add(VAT)
    assert (await detail(site, "A"))[0] == 200
    assert (await site.call("cart/coupon", {"code": "B"}, method="PUT"))[0] == 200
    assert (await ada.code(course_id, "C"))["Status"] == "failed"
    body = {"AAUserID": ada.id, "CourseID": course_id, "Code": "RIGHT"}
    assert (await ada.call("SetCourseCoupon", **body))[0] == 429
    assert (await ada.get("cart"))[1]["lines"][0]["code"] is None


async def test_the_coupon_limit_follows_the_learner_across_addresses(open_site):
    site = await open_site(COUPONS_PER_MINUTE="4", COUPONS_PER_HOUR="0", TRUSTED_PROXIES="127.0.0.0/8")
    ada, grace = learner(site), learner(site, "Grace Hopper")
    at = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(9)]
    statuses = [(await detail(site, "X", {**ada.headers, **at[number]}))[0] for number in range(6)]
    assert statuses == [200] * 4 + [429] * 2
    assert (await detail(site, "X", {**grace.headers, **at[7]}))[0] == 200
    assert (await detail(site, "X", at[8]))[0] == 200


async def test_many_misses_cause_one_alarm(open_site, caplog):
    site = await open_site(LIMITS="on", COUPONS_PER_MINUTE="0", COUPONS_PER_HOUR="0", COUPON_ALARM_PER_HOUR="3")
    for _ in range(8):
        await detail(site, "X")
    alarms = [record.message for record in caplog.records if record.message.startswith("alarm")]
    assert alarms == ["alarm: more than 3 of refused coupon codes within 3600 s"]


async def test_the_username_limit_follows_the_learner_across_addresses(open_site):
    site = await open_site(
        USERNAME_LOOKUPS_PER_MINUTE="3", USERNAME_LOOKUPS_PER_HOUR="0", TRUSTED_PROXIES="127.0.0.0/8"
    )
    ada = learner(site)
    at = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(6)]
    assert [(await named(site, "x", {**ada.headers, **headers}))[0] for headers in at[:5]] == [200] * 3 + [429] * 2
    assert (await named(site, "x", at[5]))[0] == 200
