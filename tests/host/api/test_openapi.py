"""GET /openapi.json describes every call with every answer: what is sent and what comes back fits it."""

import json

import jsonschema
import pytest

from host.calls import CALLS
from host.problems import TITLES
from tests.host.signing import learner
from tests.host.world import SHARED

pytestmark = SHARED

CONTACT = {"name": "Ada", "email": "a@b.co", "subject": "Hi", "message": "1234567890"}
FOREIGN = {"Origin": "https://evil.example"}
# Call, body, headers -> the status it must end with.
EXCHANGES = [
    ("SetAAUserTraceLog", {"Url": "/shop"}, {}, 202),
    ("SetAAUserTraceLog", {"Url": "/", "AAUserID": "7", "CouponID": 3, "Stunum": None}, {}, 202),
    ("SetAAUserTraceLog", {"Url": "/", "EventID": None, "SessionID": 1.5, "colour": "red"}, {}, 202),
    ("SetAAUserTraceLog", {}, {}, 422),
    ("SetAAUserTraceLog", {"Url": "/", "AAUserID": True}, {}, 422),
    ("SetAAUserTraceLog", b"{", {}, 400),
    ("SetAAUserTraceLog", {"Url": "/"}, FOREIGN, 403),
    ("SetAAUserTraceLog", b" " * 70_000, {}, 413),
    ("SetAAUserTraceLog", {"Url": "/"}, {"Content-Type": "text/plain"}, 415),
    ("getcoupondetail", {"coupon": "NOBODY"}, {}, 200),
    ("getcoupondetail", {"coupon": 7}, {}, 422),
    ("getcoupondetail", {"coupon": "x" * 65}, {}, 422),
    ("GetSpecialCouponDetail", {}, {}, 200),
    ("GetSpecialCouponDetail", {"x": 1}, {}, 422),
    ("getUsername", {"Stunum": "S-1"}, {}, 200),
    ("getUsername", {}, {}, 422),
    ("cart/quote", {"lines": [{"id": "1", "quantity": 2}]}, {}, 200),
    ("cart/quote", {"lines": [{"id": 1, "quantity": 0}]}, {}, 422),
    ("wishlist/look", {"wishes": [{"id": 1, "seenPrice": None}]}, {}, 200),
    ("wishlist/look", {"wishes": [{"id": 1, "seenPrice": -1}]}, {}, 422),
    ("SetAAUserCourse", {"AAUserID": 1, "CourseID": 1}, {}, 401),
    ("SetAAUserCourse", {"AAUserID": 1, "CourseID": 1}, FOREIGN, 403),
    ("contact", CONTACT, {}, 202),
    ("contact", {**CONTACT, "website": "x"}, {}, 202),
    ("contact", {**CONTACT, "email": "a"}, {}, 422),
    ("contact", {**CONTACT, "price": 1}, {}, 422),
    ("contact", b"{", {}, 400),
    ("contact", CONTACT, FOREIGN, 403),
    ("contact", b" " * 70_000, {}, 413),
    ("contact", CONTACT, {"Content-Type": "text/plain"}, 415),
]


# A learner's calls, `CourseID`, `AAUserID` and `id` filled in.
LEARNERS = [
    ("SetAAUserCourse", {"AAUserID": 0, "CourseID": 0}),
    ("DelAAUserCourse", {"AAUserID": 0, "CourseID": 0}),
    ("SetCourseCoupon", {"AAUserID": 0, "CourseID": 0, "Code": "NOBODY"}),
    ("cart", {}),
    ("cart/lines/{id}", {"quantity": 2}),
    ("cart/seen", {"lines": [{"id": 1, "price": 8000}]}),
    ("cart/merge", {"lines": [{"id": 1, "quantity": 1}]}),
    ("wishlist", {}),
    ("wishlist/{id}", {"wished": True}),
    ("wishlist/move", {"id": 0}),
    ("wishlist/merge", {"wishes": [{"id": 1}]}),
    ("auth/session", {}),
]
# Those of single calls, beside what all of them may answer.
STEPS = ("auth/idx", "auth/idx/start", "auth/idx/proceed", "auth/idx/poll", "auth/idx/resend", "auth/idx/cancel")
REFUSALS = {"auth/login": {"401", "409"}} | {name: {"404", "409", "410"} for name in STEPS}
# Their answers are held to the document in tests/host/identity/test_account*.py, where there is a provider.
ACCOUNT = {name for _, name in CALLS if name.startswith("account")}
OWN = {"account", "account/export", "account/sessions", "account/sessions/{id}"}
REFUSALS |= {name: {"400", "403", "404", "409"} for name in ACCOUNT - OWN}
# Those that have no limit of their own.
LIMITS = {"auth/session": {"503"}, "auth/logout": {"503"}, "auth/provider": set()}


