"""The bytes of kept pages: their forms, how they are made small, and how much of them there may be."""

import random
import tracemalloc

import brotli
import pytest

from host.kept import LIFE_S, Document, Kept
from host.page_cache import SENT_OFTEN, PageCache
from tests.waiting import until

WORDS = [f"word{number}" for number in range(500)]
HEADERS = {"Content-Type": "text/html; charset=utf-8"}


def text(seed: int, words: int = 5_000) -> bytes:
    return " ".join(random.Random(seed).choices(WORDS, k=words)).encode()


def page(key: str, body: bytes = b"<p>page</p>", edition: int = 1) -> Kept:
    return Kept(key, edition, Document("about", body, HEADERS, b"{}"))


async def put(cache: PageCache, one: Kept) -> Kept:
    async def make() -> Kept:
        return one

    cache.name(one.key, one.key)
    return await cache.made_once(one.key, make)


@pytest.mark.parametrize("coding", ["br", "gzip", ""])
def test_every_form_is_made_once(coding):
    made = page("/a", text(1))
    assert made.form(coding) is made.form(coding)


def test_a_page_is_valid_in_its_edition_and_for_its_life():
    made = page("/a", edition=7)
    assert (made.is_valid(7, 0.0), made.is_valid(8, 0.0), made.is_valid(7, made._until)) == (True, False, False)
    assert LIFE_S == 600


async def test_a_page_that_is_sent_often_is_packed_well_once_under_an_etag_of_its_own():
    cache, body = PageCache(10**6), text(1)
    made = await put(cache, page("/a", body))
    quick, tag = cache.body(made, "br"), made.headers("br")["ETag"]
    for _ in range(SENT_OFTEN - 1):
        cache.body(made, "br")
    await until(lambda: made.forms["br"] is not quick)
    small = cache.body(made, "br")
    assert (len(small) < len(quick), brotli.decompress(small)) == (True, body)
    assert (made.headers("br")["ETag"] != tag, made.matches(tag)) == (True, True)
    assert cache.counts()["bytes"] == made.size


async def test_the_cache_drops_the_least_recently_asked_for_beyond_its_bytes():
    cache = PageCache(most_bytes=2 * page("/a").size + 100)
    for key in ("/a", "/b"):
        await put(cache, page(key))
    assert cache.find("/a", 1, 0.0) is not None
    await put(cache, page("/c"))
    assert [key for key in ("/a", "/b", "/c") if cache.get(key) is not None] == ["/a", "/c"]


async def test_forms_that_come_later_are_counted_and_make_others_leave():
    cache = PageCache(most_bytes=200_000)
    for number in range(10):
        made = await put(cache, page(f"/{number}", text(number)))
        for coding in ("", "gzip"):
            cache.body(made, coding)
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
            made = await put(cache, page(f"/{number}", text(number, 2_000)))
            cache.body(made, "gzip")
            cache.body(made, "")
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert (taken <= 1.2 * 1_000_000) is is_bounded


async def test_many_names_of_one_page_are_bounded():
    cache = PageCache(10**6)
    for number in range(10_000):
        cache.name(f"/a?utm_id={number}", "/a")
    cache.name("/" + "a" * 600, "/a")
    assert len(cache._aliases) == 8_192
