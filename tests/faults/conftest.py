"""Sites of the fault tests begin with a copy of the demo shop."""

from pathlib import Path

import pytest

from tests.support.site import Site


@pytest.fixture(autouse=True)
def _filled_sites(todays_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "filled_database", todays_demo)
