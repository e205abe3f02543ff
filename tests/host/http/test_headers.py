"""Headers of every kind of response: security, script policy, caching, and no Server header."""

import logging
import re

import pytest

from config.logs import ACCESS, add_request_ids
from tests.host.site import SHARED

pytestmark = SHARED

VAT = "/course-details?course=vat-basics"
GOOGLE = "Googlebot/2.1"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE_ID}-00f067aa0ba902b7-01"
PROTECTION = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(self)",
}
POLICY = (
    "default-src 'self'; script-src {script}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "object-src 'none'; require-trusted-types-for 'script'"
)
NOTHING = "default-src 'none'; frame-ancestors 'none'"
ANSWERS = {
    "page": ("GET", "/shop"),
    "streamed page": ("GET", VAT),
    "head": ("HEAD", "/shop"),
    "error page": ("GET", "/nothing"),
    "redirect": ("GET", "/Shop"),
    "data": ("GET", "/data/shop"),
    "call": ("POST", "/api/SetAAUserTraceLog"),
    "unknown call": ("POST", "/api/nothing"),
    "wrong method of a call": ("GET", "/api/contact"),
    "wrong method of a page": ("DELETE", "/shop"),
    "static file": ("GET", "/static/images/icons.svg"),
    "missing static file": ("GET", "/static/nothing.js"),
    "picture": ("GET", "/pictures/course/tax/vat-basics/0.svg"),
    "robots": ("GET", "/robots.txt"),
    "sitemap": ("GET", "/sitemap.xml"),
    "health": ("GET", "/healthz"),
    "readiness": ("GET", "/readyz"),
    "document of the calls": ("GET", "/openapi.json"),
}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_every_response_has_security_headers_and_no_server_header(site, answer):
    method, path = ANSWERS[answer]
    response = await site.ask(path, method)
    assert {name: response.headers.get(name) for name in PROTECTION} == PROTECTION
    assert re.fullmatch(r"[0-9a-f]{16}", response.headers["X-Request-Id"])
    assert response.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Server" not in response.headers
    assert len(response.headers.getall("Content-Security-Policy")) == 1


async def test_request_ids_differ(site):
    assert len({(await site.get("/healthz")).headers["X-Request-Id"] for _ in range(5)}) == 5


@pytest.mark.asyncio(loop_scope="function")
async def test_a_site_without_tls_sends_no_hsts_header(open_site):
    plain = await open_site(SITE_ORIGIN="http://localhost:8080")
    assert "Strict-Transport-Security" not in (await plain.get("/shop")).headers


async def test_every_streamed_page_has_a_new_nonce(site):
    nonces = []
    for _ in range(2):
        document = await site.document(VAT)
        (nonce,) = re.findall(r"'nonce-([\w-]{20,})'", document.headers["Content-Security-Policy"])
        assert document.headers["Content-Security-Policy"] == POLICY.format(script=f"'nonce-{nonce}' 'strict-dynamic'")
        nonces.append(nonce)
    assert nonces[0] != nonces[1]


async def test_every_script_of_a_streamed_page_has_the_nonce(site):
    document = await site.document(VAT)
    (nonce,) = re.findall(r"'nonce-([\w-]+)'", document.headers["Content-Security-Policy"])
    data = ("application/ld+json", "application/json")
    running = [about for about, _ in document.scripts if about.get("type") not in data]
    assert len(running) == 3
    assert all(about["nonce"] == nonce for about in running)
    assert all(entry["nonce"] == nonce for entry in document.all("link", rel="modulepreload"))


@pytest.mark.parametrize(("path", "agent"), [("/", ""), ("/shop", ""), ("/about", ""), ("/nothing", ""), (VAT, GOOGLE)])
async def test_a_complete_page_has_no_nonce_and_no_inline_script(site, path, agent):
    document = await site.document(path, **({"User_Agent": agent} if agent else {}))
    assert document.headers["Content-Security-Policy"] == POLICY.format(script="'self'")
    assert "nonce" not in document.html
    data = ("application/ld+json", "application/json")
    assert [text for about, text in document.scripts if about.get("type") not in data] == [""]


async def test_a_request_is_logged_under_its_id_and_the_trace_of_its_caller(site, caplog):
    caplog.set_level(logging.INFO, ACCESS)
    caplog.handler.addFilter(add_request_ids)
    found = await site.get("/forget-password/s3cret", traceparent=TRACEPARENT)
    (record,) = [record for record in caplog.records if record.name == ACCESS]
    assert (record.request_id, record.trace_id) == (found.headers["X-Request-Id"], TRACE_ID)
    assert (record.method, record.path, record.status) == ("GET", "/forget-password/{token}", 200)
    assert record.message == f"GET /forget-password/{{token}} 200 {record.ms:.1f}ms"


