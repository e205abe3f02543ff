"""An SMTP server for development: takes every mail, delivers none, shows them in the outbox."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage

LARGEST_MAIL = 10 * 1024 * 1024
MOST_RECIPIENTS = 100
IDLE_S = 60.0
_LINK = re.compile(r"https?://[^\s<>\"']+")
_PATH = re.compile(r"^(?:FROM|TO):\s*<([^<>\s]*)>", re.IGNORECASE)


@dataclass(frozen=True)
class Mail:
    """One mail for one recipient. `link` is the first address in its text."""

    to: str
    sender: str
    subject: str
    text: str
    link: str | None


Deliver = Callable[[Mail], None]


def read_mails(sender: str, recipients: list[str], data: bytes) -> list[Mail]:
    """What the bytes of one mail are for each recipient."""
    found = message_from_bytes(data, policy=policy.default)
    body = found.get_body(("plain", "html")) if isinstance(found, EmailMessage) else None
    text = str(body.get_content()) if body is not None else ""
    text = text.replace("\r\n", "\n")
    link = _LINK.search(text)
    subject = str(found.get("Subject", ""))
    return [Mail(to, sender, subject, text.strip(), link[0] if link else None) for to in recipients]


class Conversation:
    """One connection. `deliver` runs in a thread and is waited for before the mail is accepted."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deliver: Deliver):
        self._reader, self._writer, self._deliver = reader, writer, deliver
        self._sender: str | None = None
        self._recipients: list[str] = []

    async def run(self) -> None:
        """Until QUIT, silence of a minute, or the other side's end."""
        try:
            await self._say("220 development mail, nothing is delivered")
            while True:
                async with asyncio.timeout(IDLE_S):
                    line = (await self._reader.readline()).decode("utf-8", "replace").strip()
                if not line and self._reader.at_eof():
                    return
                word, _, rest = line.partition(" ")
                if word.upper() == "QUIT":
                    await self._say("221 bye")
                    return
                await self._say(await self._answer(word.upper(), rest.strip()))
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, ValueError):
            return
        finally:
            self._writer.close()

    async def _say(self, text: str) -> None:
        self._writer.write(f"{text}\r\n".encode())
        await self._writer.drain()

    async def _answer(self, word: str, rest: str) -> str:
        if word in ("EHLO", "HELO"):
            self._forget()
            return f"250-ready\r\n250-SIZE {LARGEST_MAIL}\r\n250 8BITMIME" if word == "EHLO" else "250 ready"
        if word == "MAIL":
            return self._from(rest)
        if word == "RCPT":
            return self._to(rest)
        if word == "DATA":
            return await self._data()
        if word == "RSET":
            self._forget()
        return "250 ok" if word in ("RSET", "NOOP") else "502 not known here"

    def _forget(self) -> None:
        self._sender, self._recipients = None, []

    def _from(self, rest: str) -> str:
        found = _PATH.match(rest)
        if found is None:
            return "501 MAIL FROM:<address>"
        self._sender, self._recipients = found[1], []
        return "250 ok"

    def _to(self, rest: str) -> str:
        found = _PATH.match(rest)
        if self._sender is None:
            return "503 MAIL first"
        if found is None or not found[1]:
            return "501 RCPT TO:<address>"
        if len(self._recipients) >= MOST_RECIPIENTS:
            return "452 too many recipients"
        self._recipients.append(found[1])
        return "250 ok"

    async def _data(self) -> str:
        if self._sender is None or not self._recipients:
            return "503 MAIL and RCPT first"
        await self._say("354 end with a dot on a line of its own")
        lines, size = [], 0
        async with asyncio.timeout(IDLE_S):
            while (line := await self._reader.readline()) not in (b".\r\n", b".\n"):
                if not line:
                    raise ConnectionResetError
                size += len(line)
                # A dot at the beginning was doubled on the way.
                if size <= LARGEST_MAIL:
                    lines.append(line[1:] if line.startswith(b"..") else line)
        if size > LARGEST_MAIL:
            return "552 too large"
        for mail in read_mails(self._sender, self._recipients, b"".join(lines)):
            await asyncio.to_thread(self._deliver, mail)
        self._forget()
        return "250 kept"


async def serve(host: str, port: int, deliver: Deliver) -> asyncio.Server:
    """Listening; close the server to stop."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await Conversation(reader, writer, deliver).run()

    return await asyncio.start_server(converse, host, port, limit=LARGEST_MAIL)
