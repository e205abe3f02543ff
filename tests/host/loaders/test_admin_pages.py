"""Pages of /admin: their rows in routes.json and their loaders agree."""

import pytest

from domain.routes import area_pages
from tests.host import pages

PAGES = {page.id: page for page in area_pages() if page.area.id == "admin" and page.served}


LISTS = {page_id: listed for page_id, listed in pages.LISTS.items() if page_id in PAGES}


@pytest.mark.parametrize("page_id", LISTS)
def test_the_query_of_a_list_is_that_of_its_table(page_id):
    page = PAGES[page_id]
    assert (page.query, page.repeatable) == (LISTS[page_id].spec.parameters, ("columns",))


@pytest.mark.parametrize("page_id", LISTS)
def test_a_list_needs_a_permission(page_id):
    assert PAGES[page_id].permission is not None
