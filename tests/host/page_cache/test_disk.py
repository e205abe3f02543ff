"""Finished pages on disk: what one process served, another serves when nothing can be made any more."""

import time
from types import SimpleNamespace

import pytest

from config.settings import Settings
from domain.errors import ServiceUnavailable
from host.page_cache import disk
from host.page_cache.disk import DiskCache
from host.page_cache.entry import CachedPage, RenderedPage
from host.site_state import SITE
from tests.support.waiting import until

KEEPING = {"PAGE_CACHE": "on", "DEV_DELAY": ""}
KEY = "/shop"


@pytest.fixture
async def renderer(start_renderer):
    return await start_renderer()


async def cut_off(site, monkeypatch):
    """Its records are away; its own memory has no page."""

    async def away(*_args):
        raise ServiceUnavailable("away")

    monkeypatch.setattr(site.db, "read", away)
    monkeypatch.setattr(site.db, "read_inline", away)
    monkeypatch.setattr(site.db, "select_inline", away)
    await until(lambda: not site.app[SITE].is_fresh)


async def two_processes(open_site, renderer, **environment):
    """The second knows nothing of what the first has served to a visitor, but for their folder."""
    shared = {**KEEPING, **environment}
    first, second = await open_site(renderer.address, **shared), await open_site(renderer.address, **shared)
    before = await first.get(KEY)
    return before, first, second


def stored(tmp_path):
    return list(tmp_path.rglob("*.page"))


async def test_a_process_without_records_serves_what_another_served_before(open_site, renderer, tmp_path, monkeypatch):
    before, _, second = await two_processes(open_site, renderer)
    await until(lambda: len(stored(tmp_path)) == 1)
    await cut_off(second, monkeypatch)
    answer = await second.get(KEY)
    assert (answer.status, answer.headers["X-Cache"], await answer.text()) == (200, "stale", await before.text())
    data = await second.get("/data" + KEY)
    assert (data.status, data.headers["X-Cache"], (await data.json())["page"]) == (200, "stale", "shop")


async def test_without_the_store_that_process_has_nothing_to_serve(open_site, renderer, tmp_path, monkeypatch):
    _, _, second = await two_processes(open_site, renderer, PAGE_CACHE_DISK_MB="0")
    await cut_off(second, monkeypatch)
    assert (await second.get(KEY)).status == 503


async def test_a_page_that_can_be_made_is_never_taken_from_the_store(open_site, renderer, tmp_path):
    _, _, second = await two_processes(open_site, renderer)
    await until(lambda: len(stored(tmp_path)) == 1)
    assert (await second.get(KEY)).headers["X-Cache"] == "hit"


def page(key=KEY, body=b"<p>page</p>"):
    return CachedPage(key, 3, RenderedPage("shop", body, {"Content-Type": "text/html"}))


@pytest.fixture
def store(tmp_path):
    return DiskCache(Settings.from_environment({"VAR_DIR": str(tmp_path)}), "build-1", 10_000)


async def wait_until_written(store, one):
    store.write_later(one)
    await until(store.file_of(one.key).is_file)


async def test_a_stored_page_comes_back_as_it_was_and_out_of_date(store):
    one = page()
    await wait_until_written(store, one)
    found = await store.read(KEY)
    assert (found.html(), found.etag, found.page, found.encoded("br")[1]) == (
        b"<p>page</p>",
        one.etag,
        "shop",
        one.encoded("br")[1],
    )
    assert not found.is_valid(3, time.monotonic())


DAY_S = 86_400.0


@pytest.fixture
def clock(monkeypatch):
    """`clock(seconds)`: both clocks of the store are so much later. The monotonic one has whole seconds: the difference
    of two readings of the machine's own may be rounded to just less than what has passed."""
    real, passed = time.time, []
    monkeypatch.setattr(disk, "time", SimpleNamespace(time=lambda: real() + sum(passed), monotonic=lambda: sum(passed)))
    return passed.append


async def confirmed(store, one):
    """Write or confirm the page, and wait until that is done."""
    store.write_later(one)
    await until(lambda: store._writer is None or store._writer.done())


