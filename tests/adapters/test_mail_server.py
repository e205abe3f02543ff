"""Subjects arrive as they were written; over TLS a mail is sent only to a server whose certificate is valid for its
name."""

import asyncio
import ssl
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import default

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.mail_server import ENCODED_LINE, POLICY, POLICY_UTF8, MailServer
from domain.outbox.errors import ServiceDown
from tests.support.certificates import write_certificate
from tests.support.smtp import mail_sink

WAYS = [pytest.param(True, id="STARTTLS"), pytest.param(False, id="smtps")]


def tls_of(certificate) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.certificate, certificate.key)
    return context


async def send(url: str, ca_file: str = "") -> None:
    mail = EmailMessage()
    mail.set_content("Hello")

    def run() -> None:
        with MailServer(url, ca_file) as server:
            server.ensure_ready()
            server.send(mail, "shop@example.test", "ada@example.test")

    await asyncio.to_thread(run)


@pytest.mark.parametrize("is_tls_offered", WAYS)
async def test_a_server_that_signed_its_own_certificate_gets_no_mail(tmp_path, is_tls_offered):
    certificate = write_certificate(tmp_path, "localhost")
    async with mail_sink(tls_of(certificate), is_tls_offered=is_tls_offered) as sink:
        with pytest.raises(ServiceDown, match="certificate verify failed: self-signed certificate"):
            await send(sink.url.replace("127.0.0.1", "localhost"))
    assert sink.received == []


@pytest.mark.parametrize("is_tls_offered", WAYS)
async def test_a_certificate_of_the_setting_is_accepted(tmp_path, is_tls_offered):
    certificate = write_certificate(tmp_path, "localhost")
    async with mail_sink(tls_of(certificate), is_tls_offered=is_tls_offered) as sink:
        await send(sink.url.replace("127.0.0.1", "localhost"), str(certificate.certificate))
    assert sink.recipients == ["ada@example.test"]


@pytest.mark.parametrize("is_tls_offered", WAYS)
async def test_a_certificate_for_another_name_is_refused(tmp_path, is_tls_offered):
    certificate = write_certificate(tmp_path, "mail.example.test")
    async with mail_sink(tls_of(certificate), is_tls_offered=is_tls_offered) as sink:
        with pytest.raises(ServiceDown, match="Hostname mismatch"):
            await send(sink.url.replace("127.0.0.1", "localhost"), str(certificate.certificate))
    assert sink.received == []


async def test_a_password_is_not_sent_without_tls():
    async with mail_sink() as sink:
        with pytest.raises(ServiceDown, match="offers no TLS"):
            await send(sink.url.replace("://", "://shop:secret@"))


async def test_a_missing_file_of_certificates_is_named(tmp_path):
    async with mail_sink() as sink:
        with pytest.raises(ServiceDown, match=r"SMTP_CA_FILE=.*/missing\.pem cannot be used"):
            await send(sink.url, str(tmp_path / "missing.pem"))


# Python 3.11 glues two of its words when it writes them one by one.
_GLUED = "Your certificate for “kleine Grüße der für für Datenanalyse”"
_OTHERS = "Straße データ分析 入門 للمبتدئين محمد כהן प्रोग्रामिंग 🐍 👩\u200d💻 e\u0301te\u0301 (Über) a,b;"
_WORDS = st.sampled_from(f"{_GLUED} {_OTHERS}".split())
_ANY = st.text(st.characters(categories=["L", "M", "N", "P", "S"]), min_size=1, max_size=60)


def _headers(subject: str, policy) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = subject
    mail.set_content("Hello")
    return mail.as_bytes(policy=policy)


@pytest.mark.parametrize("policy", [POLICY, POLICY_UTF8])
@settings(max_examples=60)
@given(words=st.lists(_WORDS | _ANY, min_size=1, max_size=12))
@example(words=_GLUED.split())
def test_a_subject_is_read_as_it_was_written(policy, words):
    subject = " ".join(words)
    sent = _headers(subject, policy)
    assert message_from_bytes(sent, policy=default)["Subject"] == subject
    assert str(make_header(decode_header(message_from_bytes(sent)["Subject"]))) == subject
    lines = sent.partition(b"\r\nContent-Type")[0].split(b"\r\n")
    assert all(len(line) <= ENCODED_LINE for line in lines if b"=?utf-8?" in line)
