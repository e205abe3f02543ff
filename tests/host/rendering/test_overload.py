"""More pages than the render workers can take: some wait a moment, the others are sent without markup, none twice."""

import asyncio

import pytest

from host.page_cache.memory import PAGE_CACHE
from host.rendering.ssr_client import SSR_CLIENT
from host.site_state import SITE
from tests.host.renderer import Drawing, draw
from tests.support.waiting import until

NEVER_MS = "20000"


class Workers:
    """Two render workers that hold every job until the gate opens."""

    def __init__(self) -> None:
        self.gate, self.renderers = asyncio.Event(), []
        self.rendering = self.most = 0

    async def hold(self, job: Drawing) -> None:
        self.rendering += 1
        self.most = max(self.most, self.rendering)
        await self.gate.wait()
        self.rendering -= 1
        await draw(job)

    @property
    def jobs(self) -> list[int]:
        return [len(renderer.jobs) for renderer in self.renderers]

    @property
    def addresses(self) -> list[str]:
        return [renderer.address for renderer in self.renderers]


@pytest.fixture
async def workers(start_renderer):
    workers = Workers()
    workers.renderers = [await start_renderer(workers.hold) for _ in range(2)]
    return workers


def ask(site, count, path="/shop"):
    return [asyncio.create_task(site.document(path)) for _ in range(count)]


# A busy machine may take longer to read the database than visitors would wait.
PATIENT = {"DATABASE_DEADLINE_MS": "20000"}


async def test_four_times_what_fits_is_answered_and_the_excess_without_markup(open_site, workers):
    site = await open_site(*workers.addresses, SSR_JOBS_MAX="2", SSR_WAIT_MS="50", SSR_FIRST_MS=NEVER_MS, **PATIENT)
    asking = ask(site, 16)
    await until(lambda: sum(task.done() for task in asking) == 12)
    assert workers.jobs == [2, 2]
    workers.gate.set()
    documents = await asyncio.gather(*asking)
    assert {document.status for document in documents} == {200}
    assert sum(document.is_rendered for document in documents) == 4
    counts = (await (await site.get("/readyz")).json())["counts"]
    assert (counts["render_shed"], counts["render_failures"], workers.jobs) == (12, 0, [2, 2])
    assert (await site.document("/shop")).is_rendered


async def test_without_the_cap_the_workers_get_everything_at_once(open_site, workers):
    site = await open_site(*workers.addresses, SSR_JOBS_MAX="10000", SSR_WAIT_MS="50", SSR_FIRST_MS=NEVER_MS)
    asking = ask(site, 16)
    await until(lambda: workers.jobs == [8, 8])
    workers.gate.set()
    await asyncio.gather(*asking)
    assert site.app[SSR_CLIENT].shed == 0


async def test_a_page_that_waits_gets_the_next_free_slot(open_site, workers):
    site = await open_site(*workers.addresses, SSR_JOBS_MAX="1", SSR_WAIT_MS=NEVER_MS, SSR_FIRST_MS=NEVER_MS)
    asking = ask(site, 8)
    await until(lambda: workers.jobs == [1, 1] and len(site.app[SSR_CLIENT]._waiting) == 6)
    workers.gate.set()
    assert all(document.is_rendered for document in await asyncio.gather(*asking))
    assert (sum(workers.jobs), workers.most) == (8, 2)


async def test_a_stream_that_waits_for_its_parts_holds_no_slot(open_site, workers):
    workers.gate.set()
    site = await open_site(*workers.addresses[:1], SSR_JOBS_MAX="1", SSR_WAIT_MS="0", DEV_DELAY="reviews:1000")
    streaming = asyncio.create_task(site.document("/course-details?course=vat-basics"))
    await until(lambda: any(job.has_markup for job in site.app[SSR_CLIENT].workers[0].jobs.values()))
    assert (await site.document("/shop")).is_rendered
    assert not streaming.done()
    assert (await streaming).is_rendered


async def test_a_job_that_timed_out_goes_to_no_other_worker(open_site, workers):
    site = await open_site(*workers.addresses, SSR_FIRST_MS="100")
    assert not (await site.document("/shop")).is_rendered
    assert (sum(workers.jobs), site.app[SSR_CLIENT].failures) == (1, 1)


async def test_a_frozen_worker_gets_no_job_in_the_place_of_a_cancelled_one(open_site, workers):
    (address, _), (renderer, _) = workers.addresses, workers.renderers
    site = await open_site(address, SSR_JOBS_MAX="1", SSR_WAIT_MS="0", SSR_FIRST_MS="50")
    renderer.answers_pings = False
    for _ in range(3):
        assert not (await site.document("/shop")).is_rendered
    assert workers.jobs[0] == 1
    workers.gate.set()
    renderer.answers_pings = True
    await until(lambda: not site.app[SSR_CLIENT].workers[0].slots_taken)

    async def is_rendered():
        return (await site.document("/shop")).is_rendered

    await until(is_rendered)


async def test_a_worker_that_died_with_all_slots_taken_renders_again(open_site, workers):
    site = await open_site(*workers.addresses[:1], SSR_JOBS_MAX="1", SSR_FIRST_MS=NEVER_MS)
    (asking,) = ask(site, 1)
    await until(lambda: workers.jobs[0] == 1)
    workers.renderers[0].hang_up()
    assert not (await asking).is_rendered
    workers.gate.set()
    await until(lambda: site.app[SSR_CLIENT].ready)
    assert (await site.document("/shop")).is_rendered


async def test_an_older_page_from_the_cache_takes_the_place_of_a_shed_one(open_site, workers):
    workers.gate.set()
    site = await open_site(*workers.addresses[:1], PAGE_CACHE="on", DEV_DELAY="", SSR_JOBS_MAX="1", SSR_WAIT_MS="0")
    await site.get("/about")
    workers.gate.clear()
    site.app[SITE].generation += 1
    (holding,) = ask(site, 1)
    await until(lambda: workers.jobs[0] == 2)
    response = await site.get("/about")
    assert (response.status, response.headers["X-Cache"], workers.jobs[0]) == (200, "stale", 2)
    assert (site.app[SSR_CLIENT].shed, site.app[PAGE_CACHE].stale) == (1, 1)
    workers.gate.set()
    await holding
