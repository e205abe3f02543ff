"""A mail server for tests that refuses, breaks off or holds back single mails, and accepts all others."""

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager

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
    """Stricter than the stand-in: as on real servers a second MAIL without RSET in between is out of turn."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sink: MailSink):
        super().__init__(reader, writer, sink.accept)
        self._sink = sink

    async def _reply(self, command: str, rest: str) -> str:
        if command == "MAIL" and self._sender is not None:
            return "503 nested MAIL"
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
async def mail_sink():
    """A running MailSink."""
    sink = MailSink()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sink.connections += 1
        await SinkConnection(reader, writer, sink).run()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=MAX_MAIL_BYTES)
    sink.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield sink
    server.close()
    await server.wait_closed()
