"""A connection to the mail server that SMTP_URL names."""

import smtplib
import ssl
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from urllib.parse import unquote, urlsplit

from adapters.deadlines import broken_after, open_within
from domain.outbox.errors import ServiceDown

CONNECT_S = 5.0
# For one mail. Most servers take less than a second; a server that takes longer may accept a mail unnoticed.
SEND_S = 8.0
AUTHENTICATION_REQUIRED = 530
# RFC 2047: of a line with encoded words, without its line break.
ENCODED_LINE = 76


class _Policy(EmailPolicy):
    """Writes a subject that needs encoding as one run. Python's own folding encodes each word by itself, and where a
    line ends it doubles the space between two of them or leaves it out (3.11 to 3.13)."""

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() != "subject" or value.isascii():
            return super().fold_binary(name, value)
        # One shorter: Header counts the first line without its colon.
        header = Header(value, "utf-8", maxlinelen=ENCODED_LINE - 1, header_name=name)
        return f"{name}: {header.encode(linesep=self.linesep)}{self.linesep}".encode("ascii")


POLICY = _Policy(linesep=SMTP.linesep)
POLICY_UTF8 = POLICY.clone(utf8=True)


class MailRefused(Exception):
    """The server refused this mail, for now (4xx) or for good (5xx)."""

    def __init__(self, code: int, text: bytes | str):
        words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        super().__init__(f"the mail server answered {code} {' '.join(words.split())}")
        self.is_permanent = code >= 500


class ConnectionBroken(Exception):
    """The connection broke before the mail's text was sent: the server did not accept it."""


class Unconfirmed(Exception):
    """The connection broke while the mail's text was sent or confirmed: the server may have accepted it."""


class MailServer:
    """Sends one mail after another over one connection, and over a new one after it broke.

    Over TLS the server's certificate must be valid for its name. `ca_file`: a file of certificates (PEM) to check it
    with; "": those of the system.
    """

    def __init__(self, url: str, ca_file: str = ""):
        self._url, self._ca_file = url, ca_file
        self._server: smtplib.SMTP | None = None

    def __enter__(self) -> "MailServer":
        return self

    def __exit__(self, *_error: object) -> None:
        self._close()

    def ensure_ready(self) -> None:
        """Connect if there is no connection. Raises ServiceDown, after CONNECT_S at the latest."""
        if self._server is None:
            try:
                self._server = open_within(CONNECT_S, lambda: _connect(self._url, self._ca_file))
            except (OSError, smtplib.SMTPException) as error:
                raise ServiceDown(f"the mail server could not be used: {error}") from error

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Return when the server has accepted the mail. Call `ensure_ready` before.

        Raises MailRefused, ConnectionBroken, Unconfirmed or ServiceDown. After SEND_S the connection is broken off.
        A refusal resets the transaction (RSET), anything else closes the connection: the next mail begins anew.
        """
        server = self._server
        if server is None or server.sock is None:
            raise ConnectionBroken("there is no connection to the mail server")
        with broken_after(SEND_S, server.sock):
            try:
                _send(server, message, sender, recipient)
            except MailRefused:
                self._reset()
                raise
            except BaseException:
                self._close()
                raise

    def _reset(self) -> None:
        try:
            is_reset = self._server is not None and self._server.rset()[0] == 250
        except (OSError, smtplib.SMTPException):
            is_reset = False
        if not is_reset:
            self._close()

    def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


def _connect(url: str, ca_file: str) -> smtplib.SMTP:
    """A connection to smtp:// (with STARTTLS if the server offers it) or smtps://, signed in if the URL has a name.

    Raises ServiceDown for an unusable `ca_file`, and before a password would be sent without TLS."""
    parts = urlsplit(url)
    host = parts.hostname or "localhost"
    context = _tls_context(ca_file)
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=CONNECT_S, context=context)
    else:
        server = smtplib.SMTP(host, parts.port or 25, timeout=CONNECT_S)
    try:
        server.ehlo_or_helo_if_needed()
        is_encrypted = parts.scheme == "smtps"
        if not is_encrypted and server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
            is_encrypted = True
        if parts.username:
            if not is_encrypted:
                # An attacker on the network could remove the offer of STARTTLS and read the password.
                raise ServiceDown("the mail server offers no TLS, and the password of SMTP_URL is not sent without it")
            server.login(unquote(parts.username), unquote(parts.password or ""))
    except BaseException:
        server.close()
        raise
    if server.sock is not None:
        server.sock.settimeout(SEND_S)
    return server


def _tls_context(ca_file: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:
        raise ServiceDown(f"SMTP_CA_FILE={ca_file} cannot be used: {error}") from error


def _send(server: smtplib.SMTP, message: EmailMessage, sender: str, recipient: str) -> None:
    """smtplib's own send_message() does not tell whether the mail's text was sent before a connection broke."""
    is_ascii = (sender + recipient).isascii()
    if not is_ascii and not server.has_extn("smtputf8"):
        raise MailRefused(553, "(not asked) it does not support addresses with such letters, SMTPUTF8")
    data = message.as_bytes(policy=POLICY if is_ascii else POLICY_UTF8)
    try:
        code, text = server.mail(sender, () if is_ascii else ("SMTPUTF8", "BODY=8BITMIME"))
        if code == AUTHENTICATION_REQUIRED:
            raise ServiceDown("the mail server requires a name and a password in SMTP_URL")
        _require_accepted(code, text)
        _require_accepted(*server.rcpt(recipient))
    except (OSError, smtplib.SMTPException) as error:
        raise ConnectionBroken(f"the connection to the mail server broke: {error}") from error
    try:
        _require_accepted(*server.data(data))
    except smtplib.SMTPDataError as error:
        # The answer to DATA itself, before the text.
        _require_accepted(error.smtp_code, error.smtp_error)
    except (OSError, smtplib.SMTPException) as error:
        raise Unconfirmed(f"the mail server did not confirm the mail, which may have been sent: {error}") from error


def _require_accepted(code: int, text: bytes | str) -> None:
    if code < 200 or 300 <= code < 400:
        raise ConnectionBroken(f"the mail server answered {code}, which has no meaning here")
    if code >= 400:
        raise MailRefused(code, text)
