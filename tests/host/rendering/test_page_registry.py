"""Loaders declare their pages; every page that is served has one, and none is declared that does not exist."""

import pytest
from typing_extensions import TypedDict

from domain.routes import area_pages, public_pages
from host.rendering import page_registry
from host.rendering.page_registry import page
from host.rendering.page_result import LoaderResult, PageResult
from tests.host.pages import CSV_FILES, LISTS, PAGES

SERVED = {row.id: row for row in (*public_pages(), *area_pages()) if row.served}


class BookProps(TypedDict):
    pages: int


@pytest.fixture
def registry(monkeypatch) -> dict:
    pages: dict = {}
    monkeypatch.setattr(page_registry, "PAGES", pages)
    return pages


def test_every_declared_page_list_and_file_is_a_page_that_is_served():
    assert set(PAGES) - set(SERVED) == set()
    assert (set(LISTS) | set(CSV_FILES)) - set(PAGES) == set()
    assert set(LISTS) & set(CSV_FILES) == set()


def test_every_page_of_an_area_and_every_page_with_a_head_of_its_own_has_a_loader():
    assert {row.id for row in area_pages() if row.served} - set(PAGES) == set()
    assert {"home", "shop", "search", "course-details", "shop-details", "checkout", "user-dashboard"} <= set(PAGES)


def test_a_declared_loader_stays_a_function_and_keeps_its_props_and_options(registry):
    @page("book", "books", explains_sign_in=True)
    async def load(request) -> LoaderResult[BookProps]:
        return request

    assert registry["book"] == registry["books"]
    assert (registry["book"].load, registry["book"].props) == (load, (BookProps,))
    assert (registry["book"].options.explains_sign_in, registry["book"].options.loads_for_guests) == (True, False)


def test_a_page_is_declared_once(registry):
    async def load(request) -> PageResult[BookProps]:
        return request

    page("book")(load)
    with pytest.raises(ValueError, match="book is declared twice"):
        page("book")(load)


@pytest.mark.usefixtures("registry")
def test_a_loader_must_name_its_props():
    async def load(request) -> PageResult:
        return request

    with pytest.raises(TypeError, match="does not return"):
        page("book")(load)
