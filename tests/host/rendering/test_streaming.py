"""A page in pieces: head and shell at once, each deferred part when it is there, and a proper end in every case."""

import asyncio
from dataclasses import replace

import pytest

from domain.errors import ServiceUnavailable
from host.loaders import course
from host.rendering import deferred
from host.rendering.page_request import PageRequest
from host.rendering.page_result import DeferredPart, LoaderResult
from tests.host.documents import PUSH
from tests.host.pages import replace_loader
from tests.host.renderer import Drawing, draw
from tests.host.site import CHROME
from tests.support.waiting import DEADLINE_S, until

VAT = "/course-details?course=vat-basics"
SHELL = '<div id="root"><main>drawn course-details</main></div><script type="application/json" id="state">'


def places(html: str, *marks: str) -> list[int]:
    """Where each of these stands; every one exactly once."""
    assert [html.count(mark) for mark in marks] == [1] * len(marks), [(mark, html.count(mark)) for mark in marks]
    return [html.index(mark) for mark in marks]


async def test_a_streamed_page_comes_in_its_order(own_site):
    html = (await own_site.document(VAT)).html
    reviews = (PUSH + '["reviews"', "<p>reviews</p>")
    marks = ("<title>", "</head>", SHELL, 'type="module" async', *reviews, "</body></html>")
    assert places(html, *marks) == sorted(places(html, *marks))
    related = places(html, PUSH + '["related"', "<p>related</p>")
    assert related == sorted(related)


async def test_parts_are_sent_in_the_order_they_finish(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, DEV_DELAY="related:1,reviews:200")
    document = await site.document(VAT)
    assert list(document.parts) == ["related", "reviews"]
    assert places(document.html, "<p>related</p>", PUSH + '["reviews"', "<p>reviews</p>") == sorted(
        places(document.html, "<p>related</p>", PUSH + '["reviews"', "<p>reviews</p>")
    )


async def test_a_part_that_is_ready_before_the_render_is_in_the_page(open_site, start_renderer):
    site = await open_site((await start_renderer()).address, DEV_DELAY="reviews:50")
    document = await site.document(VAT)
    assert (document.state["deferred"], list(document.parts)) == (["reviews"], ["reviews"])
    assert len(document.state["props"]["related"]) == 1


async def test_the_shell_does_not_wait_for_a_slow_part(own_site, reviews):
    is_shown = asyncio.Event()

    async def wait_for_the_shell() -> list[dict[str, str]]:
        await is_shown.wait()
        return []

    reviews(wait_for_the_shell)
    answer = await own_site.client.get(VAT, headers={"User-Agent": CHROME})
    seen = b""
    while SHELL.encode() not in seen:
        seen += await answer.content.readany()
    assert b"<p>reviews</p>" not in seen
    is_shown.set()
    seen += await answer.content.read()
    assert b"<p>reviews</p>" in seen


async def test_the_head_is_sent_before_anything_is_rendered(open_site, start_renderer):
    gate = asyncio.Event()

    async def hold(job: Drawing) -> None:
        await gate.wait()
        await draw(job)

    site = await open_site((await start_renderer(hold)).address, SSR_FIRST_MS="5000")
    answer = await site.client.get("/shop")
    head = await answer.content.readuntil(b"<body>")
    assert b"</title>" in head
    assert not gate.is_set()
    gate.set()
    await answer.read()


@pytest.fixture
def reviews(monkeypatch):
    """`reviews(part)`: the reviews of a course come from this coroutine function."""

    def come_from(part: DeferredPart) -> None:
        async def load(asked: PageRequest) -> LoaderResult:
            loaded = await course.load(asked)
            return replace(loaded, deferred={**loaded.deferred, "reviews": part})

        replace_loader(monkeypatch, "course-details", load)

    return come_from


@pytest.mark.parametrize("error", [ServiceUnavailable("away"), TimeoutError(), ZeroDivisionError()], ids=repr)
@pytest.mark.parametrize("agent", [CHROME, "Googlebot/2.1"])
async def test_a_part_that_fails_is_null_and_the_page_is_complete(own_site, reviews, error, agent):
    async def fail() -> None:
        raise error

    reviews(fail)
    async with asyncio.timeout(DEADLINE_S):
        document = await own_site.document(VAT, User_Agent=agent)
        data = await own_site.data(VAT)
    parts = {**document.state["props"], **document.parts}
    assert (document.status, parts["reviews"], len(parts["related"])) == (200, None, 1)
    assert document.html.endswith("</body></html>\n")
    assert (data["status"], data["props"]["reviews"]) == (200, None)