async def test_a_request_without_trace_is_not_logged_under_that_of_the_one_before(site, caplog):
    caplog.set_level(logging.INFO, ACCESS)
    caplog.handler.addFilter(add_request_ids)
    await site.get("/healthz", traceparent=TRACEPARENT)
    await site.get("/healthz")
    first, second = [record for record in caplog.records if record.name == ACCESS]
    assert (first.trace_id, hasattr(second, "trace_id")) == (TRACE_ID, False)


@pytest.mark.asyncio(loop_scope="function")
async def test_pages_may_load_images_from_the_origin_of_the_logo(open_site, start_renderer):
    logo = {"SITE_LOGO": "https://cdn.example:8443/images/logo.svg", "PAGE_CACHE": "on"}
    # First, as the other site writes its pages to the disk that both share.
    fallback = await (await open_site(**logo)).document("/shop")
    # A page is streamed while a deferred part is open.
    site = await open_site((await start_renderer()).address, **logo, DEV_DELAY="reviews:200")
    streamed, complete, cached = [await site.document(path) for path in (VAT, "/shop", "/shop")]
    assert ("nonce" in streamed.html, cached.headers["X-Cache"], fallback.is_rendered) == (True, "hit", False)
    for entry in (streamed, complete, cached, fallback):
        policy = entry.headers["Content-Security-Policy"]
        assert "; img-src 'self' data: https://cdn.example:8443; font-src 'self'; " in policy


@pytest.mark.parametrize("page", ["email-verify", "forget-password"])
async def test_a_page_whose_address_is_a_secret_is_not_stored_and_not_named_to_other_sites(site, page):
    response = await site.get(f"/{page}/s3cret")
    assert (response.status, response.headers["Cache-Control"]) == (200, "no-store")
    assert response.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/shop", VAT, "/nothing", "/contact"])
async def test_no_page_has_inline_styles_or_event_handlers(plain_site, path):
    document = await plain_site.document(path)
    assert not document.all("style")
    assert not re.search(r"<[^>]+\s(style|on[a-z]+)=", document.html.split('id="state">')[0])


@pytest.mark.parametrize("path", ["/robots.txt", "/healthz", "/data/shop", "/static/images/icons.svg", "/Shop"])
async def test_responses_other_than_pages_have_the_strictest_policy(site, path):
    assert (await site.get(path)).headers["Content-Security-Policy"] == NOTHING


@pytest.mark.parametrize(
    ("path", "caching"),
    [
        ("/shop", "private, no-cache"),
        (VAT, "private, no-cache"),
        ("/nothing", "no-store"),
        ("/course-details?course=unknown", "no-store"),
        ("/data/shop", "no-store"),
        ("/static/images/icons.svg", "public, max-age=3600"),
        ("/static/dist/latest-build.json", "no-cache"),
        ("/static/dist/nothing.js", "no-store"),
        ("/pictures/book/tax/tax-tables/0.svg", "public, max-age=31536000, immutable"),
        ("/robots.txt", "public, max-age=300"),
        ("/sitemap.xml", "no-cache"),
        ("/openapi.json", "public, max-age=300"),
        ("/healthz", "no-store"),
        ("/readyz", "no-store"),
        ("/api/nothing", "no-store"),
    ],
)
async def test_each_response_has_its_cache_control(site, path, caching):
    assert (await site.get(path)).headers["Cache-Control"] == caching


async def test_an_unchanged_static_file_is_answered_with_304(site):
    first = await site.get("/static/images/icons.svg")
    again = await site.get("/static/images/icons.svg", If_None_Match=first.headers["ETag"])
    assert (again.status, await again.read()) == (304, b"")
    stamp = first.headers["Last-Modified"]
    assert (await site.get("/static/images/icons.svg", If_Modified_Since=stamp)).status == 304


@pytest.mark.parametrize(
    "path",
    [
        "/static/../setup.cfg",
        "/static/%2e%2e/setup.cfg",
        "/static/..%2fsetup.cfg",
        "/static//etc/passwd",
        "/static/dist",
        "/static/",
        "/static/.gitignore",
        "/.git/config",
    ],
)
async def test_only_static_files_are_served_as_files(site, path):
    response = await site.ask(path)
    assert response.status == 404
    assert b"[metadata]" not in response.body


async def test_a_generated_picture_has_no_script_whatever_its_address(site):
    answer = await site.get("/pictures/course/tax/%3Cscript%3Ealert(1)%3C%2Fscript%3E/0.svg")
    text = await answer.text()
    assert (answer.status, answer.content_type) == (404, "text/html") or "<script" not in text


async def test_a_picture_is_generated_for_every_kind_and_for_unknown_categories(site):
    for kind in ("course", "book", "voucher", "bundle", "physical"):
        answer = await site.get(f"/pictures/{kind}/tax/some-slug/1.svg")
        assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'none'"
    assert (await site.get("/pictures/course/gardening/some-slug/0.svg")).status == 200
    assert (await site.get("/pictures/film/tax/some-slug/0.svg")).status == 404