async def test_a_page_that_is_rendered_unchanged_every_hour_outlives_a_day(store, clock):
    await confirmed(store, page())
    written = store.file_of(KEY).stat().st_ino
    for _ in range(30):
        clock(3600.0)
        await confirmed(store, page())
    assert (await store.read(KEY)).html() == b"<p>page</p>"
    assert store.file_of(KEY).stat().st_ino == written
    clock(DAY_S + 1)
    assert await store.read(KEY) is None


async def test_the_pages_that_are_still_rendered_stay_when_the_folder_is_full(store, clock):
    for number in range(40):
        await confirmed(store, page("/about"))
        await confirmed(store, page(f"/shop?page={number}"))
        clock(disk.CONFIRM_EVERY_S)
    assert await store.read("/shop?page=0") is None
    assert await store.read("/about") is not None


async def test_a_page_is_confirmed_only_now_and_then(store, clock):
    await confirmed(store, page())
    store.file_of(KEY).unlink()
    clock(disk.CONFIRM_EVERY_S - 1)
    await confirmed(store, page())
    assert await store.read(KEY) is None
    clock(2)
    await confirmed(store, page())
    assert await store.read(KEY) is not None


async def test_another_process_after_a_restart_confirms_without_writing(store, clock, tmp_path):
    await confirmed(store, page())
    written = store.file_of(KEY).stat().st_ino
    clock(DAY_S - 60)
    restarted = DiskCache(Settings.from_environment({"VAR_DIR": str(tmp_path)}), "build-1", 10_000)
    await confirmed(restarted, page())
    clock(DAY_S - 60)
    assert await restarted.read(KEY) is not None
    assert store.file_of(KEY).stat().st_ino == written


async def test_what_another_process_wrote_meanwhile_is_replaced_rather_than_confirmed(store, clock, tmp_path):
    other = DiskCache(Settings.from_environment({"VAR_DIR": str(tmp_path)}), "build-1", 10_000)
    await confirmed(store, page())
    await confirmed(other, page(body=b"<p>outdated</p>"))
    clock(disk.CONFIRM_EVERY_S)
    await confirmed(store, page())
    assert (await store.read(KEY)).html() == b"<p>page</p>"


async def test_a_torn_file_is_replaced_rather_than_confirmed(store, clock):
    await confirmed(store, page())
    path = store.file_of(KEY)
    path.write_bytes(path.read_bytes()[:-1])
    clock(disk.CONFIRM_EVERY_S)
    await confirmed(store, page())
    assert await store.read(KEY) is not None


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: b"{}" + content,
        lambda content: content.replace(b"/shop", b"/ship"),
        lambda _content: b"",
    ],
    ids=["torn", "not ours", "another address", "empty"],
)
async def test_a_damaged_file_is_no_page(store, damage):
    await wait_until_written(store, page())
    place = store.file_of(KEY)
    place.write_bytes(damage(place.read_bytes()))
    assert await store.read(KEY) is None


async def test_a_page_of_another_build_or_shop_is_not_found(store, tmp_path):
    await wait_until_written(store, page())
    same = Settings.from_environment({"VAR_DIR": str(tmp_path)})
    other = Settings.from_environment({"VAR_DIR": str(tmp_path), "SITE_NAME": "Another"})
    assert await DiskCache(same, "build-1", 10_000).read(KEY) is not None
    assert await DiskCache(same, "build-2", 10_000).read(KEY) is None
    assert await DiskCache(other, "build-1", 10_000).read(KEY) is None


async def test_the_oldest_pages_go_when_the_folder_is_full(store):
    for number in range(40):
        await wait_until_written(store, page(f"/shop?page={number}"))
    sizes = [path.stat().st_size for path in store.file_of(KEY).parents[1].rglob("*.page")]
    assert sum(sizes) <= 10_000
    assert await store.read("/shop?page=0") is None
    assert await store.read("/shop?page=39") is not None


async def test_a_disk_that_takes_nothing_costs_the_copy_and_is_counted(store, tmp_path):
    (tmp_path / "pages").write_text("in the way")
    store.write_later(page())
    await until(lambda: store.dropped == 1)
    assert await store.read(KEY) is None
