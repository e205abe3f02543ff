"""The contact form: as a call, and as a plain form for visitors without JavaScript."""

from urllib.parse import urlencode

import pytest
from sqlalchemy import func, select

from domain import contact
from domain.errors import ServiceUnavailable
from domain.tables import ContactMessage, Outbox
from tests.host.documents import read
from tests.host.site import CHROME, ORIGIN

GOOD = {"name": "Ada", "email": "ada@example.test", "subject": "Payroll", "message": "Which course comes first?"}
FORM = "application/x-www-form-urlencoded"


def stored(site) -> tuple[int, int]:
    """The number of stored messages and of mails in the outbox."""
    with site.db.read_session() as session:
        messages, mails = (
            session.scalar(select(func.count()).select_from(table)) for table in (ContactMessage, Outbox)
        )
    return messages, mails


async def send(site, values, kind=FORM, **headers):
    data = values if isinstance(values, bytes) else urlencode(values).encode()
    sent = {"Content-Type": kind, "Origin": ORIGIN, "User-Agent": CHROME} | headers
    answer = await site.client.post("/contact", data=data, headers=sent, allow_redirects=False)
    await answer.read()
    return answer


async def document_of(answer):
    return read(answer.status, answer.headers, await answer.text()).state["props"]


async def test_a_message_sent_by_the_page_is_stored_with_its_mail(bare_site):
    assert await bare_site.call("contact", GOOD) == (202, {"status": "sent"})
    assert stored(bare_site) == (1, 1)
    with bare_site.db.read_session() as session:
        message = session.scalars(select(ContactMessage)).one()
    assert {name: getattr(message, name) for name in GOOD} == GOOD


async def test_an_invalid_message_names_its_fields(bare_site):
    status, answer = await bare_site.call("contact", {**GOOD, "email": "ada", "message": "short"})
    assert status == 422
    assert answer["errors"] == {
        "email": "Enter an email address in the form name@example.com.",
        "message": "Write at least 10 characters, so that we know how to help.",
    }
    assert stored(bare_site) == (0, 0)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "Ada"}, "email"),
        ({**GOOD, "price": 1}, "price"),
        ({**GOOD, "name": 7}, "name"),
        ({**GOOD, "message": "x" * 20_001}, "message"),
        ({**GOOD, "name": "x" * 1001}, "name"),
    ],
)
async def test_a_message_with_invalid_fields_is_refused(bare_site, body, field):
    status, answer = await bare_site.call("contact", body)
    assert (status, field in answer["errors"]) == (422, True)
    assert stored(bare_site) == (0, 0)


async def test_a_message_with_the_honeypot_filled_is_dropped_without_an_error(bare_site):
    assert await bare_site.call("contact", {**GOOD, "website": "http://spam.example"}) == (202, {"status": "sent"})
    assert (await send(bare_site, {**GOOD, "website": "x"})).status == 303
    assert stored(bare_site) == (0, 0)


async def test_a_form_without_javascript_redirects_to_the_confirmation(bare_site):
    answer = await send(bare_site, GOOD)
    assert (answer.status, answer.headers["Location"]) == (303, "/contact?sent=1")
    assert stored(bare_site) == (1, 1)
    assert (await bare_site.document("/contact?sent=1")).state["props"]["form"]["sent"] is True


ABOUT = {"vat-basics": "About: VAT basics", "tax-tables": "About: Tax tables", "vat-basics ": "", "nothing": "", "": ""}


@pytest.mark.parametrize(("slug", "subject"), ABOUT.items())
async def test_a_question_about_a_product_names_it(bare_site, slug, subject):
    document = await bare_site.document(f"/contact?about={slug.replace(' ', '%20')}")
    assert document.state["props"]["form"]["values"] == {"name": "", "email": "", "subject": subject, "message": ""}
    assert document.canonical == "https://shop.example/contact"


