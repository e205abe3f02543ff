"""SetAAUserTraceLog: every form of every field, the stored values, and that a visit counts once."""

import json
from uuid import UUID, uuid4

import pytest

from tests.host.site import CHROME, SHARED

pytestmark = SHARED

EVENT = "5b2f6f0e-8d1c-4b1e-9c7a-0123456789ab"
FULL = {
    "LoginEmail": "ada@example.test",
    "AAUserID": 7,
    "CouponID": "3",
    "SessionID": "0b9c5f2e-1111-4222-8333-444455556666",
    "Stunum": "S-9",
    "SpecialCouponID": "SPRING",
    "Url": "/shop?page=2&utm_source=news",
}


async def logged_visit(site, body, **headers):
    """Make the call and return the stored visit."""
    before = len(site.visits())
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    status, answer = await site.call("SetAAUserTraceLog", body, sent)
    assert status == 202, answer
    visit = site.visits()[-1]
    assert (answer, len(site.visits())) == ({"Status": "success", "EventID": visit.event_id}, before + 1)
    return visit


def full():
    """All specified fields with a new EventID."""
    return {**FULL, "EventID": str(uuid4())}


async def test_all_specified_fields_are_stored_except_the_email(site):
    body = full()
    visit = await logged_visit(site, body)
    assert (visit.event_id, visit.session_id, visit.url) == tuple(
        body[name] for name in ("EventID", "SessionID", "Url")
    )
    assert (visit.coupon_id, visit.student_number, visit.special_coupon) == ("3", "S-9", "SPRING")
    assert (visit.page, visit.campaign) == ("shop", {"utm_source": "news"})
    assert (visit.visitor_class, visit.source, visit.agent) == ("human", "browser", "Chrome")
    assert visit.address == "127.0.0.0/24"
    assert "ada@" not in str(vars(visit))


async def test_a_claimed_learner_id_is_not_stored_as_the_learner(site):
    visit = await logged_visit(site, full())
    assert (visit.learner_id, visit.claimed_id) == (None, 7)


async def test_a_visit_needs_only_its_url(site):
    visit = await logged_visit(site, {"Url": "/"})
    assert (visit.page, visit.session_id, visit.claimed_id) == ("home", "", None)
    assert UUID(visit.event_id).version == 4


FIELDS = [
    ("AAUserID", 0, "claimed_id", None),
    ("AAUserID", "0", "claimed_id", None),
    ("AAUserID", "7", "claimed_id", 7),
    ("AAUserID", 7.0, "claimed_id", 7),
    ("AAUserID", None, "claimed_id", None),
    ("AAUserID", 2**53 - 1, "claimed_id", 2**53 - 1),
    ("CouponID", 12, "coupon_id", "12"),
    ("CouponID", 12.0, "coupon_id", "12"),
    ("CouponID", 1.5, "coupon_id", "1.5"),
    ("CouponID", None, "coupon_id", ""),
    ("CouponID", "x" * 100, "coupon_id", "x" * 64),
    ("CouponID", 10**400, "coupon_id", "1" + "0" * 63),
    ("Stunum", 42, "student_number", "42"),
    ("Stunum", "S\u0000\u00019\r\n", "student_number", "S9"),
    ("SpecialCouponID", "特価", "special_coupon", "特価"),
    ("SessionID", "x" * 100, "session_id", "x" * 64),
    ("SessionID", 5, "session_id", "5"),
    ("LoginEmail", None, "session_id", ""),
    ("Url", "", "url", ""),
    ("Url", "/shop?q=" + "x" * 5000, "url", "/shop?q=" + "x" * 2040),
    ("Url", "/email-verify/s3cret", "url", "/email-verify/{token}"),
    ("Url", "/logincallback?code=x&state=y", "url", "/logincallback"),
    ("Url", "/shop?token=x", "url", "/shop?token={removed}"),
    ("Url", "/sh\u0007op\u2028", "url", "/shop"),
    ("Url", "/shop?q=📚", "url", "/shop?q=📚"),
    ("Url", "no address at all", "url", "no address at all"),
    ("EventID", EVENT.upper(), "event_id", EVENT),
    ("EventID", None, "source", "browser"),
]


@pytest.mark.parametrize(("field", "sent", "column", "stored"), FIELDS)
async def test_a_field_is_accepted_in_every_form_that_browsers_send(site, field, sent, column, stored):
    visit = await logged_visit(site, {"Url": "/shop", field: sent})
    assert getattr(visit, column) == stored


async def test_unknown_fields_are_ignored(site):
    visit = await logged_visit(site, {**full(), "Price": 1, "learner_id": 9, "address": "6.6.6.6", "id": 77})
    assert (visit.learner_id, visit.address) == (None, "127.0.0.0/24")


