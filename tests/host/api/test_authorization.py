"""Every call declares who may make it, and the host refuses everyone else before it reads the body."""

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn

import pytest
from aiohttp import web

from domain.database.list_page import ListQuery, read_list_page
from domain.permissions import AREAS, ROLES, Permission, permissions_of, roles_with
from domain.staff import recorded_events as events
from host.api import openapi, registry
from host.api.authorization import PolicyOptions, UndeclaredCall, declared_policy
from host.api.fields import EmptyRequest
from host.api.registry import CALLS, Call, call, query
from host.http import request_keys
from host.http.problems import Problem
from tests.host.signing import learner
from tests.host.site import SHARED, Site
from tests.support import factories

pytestmark = SHARED

BODY_READ = 418
KEY = "0123456789abcdef"
REFUND: PolicyOptions = {"area": "admin", "permission": Permission.REFUNDS_WRITE, "is_idempotent": True}
ORDERS: PolicyOptions = {"area": "admin", "permission": Permission.ORDERS_READ}


@dataclass(frozen=True)
class Person:
    """Who makes a call: credentials, and the area and roles of their session ("": no session)."""

    headers: dict[str, str]
    area: str = ""
    roles: tuple[str, ...] = ()


@pytest.fixture
def body_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever a call lets in gets this status: the body is not read and no handler runs."""

    async def read(*_: object) -> NoReturn:
        raise Problem(BODY_READ)

    monkeypatch.setattr(registry, "_read_request", read)


@pytest.fixture
def own_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that the test registers exist only in it."""
    monkeypatch.setattr(registry, "CALLS", dict(CALLS))
    for table in ("_by_name", "_by_pattern"):
        copied = {name: dict(calls) for name, calls in getattr(registry, table).items()}
        monkeypatch.setattr(registry, table, copied)


def people(site: Site) -> dict[str, Person]:
    ada, grace = learner(site), learner(site, "Grace Hopper")
    member, manager = learner(site, "Mary Member"), learner(site, "Max Manager", area="organisation")
    owner, undecided = (learner(site, name, area="organisation") for name in ("Olga Owner", "Uma Undecided"))
    with site.db.write_session() as session:
        organisation = factories.organisation(session, f"northwind-{ada.token[:8].casefold()}")
        factories.member(session, member.id, organisation.id)
        for person, role in ((manager, "manager"), (owner, "owner"), (undecided, "owner")):
            factories.member(session, person.id, organisation.id, role=role)
    for person in (manager, owner):
        person.choose(organisation.id)
    staff = {
        role: Person(learner(site, f"Staff {role}", area="admin", roles=[role]).headers, "admin", (role,))
        for role in ROLES["admin"]
    }
    elsewhere = learner(site, "Staff elsewhere", roles=["administrator"])
    return {
        "nobody": Person({}),
        "learner": Person(ada.headers, "learner"),
        "another learner's cookie": Person({**ada.bearer, **grace.cookie}),
        "member of another organisation": Person(member.headers, "learner"),
        "token without cookie": Person(ada.bearer),
        "cookie without token": Person(ada.cookie),
        "manager": Person(manager.headers, "organisation", ("manager",)),
        "owner": Person(owner.headers, "organisation", ("owner",)),
        "owner who has chosen no organisation": Person(undecided.headers, "organisation"),
        "administrator signed in as a learner": Person(elsewhere.headers, "learner", ("administrator",)),
        "former administrator": Person(learner(site, "Staff former", area="admin").headers, "admin"),
        **staff,
    }


def expected(call: Call, person: Person) -> int:
    """The answer that a call declares for a person."""
    policy = call.policy
    if policy.caller == "anyone":
        return BODY_READ
    if not person.area:
        return 401
    if policy.area is None:
        return BODY_READ
    allowed = policy.permission in permissions_of(policy.area, person.roles)
    return BODY_READ if allowed and person.area == policy.area else 403


def reason(call: Call, person: Person) -> str:
    """Why they are refused: it depends on what they sent, and on the area of their session."""
    if not person.area:
        return "no valid session" if "Authorization" in person.headers else "no session"
    if person.area != call.policy.area:
        return "another area"
    return "no permission" if person.roles or person.area == "admin" else "no organisation"


def address(call: Call) -> str:
    return re.sub(r"\{\w+\}", "1", call.name)


async def answers(site: Site, calls: list[Call]) -> dict[tuple[str, str, str], int]:
    """The statuses. Everyone who is refused for one reason is refused in the same bytes, whatever roles they have."""
    found, refusals = {}, defaultdict(set)
    for who, person in people(site).items():
        for each in calls:
            answer = await site.answer(address(each), None, {**person.headers, "Idempotency-Key": KEY}, each.method)
            found[each.method, each.name, who] = answer.status
            if answer.status != BODY_READ:
                refusals[each.method, each.name, reason(each, person)].add(await answer.read())
    assert {refused: len(forms) for refused, forms in refusals.items()} == dict.fromkeys(refusals, 1)
    return found


