"""A mail server for tests that refuses, breaks off or holds back single mails, and accepts all others."""

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from ssl import SSLContext, SSLError

from standins.mail import MAX_MAIL_BYTES, Mail, SMTPConnection


class MailSink:
    """`refusals`: the reply to a recipient, such as "550 nobody"; None breaks the connection off. `on_text` is called
    with a mail for this recipient before the server accepts it; it may block, or raise ConnectionError."""

    def __init__(self) -> None:
        self.received: list[Mail] = []
        self.refusals: dict[str, str | None] = {}
        self.on_text: dict[str, Callable[[Mail], object]] = {}
        # Called with the connection after a refusal was chosen.
        self.on_refusal: Callable[[asyncio.StreamWriter], object] = lambda _writer: None
        self.connections = 0
        self.url = ""

    def accept(self, mail: Mail) -> None:
        if mail.to in self.on_text:
            self.on_text[mail.to](mail)
        self.received.append(mail)

    @property
    def recipients(self) -> list[str]:
        return [mail.to for mail in self.received]


class SinkConnection(SMTPConnection):
    """`tls`: what STARTTLS begins; None: it is not offered."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sink: MailSink, tls: SSLContext | None
    ):
        super().__init__(reader, writer, sink.accept)
        self._sink, self._tls = sink, tls

    async def _reply(self, command: str, rest: str) -> str:
        if command == "EHLO" and self._tls is not None:
            first, _, others = (await super()._reply(command, rest)).partition("\r\n")
            return f"{first}\r\n250-STARTTLS\r\n{others}"
        if command == "STARTTLS" and self._tls is not None:
            await self._send("220 ready")
            await self._writer.start_tls(self._tls)
            self._tls = None
            # What the client sends next is answered.
            return await self._reply(*(await self._reader.readline()).decode().split(maxsplit=1))
        if command == "RCPT":
            address = rest.partition("<")[2].partition(">")[0]
            if address in self._sink.refusals:
                refusal = self._sink.refusals[address]
                self._sink.on_refusal(self._writer)
                if refusal is None:
                    raise ConnectionResetError
                return refusal
        return await super()._reply(command, rest)


@asynccontextmanager
async def mail_sink(tls: SSLContext | None = None, *, is_tls_offered: bool = True):
    """A running MailSink. `tls`: with this certificate, after STARTTLS if `is_tls_offered`, else from the start."""
    sink = MailSink()
    starttls, from_start = (tls, None) if is_tls_offered else (None, tls)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sink.connections += 1
        with suppress(SSLError):
            await SinkConnection(reader, writer, sink, starttls).run()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=MAX_MAIL_BYTES, ssl=from_start)
    scheme = "smtps" if from_start else "smtp"
    sink.url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield sink
    server.close()
    await server.wait_closed()
