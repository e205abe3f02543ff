"""A connection to a server that a test makes silent: nothing gets through, and nobody is told."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread


class SilentLine:
    """Listens on `port` and passes everything on to a server of this machine, except while it is silent."""

    def __init__(self, server_port: int):
        self._server_port = server_port
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._loop = asyncio.new_event_loop()
        self._writers: list[asyncio.StreamWriter] = []
        self.port = 0

    def be_silent(self) -> None:
        self._loop.call_soon_threadsafe(self._is_open.clear)

    def go_on(self) -> None:
        self._loop.call_soon_threadsafe(self._is_open.set)

    def start(self) -> None:
        """In a thread: a test may block its own loop while it uses the server."""
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        self._is_open.set()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        await self._is_open.wait()
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._server_port)
        self._writers.append(to_server)
        await asyncio.gather(self._pass_on(reader, to_server), self._pass_on(from_server, writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await reader.read(2**16):
                    await self._is_open.wait()
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()


@contextmanager
def silent_line(server_port: int) -> Iterator[SilentLine]:
    line = SilentLine(server_port)
    line.start()
    try:
        yield line
    finally:
        line.stop()