@pytest.mark.parametrize("agent", [CHROME, "Googlebot/2.1"])
async def test_a_part_that_never_ends_is_omitted_at_its_deadline(own_site, reviews, monkeypatch, agent):
    reviews(asyncio.Event().wait)
    monkeypatch.setattr(deferred, "DEFERRED_DEADLINE_S", 0.1)
    async with asyncio.timeout(DEADLINE_S):
        document = await own_site.document(VAT, User_Agent=agent)
    parts = {**document.state["props"], **document.parts}
    assert (parts["reviews"], len(parts["related"])) == (None, 1)


async def fail_later(job: Drawing) -> None:
    job.markup("<main>drawn course-details</main>")
    job.send("R", b'{"message":"later"}')


async def die_later(job: Drawing) -> None:
    job.markup("<main>drawn course-details</main>")
    await job.line.drain()
    await job.steering()
    job.line.transport.abort()


async def nonsense_later(job: Drawing) -> None:
    job.markup("<main>drawn course-details</main>")
    await job.steering()
    job.line.write(b"\xff" * 100)


@pytest.mark.parametrize("failure", [fail_later, die_later, nonsense_later], ids=lambda case: case.__name__)
async def test_a_broken_stream_keeps_its_shell_and_sends_the_data(open_site, start_renderer, failure):
    site = await open_site((await start_renderer(failure)).address)
    document = await site.document(VAT)
    assert (document.status, document.is_rendered, document.html.count("</html>")) == (200, True, 1)
    assert SHELL in document.html
    assert set(document.parts) == {"reviews", "related"}


async def test_a_part_that_comes_long_after_the_worker_was_lost_is_sent_as_well(open_site, start_renderer, monkeypatch):
    """Its delay does not count against its deadline, nor does the time since the worker was lost."""
    monkeypatch.setattr(deferred, "DEFERRED_DEADLINE_S", 0.1)
    site = await open_site((await start_renderer(die_later)).address, DEV_DELAY="related:1,reviews:500")
    document = await site.document(VAT)
    assert [document.parts[name] is None for name in ("related", "reviews")] == [False, False]


async def test_a_render_that_never_ends_gets_an_abort_frame(open_site, start_renderer):
    frames: list[str] = []

    async def stay(job: Drawing) -> None:
        job.markup("<main>drawn course-details</main>")
        while frames[-1:] != ["A"]:
            frames.append((await job.steering())[0])
        job.markup("<i>last words</i>")
        job.end()

    site = await open_site((await start_renderer(stay)).address, SSR_RENDER_MS="300")
    document = await site.document(VAT)
    assert frames == ["D", "D", "A"]
    assert "<i>last words</i></body></html>" in document.html


async def test_a_render_that_ignores_its_deadline_is_cancelled_by_the_host(open_site, start_renderer):
    async def stay(job: Drawing) -> None:
        job.markup("<main>drawn course-details</main>")

    renderer = await start_renderer(stay)
    site = await open_site(renderer.address, SSR_RENDER_MS="200")
    document = await site.document(VAT)
    assert document.html.endswith("</body></html>\n")
    steering = [(await renderer.jobs[0].steering())[0] for _ in range(4)]
    assert steering == ["D", "D", "A", "X"]


async def test_a_visitor_who_leaves_in_the_middle_stops_the_render(open_site, start_renderer):
    frames: list[str] = []

    async def listen(job: Drawing) -> None:
        job.markup("<main>drawn course-details</main>")
        while "X" not in frames:
            frames.append((await job.steering())[0])

    site = await open_site((await start_renderer(listen)).address, DEV_DELAY="related:1,reviews:600000")
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(f"GET {VAT} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    await asyncio.wait_for(reader.readuntil(b'["related"'), DEADLINE_S)
    writer.close()
    await until(lambda: frames == ["D", "X"])


async def test_without_a_worker_the_parts_are_still_sent_as_data(open_site):
    site = await open_site(DEV_DELAY="related:1,reviews:100")
    document = await site.document(VAT)
    assert (document.is_rendered, document.state["deferred"]) == (False, ["reviews", "related"])
    assert set(document.parts) == {"reviews", "related"}


@pytest.mark.parametrize("path", ["/", "/shop", "/about", "/nothing"])
async def test_render_stream_streams_every_page(open_site, start_renderer, path):
    renderer = await start_renderer()
    site = await open_site(renderer.address, RENDER="stream")
    document = await site.document(path)
    assert renderer.jobs[0].asked["mode"] == "stream"
    assert document.root == f"<main>drawn {document.state['page']}</main>"
    assert "'strict-dynamic'" in document.headers["Content-Security-Policy"]


async def test_render_complete_streams_no_page(open_site, start_renderer):
    renderer = await start_renderer()
    site = await open_site(renderer.address, RENDER="whole")
    document = await site.document(VAT)
    assert (renderer.jobs[0].asked["mode"], document.state["deferred"], document.parts) == ("whole", [], {})
