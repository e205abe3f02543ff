"""The bytes of kept pages: their forms, how they are made small, and how much of them there may be."""

import random
import tracemalloc

import brotli
import pytest

from host.page_cache.entry import MAX_AGE_S, CachedPage, RenderedPage
from host.page_cache.memory import RECOMPRESS_AFTER_HITS, PageCache
from tests.support.waiting import until

WORDS = [f"word{number}" for number in range(500)]
HEADERS = {"Content-Type": "text/html; charset=utf-8"}


def text(seed: int, words: int = 5_000) -> bytes:
    return " ".join(random.Random(seed).choices(WORDS, k=words)).encode()


def page(key: str, body: bytes = b"<p>page</p>", generation: int = 1) -> CachedPage:
    return CachedPage(key, generation, RenderedPage("about", body, HEADERS, b"{}"))


def put(cache: PageCache, cached: CachedPage) -> CachedPage:
    cache.add_alias(cached.key, cached.key)
    cache.put(cached)
    return cached


@pytest.mark.parametrize("coding", ["br", "gzip", ""])
def test_every_form_is_made_once(coding):
    made = page("/a", text(1))
    assert made.encoded(coding) is made.encoded(coding)


def test_a_page_is_valid_in_its_edition_and_for_its_life():
    made = page("/a", generation=7)
    assert (made.is_valid(7, 0.0), made.is_valid(8, 0.0), made.is_valid(7, made._expires_at)) == (True, False, False)
    assert MAX_AGE_S == 600


async def test_a_page_that_is_sent_often_is_packed_well_once_under_an_etag_of_its_own():
    cache, body = PageCache(10**6), text(1)
    made = put(cache, page("/a", body))
    quick, headers, _ = cache.encoded(made, "br")
    for _ in range(RECOMPRESS_AFTER_HITS - 1):
        cache.encoded(made, "br")[0]
    await until(lambda: made.brotli_body is not quick)
    small = cache.encoded(made, "br")[0]
    assert (len(small) < len(quick), brotli.decompress(small)) == (True, body)
    assert (made.encoded("br")[1]["ETag"] != headers["ETag"], made.matches(headers["ETag"])) == (True, True)
    assert cache.counts()["bytes"] == made.size


async def test_the_cache_drops_the_least_recently_asked_for_beyond_its_bytes():
    cache = PageCache(max_bytes=2 * page("/a").size + 100)
    for key in ("/a", "/b"):
        put(cache, page(key))
    assert cache.get_fresh("/a", 1, 0.0) is not None
    put(cache, page("/c"))
    assert [key for key in ("/a", "/b", "/c") if cache.get_any(key) is not None] == ["/a", "/c"]


async def test_forms_that_come_later_are_counted_and_make_others_leave():
    cache = PageCache(max_bytes=200_000)
    for number in range(10):
        made = put(cache, page(f"/{number}", text(number)))
        for coding in ("", "gzip"):
            cache.encoded(made, coding)[0]
        assert cache.counts()["bytes"] <= 200_000
    assert cache.counts()["bytes"] == sum(one.size for one in cache._pages.values())
    assert 1 < cache.counts()["pages"] < 10


@pytest.mark.parametrize(("most", "is_bounded"), [(1_000_000, True), (10**9, False)])
async def test_what_the_cache_takes_of_the_machine_is_bounded(most, is_bounded):
    """The second row is the control: the same pages with room for all."""
    tracemalloc.start()
    try:
        cache = PageCache(most)
        for number in range(300):
            made = put(cache, page(f"/{number}", text(number, 2_000)))
            cache.encoded(made, "gzip")[0]
            cache.encoded(made, "")[0]
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert (taken <= 1.2 * 1_000_000) is is_bounded


async def test_many_names_of_one_page_are_bounded():
    cache = PageCache(10**6)
    for number in range(10_000):
        cache.add_alias(f"/a?utm_id={number}", "/a")
    cache.add_alias("/" + "a" * 600, "/a")
    assert len(cache._aliases) == 8_192
