"""GET /openapi.json describes every call with all responses; requests and responses match it."""

import json

import jsonschema
import pytest
from sqlalchemy import select

from domain.tables import Product
from host.api.registry import CALLS
from host.app_keys import SETTINGS
from host.cli import openapi
from host.http.problems import TITLES
from tests.host.signing import learner
from tests.host.site import SHARED

pytestmark = SHARED

CONTACT = {"name": "Ada", "email": "a@b.co", "subject": "Hi", "message": "1234567890"}
CLIENT_ERROR = {"message": "TypeError: x", "stack": ["c/a.js:1:2"], "page": "shop", "build": "0a", "requestId": ""}
FOREIGN = {"Origin": "https://evil.example"}
# Call, body, headers, expected status.
EXCHANGES = [
    ("SetAAUserTraceLog", {"Url": "/shop"}, {}, 202),
    ("SetAAUserTraceLog", {"Url": "/", "AAUserID": "7", "CouponID": 3, "Stunum": None}, {}, 202),
    ("SetAAUserTraceLog", {"Url": "/", "EventID": None, "SessionID": 1.5, "colour": "red"}, {}, 202),
    ("SetAAUserTraceLog", {"Url": "/", "Referrer": "https://news.example/vat"}, {}, 202),
    ("SetAAUserTraceLog", {"Url": "/", "Referrer": ["https://news.example/"]}, {}, 422),
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
    ("cart/links", {"lines": [{"id": 1, "quantity": 2}]}, {}, 200),
    ("cart/links", {"lines": []}, {}, 422),
    ("wishlist/preview", {"items": [{"id": 1, "seenPrice": None}]}, {}, 200),
    ("wishlist/preview", {"items": [{"id": 1, "seenPrice": -1}]}, {}, 422),
    ("SetAAUserCourse", {"AAUserID": 1, "CourseID": 1}, {}, 401),
    ("SetAAUserCourse", {"AAUserID": 1, "CourseID": 1}, FOREIGN, 403),
    ("contact", CONTACT, {}, 202),
    ("contact", {**CONTACT, "website": "x"}, {}, 202),
    ("contact", {**CONTACT, "email": "a"}, {}, 422),
    ("contact", {**CONTACT, "price": 1}, {}, 422),
    ("contact", b"{", {}, 400),
    ("contact", CONTACT, FOREIGN, 403),
    ("contact", b" " * 200_000, {}, 413),
    ("contact", CONTACT, {"Content-Type": "text/plain"}, 415),
    ("client-errors", CLIENT_ERROR, {}, 202),
    ("client-errors", {**CLIENT_ERROR, "url": "/shop"}, {}, 422),
    ("client-errors", {**CLIENT_ERROR, "stack": ["https://other.example/a.js:1:2"]}, {}, 422),
    ("client-errors", CLIENT_ERROR, FOREIGN, 403),
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
    ("wishlist/merge", {"items": [{"id": 1}]}),
    ("auth/session", {}),
]
# Statuses of single calls, beside those of all calls.
STEPS = ("auth/idx", "auth/idx/start", "auth/idx/proceed", "auth/idx/poll", "auth/idx/resend", "auth/idx/cancel")
REFUSALS = {"auth/login": {"401", "409"}} | {name: {"404", "409", "410"} for name in STEPS}
# Their responses are checked in tests/host/identity/test_account*.py, where there is a provider.
ACCOUNT = {name for _, name in CALLS if name.startswith("account")}
OWN = {"account", "account/addresses", "account/export", "account/sessions", "account/sessions/{id}"}
REFUSALS |= {name: {"400", "403", "404", "409"} for name in ACCOUNT - OWN}
# Calls whose methods differ: what one of them declares besides. Their responses are checked in tests/host/api/checkout,
# tests/host/api/orders and tests/domain/account.
OF_METHOD = {("POST", "checkout"): {"409"}, ("DELETE", "account"): {"403", "409"}}
NOTES = {("POST", "learning/lessons/{id}/attempts"): {"409"}, ("PUT", "learning/lessons/{id}/note"): {"409"}}
OF_METHOD |= NOTES
# Courses and prices have a version: tests/host/api/admin/test_courses.py.
OF_METHOD |= {("POST", name): {"404"} for name in ("admin/courses", "admin/bulk", "organization/enter")}
OF_METHOD |= {("POST", "admin/bank-statements"): {"404"}}
OF_METHOD |= {("POST", name): {"404"} for name in ("admin/saved-reports", "admin/saved-reports/bring-back")}
OF_METHOD |= {("POST", f"admin/bank-entries/{{id}}/{action}"): {"409"} for action in ("assign", "return", "ignore")}
OF_METHOD |= {("POST", f"organization/{part}"): {"404"} for part in ("invitations", "profile/remove-domain")}
OF_METHOD |= {("POST", f"organization/{part}"): {"404"} for part in ("people-files", "logos", "profile/logo", "quotes")}
OF_METHOD |= {("PUT", f"admin/courses/{{id}}/{part}"): {"409"} for part in ("texts", "lists", "outline")}
OF_METHOD |= {("PUT", f"admin/items/{{id}}/{part}"): {"409"} for part in ("texts", "delivery", "courses", "files")}
OF_METHOD |= {("POST", f"admin/items/{{id}}/{action}"): {"409"} for action in ("publish", "withdraw", "retire")}
OF_METHOD |= {("POST", "admin/items"): {"404"}, ("POST", "admin/retired/{id}/decide"): {"409"}}
OF_METHOD |= {("PUT", f"admin/{noun}/{{id}}"): {"409"} for noun in ("categories", "instructors")}
OF_METHOD |= {("PUT", "admin/content/{slug}"): {"409"}}
OF_METHOD |= {("PUT", "admin/mail-texts/{kind}"): {"409"}, ("POST", "admin/mail-texts/{kind}/reset"): {"409"}}
OF_METHOD |= {("PUT", "admin/lessons/{id}"): {"409"}, ("POST", "admin/lesson-files"): {"404"}}
OF_METHOD |= {("POST", "admin/courses/{id}/package"): {"404", "429", "503"}}
# An account whose purchases are not over: tests/domain/account.
OF_METHOD |= {("POST", "admin/learners/{id}/erase"): {"409"}}
OF_METHOD |= {("POST", f"organization/seats/{action}"): {"404"} for action in ("assign", "buy")}
OF_METHOD |= {("POST", f"admin/courses/{{id}}/{action}"): {"409"} for action in ("publish", "withdraw", "retire")}
OF_METHOD |= {("PUT", f"admin/products/{{id}}/{price}"): {"409"} for price in ("price", "draft-price")}
OF_METHOD |= {("POST", "learning/courses/{id}/certificate"): {"409"}}
SELLING = {"checkout", "orders", "orders/{code}", "orders/{code}/pay", "orders/{code}/cancel", "orders/{code}/refunds"}
SELLING |= {"orders/{code}/gifts/{number}/mail", "enrol"}
REFUSALS |= {"learning/progress": {"404", "409"}}
# 404: the account was deleted meanwhile (tests/host/auth/test_deleted_accounts.py).
REFUSALS |= {"enrol": {"404", "409"}}
REFUSALS |= {name: {"409"} for name in ("orders/{code}/pay", "orders/{code}/cancel", "orders/{code}/refunds")}
REFUSALS |= {"orders/{code}/status": {"401"}, "learning/gifts/claim": {"404"}, "learning/join": {"404"}}
# Their responses are checked in tests/host/api/learning.
LEARNING = {name for _, name in CALLS if name.startswith(("learning/", "reviews/"))}
# Those of staff: tests/host/api/admin; of members of an organisation: tests/host/organisation.
STAFF = {name for _, name in CALLS if name.startswith(("admin/", "uploads", "organization/"))}
REFUSALS |= {name: {"403"} for name in STAFF}
# What a colleague did meanwhile: tests/host/api/admin/test_refunds.py, tests/host/admin/test_confirmations.py.
REQUESTS = [f"admin/orders/{{code}}/refunds/{{number}}/{way}" for way in ("approve", "approve-part", "decline")]
CONFIRMED = ["admin/staff", "admin/staff/{id}/add", "admin/staff/{id}/remove"]
CONFIRMED += [f"admin/confirmations/{{id}}/{way}" for way in ("confirm", "refuse", "withdraw")]
OF_METHOD |= {("POST", name): {"409"} for name in (*REQUESTS, *CONFIRMED)}
# Calls without a rate limit of their own, and what they declare in place of 429 and 503.
LIMITS = {"auth/session": {"503"}, "auth/logout": {"503"}, "auth/provider": set(), "address-form": {"404"}}