async def test_every_call_refuses_everyone_whom_it_does_not_declare(plain_site, body_read):
    calls = list(CALLS.values())
    declared = {
        (call.method, call.name, who): expected(call, person)
        for who, person in people(plain_site).items()
        for call in calls
    }
    assert await answers(plain_site, calls) == declared
    assert set(declared.values()) == {BODY_READ, 401, 403}


async def test_every_permission_opens_its_calls_to_its_roles_alone(plain_site, body_read, own_calls):
    for permission in Permission:
        (area,) = (area for area in AREAS if roles_with(area, permission))
        call(f"test/{permission}", EmptyRequest, EmptyRequest, area=area, permission=permission)(echo)
        query(f"test/{permission}", EmptyRequest, EmptyRequest, area=area, permission=permission)(echo)
    calls = [registered for registered in registry.CALLS.values() if registered.name.startswith("test/")]
    declared = {
        (registered.method, registered.name, who): expected(registered, person)
        for who, person in people(plain_site).items()
        for registered in calls
    }
    assert await answers(plain_site, calls) == declared
    assert set(declared.values()) == {BODY_READ, 401, 403}


async def test_an_administrator_who_loses_the_role_is_refused_at_the_next_call(plain_site, own_calls):
    call("test/erase", EmptyRequest, EmptyRequest, area="admin", permission=Permission.LEARNERS_ERASE)(echo)
    ada = learner(plain_site, area="admin", roles=["administrator"])
    assert await ada.call("test/erase") == (200, {})
    with plain_site.db.write_session() as session:
        factories.staff(session, ada.id, "marketer")
    status, answer = await ada.call("test/erase")
    assert (status, answer["detail"]) == (
        403,
        "This needs the permission learners.erase, which these roles have: administrator.",
    )


async def test_a_handler_gets_the_actor_with_the_roles_of_the_database(plain_site, own_calls):
    seen = []

    async def handler(request: web.Request, _body: Any) -> EmptyRequest:
        seen.append(request[request_keys.ACTOR])
        return EmptyRequest()

    call("test/actor", EmptyRequest, EmptyRequest, area="admin", permission=Permission.REPORTS_READ)(handler)
    ada = learner(plain_site, area="admin", roles=["marketer"])
    answer = await plain_site.answer("test/actor", {}, ada.headers)
    (actor,) = seen
    assert (actor.learner_id, actor.area, actor.roles) == (ada.id, "admin", ("marketer",))
    assert actor.request_id == answer.headers["X-Request-Id"]


async def test_a_refusal_is_recorded(plain_site, own_calls):
    call("test/erase", EmptyRequest, EmptyRequest, area="admin", permission=Permission.LEARNERS_ERASE)(echo)
    mia = learner(plain_site, "Mia Marketer", area="admin", roles=["marketer"])
    assert (await mia.call("test/erase"))[0] == 403
    with plain_site.db.read_session() as session:
        page = read_list_page(session, events.EVENTS, ListQuery(size=1, filters={"action": "call.refuse"}))
    (event,) = page.rows
    assert (event.actor, event.subject.id, event.after) == (
        "Mia Marketer",
        "POST test/erase",
        {"permission": "learners.erase"},
    )


@pytest.mark.parametrize(("minutes", "status"), [(9, 200), (11, 403)])
async def test_a_call_may_require_a_recent_sign_in(plain_site, own_calls, minutes, status):
    options: PolicyOptions = {"area": "admin", "permission": Permission.LEARNERS_ERASE, "max_auth_age_s": 600}
    call("test/erase", EmptyRequest, EmptyRequest, **options)(echo)
    begun = datetime.now(UTC) - timedelta(minutes=minutes)
    answer = await learner(plain_site, at=begun, area="admin", roles=["administrator"]).call("test/erase")
    assert answer[0] == status
    if status == 403:
        told = answer[1]
        assert (told["detail"], told["maxAge"], told["acrValues"]) == ("insufficient_authentication_context", 600, None)


ORDER = {
    "foreign origin": ({"Origin": "https://evil.example"}, False, 403, "only be made from the site itself"),
    "no session": ({}, False, 401, "Sign in to continue."),
    "no permission": ({}, True, 403, "This needs the permission"),
}


