"""GET /openapi.json describes every call with every answer: what is sent and what comes back fits it."""

import json

import jsonschema
import pytest

from host.calls import CALLS
from host.problems import TITLES
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
    ("contact", CONTACT, {}, 202),
    ("contact", {**CONTACT, "website": "x"}, {}, 202),
    ("contact", {**CONTACT, "email": "a"}, {}, 422),
    ("contact", {**CONTACT, "price": 1}, {}, 422),
    ("contact", b"{", {}, 400),
    ("contact", CONTACT, FOREIGN, 403),
    ("contact", b" " * 70_000, {}, 413),
    ("contact", CONTACT, {"Content-Type": "text/plain"}, 415),
]


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
    assert kind == ("application/json" if status == 202 else "application/problem+json")
    assert fits(document, content["schema"], answer)


@pytest.mark.parametrize(("name", "body", "headers", "status"), [one for one in EXCHANGES if one[3] in (202, 422)])
async def test_what_the_document_allows_is_what_the_call_takes(plain_site, name, body, headers, status):
    document = await described(plain_site)
    (content,) = document["paths"][f"/api/{name}"]["post"]["requestBody"]["content"].values()
    # The rules of a message (contact.json) are finer than its schema.
    is_rule = body == {**CONTACT, "email": "a"}
    assert fits(document, content["schema"], body) == (status == 202 or is_rule)


async def test_every_call_and_every_answer_is_described(plain_site):
    document = await described(plain_site)
    assert set(document["paths"]) == {f"/api/{name}" for name in CALLS} >= {"/api/SetAAUserTraceLog", "/api/contact"}
    posts = {path: about["post"] for path, about in document["paths"].items() if "post" in about}
    for path, operation in posts.items():
        known = {"202", "400", "403", "405", "408", "413", "415", "422", "429", "503"}
        assert set(operation["responses"]) == known, path
        assert operation["summary"]


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