_document = {}


async def described(site):
    """The document, which is the same of every site: it is fetched and read once."""
    if not _document:
        _document.update(await (await site.get("/openapi.json")).json())
    return _document


@pytest.fixture(scope="module")
def whole_document(plain_site):
    """The document of calls and pages."""
    return openapi.document(plain_site.app[SETTINGS])


def fits(document, schema, value) -> bool:
    """Whether a value matches a schema of the document."""
    whole = {**schema, "components": document["components"]}
    return jsonschema.Draft202012Validator(whole).is_valid(value)


@pytest.mark.parametrize(("name", "body", "headers", "status"), EXCHANGES)
async def test_a_response_matches_the_document(plain_site, name, body, headers, status):
    document = await described(plain_site)
    operation = document["paths"][f"/api/{name}"]["post"]
    got, answer = await plain_site.call(name, body, headers)
    assert got == status
    ((kind, content),) = operation["responses"][str(status)]["content"].items()
    assert kind == ("application/json" if status < 300 else "application/problem+json")
    assert fits(document, content["schema"], answer)


@pytest.mark.parametrize(
    ("name", "body", "headers", "status"), [exchange for exchange in EXCHANGES if exchange[3] in (200, 202, 422)]
)
async def test_a_call_accepts_the_bodies_that_the_document_allows(plain_site, name, body, headers, status):
    document = await described(plain_site)
    (content,) = document["paths"][f"/api/{name}"]["post"]["requestBody"]["content"].values()
    # The rules of a message (contact.json) are finer than its schema.
    is_rule = body == {**CONTACT, "email": "a"}
    assert fits(document, content["schema"], body) == (status < 300 or is_rule)


