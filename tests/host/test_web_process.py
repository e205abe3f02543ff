"""One host process: what it does with a TERM while the records are still being prepared."""

import signal

import pytest

from config.settings import Settings
from host import web_process


class Waiting(Exception):
    pass


async def test_until_the_records_are_prepared_a_term_ends_the_process_at_once(monkeypatch, tmp_path):
    """Handled, it would be heard only when the wait is over."""
    handlers = []

    def wait() -> None:
        handlers.append(signal.getsignal(signal.SIGTERM))
        raise Waiting

    monkeypatch.setattr(web_process, "_wait_for_database", wait)
    with pytest.raises(Waiting):
        await web_process._serve(Settings(var_dir=tmp_path))
    assert handlers == [signal.SIG_DFL]
