"""IndexNow: the key is shown, and search engines are told of what changed and nothing else."""

import argparse
import asyncio

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from config.settings import SettingError, Settings
from domain.catalogue import sitemap
from host.cli import index_now as command
from host.seo import index_now
from host.seo.index_now import SubmissionRefused, submit
from tests.host.site import ORIGIN
from tests.support import factories
from tests.support.factories import NOON

KEY = "a1b2c3d4-e5f6"
VAT = f"{ORIGIN}/course-details?course=vat-basics"


class Listener:
    """A search engine that notes what it is told and answers as the test says."""

    def __init__(self, status: int = 202):
        self.status, self.told = status, []
        app = web.Application()
        app.router.add_post("/indexnow", self._hear)
        self.server = TestServer(app)

    async def _hear(self, request: web.Request) -> web.Response:
        self.told.append(await request.json())
        return web.Response(status=self.status)

    async def __aenter__(self):
        await self.server.start_server()
        return self

    async def __aexit__(self, *_about):
        await self.server.close()

    def settings(self, **environment: str) -> Settings:
        given = {"SITE_ORIGIN": ORIGIN, "ROBOTS": "open", "INDEXNOW_KEY": KEY, **environment}
        return Settings.from_environment({"INDEXNOW_URL": str(self.server.make_url("/indexnow")), **given})


def run(settings, *words) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words), settings)


async def test_the_key_is_shown_to_whoever_asks(open_site):
    site = await open_site(INDEXNOW_KEY=KEY)
    answer = await site.get("/indexnow-key.txt")
    assert (answer.status, answer.content_type, await answer.text()) == (200, "text/plain", KEY)


async def test_without_a_key_there_is_no_such_page(bare_site):
    assert (await bare_site.get("/indexnow-key.txt")).status == 404


async def test_they_are_told_of_the_site_its_key_and_what_changed():
    async with Listener() as engine:
        assert await submit(engine.settings(), [VAT]) == 1
    about = {"host": "shop.example", "key": KEY, "keyLocation": f"{ORIGIN}/indexnow-key.txt"}
    assert engine.told == [{**about, "urlList": [VAT]}]


async def test_many_addresses_go_in_several_messages(monkeypatch):
    monkeypatch.setattr(index_now, "MAX_URLS", 2)
    async with Listener() as engine:
        assert await submit(engine.settings(), [VAT] * 5) == 3
    assert [len(one["urlList"]) for one in engine.told] == [2, 2, 1]


@pytest.mark.parametrize("status", [302, 403, 422, 429, 500])
async def test_an_answer_that_is_no_yes_is_named(status):
    async with Listener(status) as engine:
        with pytest.raises(SubmissionRefused, match=f"answered {status}"):
            await submit(engine.settings(), [VAT])


async def test_a_search_engine_that_is_away_is_named():
    async with Listener() as engine:
        settings = engine.settings()
    with pytest.raises(SubmissionRefused, match="does not answer"):
        await submit(settings, [VAT])


async def test_the_command_tells_what_changed_since(shop_file, capsys):
    async with Listener() as engine:
        settings = engine.settings(VAR_DIR=str(shop_file.parent))
        for words, addresses in ((("--since", "1d"), 0), (("--since", "99999d"), 34)):
            assert await asyncio.to_thread(run, settings, *words) == 0
            assert capsys.readouterr().out == f"{addresses} addresses submitted.\n"
    (message,) = engine.told
    assert VAT in message["urlList"]


@pytest.mark.parametrize("missing", [{"INDEXNOW_KEY": ""}, {"ROBOTS": "closed"}])
def test_a_site_that_is_closed_or_has_no_key_tells_nobody(missing, tmp_path, capsys):
    given = {"INDEXNOW_KEY": KEY, "ROBOTS": "open", "VAR_DIR": str(tmp_path), **missing}
    settings = Settings.from_environment({name: value for name, value in given.items() if value})
    assert run(settings) == 2
    assert capsys.readouterr().err.startswith("IndexNow needs INDEXNOW_KEY")


def test_a_key_that_is_none_ends_the_start():
    with pytest.raises(SettingError, match="INDEXNOW_KEY"):
        Settings.from_environment({"INDEXNOW_KEY": "short"})


@pytest.mark.each_database
def test_what_changed_since_is_what_the_sitemap_dates(session):
    tax = factories.category(session)
    factories.course(session, tax.id, "old-news", updated_at=NOON)
    factories.course(session, tax.id, "draft", status="draft", updated_at=NOON)
    later = NOON.replace(hour=15)
    factories.course(session, tax.id, "news", updated_at=later)
    assert [one.slug for one in sitemap.changed_since(session, later, later)] == ["news"]
    assert [one.slug for one in sitemap.changed_since(session, NOON, later)] == ["old-news", "news"]