@pytest.mark.parametrize(("name", "body"), LEARNERS)
async def test_a_response_to_a_learner_matches_the_document(plain_site, name, body):
    ada = learner(plain_site)
    course_id = await ada.add("vat-basics")
    ids = {"CourseID": course_id, "AAUserID": ada.id, "id": course_id}
    body = {key: ids.get(key, value) for key, value in body.items()}
    (call,) = (call for (_, call_name), call in CALLS.items() if call_name == name)
    address = name.replace("{id}", str(course_id))
    status, answer = await plain_site.call(address, body or None, ada.headers, method=call.method)
    schemas = (await described(plain_site))["paths"][f"/api/{name}"][call.method.lower()]["responses"]
    assert status == 200, answer
    assert fits(await described(plain_site), schemas["200"]["content"]["application/json"]["schema"], answer)


async def test_every_learners_call_is_tested(plain_site):
    learners_calls = {name for (_, name), call in CALLS.items() if call.policy.caller == "learner"}
    assert {name for name, _ in LEARNERS} == learners_calls - ACCOUNT - SELLING - LEARNING - STAFF, (
        "LEARNERS lists every learner's call"
    )


async def test_every_call_and_every_response_is_described(plain_site):
    document = await described(plain_site)
    calls = {f"/api/{name}" for _, name in CALLS}
    assert calls >= {"/api/SetAAUserTraceLog", "/api/contact"}
    assert set(document["paths"]) == calls | {"/api/auth/start"}
    for (method, name), call in CALLS.items():
        operation = document["paths"][f"/api/{name}"][method.lower()]
        known = {str(call.status), "405", "422"} | LIMITS.get(name, {"429", "503"})
        known |= set() if call.method == "GET" else {"400", "403", "408", "413", "415"}
        known |= {"401"} if call.policy.caller == "learner" else set()
        known |= {"404"} if call.ids else set()
        known |= REFUSALS.get(name, set()) | OF_METHOD.get((method, name), set())
        hint = (
            "a rate limit is declared by refusals=(429, 503); a call without one is in LIMITS, with others in REFUSALS"
        )
        assert set(operation["responses"]) == known, f"{name}: {hint}"
        assert operation["summary"], name
        assert ("security" in operation) == (call.policy.caller == "learner"), name


