"""Pages of /organization: their rows in routes.json and their loaders agree."""

import pytest

from domain.database import list_page
from domain.routes import area_pages
from tests.host import pages

PAGES = {page.id: page for page in area_pages() if page.area.id == "organization" and page.served}


LISTS = {page_id: listed for page_id, listed in pages.LISTS.items() if page_id in PAGES}


@pytest.mark.parametrize("page_id", LISTS)
def test_the_query_of_a_list_is_that_of_its_table(page_id):
    page = PAGES[page_id]
    assert (page.query, page.repeatable) == (LISTS[page_id].spec.parameters, ("columns",))


def test_every_page_but_the_choice_and_ones_own_application_needs_a_permission():
    free = {page_id for page_id, page in PAGES.items() if page.permission is None}
    assert free == {"organization-choose", "organization-application"}


@pytest.mark.parametrize("page_id", LISTS)
def test_a_list_is_never_read_without_an_organisation(page_id):
    with pytest.raises(TypeError):
        list_page.of_tenant(LISTS[page_id].spec.source, None)
