"""Absolute deadlines for connections of libraries that only limit each single read."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Thread, Timer
from typing import Protocol, TypeVar


class Closeable(Protocol):
    def close(self) -> object: ...


C = TypeVar("C", bound=Closeable)


def open_within(seconds: float, connect: Callable[[], C]) -> C:
    """The connection that `connect` returns. Raises TimeoutError after `seconds`, also during a slow name lookup; the
    connection is then closed as soon as it exists."""
    connection: Future[C] = Future()

    def run() -> None:
        try:
            opened = connect()
        except Exception as error:
            if connection.set_running_or_notify_cancel():
                connection.set_exception(error)
            return
        if connection.set_running_or_notify_cancel():
            connection.set_result(opened)
        else:
            opened.close()

    Thread(target=run, daemon=True, name="connect").start()
    try:
        return connection.result(seconds)
    except TimeoutError:
        if connection.cancel():
            raise TimeoutError(f"no connection within {seconds:g} s") from None
        return connection.result()


@contextmanager
def broken_after(seconds: float, connection: socket.socket) -> Iterator[None]:
    """Breaks the connection when the block takes longer than `seconds`: its reads then end as if the peer had left."""

    def shut_down() -> None:
        with suppress(OSError):
            # The method of plain sockets: that of ssl.SSLSocket may not be called from another thread.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)

    timer = Timer(max(seconds, 0.0), shut_down)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
