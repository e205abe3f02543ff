"""client-errors: what browsers report becomes one line of the log, without personal data and within limits."""

import pytest

from tests.host.site import SHARED

ERROR = {
    "message": "TypeError: x is undefined",
    "stack": ["c/AboutPage-ABC123.js:1:2345", "client-DEF456.js:2:10"],
    "page": "about",
    "build": "0123456789abcdef",
    "requestId": "00112233445566ff",
}
LINE = (
    "browser error: {} (page about, build 0123456789abcdef, request 00112233445566ff)"
    " at c/AboutPage-ABC123.js:1:2345 < client-DEF456.js:2:10"
)


def logged(caplog) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "coursefront.browser"]


@SHARED
async def test_an_error_is_one_line_with_the_request_id_of_its_page(site, caplog):
    assert await site.call("client-errors", ERROR) == (202, {"status": "logged"})
    assert logged(caplog) == [LINE.format(ERROR["message"])]


@SHARED
async def test_what_is_unknown_is_named_so(site, caplog):
    await site.call("client-errors", {"message": "x", "stack": [], "page": "", "build": "", "requestId": ""})
    assert logged(caplog) == ["browser error: x (page ?, build ?, request ?) at ?"]


@SHARED
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("a\nb\x1b[31m\r\nERROR forged", "ab[31mERROR forged"),
        (
            "Failed to load https://shop.example/verify?code=s3cret now",
            "Failed to load https://shop.example/verify?code={removed} now",
        ),
        ("No route for /email-verify/s3cret", "No route for /email-verify/{token}"),
        ("Cannot load /data/order/BADECUFIGOHAKELIMONU", "Cannot load /data/order/{code}"),
        ("ada@example.test is not a function", "{email} is not a function"),
        (
            'Unexpected token \'A\', "{"name":"Ada Lovelace"}" is not valid JSON',
            "Unexpected token 'A', \"…\" is not valid JSON",
        ),
    ],
)
async def test_secrets_personal_data_and_line_breaks_are_left_out(site, caplog, message, expected):
    assert (await site.call("client-errors", {**ERROR, "message": message}))[0] == 202
    assert logged(caplog) == [LINE.format(expected)]


@SHARED
@pytest.mark.parametrize(
    "wrong",
    [
        {"message": "x" * 501},
        {"stack": ["a.js:1:2"] * 11},
        {"stack": ["chrome-extension://abc/a.js:1:2"]},
        {"stack": ["a.js:1:2\nforged"]},
        {"page": "/shop?q=ada"},
        {"requestId": "00 forged"},
        {"email": "ada@example.test"},
    ],
)
async def test_what_does_not_fit_is_refused_and_not_logged(site, caplog, wrong):
    assert (await site.call("client-errors", {**ERROR, **wrong}))[0] == 422
    assert logged(caplog) == []


async def test_errors_of_one_address_are_limited(open_site, caplog):
    site = await open_site(CLIENT_ERRORS_PER_ADDRESS_MINUTE="2")
    answers = [(await site.call("client-errors", ERROR))[0] for _ in range(4)]
    assert answers == [202, 202, 429, 429]
    assert len(logged(caplog)) == 2


@SHARED
async def test_only_documents_tell_their_scripts_the_request_id(site):
    page, data = await site.get("/about"), await site.get("/data/about")
    assert page.headers["Server-Timing"] == f'request;desc="{page.headers["X-Request-Id"]}"'
    assert "Server-Timing" not in data.headers
