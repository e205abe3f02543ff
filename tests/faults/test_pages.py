"""Pages are complete whatever happens to the processes that draw them."""

import signal

import aiohttp
import pytest

from bench.faults import pages
from tests.site import running

pytestmark = pytest.mark.faults

# A kept page needs no worker.
UNKEPT = {"PAGE_CACHE": "off"}


async def test_no_page_breaks_while_render_workers_are_killed_every_second() -> None:
    with running(**UNKEPT) as site:
        load = await pages.killed_every_second(site, 6)
    assert load.flaws == []
    assert load.answers == 120


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL], ids=["frozen", "killed"])
async def test_without_render_workers_a_page_is_a_plain_list_and_drawn_again_later(number: int) -> None:
    with running(**UNKEPT) as site:
        found = await pages.without_renderers(site, number)
    assert found.took_s <= 3
    assert not pages.is_drawn(found.text)
    assert found.links == 24
    assert found.again_s <= 15


async def test_reviews_arrive_later_in_the_response_that_began_at_once() -> None:
    with running(**UNKEPT, DEV_DELAY="reviews:1000") as site:
        async with aiohttp.ClientSession(site.url) as http:
            path = await pages.course_path(http)
        found = await pages.stream_of(site, path)
    assert found.is_whole
    # The figures are the benchmark's; here a busy machine may take its time, the order may not change.
    assert found.first_byte_s <= found.shell_s < 0.8
    assert 0.9 <= found.reviews_s <= found.end_s
    assert found.text.index("</h1>") < found.text.index('push(["reviews"') < found.text.index('hidden id="S-')
