"""The pages that loaders declare, all of them imported, and a way to load one of them otherwise in a test."""

from dataclasses import replace

import pytest

from host import app as _app  # noqa: F401 its import declares every page
from host.loaders.areas.area_list import LISTS
from host.rendering.page_registry import CSV_FILES, PAGES, AnyLoader

__all__ = ["CSV_FILES", "LISTS", "PAGES", "replace_loader"]


def replace_loader(monkeypatch: pytest.MonkeyPatch, page_id: str, load: AnyLoader) -> None:
    monkeypatch.setitem(PAGES, page_id, replace(PAGES[page_id], load=load))
