"""What a program loads before anybody needs it: each library costs the start its time, and every process its memory."""

import os
import subprocess
import sys

import pytest

from config.settings import ROOT
from host.supervisor import programs
from tests.support.waiting import LIMIT_S

# Libraries of documents, migrations, reports over files of days, security keys and the gateway.
FEW_NEED = {"PIL", "alembic", "domain.seed.demo_shop", "duckdb", "factur_x", "lxml", "reportlab", "stripe", "webauthn"}


def loaded(*modules: str) -> set[str]:
    code = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    settings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", code]
    result = subprocess.run(words, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=LIMIT_S, check=True)
    return set(result.stdout.split())


@pytest.mark.parametrize(
    ("modules", "unneeded"),
    [
        pytest.param(("host.__main__", "host.cli.serve"), {"aiohttp", "sqlalchemy", *FEW_NEED}, id="the supervisor"),
        pytest.param(("host.cli.prepare", "host.cli.web", *programs.CELERY), FEW_NEED, id="the fork server"),
        pytest.param(("standins.__main__", *programs.STANDIN_PACKAGES), FEW_NEED, id="the stand-ins"),
    ],
)
def test_a_program_starts_without_what_few_of_its_requests_need(modules, unneeded):
    assert loaded(*modules) & unneeded == set()
