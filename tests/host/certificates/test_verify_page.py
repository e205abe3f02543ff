"""The public page of a certificate: what it says in each state, and what it keeps from everybody else."""

import logging
from datetime import UTC, datetime, timedelta

import pytest

from domain.learning.certificates.revoking import REASONS
from tests.host.certificates.issued import CODE, PAGE, issue, revoke
from tests.host.site import ORIGIN

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_a_valid_certificate_says_what_was_completed_by_whom(own_site):
    issue(own_site, completed_at=AT, issued_at=AT, expires_at=None)
    document = await own_site.document(PAGE)
    props = document.state["props"]
    assert (document.status, props["state"], props["holder"], props["course"]) == (
        200,
        "valid",
        "Ada Lovelace",
        "VAT basics",
    )
    assert {fact["name"]: fact["value"] for fact in props["facts"]} == {
        "Completed": "March 1, 2026",
        "Issued": "March 1, 2026",
        "Credits": "2.5",
        "Length": "1\N{NO-BREAK SPACE}hr\N{NO-BREAK SPACE}35\N{NO-BREAK SPACE}min",
    }
    assert (props["rule"], props["signedHref"]) == ("Finish it.", f"{PAGE}/credential.jwt")
    assert props["address"] == f"{ORIGIN}{PAGE}"
    # The corner of the code, inside its light edge.
    assert props["qr"]["path"].startswith("M4 4h1v1h-1zM5 4h1v1h-1z")


async def test_an_expired_one_says_since_when(own_site):
    issue(own_site, completed_at=AT, issued_at=AT, expires_at=AT + timedelta(days=30))
    props = (await own_site.document(PAGE)).state["props"]
    assert (props["state"], props["reason"]) == ("expired", "It was valid until March 31, 2026.")


@pytest.mark.parametrize("reason", REASONS)
async def test_a_revoked_one_says_why_and_offers_no_credential(own_site, reason):
    issue(own_site)
    revoke(own_site, reason)
    document = await own_site.document(PAGE)
    props = document.state["props"]
    assert (document.status, props["state"], props["reason"]) == (200, "revoked", REASONS[reason])
    assert props["signedHref"] is None


async def test_the_page_is_in_no_index_and_in_no_cache_and_its_head_names_nobody(own_site):
    issue(own_site)
    document = await own_site.document(PAGE)
    assert (document.meta("robots"), document.headers["X-Robots-Tag"]) == ("noindex, nofollow", "noindex")
    assert document.headers["Cache-Control"] == "no-store"
    head = document.html.partition("<body")[0]
    assert [word for word in ("Ada", "Lovelace", "VAT basics") if word in head] == []
    data = await own_site.get(f"/data{PAGE}")
    assert (data.headers["Cache-Control"], (await data.json())["props"]["holder"]) == ("no-store", "Ada Lovelace")


async def test_an_unknown_code_leads_to_the_form_that_asks_for_another_one(own_site):
    issue(own_site)
    for code in ("unknown", CODE.lower(), CODE + "x", "%20"):
        document = await own_site.document(f"/verify-certificate/{code}")
        props = document.state["props"]
        assert (document.status, document.state["page"]) == (404, "certificate-check"), code
        assert (props["code"], props["message"][:20]) == (code.replace("%20", ""), "There is no certific")
        assert "Ada" not in document.html


async def test_the_form_finds_a_code_and_the_address_of_a_certificate(own_site):
    issue(own_site)
    empty = await own_site.document("/verify-certificate")
    assert (empty.status, empty.state["page"], empty.state["props"]["message"]) == (200, "certificate-check", "")
    for typed in (CODE, f"%20{CODE}%20", f"https://shop.example{PAGE}/"):
        found = await own_site.document(f"/verify-certificate?code={typed}")
        assert (found.state["page"], found.state["props"]["holder"]) == ("certificate", "Ada Lovelace")
    wrong = await own_site.document("/verify-certificate?code=unknown")
    assert (wrong.status, wrong.state["props"]["code"]) == (404, "unknown")
    assert wrong.state["props"]["message"].startswith("There is no certificate with this code.")


async def test_logs_hold_no_code(own_site, caplog):
    issue(own_site)
    with caplog.at_level(logging.INFO):
        for path in (PAGE, f"/data{PAGE}", f"{PAGE}/credential.jwt", f"/verify-certificate?code={CODE}"):
            await own_site.get(path)
        await own_site.get(f"/learning/certificates/{CODE}.pdf")
    assert "/verify-certificate/{code}/credential.jwt" in caplog.text
    assert CODE not in caplog.text


async def test_thirty_codes_a_minute_are_checked_for_one_address(open_site):
    site = await open_site()
    issue(site)
    for _ in range(15):
        assert (await site.get(f"/data{PAGE}")).status == 200
        assert (await site.get(f"{PAGE}/credential.json")).status == 200
    document = await site.document(PAGE)
    assert (document.status, document.state["page"]) == (429, "area-error")
    assert int(document.headers["Retry-After"]) > 0
    assert (await site.get(f"{PAGE}/credential.jwt")).status == 429
    assert (await site.get("/verify-certificate")).status == 200
