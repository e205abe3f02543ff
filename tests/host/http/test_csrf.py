"""CSRF protection: the site's own pages and programs without a browser may call, other sites' pages may not."""

from types import SimpleNamespace

import pytest

from host.app_keys import SETTINGS
from host.http import csrf
from host.http.problems import Problem
from tests.host.site import ORIGIN, SHARED

pytestmark = SHARED

LOCAL = "http://localhost:8080"
MAY = [
    (ORIGIN, {}),
    (ORIGIN, {"Origin": ORIGIN}),
    (ORIGIN, {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"}),
    (ORIGIN, {"Sec-Fetch-Site": "none"}),
    (LOCAL, {"Origin": LOCAL}),
    (LOCAL, {"Origin": "http://127.0.0.1:8080"}),
    (LOCAL, {"Origin": "http://[::1]:8080"}),
    ("http://127.0.0.1:8080", {"Origin": LOCAL}),
]
MAY_NOT = [
    (ORIGIN, {"Origin": "https://evil.example"}),
    (ORIGIN, {"Origin": "https://shop.example.evil.example"}),
    (ORIGIN, {"Origin": "https://evil.example/https://shop.example"}),
    (ORIGIN, {"Origin": "http://shop.example"}),
    (ORIGIN, {"Origin": "https://shop.example:8443"}),
    (ORIGIN, {"Origin": "https://www.shop.example"}),
    (ORIGIN, {"Origin": "null"}),
    (ORIGIN, {"Origin": ""}),
    (ORIGIN, {"Origin": "https://[::1"}),
    (ORIGIN, {"Origin": LOCAL}),
    (ORIGIN, {"Sec-Fetch-Site": "cross-site"}),
    (ORIGIN, {"Sec-Fetch-Site": "same-site"}),
    (ORIGIN, {"Sec-Fetch-Site": ""}),
    (ORIGIN, {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"}),
    (ORIGIN, {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"}),
    (LOCAL, {"Origin": "http://localhost:8081"}),
    (LOCAL, {"Origin": "https://localhost:8080"}),
    (LOCAL, {"Origin": "http://localhost.evil.example:8080"}),
    (LOCAL, {"Origin": "http://evil@localhost:8080"}),
    (LOCAL, {"Origin": "http://localhost:99999"}),
]


def request_to(site_origin, headers):
    return SimpleNamespace(headers=headers, app={SETTINGS: SimpleNamespace(site_origin=site_origin)})


@pytest.mark.parametrize(("ours", "headers"), MAY)
async def test_the_site_itself_and_programs_may_call(ours, headers):
    assert csrf.require_same_origin(request_to(ours, headers)) is None


@pytest.mark.parametrize(("ours", "headers"), MAY_NOT)
async def test_another_sites_page_may_not_call(ours, headers):
    with pytest.raises(Problem) as refusal:
        csrf.require_same_origin(request_to(ours, headers))
    assert refusal.value.status == 403


@pytest.mark.parametrize("headers", [{}, {"Referer": ORIGIN}])
async def test_a_form_post_needs_an_origin_header(headers):
    with pytest.raises(Problem):
        csrf.require_same_origin(request_to(ORIGIN, headers), required=True)


@pytest.mark.parametrize("call", ["SetAAUserTraceLog", "contact"])
async def test_a_refused_call_is_a_problem_and_changes_nothing(plain_site, call):
    before = len(plain_site.visits())
    body = {"Url": "/shop", "name": "Ada", "email": "a@b.co", "subject": "Hi", "message": "1234567890"}
    status, answer = await plain_site.call(call, body, {"Origin": "https://evil.example"})
    assert (status, answer["status"]) == (403, 403)
    assert len(plain_site.visits()) == before


async def test_no_response_allows_other_origins(plain_site):
    answer = await plain_site.get("/api/SetAAUserTraceLog", method="OPTIONS", Origin="https://evil.example")
    assert answer.status == 405
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
