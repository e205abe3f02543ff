"""What a learner studies is on private pages alone: public pages stay the same bytes, and render jobs, the page cache,
visits and logs hold nothing of it."""

import json
import logging
import re
from datetime import UTC, datetime
from uuid import uuid4

import brotli
import pytest

from domain.learning import notes
from domain.learning.notes import NewNote
from host.page_cache.entry import CachedPage, RenderedPage
from host.page_cache.memory import PAGE_CACHE
from tests.host.learning.studies import COURSE, enrol, finish, publish
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.host.test_private_pages import both_cookies
from tests.support.waiting import until

NAME, NOTE = "Aurelia Quennell", "kettle-note-7411"
LESSON = "Deadlines"
# What the learner's pages show, and what they hold besides.
SHOWN = (NAME, NOTE, f"All about <strong>{LESSON}")
SECRETS = (*SHOWN, "Aurelia", "aurelia", f"All about **{LESSON}**")
PUBLIC = ("/", "/shop", f"/course-details?course={COURSE}", "/search?q=vat", "/about", "/no/such/page")
PRIVATE = ("/user-dashboard", "/user-dashboard?list=certificates", f"/user-dashboard?course={COURSE}")
NONCE = re.compile(r'nonce="[^"]+"')


@pytest.fixture
async def world(open_site, start_renderer):
    """A site that caches pages, its renderer, and somebody who has completed a course and written a note."""
    renderer = await start_renderer()
    site = await open_site(renderer.address, PAGE_CACHE="on", DEV_DELAY="")
    return site, renderer, studious(site)


def studious(site: Site) -> Learner:
    person = learner(site, NAME)
    lessons = publish(site)
    enrol(site, person)
    finish(site, person, *lessons.values())
    with site.db.write_session() as session:
        notes.put(session, person.id, lessons[LESSON], NewNote(NOTE, 0), datetime.now(UTC))
    return person


async def body_of(site: Site, path: str, headers: dict[str, str]) -> str:
    site.client.session.cookie_jar.clear()
    return NONCE.sub("", await (await site.get(path, **headers)).text())


@pytest.mark.parametrize("cache", ["on", "off"])
async def test_public_pages_are_the_same_bytes_for_somebody_who_studies(open_site, start_renderer, cache):
    site = await open_site((await start_renderer()).address, PAGE_CACHE=cache, DEV_DELAY="")
    person = studious(site)
    for path in (*PUBLIC, *(f"/data{path}" for path in PUBLIC)):
        own = await body_of(site, path, {**both_cookies(person), **person.bearer})
        assert (path, own) == (path, await body_of(site, path, {}))
        assert [secret for secret in SECRETS if secret in own] == [], path


async def study(site: Site, person: Learner) -> str:
    """See every view, and say so as the browser does; all that was shown."""
    with site.db.read_session() as session:
        lesson = notes.page(session, person.id, 1, datetime.now(UTC))[1][0].note.lesson_id
    shown = ""
    for path in [f"{PRIVATE[-1]}&lesson={lesson}", f"{PRIVATE[-1]}&q=deadlines", *PRIVATE, *PUBLIC]:
        for address in (path, f"/data{path}"):
            shown += await body_of(site, address, {**both_cookies(person), **person.bearer})
        trace = {
            "Url": path,
            "SessionID": str(uuid4()),
            "AAUserID": person.id,
            "LoginEmail": f"{person.id}@example.test",
        }
        await site.call("SetAAUserTraceLog", trace, person.headers)
    return shown


def pages_on_disk(site: Site) -> list[bytes]:
    """Every page that the disk cache holds, of whatever address: its properties, then its HTML."""
    files = [path.read_bytes().partition(b"\n") for path in (site.settings.var_dir / "pages").rglob("*.page")]
    return [properties + brotli.decompress(body) for properties, _, body in files]


async def test_a_page_that_reached_the_disk_cache_would_be_found(world):
    """The negative control of the search below."""
    site, _, _ = world
    document = RenderedPage("user-dashboard", f"<p>{NOTE}</p>".encode(), {}, b"{}")
    site.app[PAGE_CACHE].put(CachedPage("/user-dashboard", 1, document))
    await until(lambda: any(NOTE.encode() in page for page in pages_on_disk(site)))


async def test_render_jobs_cache_visits_and_logs_hold_nothing_of_what_is_studied(world, caplog):
    site, renderer, person = world
    caplog.set_level(logging.DEBUG)
    shown = await study(site, person)
    assert [secret for secret in SHOWN if secret not in shown] == []
    await until(lambda: len(site.visits()) >= len(PUBLIC))
    cache = site.app[PAGE_CACHE]
    cached = [page.html() for page in map(cache.get_any, PUBLIC) if page is not None]
    assert (len(cached) >= 3, [cache.get_any(path) for path in PRIVATE]) == (True, [None] * len(PRIVATE))
    await until(lambda: len(pages_on_disk(site)) >= len(cached))
    held = {
        "jobs": json.dumps([job.asked for job in renderer.jobs]),
        "cache": b"".join(cached).decode(),
        "disk": b"".join(pages_on_disk(site)).decode(),
        "visits": repr([vars(visit) for visit in site.visits()]),
        "logs": caplog.text,
    }
    assert {where for where, text in held.items() if not text} == set()
    found = [(where, secret) for where, text in held.items() for secret in SECRETS if secret in text]
    assert found == []
