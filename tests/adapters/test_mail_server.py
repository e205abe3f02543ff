"""Over TLS a mail is sent only to a server whose certificate is valid for its name."""

import asyncio
import ssl
from email.message import EmailMessage

import pytest

from adapters.mail_server import MailServer
from domain.outbox import ServiceDown
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
