"""The audit finds every breach of the contract that is made on purpose, and none on a site that keeps it."""

import argparse
import asyncio
import re

import pytest
from aiohttp.test_utils import TestServer

from host.commands import seo_audit
from host.seo_audit.breaches import Report
from host.seo_audit.crawl import RULES, Options, Progress, SiteDown, audit
from host.seo_audit.markup import amount_in
from host.seo_audit.robots import read as read_robots
from host.settings import Settings
from tests.host.audited import COURSE, ITEM, Answer, Change, application, good
from tests.host.broken_sites import BROKEN, ROBOTS, text


async def found(change: Change | None = None, **options) -> set[tuple[str, str]]:
    """(rule, page) of every breach of the good site after a change."""
    answers, breaches = good(), []
    if change is not None:
        change(answers)
    async with TestServer(application(answers)) as server:
        base = str(server.make_url("/")).rstrip("/")
        await audit(Options(base, jobs=3, locale="en-US", **options), Report(breaches.append), Progress())
    return {(breach.rule, breach.page) for breach in breaches}


async def test_a_site_that_keeps_the_contract_has_no_breach():
    assert await found() == set()
    assert await found(sitemap_only=True) == set()


@pytest.mark.parametrize(
    ("rule", "page", "change"), BROKEN, ids=[f"{rule} {at}" for at, (rule, *_) in enumerate(BROKEN)]
)
async def test_a_breach_is_found_where_it_is(rule, page, change):
    assert (rule, page) in await found(change)


def test_every_rule_is_broken_by_a_test():
    others = {"title-unique", "description-unique", "status", "soft-404", "robots", "lastmod", "conditional"}
    others |= {
        f"sitemap-{name}" for name in ("status", "noindex", "misses", "repeats", "blocked", "form", "conditional")
    }
    others |= {f"link-{name}" for name in ("redirect", "broken", "noindex", "blocked")}
    others |= {"not-found", "exact-form", "facets", "tracking", "private", "social-picture"}
    assert {rule for rule, *_ in BROKEN} == {rule.name for rule in RULES} | others


async def test_a_link_to_a_dead_page_is_told_once_with_how_many_lead_there():
    answers, breaches = good(), []
    for path in ("/about", "/shop", COURSE):
        text(path, f'href="{ITEM}"', 'href="/dead"')(answers)
    async with TestServer(application(answers)) as server:
        base = str(server.make_url("/")).rstrip("/")
        await audit(Options(base, jobs=1), Report(breaches.append), Progress())
    (told,) = [breach.text for breach in breaches if breach.rule == "link-broken"]
    assert told.startswith("answers 404, linked from /")
    assert told.endswith(" and 2 other pages")


async def test_only_the_sitemap_is_only_the_sitemap():
    change = text("/about", 'href="/shop"', 'href="/nothing"')
    assert await found(change, sitemap_only=True) == set()


async def test_a_closed_site_is_not_audited():
    with pytest.raises(SiteDown, match="ROBOTS=open"):
        await found(lambda answers: answers.update({ROBOTS: Answer(200, "User-agent: *\nDisallow: /\n")}))


async def test_a_site_that_is_away_is_not_audited():
    with pytest.raises(SiteDown, match="does not answer"):
        await audit(Options("http://127.0.0.1:9"), Report(lambda _breach: None), Progress())


@pytest.mark.parametrize(
    ("words", "minor"),
    [
        ("$1,299.00", 129_900),
        ("1.299,00\u00a0€", 129_900),
        ("1\u202f299,50 €", 129_950),
        ("¥1,299", 129_900),
        ("Free", 0),
        ("$0.99", 99),
        ("", None),
    ],
)
def test_a_price_is_read_as_people_write_it(words, minor):
    assert amount_in(words) == minor


def test_robots_rules_are_read_as_crawlers_read_them():
    rules = read_robots(
        "User-agent: a\nUser-agent: *\nDisallow: /x # why\nAllow: /x/y\nDisallow:\n\nUser-agent: b\nDisallow: /\n"
        "Disallow: /*.pdf$\n"
    )
    assert [rules.allows(path) for path in ("/", "/x", "/x/y", "/xz", "/a.pdf")] == [True, False, True, False, True]
    assert [read_robots("User-agent: *\nDisallow: /*.pdf$").allows(path) for path in ("/a.pdf", "/a.pdf?x")] == [
        False,
        True,
    ]


def run(server_url, capsys, *words):
    parser = argparse.ArgumentParser()
    seo_audit.add_arguments(parser)
    status = seo_audit.run(parser.parse_args(["--url", server_url, *words]), Settings())
    return status, capsys.readouterr()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (None, 0),
        (text(COURSE, 'content="630"', 'content="600"'), 1),
        (text(COURSE, "<h1>VAT basics</h1>", ""), 2),
    ],
    ids=["none", "warning", "error"],
)
async def test_the_status_of_the_command_is_that_of_the_worst_breach(capsys, change, expected):
    answers = good()
    if change is not None:
        change(answers)
    async with TestServer(application(answers)) as server:
        base = str(server.make_url("/")).rstrip("/")
        status, told = await asyncio.to_thread(run, base, capsys, "--jobs", "2")
    assert status == expected
    assert re.search(r"^8 pages in \d+ s, \d+ pages/s: \d breaches\.$", told.out, re.MULTILINE)


@pytest.mark.parametrize("words", [["--url", "shop"], ["--jobs", "0"], ["--jobs", "many"]])
def test_arguments_that_cannot_be_meant_are_refused(words, capsys):
    parser = argparse.ArgumentParser()
    seo_audit.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(words)
