"""The largest valid body of every call passes its limit, which is derived from the call's model."""

import pytest

from host.api import body
from host.api.registry import CALLS

CHANGING = {f"{call.method} {call.name}": call for call in CALLS.values() if call.method != "GET"}
# Lists of long texts, and objects of any fields: their handlers limit what is in them, and 413 the whole.
LIMITED_AS_A_WHOLE = {
    "POST SetAAUserTraceLog",
    "POST admin/bulk",
    "POST admin/courses/{id}/outline-preview",
    "POST admin/imports/checks",
    "POST admin/imports/columns",
    "POST admin/quiz-trial",
    "POST auth/idx/proceed",
    "POST checkout",
    "POST learning/lessons/{id}/attempts",
    "POST admin/content/{slug}/preview",
    "PUT admin/content/{slug}",
    "POST admin/mail-texts/{kind}/preview",
    "POST admin/mail-texts/{kind}/test",
    "PUT admin/mail-texts/{kind}",
    "PUT admin/courses/{id}/outline",
    "PUT admin/lessons/{id}",
    "PUT checkout",
}


def limit(name):
    call = CHANGING[name]
    return body.limit_of(call.request_model, is_staff=call.policy.area == "admin")


@pytest.mark.parametrize("name", sorted(CHANGING.keys() - LIMITED_AS_A_WHOLE))
def test_the_largest_valid_body_passes(name):
    assert body.largest_body(CHANGING[name].request_model) <= limit(name)


@pytest.mark.parametrize("name", sorted(LIMITED_AS_A_WHOLE))
def test_what_is_limited_as_a_whole_has_the_limit_of_its_caller(name):
    staff = CHANGING[name].policy.area == "admin"
    assert limit(name) == (body.STAFF_BODY_LIMIT if staff else body.BODY_LIMIT)
    assert body.largest_body(CHANGING[name].request_model) > limit(name), "it need not be listed"


@pytest.mark.asyncio(loop_scope="session")
async def test_a_message_of_the_longest_fields_arrives(site):
    letters = {"name": 200, "email": 0, "subject": 0, "message": 0}
    properties = CHANGING["POST contact"].request_model.model_json_schema()["properties"]
    longest = max(properties, key=lambda name: properties[name].get("maxLength", 0))
    values = {name: "" for name in letters if name in properties}
    status, answer = await site.call("contact", {**values, longest: "é" * properties[longest]["maxLength"]})
    assert status != 413, answer
