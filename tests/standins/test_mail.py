"""The mail server that delivers nothing: what it takes stands in the outbox."""

import asyncio
import smtplib
from email.message import EmailMessage

import pytest

from standins import mail
from standins.__main__ import store_mail
from standins.identity.app import PROVIDER
from standins.mail import Mail
from tests.support.waiting import LIMIT_S


@pytest.fixture
async def sink():
    """The port, and what was delivered."""
    mails: list[Mail] = []
    server = await mail.serve("127.0.0.1", 0, mails.append)
    yield server.sockets[0].getsockname()[1], mails
    server.close()
    await server.wait_closed()


def written(to="ada@example.test", text="Hello,\nread http://localhost:8080/x now.\n.dot", subject="Grüße"):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "shop@example.test", to, subject
    message.set_content(text)
    return message


async def sent(port, message):
    def send():
        with smtplib.SMTP("127.0.0.1", port, timeout=LIMIT_S) as server:
            return server.send_message(message)

    return await asyncio.to_thread(send)


async def test_a_mail_is_stored_for_each_recipient(sink):
    port, mails = sink
    await sent(port, written("ada@example.test, warn@example.test"))
    text = "Hello,\nread http://localhost:8080/x now.\n.dot"
    assert mails == [
        Mail(to, "shop@example.test", "Grüße", text, "http://localhost:8080/x")
        for to in ("ada@example.test", "warn@example.test")
    ]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (["RCPT TO:<a@b.test>"], ["503"]),
        (["DATA"], ["503"]),
        (["MAIL FROM:nobody"], ["501"]),
        (["MAIL FROM:<a@b.test>", "RCPT TO:<>"], ["250", "501"]),
        (["MAIL FROM:<a@b.test>", "RSET", "RCPT TO:<a@b.test>"], ["250", "250", "503"]),
        (["MAIL FROM:<a@b.test>", "MAIL FROM:<c@d.test>"], ["250", "503"]),
        (["VRFY ada"], ["252"]),
        (["EXPN staff"], ["502"]),
        (["SEND FROM:<a@b.test>"], ["500"]),
        (["NOOP", "QUIT"], ["250", "221"]),
    ],
)
async def test_smtp_commands_out_of_order_are_refused(sink, lines, codes):
    port, mails = sink
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert (await reader.readline()).startswith(b"220")
    for line, code in zip(lines, codes, strict=True):
        writer.write(f"{line}\r\n".encode())
        assert (await reader.readline()).decode()[:3] == code
    writer.close()
    await writer.wait_closed()
    assert mails == []


async def test_greeting_and_replies_name_the_server_first(sink):
    port, _ = sink
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"EHLO shop.test\r\nHELO shop.test\r\nQUIT\r\n")
    replies = (await reader.read()).decode().splitlines()
    writer.close()
    await writer.wait_closed()
    assert replies == [
        "220 localhost ESMTP development server, nothing is delivered",
        "250-localhost",
        f"250-SIZE {mail.MAX_MAIL_BYTES}",
        "250 8BITMIME",
        "250 localhost",
        "221 localhost Service closing transmission channel",
    ]


async def test_a_mail_is_shown_as_html_beside_its_text_in_a_frame_that_may_do_nothing(provider, browser):
    message = written(subject="Welcome <b>")
    message.add_alternative("<html><head></head><body><script>alert(1)</script><p>Hello</p></body></html>", "html")
    [mail_of_shop] = mail.read_mails("shop@example.test", ["ada@example.test"], bytes(message))
    store_mail(browser.client.server.app[PROVIDER], mail_of_shop)
    number = (await browser.message("ada@example.test"))["id"]
    assert f'<a href="/outbox/{number}">Welcome &lt;b&gt;</a>' in await browser.get("/outbox")
    page = await browser.get(f"/outbox/{number}")
    rights = 'sandbox="allow-popups allow-popups-to-escape-sandbox"'
    assert f'<iframe title="HTML of the mail" src="/outbox/{number}/html" {rights}></iframe>' in page
    assert "read http://localhost:8080/x now.\n.dot</pre>" in page
    assert "frame-src 'self'" in browser.headers["Content-Security-Policy"]
    framed = await browser.get(f"/outbox/{number}/html")
    assert framed.startswith('<html><head><base target="_blank"></head><body><script>')
    policy = browser.headers["Content-Security-Policy"].split("; ")
    assert policy[:2] == ["sandbox allow-popups allow-popups-to-escape-sandbox", "default-src 'none'"]


@pytest.mark.parametrize("path", ["/outbox/0", "/outbox/x", "/outbox/1/html", "/outbox/99999999999"])
async def test_a_mail_that_is_not_there_is_not_found(browser, path):
    await browser.get(path)
    assert browser.status == 404


async def test_accepted_mails_are_in_the_outbox_after_a_restart(provider, browser):
    store_mail(browser.client.server.app[PROVIDER], Mail("ada@example.test", "s@x.test", "Hello", "Text", None))
    await browser.close()
    again = await provider()
    response = await again.message("ada@example.test")
    assert (response["channel"], response["purpose"], response["subject"], response["text"]) == (
        "email",
        "mail",
        "Hello",
        "Text",
    )