async def test_an_invalid_form_keeps_the_typed_values(bare_site):
    typed = {**GOOD, "email": "ada", "name": '<b>"Ada"</b>'}
    answer = await send(bare_site, typed)
    state = await document_of(answer)
    assert (answer.status, state["form"]["values"]) == (422, typed)
    assert state["form"]["errors"] == {"email": "Enter an email address in the form name@example.com."}
    assert (answer.headers["Cache-Control"], stored(bare_site)) == ("no-store", (0, 0))


async def test_a_form_beyond_the_limit_keeps_the_typed_values(open_site):
    site = await open_site(CONTACTS_PER_ADDRESS_HOUR="1")
    await send(site, GOOD)
    answer = await send(site, {**GOOD, "subject": "Again"})
    form = (await document_of(answer))["form"]
    assert (answer.status, form["values"]) == (429, {**GOOD, "subject": "Again"})
    wait_s = int(answer.headers["Retry-After"])
    assert 0 < wait_s <= 3601
    assert form["errors"] == {"form": contact.limit_exceeded(wait_s)}
    assert stored(site) == (1, 1)


async def test_a_call_beyond_the_limit_says_when_to_retry(open_site):
    site = await open_site(CONTACTS_PER_ADDRESS_HOUR="1")
    await site.call("contact", GOOD)
    answer = await site.client.post("/api/contact", json=GOOD)
    problem = await answer.json(content_type=None)
    wait_s = int(answer.headers["Retry-After"])
    assert (answer.status, problem["detail"]) == (429, contact.limit_exceeded(wait_s))
    assert stored(site) == (1, 1)


async def test_with_the_database_unavailable_a_form_keeps_the_typed_values(bare_site, monkeypatch):
    async def unavailable(*_args):
        raise ServiceUnavailable("The site is temporarily unavailable.")

    monkeypatch.setattr(bare_site.db, "write", unavailable)
    answer = await send(bare_site, GOOD)
    form = (await document_of(answer))["form"]
    assert (answer.status, answer.headers["Retry-After"], form["values"]) == (503, "5", GOOD)
    assert form["errors"] == {"form": "The site is temporarily unavailable. Nothing you typed is lost."}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_a_form_of_another_site_is_refused(bare_site, headers):
    answer = await send(bare_site, GOOD, **headers)
    assert (answer.status, stored(bare_site)) == (403, (0, 0))


async def test_a_form_without_an_origin_is_refused(bare_site):
    body = urlencode(GOOD)
    lines = [f"Content-Type: {FORM}", f"Content-Length: {len(body)}"]
    head = "\r\n".join(["POST /contact HTTP/1.1", "Host: x", "Connection: close", *lines, "", body])
    assert b" 403 " in (await bare_site.raw(head.encode())).split(b"\r\n")[0]
    assert stored(bare_site) == (0, 0)


BROKEN = {
    "another kind": (urlencode(GOOD).encode(), "application/json", 415),
    "parts": (urlencode(GOOD).encode(), "multipart/form-data; boundary=x", 415),
    "nothing": (b"", FORM, 422),
    "bytes of no character set": (b"name=\xff\xfe&message=\xff", FORM, 400),
    "escapes of no character": (b"name=%FF%ED%A0%80&email=a@b.co&subject=x&message=1234567890", FORM, 303),
    "a character set that does not exist": (urlencode(GOOD).encode(), f"{FORM}; charset=klingon", 400),
    "too much": (b"message=" + b"x" * 70_000, FORM, 413),
    "a field twice": (urlencode(GOOD).encode() + b"&name=Eve", FORM, 303),
    "too long a message": (urlencode({**GOOD, "message": "x" * 5001}).encode(), FORM, 422),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_a_malformed_form_is_never_a_500(bare_site, name):
    body, kind, status = BROKEN[name]
    answer = await send(bare_site, body, kind)
    assert answer.status == status
    assert stored(bare_site) == ((1, 1) if status == 303 else (0, 0))
