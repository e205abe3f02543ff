"""The bridge to the render workers: what a job holds, who gets it, and every way in which a worker can fail."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from host.rendering import ssr_client
from host.rendering.ssr_client import SSR_CLIENT
from tests.host.renderer import Drawing, draw, frame
from tests.host.site import CHROME
from tests.support.waiting import DEADLINE_S, until

VAT = "/course-details?course=vat-basics"
GOOGLE = "Googlebot/2.1"


async def never(_job: Drawing) -> None:
    """Frozen: takes the job and says nothing."""


async def fail(job: Drawing) -> None:
    job.send("R", b'{"message":"no such page"}')


async def end_at_once(job: Drawing) -> None:
    job.end()


async def nonsense(job: Drawing) -> None:
    job.line.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


async def too_large(job: Drawing) -> None:
    job.line.write((17 * 2**20).to_bytes(4, "big") + b"C\0\0\0\1")


async def too_small(job: Drawing) -> None:
    job.line.write((4).to_bytes(4, "big") + b"C\0\0\0\1")


async def unknown_type(job: Drawing) -> None:
    job.send("Q", b"{}")


async def die(job: Drawing) -> None:
    job.line.transport.abort()


FAILURES = [never, fail, end_at_once, nonsense, too_large, too_small, unknown_type, die]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda case: case.__name__)
@pytest.mark.parametrize("path", ["/shop", VAT])
async def test_when_a_worker_fails_the_page_is_a_complete_plain_page(open_site, start_renderer, failure, path):
    renderer = await start_renderer(failure)
    site = await open_site(renderer.address, SSR_FIRST_MS="150")
    began = time.monotonic()
    document = await site.document(path)
    assert (document.status, document.is_rendered, len(renderer.jobs)) == (200, False, 1)
    assert document.html.endswith("</body></html>\n")
    assert document.json_ld
    assert "VAT basics" in document.words
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("failure", [fail, end_at_once, nonsense, die], ids=lambda case: case.__name__)
async def test_a_job_that_fails_at_once_goes_to_another_worker(open_site, start_renderer, failure):
    bad, good = await start_renderer(failure), await start_renderer(draw)
    site = await open_site(bad.address, good.address)
    document = await site.document("/shop")
    assert document.root == "<main>drawn shop</main>"
    assert (len(bad.jobs), len(good.jobs)) == (1, 1)
    assert site.app[SSR_CLIENT].failures == 0


async def test_a_host_that_was_kept_from_running_does_not_take_its_workers_for_silent(
    open_site, start_renderer, monkeypatch
):
    renderer = await start_renderer(draw)
    site = await open_site(renderer.address)
    monkeypatch.setattr(ssr_client, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 10))
    assert site.app[SSR_CLIENT].ready == 1
    assert (await site.document("/shop")).is_rendered


async def test_a_frozen_worker_gets_a_cancel_frame_and_is_counted(open_site, start_renderer):
    renderer = await start_renderer(never)
    site = await open_site(renderer.address, SSR_FIRST_MS="100")
    assert not (await site.document("/shop")).is_rendered
    assert await renderer.jobs[0].steering() == ("X", None)
    assert site.app[SSR_CLIENT].failures == 1


async def test_without_any_worker_a_page_does_not_wait(open_site, sockets):
    site = await open_site(SSR_URL=f"unix:{sockets}/nobody.sock", SSR_FIRST_MS="20000")
    began = time.monotonic()
    document = await site.document("/shop")
    assert (document.status, document.is_rendered) == (200, False)
    assert time.monotonic() - began < 10


async def test_a_worker_that_accepts_connections_but_answers_no_ping_gets_no_job(open_site, start_renderer):
    renderer = await start_renderer(draw)
    renderer.answers_pings = False
    site = await open_site(SSR_URL=renderer.address)
    await until(lambda: renderer.connections)
    assert not (await site.document("/shop")).is_rendered
    assert renderer.jobs == []


async def test_a_worker_that_comes_back_renders_again(open_site, start_renderer):
    renderer = await start_renderer(draw)
    site = await open_site(renderer.address)
    renderer.hang_up()
    await until(lambda: site.app[SSR_CLIENT].ready == 0)
    await until(lambda: site.app[SSR_CLIENT].ready == 1)
    assert (await site.document("/shop")).is_rendered


async def test_a_worker_that_sends_malformed_frames_is_retried_less_and_less_often(open_site, start_renderer):
    renderer = await start_renderer(nonsense)
    renderer.answers_pings = False
    site = await open_site(SSR_URL=renderer.address)
    await until(lambda: renderer.connections >= 2 or renderer.hang_up())
    before, began = renderer.connections, time.monotonic()
    await until(lambda: time.monotonic() - began > 0.5 or renderer.hang_up())
    assert renderer.connections - before <= 6
    assert (await site.document("/shop")).status == 200


async def test_a_job_has_the_documented_form(open_site, start_renderer):
    renderer = await start_renderer(draw)
    site = await open_site(renderer.address)
    document = await site.document(VAT + "&x=%20y")
    job = renderer.jobs[0].asked
    assert job.keys() == {"mode", "nonce", "requestId", "url", "page", "status", "deferred", "site", "props"}
    assert job["requestId"] == document.headers["X-Request-Id"]
    assert (job["mode"], job["url"], job["page"], job["status"]) == (
        "stream",
        VAT + "&x=%20y",
        "course-details",
        200,
    )
    assert f"'nonce-{job['nonce']}'" in document.headers["Content-Security-Policy"]
    assert {name: job[name] for name in ("deferred", "site", "props")} == {
        name: document.state[name] for name in ("deferred", "site", "props")
    }


async def test_a_complete_job_has_nothing_pending_and_no_nonce(open_site, start_renderer):
    renderer = await start_renderer(draw)
    site = await open_site(renderer.address)
    await site.document(VAT, User_Agent=GOOGLE)
    job = renderer.jobs[0].asked
    assert (job["mode"], job["nonce"], job["deferred"]) == ("whole", None, [])
    assert {"reviews", "related"} <= job["props"].keys()


async def test_frames_may_come_in_any_pieces(open_site, start_renderer):
    async def in_pieces(job: Drawing) -> None:
        first = frame("C", job.number, "<main>é📚</main>".encode())
        for byte in first + frame("C", 999, b"nobody's") + frame("O", 0, b"{broken"):
            job.line.write(bytes([byte]))
            await job.line.drain()
        job.end()

    site = await open_site((await start_renderer(in_pieces)).address)
    assert (await site.document("/shop")).root == "<main>é📚</main>"


async def test_many_jobs_share_one_connection(open_site, start_renderer):
    gate = asyncio.Event()

    async def in_reverse(job: Drawing) -> None:
        if len(renderer.jobs) == 8:
            gate.set()
        await gate.wait()
        await draw(job)

    renderer = await start_renderer(in_reverse)
    site = await open_site(renderer.address)
    paths = ["/shop", "/about", "/", "/contact"] * 2
    documents = await asyncio.gather(*(site.document(path) for path in paths))
    assert [document.root for document in documents] == [
        f"<main>drawn {entry.state['page']}</main>" for entry in documents
    ]
    assert renderer.connections == 1


async def test_the_least_busy_worker_gets_the_next_job(open_site, start_renderer):
    gate = asyncio.Event()

    async def hold(job: Drawing) -> None:
        await gate.wait()
        await draw(job)

    workers = [await start_renderer(hold) for _ in range(3)]
    site = await open_site(*(entry.address for entry in workers))
    asking = [asyncio.create_task(site.document("/shop")) for _ in range(6)]
    await until(lambda: sum(len(row.jobs) for row in workers) == 6)
    assert [len(worker.jobs) for worker in workers] == [2, 2, 2]
    gate.set()
    await asyncio.gather(*asking)


# The client of this test is cut off in the middle of an answer: what it leaves unclosed is not the site's.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", [VAT, "/shop"])
async def test_a_visitor_who_leaves_stops_the_render(open_site, start_renderer, path):
    renderer = await start_renderer(never)
    site = await open_site(renderer.address, SSR_FIRST_MS="5000")
    _, visitor = await asyncio.open_connection("127.0.0.1", site.port)
    visitor.write(f"GET {path} HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: {CHROME}\r\n\r\n".encode())
    await until(lambda: renderer.jobs)
    visitor.close()
    assert await renderer.jobs[0].steering() == ("X", None)


async def test_a_stopping_site_leaves_its_workers(open_site, start_renderer):
    renderer = await start_renderer(draw)
    site = await open_site(renderer.address)
    renderer.hang_up()
    async with asyncio.timeout(DEADLINE_S):
        await site.client.close()
    assert site.app[SSR_CLIENT].ready == 0