async def test_the_redirect_to_the_provider_is_described(plain_site):
    operation = (await described(plain_site))["paths"]["/api/auth/start"]["get"]
    assert [parameter["name"] for parameter in operation["parameters"]] == [
        "returnTo",
        "area",
        "maxAge",
        "acrValues",
        "access",
    ]
    assert set(operation["responses"]) == {"303"}
    answer = await plain_site.get("/api/auth/start?returnTo=/cart")
    assert answer.status == 303
    answer = await plain_site.get("/api/auth/start", "POST")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("path", "row"),
    [
        ("/", "/"),
        ("/shop?category=tax", "/shop"),
        ("/shop?kind=voucher&level=beginner", "/shop"),
        ("/search?q=vat", "/search"),
        ("/search", "/search"),
        ("/course-details?course=vat-basics", "/course-details"),
        ("/course-details?course=nothing", "/course-details"),
        ("/course-details?id=1", "/course-details"),
        ("/shop-details/0", "/shop-details/{id}"),
        ("/about", "/about"),
        ("/contact?sent=1", "/contact"),
        ("/refund-grievance-policy", "/refund-grievance-policy"),
        ("/cart", "/cart"),
    ],
)
async def test_the_data_of_a_page_matches_the_document(plain_site, whole_document, path, row):
    document = whole_document
    answer = await plain_site.get("/data" + path)
    responses = document["paths"][f"/data{row}"]["get"]["responses"]
    schema = responses.get(str(answer.status), responses["default"])["content"]["application/json"]["schema"]
    data = await answer.json()
    assert fits(document, schema, data)
    assert not fits(document, schema, {name: data[name] for name in data if name not in ("props", "location")})


async def test_every_item_page_matches_the_document(plain_site, whole_document):
    document = whole_document
    with plain_site.db.read_session() as session:
        items = session.scalars(select(Product.id).where(Product.kind == "item", Product.status == "published")).all()
    schema = document["paths"]["/data/shop-details/{id}"]["get"]["responses"]["200"]["content"]["application/json"]
    assert items
    for item in items:
        assert fits(document, schema["schema"], await plain_site.data(f"/shop-details/{item}"))


async def test_pages_and_calls_cannot_use_one_name_for_two_schemas():
    picture = {"type": "object", "properties": {"src": {"type": "string"}}}
    assert openapi._merge_schemas({"Picture": picture}, {"Picture": {**picture, "description": "seen"}}).keys() == {
        "Picture"
    }
    with pytest.raises(ValueError, match="Picture"):
        openapi._merge_schemas({"Picture": picture}, {"Picture": {"type": "string"}})


async def test_operation_ids_are_unique(plain_site):
    document = await described(plain_site)
    names = [operation["operationId"] for about in document["paths"].values() for operation in about.values()]
    assert len(names) == len(set(names))
    assert "cart_lines_id_put" in names


async def test_every_refusal_has_its_title(plain_site):
    document = await described(plain_site)
    for about in document["paths"].values():
        for operation in about.values():
            refusals = {
                int(status): response for status, response in operation["responses"].items() if int(status) >= 400
            }
            assert {status: response["description"] for status, response in refusals.items()} == {
                status: TITLES[status] for status in refusals
            }


async def test_all_references_of_the_document_resolve(plain_site):
    document = await described(plain_site)
    text = json.dumps(document)
    assert document["openapi"] == "3.1.0"
    for name in (part.split('"')[0] for part in text.split("#/components/schemas/")[1:]):
        assert name in document["components"]["schemas"]
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


async def test_the_visit_call_has_the_specified_names(plain_site):
    schemas = (await described(plain_site))["components"]["schemas"]
    named = {"LoginEmail", "AAUserID", "CouponID", "SessionID", "Stunum", "SpecialCouponID", "Url"}
    assert set(schemas["TraceLog"]["properties"]) == named | {"EventID", "Referrer", "Load"}
    assert schemas["TraceLog"]["required"] == ["Url"]
    assert set(schemas["VisitAccepted"]["properties"]) == {"Status", "EventID"}
