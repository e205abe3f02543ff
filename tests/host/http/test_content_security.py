"""The Content-Security-Policy of each page: the strict base, what rows add to it, and what no row may add."""

from dataclasses import replace

import pytest

from domain.routes import by_id, table
from host.http.content_security import CONTENT_POLICIES, ContentPolicies, InvalidPolicy

ORIGINS = {"provider": "https://id.example", "logo": "", "payments": "https://pay.example:8443", "videos": ""}
BASE = (
    "default-src 'self'; script-src {script}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "object-src 'none'; require-trusted-types-for 'script'"
)
PAYING = (
    "default-src 'self'; script-src {script} https://pay.example:8443; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self' https://pay.example:8443; frame-src https://pay.example:8443; "
    "form-action 'self'; media-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'"
)
NAMES = {"script-src": ["payments"], "connect-src": ["payments"], "frame-src": ["payments"], "media-src": ["blob"]}
SIGN_IN = {"login", "admin-login", "organization-login", "register", "verify", "forgot", "organization-forgot"}
SIGN_IN |= {"create-password", "reset-password", "email-verify", "forget-password"}
CHECKOUT = by_id()["checkout"]


def page_with(csp: dict[str, list[str]]):
    return replace(CHECKOUT, csp=tuple((name, tuple(sources)) for name, sources in csp.items()))


def test_a_page_without_sources_of_its_own_has_the_strict_policy():
    policies = ContentPolicies(table(), ORIGINS)
    for page_id in ("shop", "cart", "wishlist", "profile", "error", "styleguide", "no page"):
        assert policies.header(page_id, None) == BASE.format(script="'self'")
        assert policies.header(page_id, "n-1") == BASE.format(script="'nonce-n-1' 'strict-dynamic'")
        assert policies.key(page_id) == ""


def test_a_row_adds_its_sources_by_name_to_both_kinds_of_documents():
    policies = ContentPolicies([page_with(NAMES)], ORIGINS)
    assert policies.header("checkout", None) == PAYING.format(script="'self'")
    assert policies.header("checkout", "n-1") == PAYING.format(script="'nonce-n-1' 'strict-dynamic'")
    assert policies.header("shop", None) == BASE.format(script="'self'")


def test_a_source_that_no_setting_names_is_left_out():
    policies = ContentPolicies([page_with(NAMES)], {**ORIGINS, "payments": ""})
    assert "; connect-src 'self'; frame-src 'none'; " in policies.header("checkout", None)


def test_pages_with_the_same_sources_share_their_documents_and_no_others():
    same = replace(page_with(NAMES), id="order")
    other = replace(page_with({"frame-src": ["payments"]}), id="cart")
    policies = ContentPolicies([page_with(NAMES), same, other], ORIGINS)
    keys = [policies.key(page_id) for page_id in ("checkout", "order", "cart", "shop")]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_the_header_is_built_once():
    policies = ContentPolicies([page_with(NAMES)], ORIGINS)
    assert policies.header("checkout", None) is policies.header("checkout", None)


@pytest.mark.parametrize(
    ("directive", "source"),
    [
        ("default-src", "self"),
        ("style-src", "self"),
        ("frame-ancestors", "payments"),
        ("object-src", "self"),
        ("base-uri", "self"),
        ("sandbox", "self"),
        ("script-src", "blob"),
        ("script-src", "data"),
        ("script-src", "'unsafe-inline'"),
        ("frame-src", "https://pay.example"),
        ("frame-src", "*"),
        ("frame-src", "unknown"),
        ("frame-src", "payments; script-src *"),
    ],
)
def test_a_row_with_another_directive_or_source_ends_the_start(directive, source):
    with pytest.raises(InvalidPolicy, match="checkout: csp"):
        ContentPolicies([page_with({directive: [source]})], ORIGINS)


@pytest.mark.parametrize("origin", ["https://pay.example/path", "*", "https:", "https://a.example; script-src *"])
def test_a_setting_that_is_no_origin_ends_the_start(origin):
    with pytest.raises(InvalidPolicy, match="payments"):
        ContentPolicies([], {**ORIGINS, "payments": origin})


def test_only_the_pages_of_the_sign_in_may_frame_the_provider():
    """Its steps are one flow in the memory of one document, so all of these pages have one policy."""
    added = {page.id: page.csp for page in table() if "frame-src" in dict(page.csp)}
    videos = {"user-dashboard": (("frame-src", ("videos",)),)}
    assert added == dict.fromkeys(SIGN_IN, (("frame-src", ("provider",)),)) | videos


@pytest.mark.parametrize("page", table(), ids=lambda page: page.id)
def test_a_form_leads_to_the_gateway_from_the_pages_of_paying_alone(page):
    """Chrome checks the redirects of a form post against form-action too."""
    allowed = "'self' https://pay.example:8443" if page.id in ("checkout", "completed", "order") else "'self'"
    for nonce in (None, "n-1"):
        assert f"; form-action {allowed}; " in ContentPolicies(table(), ORIGINS).header(page.id, nonce)


@pytest.mark.asyncio(loop_scope="function")
async def test_the_provider_is_framed_by_the_sign_in_alone(open_site):
    site = await open_site(OIDC_ISSUER="https://id.example/oauth2/default")
    for path, frames in (("/login", "https://id.example"), ("/shop", "'none'"), ("/nothing", "'none'")):
        policy = (await site.get(path)).headers["Content-Security-Policy"]
        assert f"; frame-src {frames}; " in policy


@pytest.mark.asyncio(loop_scope="function")
async def test_document_and_data_name_the_same_kind(open_site):
    site = await open_site(OIDC_ISSUER="https://id.example/oauth2/default")
    for path, kind in (("/login", "frame-src provider"), ("/shop", None), ("/nothing", None)):
        document = await site.document(path)
        kinds = document.state.get("documentKind"), (await site.data(path)).get("documentKind")
        assert (path, *kinds) == (path, kind, kind)
        assert site.app[CONTENT_POLICIES].key(document.state["page"]) == (kind or "")


def test_a_source_without_an_origin_makes_no_kind_of_document():
    without = ContentPolicies(table(), ORIGINS)
    assert (without.key("user-dashboard"), without.header("user-dashboard", None)) == ("", without.header("shop", None))
    policies = ContentPolicies(table(), {**ORIGINS, "videos": "https://a.example https://b.example"})
    assert policies.key("user-dashboard") == "frame-src videos"
    assert "; frame-src https://a.example https://b.example; " in policies.header("user-dashboard", None)
    assert "; frame-src 'none'; " in policies.header("shop", None)