async def described(site):
    return await (await site.get("/openapi.json")).json()


def fits(document, schema, value) -> bool:
    """Whether a value is what a schema of the document says."""
    whole = {**schema, "components": document["components"]}
    return jsonschema.Draft202012Validator(whole).is_valid(value)


@pytest.mark.parametrize(("name", "body", "headers", "status"), EXCHANGES)
async def test_an_answer_is_one_that_the_document_describes(plain_site, name, body, headers, status):
    document = await described(plain_site)
    operation = document["paths"][f"/api/{name}"]["post"]
    found, answer = await plain_site.call(name, body, headers)
    assert found == status
    ((kind, content),) = operation["responses"][str(status)]["content"].items()
    assert kind == ("application/json" if status < 300 else "application/problem+json")
    assert fits(document, content["schema"], answer)


@pytest.mark.parametrize(("name", "body", "headers", "status"), [one for one in EXCHANGES if one[3] in (200, 202, 422)])
async def test_what_the_document_allows_is_what_the_call_takes(plain_site, name, body, headers, status):
    document = await described(plain_site)
    (content,) = document["paths"][f"/api/{name}"]["post"]["requestBody"]["content"].values()
    # The rules of a message (contact.json) are finer than its schema.
    is_rule = body == {**CONTACT, "email": "a"}
    assert fits(document, content["schema"], body) == (status < 300 or is_rule)


@pytest.mark.parametrize(("name", "body"), LEARNERS)
async def test_an_answer_to_a_learner_is_one_that_the_document_describes(plain_site, name, body):
    ada = learner(plain_site)
    one = await ada.add("vat-basics")
    body = {key: {"CourseID": one, "AAUserID": ada.id, "id": one}.get(key, value) for key, value in body.items()}
    (made,) = (one for (_, found), one in CALLS.items() if found == name)
    address = name.replace("{id}", str(one))
    status, answer = await plain_site.call(address, body or None, ada.headers, method=made.method)
    schemas = (await described(plain_site))["paths"][f"/api/{name}"][made.method.lower()]["responses"]
    assert status == 200, answer
    assert fits(await described(plain_site), schemas["200"]["content"]["application/json"]["schema"], answer)


async def test_every_learners_call_is_among_them(plain_site):
    found = {name for (_, name), one in CALLS.items() if one.who == "learner"}
    assert {name for name, _ in LEARNERS} == found - ACCOUNT


async def test_every_call_and_every_answer_is_described(plain_site):
    document = await described(plain_site)
    assert set(document["paths"]) == {f"/api/{name}" for _, name in CALLS} >= {"/api/SetAAUserTraceLog", "/api/contact"}
    for (method, name), one in CALLS.items():
        operation = document["paths"][f"/api/{name}"][method.lower()]
        known = {str(one.status), "405", "422"} | LIMITS.get(name, {"429", "503"})
        known |= set() if one.method == "GET" else {"400", "403", "408", "413", "415"}
        known |= {"401"} if one.who == "learner" else set()
        known |= {"404"} if one.ids else set()
        known |= REFUSALS.get(name, set())
        assert set(operation["responses"]) == known, name
        assert operation["summary"], name
        assert ("security" in operation) == (one.who == "learner"), name


async def test_no_two_calls_have_one_name(plain_site):
    document = await described(plain_site)
    names = [operation["operationId"] for about in document["paths"].values() for operation in about.values()]
    assert len(names) == len(set(names))
    assert "cart_lines_id_put" in names


async def test_every_refusal_has_its_words(plain_site):
    document = await described(plain_site)
    for about in document["paths"].values():
        for operation in about.values():
            refusals = {int(status): one for status, one in operation["responses"].items() if int(status) >= 400}
            assert {status: one["description"] for status, one in refusals.items()} == {
                status: TITLES[status] for status in refusals
            }


async def test_the_document_is_whole_in_itself(plain_site):
    document = await described(plain_site)
    text = json.dumps(document)
    assert document["openapi"] == "3.1.0"
    for name in (part.split('"')[0] for part in text.split("#/components/schemas/")[1:]):
        assert name in document["components"]["schemas"]
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


async def test_names_of_the_specification_stand_on_the_wire(plain_site):
    schemas = (await described(plain_site))["components"]["schemas"]
    named = {"LoginEmail", "AAUserID", "CouponID", "SessionID", "Stunum", "SpecialCouponID", "Url", "EventID"}
    assert set(schemas["TraceLog"]["properties"]) == named
    assert schemas["TraceLog"]["required"] == ["Url"]
    assert set(schemas["Traced"]["properties"]) == {"Status", "EventID"}