async def test_a_call_is_refused_before_its_body_has_arrived(plain_site, own_calls):
    """All cases at once: the site waits a moment for each body before it closes the connection."""
    call(
        "test/money", EmptyRequest, EmptyRequest, area="admin", permission=Permission.REFUNDS_WRITE, is_idempotent=True
    )(echo)
    marketer = learner(plain_site, area="admin", roles=["marketer"])

    async def post(headers, is_signed_in):
        sent = {**headers, **(marketer.headers if is_signed_in else {}), "Content-Length": "1000"}
        return await plain_site.ask("/api/test/money", "POST", *(f"{name}: {value}" for name, value in sent.items()))

    answers = await asyncio.gather(*(post(*case[:2]) for case in ORDER.values()))
    assert [answer.status for answer in answers] == [status for _, _, status, _ in ORDER.values()]
    for answer, (_, _, _, detail) in zip(answers, ORDER.values(), strict=True):
        assert detail in answer.body.decode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Idempotency-Key": KEY}, 200),
        ({}, 400),
        ({"Idempotency-Key": KEY[1:]}, 400),
        ({"Idempotency-Key": "x" * 101}, 400),
        ({"Idempotency-Key": "with spaces in between"}, 400),
    ],
)
async def test_a_call_that_changes_money_needs_an_idempotency_key(plain_site, own_calls, headers, status):
    seen = []

    async def handler(request: web.Request, _body: Any) -> EmptyRequest:
        seen.append(request[request_keys.IDEMPOTENCY_KEY])
        return EmptyRequest()

    call("test/pay", EmptyRequest, EmptyRequest, caller="learner", is_idempotent=True)(handler)
    ada = learner(plain_site)
    got, answer = await plain_site.call("test/pay", {}, {**ada.headers, **headers})
    assert (got, seen) == (status, [KEY] if status == 200 else [])
    if status == 400:
        assert answer["detail"] == "Send one header Idempotency-Key of 16 to 100 visible ASCII characters."


async def test_every_call_that_changes_an_order_or_its_money_needs_a_key():
    """In its body, where the key of the page's form is, or in the header."""
    calls = [each for each in CALLS.values() if each.method == "POST" and each.name.startswith(("checkout", "orders"))]
    assert {each.name for each in calls} >= {"checkout", "orders/{code}/pay", "orders/{code}/refunds"}
    without = [each.name for each in calls if "key" not in each.request_model.model_fields]
    # The mail of a gift changes neither: it may go out twice, and so many times a day at most.
    keyless = {"orders/{code}/gifts/{number}/mail"}
    assert {name for name in without if not CALLS["POST", name].policy.is_idempotent} == keyless


async def test_the_document_says_who_may_make_a_call_and_which_key_it_needs(own_calls):
    call(
        "test/refund", EmptyRequest, EmptyRequest, area="admin", permission=Permission.REFUNDS_WRITE, is_idempotent=True
    )(echo)
    query("test/orders", EmptyRequest, EmptyRequest, **ORDERS)(echo)
    paths = openapi.describe.__wrapped__("Shop", "sid")["paths"]
    refund, orders = paths["/api/test/refund"]["post"], paths["/api/test/orders"]["get"]
    assert refund["security"] == [{"bearer": ["refunds.write"], "sessionCookie": ["refunds.write"]}]
    assert (refund["x-area"], orders["x-area"]) == ("admin", "admin")
    (header,) = refund["parameters"]
    assert (header["name"], header["in"], header["required"]) == ("Idempotency-Key", "header", True)
    assert {"400", "401", "403", "429", "503"} <= set(refund["responses"])
    assert set(orders["responses"]) == {"200", "401", "403", "405", "422", "429", "503"}


UNDECLARED: dict[str, tuple[PolicyOptions, str, str]] = {
    "nothing": ({}, "cart", "must declare its caller"),
    "caller and area": ({"caller": "learner", **ORDERS}, "orders", "must declare its caller"),
    "an area alone": ({"area": "admin"}, "orders", "both an area and a permission"),
    "a permission alone": ({"permission": Permission.ORDERS_READ}, "orders", "both an area and a permission"),
    "a permission of another area": ({**ORDERS, "area": "organisation"}, "orders", "no role of the area organisation"),
    "a learner's call in an area's folder": ({"caller": "learner"}, "admin.orders", "folder of the area admin"),
    "an age of a learner's sign-in": ({"caller": "learner", "max_auth_age_s": 600}, "orders", "only calls of an area"),
    "another area's call in a folder": (ORDERS, "organisation.members", "folder of the area organisation"),
}


@pytest.mark.parametrize("case", UNDECLARED)
async def test_a_call_that_does_not_declare_its_policy_fails_on_import(case):
    options, module, reason = UNDECLARED[case]
    with pytest.raises(UndeclaredCall, match=reason):
        declared_policy("orders", f"host.api.{module}", options)


async def test_a_call_in_the_folder_of_an_area_has_this_area():
    policies = [
        declared_policy("orders", f"host.api.{module}", {"permission": permission})
        for module, permission in (
            ("admin.orders", Permission.ORDERS_READ),
            ("organisation.seats", Permission.SEATS_WRITE),
        )
    ]
    assert [policy.area for policy in policies] == ["admin", "organisation"]


async def test_registering_an_undeclared_call_fails(own_calls):
    with pytest.raises(UndeclaredCall, match="the call test/open must declare its caller"):
        call("test/open", EmptyRequest, EmptyRequest)(echo)
    assert ("POST", "test/open") not in registry.CALLS


async def test_a_call_without_parameters_needs_no_body():
    assert CALLS["POST", "admin/messages/{id}/close"].is_body_optional
    assert not CALLS["POST", "admin/messages/{id}/answer"].is_body_optional


async def echo(_request: web.Request, _body: Any) -> EmptyRequest:
    """Do nothing."""
    return EmptyRequest()
