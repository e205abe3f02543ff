"""`python -m host crawlers`: lists that are fetched, and those that are refused."""

import argparse
import json
import ssl
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from sqlalchemy import select, update

from config.settings import Settings
from domain.crawlers import ranges
from domain.crawlers.operators import published_lists
from domain.errors import Refused
from domain.tables import CrawlerRanges
from host.cli import crawlers
from tests.domain.crawlers.lists import GOOGLE, OPENAI, published
from tests.support.certificates import write_certificate

MOST = 100_000


@pytest.fixture
def run(sqlite_database, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: str) -> int:
        parser = argparse.ArgumentParser()
        crawlers.add_arguments(parser)
        return crawlers.run(parser.parse_args(words), Settings(var_dir=tmp_path))

    return run


@pytest.fixture
def file(tmp_path):
    def write(body: bytes) -> str:
        path = tmp_path / "list.json"
        path.write_bytes(body)
        return str(path)

    return write


def stored(database) -> dict[str, int]:
    with database.read_session() as session:
        return {row.name: len(json.loads(row.prefixes)) for row in session.scalars(select(CrawlerRanges))}


def test_a_list_of_a_file_is_stored_and_listed(run, file, capsys, sqlite_database):
    assert run("refresh", f"google-common={file(published(*GOOGLE))}") == 0
    assert capsys.readouterr().out == "google-common: 3 ranges, 3 new, 0 gone\n"
    assert stored(sqlite_database) == {"google-common": 3}
    assert run("list") == 0
    listed = capsys.readouterr().out
    (row,) = [line for line in listed.splitlines() if "google-common" in line]
    assert all(text in row for text in ("│ 3 ", "0 days ago", "2026-09-25", "Googlebot, Googlebot-Image"))
    assert listed.count("never") == len(published_lists()) - 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>", "It is not JSON."),
        (published("10.0.0.0/8"), "10.0.0.0/8 has addresses that are not public."),
        (published(GOOGLE[0]), "It has 1 ranges instead of 3; --force takes it all the same."),
        (b" " * (ranges.MAX_BYTES + 1), "It is larger than 2.0 MB."),
    ],
    ids=["no JSON", "private", "shrunk", "large"],
)
def test_a_list_that_is_refused_stays_as_it_was(run, file, capsys, body, reason):
    run("refresh", f"google-common={file(published(*GOOGLE))}")
    assert run("refresh", f"google-common={file(body)}") == 1
    assert capsys.readouterr().err.endswith(f"google-common stays as it was. {reason}\n")
    run("list", "--json")
    ranges_of = {row["name"]: row["ranges"] for row in json.loads(capsys.readouterr().out)}
    assert ranges_of["google-common"] == 3


def test_a_shrunk_list_is_taken_by_force(run, file, sqlite_database):
    run("refresh", f"google-common={file(published(*GOOGLE))}")
    assert run("refresh", "--force", f"google-common={file(published(GOOGLE[0]))}") == 0
    assert stored(sqlite_database) == {"google-common": 1}


def test_one_list_that_fails_leaves_the_others(run, file, capsys, sqlite_database, tmp_path):
    assert run("refresh", f"apple={tmp_path}/none.json", f"google-common={file(published(*GOOGLE))}") == 1
    shown = capsys.readouterr()
    assert (shown.out, "apple stays as it was." in shown.err) == ("google-common: 3 ranges, 3 new, 0 gone\n", True)
    assert stored(sqlite_database) == {"google-common": 3}


def test_a_list_that_nobody_publishes_is_refused(run, capsys):
    with pytest.raises(SystemExit):
        run("refresh", "google=/x")
    assert "'google' is none of the lists: amazon-web-services, anthropic, apple" in capsys.readouterr().err


def test_old_lists_are_reported(run, file, capsys, sqlite_database):
    run("refresh", f"openai-training={file(published(*OPENAI))}")
    with sqlite_database.write_session() as session:
        session.execute(update(CrawlerRanges).values(fetched_at=datetime.now(UTC) - timedelta(days=31)))
    assert run("list") == 1
    assert "31 days ago: too old" in capsys.readouterr().out
    assert run("list", "--json") == 1
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["openai-training"]["isOld"], rows["openai-training"]["ranges"]) == (True, 2)
    assert (rows["apple"]["isOld"], rows["apple"]["fetchedAt"]) == (False, None)


@pytest.fixture
async def https(tmp_path):
    """Addresses of a server by https, and whom to trust."""
    certificate = write_certificate(tmp_path, "localhost")
    server_side = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server_side.load_cert_chain(certificate.certificate, certificate.key)

    async def answer(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name in ("http", "loop", "list"):
            to = {"http": "http://localhost/x", "loop": "/loop", "list": "/found"}[name]
            raise web.HTTPFound(to)
        sizes = {"large": MOST + 1, "found": 5}
        return web.Response(body=b"x" * sizes[name]) if name in sizes else web.Response(status=404)

    app = web.Application()
    app.router.add_get("/{name}", answer)
    server = TestServer(app, scheme="https", host="localhost")
    await server.start_server(ssl=server_side)
    yield (
        lambda name: f"https://localhost:{server.port}/{name}",
        ssl.create_default_context(cafile=str(certificate.certificate)),
    )
    await server.close()


@pytest.mark.parametrize("name", ["found", "list"])
async def test_a_list_is_fetched_also_after_a_redirect(https, name):
    address, trusted = https
    assert await crawlers.fetch(address(name), MOST, trusted) == b"xxxxx"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none", "answered 404"),
        ("http", "http://localhost/x is not an address by https"),
        ("loop", "redirects more than 3 times"),
        ("large", "is larger than 100,000 bytes"),
    ],
)
async def test_what_is_no_list_by_https_is_refused(https, name, reason):
    address, trusted = https
    with pytest.raises(Refused, match=reason):
        await crawlers.fetch(address(name), MOST, trusted)


async def test_a_server_that_nobody_vouches_for_is_refused(https):
    with pytest.raises(Refused, match="does not answer: "):
        await crawlers.fetch(https[0]("found"), MOST)


async def test_a_list_by_http_is_never_asked_for():
    with pytest.raises(Refused, match="is not an address by https"):
        await crawlers.fetch("http://127.0.0.1:9/list", MOST)
