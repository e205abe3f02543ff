"""The cookie of a session is found without reading all others, and is the one that reading them finds."""

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from config.settings import Settings
from host.app_keys import SETTINGS
from host.auth.sessions import cookie_secret, valid_secret


@pytest.mark.parametrize(
    ("header", "secret"),
    [
        ("sid=abc-_9", "abc-_9"),
        ("partner=northwind; sid=abc; CouponID=SPRING", "abc"),
        ("sid=abc;partner=northwind", "abc"),
        ("xsid=abc", None),
        ("sid=", None),
        ('sid="abc"', "abc"),
        ("sid=abc; sid=def", "def"),
        ("sid=a%20c", "a%20c"),
        ("partner=northwind;sid=abc", "abc"),
        ('partner="a; sid=xyz; b"', None),
        ("", None),
        ("sid=" + "a" * 300, None),
    ],
)
def test_the_secret_is_the_one_in_the_cookie(header, secret):
    app = web.Application()
    app[SETTINGS] = Settings()
    request = make_mocked_request("POST", "/", headers={"Cookie": header}, app=app)
    assert cookie_secret(request) == secret
    assert valid_secret(request.cookies.get("sid", "")) == secret