async def test_a_lone_surrogate_does_not_lose_the_visit(site):
    body = b'{"Url": "/shop?q=\\ud800x", "Stunum": "\\udfff1"}'
    visit = await logged_visit(site, body)
    assert (visit.url, visit.student_number) == ("/shop?q=x", "1")


REFUSED = [
    ({}, {"Url": "Field required"}),
    ({"Url": None}, {"Url": "Input should be a valid string"}),
    ({"Url": 7}, {"Url": "Input should be a valid string"}),
    ({"Url": ["/shop"]}, {"Url": "Input should be a valid string"}),
    ({"Url": "/", "AAUserID": -1}, {"AAUserID": "Input should be greater than or equal to 0"}),
    ({"Url": "/", "AAUserID": True}, {"AAUserID": "Value error, must be a whole number"}),
    ({"Url": "/", "AAUserID": "seven"}, {"AAUserID": "Value error, must be a whole number"}),
    ({"Url": "/", "AAUserID": 1.5}, {"AAUserID": "Value error, must be a whole number"}),
    ({"Url": "/", "AAUserID": 2**53}, {"AAUserID": "Input should be less than or equal to 9007199254740991"}),
    ({"Url": "/", "AAUserID": {"id": 1}}, {"AAUserID": "Value error, must be a whole number"}),
    ({"Url": "/", "CouponID": True}, {"CouponID": "Input should be a valid string"}),
    ({"Url": "/", "CouponID": []}, {"CouponID": "Input should be a valid string"}),
    ({"Url": "/", "EventID": 7}, {"EventID": "UUID input should be a string, bytes or UUID object"}),
]


@pytest.mark.parametrize(("body", "errors"), REFUSED, ids=[json.dumps(body) for body, _ in REFUSED])
async def test_a_field_of_the_wrong_type_is_named_and_nothing_is_stored(site, body, errors):
    before = len(site.visits())
    status, answer = await site.call("SetAAUserTraceLog", body)
    assert (status, answer["status"], answer["errors"]) == (422, 422, errors)
    assert len(site.visits()) == before


async def test_an_invalid_event_id_is_refused(site):
    status, answer = await site.call("SetAAUserTraceLog", {"Url": "/", "EventID": "not-one"})
    assert (status, list(answer["errors"])) == (422, ["EventID"])


async def test_a_resend_counts_once(site):
    body = full()
    visit = await logged_visit(site, body)
    again = [await site.call("SetAAUserTraceLog", {**body, "Url": "/other"}) for _ in range(2)]
    assert again == [(202, {"Status": "success", "EventID": body["EventID"]})] * 2
    assert [row.url for row in site.visits() if row.event_id == visit.event_id] == [FULL["Url"]]


async def test_equal_visits_without_an_event_id_count_twice(site):
    first, second = await logged_visit(site, {"Url": "/shop"}), await logged_visit(site, {"Url": "/shop"})
    assert first.event_id != second.event_id


@pytest.mark.parametrize("header", ["Sec_GPC", "DNT"])
async def test_a_privacy_signal_removes_session_and_address(site, header):
    visit = await logged_visit(site, full(), **{header: "1"})
    assert (visit.session_id, visit.address, visit.claimed_id) == ("", "", None)
    assert (visit.url, visit.coupon_id) == (FULL["Url"], "3")


@pytest.mark.parametrize("header", ["Sec_GPC", "DNT"])
async def test_without_a_privacy_signal_the_visit_is_stored_in_full(site, header):
    assert (await logged_visit(site, full(), **{header: "0"})).session_id == FULL["SessionID"]


@pytest.mark.parametrize(
    ("agent", "kind"), [(CHROME, "human"), ("curl/8.5.0", "suspected"), ("Googlebot/2.1", "crawler"), ("", "suspected")]
)
async def test_a_visit_stores_the_class_of_its_visitor(site, agent, kind):
    assert (await logged_visit(site, {"Url": "/"}, User_Agent=agent)).visitor_class == kind


@pytest.mark.mariadb
@pytest.mark.asyncio(loop_scope="function")
async def test_a_visit_is_stored_on_mariadb(open_site, mariadb_database):
    url = mariadb_database.url.render_as_string(hide_password=False).replace("mysql+pymysql", "mysql")
    site = await open_site(DATABASE_URL=url.partition("?")[0])
    body = full()
    visit = await logged_visit(site, {**body, "Url": "/shop?q=📚"})
    assert (visit.event_id, visit.url, visit.claimed_id) == (body["EventID"], "/shop?q=📚", 7)
