"""An SMTP server for development: accepts every mail, delivers none and passes them to the outbox.

Replies are those of RFC 5321, with its words where it gives them (4.2.2, 4.2.3).
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from typing import Literal

MAX_MAIL_BYTES = 10 * 1024 * 1024
MAX_RECIPIENTS = 100
# Greeting, EHLO and closing replies begin with the server's name.
NAME = "localhost"
OK = "250 OK"
SYNTAX_ERROR = "501 Syntax error in parameters or arguments"
OUT_OF_ORDER = "503 Bad sequence of commands"
FIXED_REPLIES = {
    "RSET": OK,
    "NOOP": OK,
    "VRFY": "252 Cannot VRFY user, but will accept message and attempt delivery",
    # Known to RFC 5321, but of no use here.
    "EXPN": "502 Command not implemented",
    "HELP": "502 Command not implemented",
}
IDLE_S = 60.0
_LINK = re.compile(r"https?://[^\s<>\"']+")
_PATH = re.compile(r"^(?:FROM|TO):\s*<([^<>\s]*)>", re.IGNORECASE)


@dataclass(frozen=True)
class Mail:
    """One mail for one recipient. `link` is the first address in its text; `message_id`: its header; `html` "": it has
    text alone."""

    to: str
    sender: str
    subject: str
    text: str
    link: str | None
    message_id: str = ""
    html: str = ""


Deliver = Callable[[Mail], None]


def read_mails(sender: str, recipients: list[str], data: bytes) -> list[Mail]:
    """Parses a mail's bytes into one Mail per recipient."""
    message = message_from_bytes(data, policy=policy.default)
    text, html = _body(message, "plain", "html"), _body(message, "html")
    link = _LINK.search(text)
    subject, number = str(message.get("Subject", "")), str(message.get("Message-ID", ""))
    return [Mail(to, sender, subject, text, link[0] if link else None, number, html) for to in recipients]


def _body(message: Message, *kinds: Literal["plain", "html"]) -> str:
    """The part of the first kind that the mail has, "" when it has none."""
    body = message.get_body(kinds) if isinstance(message, EmailMessage) else None
    return str(body.get_content()).replace("\r\n", "\n").strip() if body is not None else ""


class SMTPConnection:
    """One SMTP connection. `deliver` runs in a thread; the mail is accepted after it returns."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deliver: Deliver):
        self._reader, self._writer, self._deliver = reader, writer, deliver
        self._sender: str | None = None
        self._recipients: list[str] = []

    async def run(self) -> None:
        """Serves the connection until QUIT, 60 s of silence or a disconnect."""
        try:
            await self._send(f"220 {NAME} ESMTP development server, nothing is delivered")
            while True:
                async with asyncio.timeout(IDLE_S):
                    line = (await self._reader.readline()).decode("utf-8", "replace").strip()
                if not line and self._reader.at_eof():
                    return
                command, _, rest = line.partition(" ")
                if command.upper() == "QUIT":
                    await self._send(f"221 {NAME} Service closing transmission channel")
                    return
                await self._send(await self._reply(command.upper(), rest.strip()))
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, ValueError):
            return
        finally:
            self._writer.close()

    async def _send(self, text: str) -> None:
        self._writer.write(f"{text}\r\n".encode())
        await self._writer.drain()

    async def _reply(self, command: str, rest: str) -> str:
        if command in ("EHLO", "HELO"):
            self._reset()
            extensions = (f"SIZE {MAX_MAIL_BYTES}", "8BITMIME") if command == "EHLO" else ()
            return _reply_lines(NAME, *extensions)
        if command == "MAIL":
            return self._set_sender(rest)
        if command == "RCPT":
            return self._add_recipient(rest)
        if command == "DATA":
            return await self._receive()
        if command == "RSET":
            self._reset()
        return FIXED_REPLIES.get(command, "500 Syntax error, command unrecognized")

    def _reset(self) -> None:
        self._sender, self._recipients = None, []

    def _set_sender(self, rest: str) -> str:
        match = _PATH.match(rest)
        if self._sender is not None:
            return OUT_OF_ORDER
        if match is None:
            return SYNTAX_ERROR
        self._sender, self._recipients = match[1], []
        return OK

    def _add_recipient(self, rest: str) -> str:
        match = _PATH.match(rest)
        if self._sender is None:
            return OUT_OF_ORDER
        if match is None or not match[1]:
            return SYNTAX_ERROR
        if len(self._recipients) >= MAX_RECIPIENTS:
            return "452 Too many recipients"
        self._recipients.append(match[1])
        return OK

    async def _receive(self) -> str:
        if self._sender is None or not self._recipients:
            return OUT_OF_ORDER
        await self._send("354 Start mail input; end with <CRLF>.<CRLF>")
        lines, size = [], 0
        async with asyncio.timeout(IDLE_S):
            while (line := await self._reader.readline()) not in (b".\r\n", b".\n"):
                if not line:
                    raise ConnectionResetError
                size += len(line)
                # SMTP doubles a dot at the beginning of a line (RFC 5321, 4.5.2).
                if size <= MAX_MAIL_BYTES:
                    lines.append(line[1:] if line.startswith(b"..") else line)
        if size > MAX_MAIL_BYTES:
            self._reset()
            return "552 Message size exceeds fixed maximum message size"
        for mail in read_mails(self._sender, self._recipients, b"".join(lines)):
            await asyncio.to_thread(self._deliver, mail)
        self._reset()
        return OK


def _reply_lines(*texts: str) -> str:
    """A reply 250 of one line or several."""
    return "\r\n".join([*(f"250-{text}" for text in texts[:-1]), f"250 {texts[-1]}"])


async def serve(host: str, port: int, deliver: Deliver) -> asyncio.Server:
    """Starts listening. Close the returned server to stop."""

    async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await SMTPConnection(reader, writer, deliver).run()

    return await asyncio.start_server(serve_connection, host, port, limit=MAX_MAIL_BYTES)
