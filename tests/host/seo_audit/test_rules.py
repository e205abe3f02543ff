"""The audit finds every deliberate breach of the contract, and none on a site that keeps it."""

import argparse
import asyncio
import re

import pytest
from aiohttp.test_utils import TestServer
from multidict import CIMultiDict

from config.settings import Settings
from host.cli import seo_audit
from seo_audit import sitemaps as audited_sitemaps
from seo_audit.breaches import Contract, Report
from seo_audit.crawl import RULES, Options, Progress, SiteDown, audit
from seo_audit.markup import amount_in
from seo_audit.page import Page
from seo_audit.robots import parse as parse_robots
from tests.host.seo_audit.audited import COURSE, ITEM, ORIGIN, Answer, Change, application, good
from tests.host.seo_audit.broken_sites import BROKEN, ROBOTS, text


@pytest.fixture(autouse=True)
def no_settling(monkeypatch):
    """Files of strings do not change: a second look at them need not wait."""
    monkeypatch.setattr(audited_sitemaps, "SETTLE_S", 0.0)


async def audited_breaches(change: Change | None = None, **options) -> set[tuple[str, str]]:
    """(rule, page) of every breach of the good site after a change."""
    answers, breaches = good(), []
    if change is not None:
        change(answers)
    async with TestServer(application(answers)) as server:
        base = str(server.make_url("/")).rstrip("/")
        await audit(Options(base, jobs=3, locale="en-US", **options), Report(breaches.append), Progress())
    return {(breach.rule, breach.page) for breach in breaches}


async def test_a_site_that_keeps_the_contract_has_no_breach():
    assert await audited_breaches() == set()
    assert await audited_breaches(sitemap_only=True) == set()


def page_breaches(path: str, change: Change) -> set[tuple[str, str]]:
    """What the rules of a page find in one page of the good site after a change, without a crawl."""
    answers, breaches = good(), []
    change(answers)
    answer = answers[path]
    page = Page(path, answer.status, CIMultiDict(answer.headers), answer.body.encode(), ORIGIN)
    Report(breaches.append).check(page, Contract(ORIGIN, "en-US"), RULES)
    return {(breach.rule, breach.page) for breach in breaches}


@pytest.mark.parametrize(
    ("rule", "page", "change"), BROKEN, ids=[f"{rule} {at}" for at, (rule, *_) in enumerate(BROKEN)]
)
async def test_a_breach_is_found_where_it_is(rule, page, change):
    """That a crawl applies the rules of a page is what the tests of links and of the command's status show."""
    is_of_page = rule in {row.name for row in RULES}
    assert (rule, page) in (page_breaches(page, change) if is_of_page else await audited_breaches(change))


def test_every_rule_is_broken_by_a_test():
    other_rules = {"title-unique", "description-unique", "status", "soft-404", "robots", "lastmod", "conditional"}
    other_rules |= {
        f"sitemap-{name}" for name in ("status", "noindex", "misses", "repeats", "blocked", "form", "conditional")
    }
    other_rules |= {f"link-{name}" for name in ("redirect", "broken", "noindex", "blocked")}
    other_rules |= {"not-found", "exact-form", "facets", "tracking", "private", "social-picture"}
    assert {rule for rule, *_ in BROKEN} == {rule.name for rule in RULES} | other_rules


async def test_a_broken_link_is_reported_once_with_the_number_of_pages():
    answers, breaches = good(), []
    for path in ("/about", "/shop", COURSE):
        text(path, f'href="{ITEM}"', 'href="/dead"')(answers)
    async with TestServer(application(answers)) as server:
        base = str(server.make_url("/")).rstrip("/")
        await audit(Options(base, jobs=1), Report(breaches.append), Progress())
    (link_text,) = [breach.text for breach in breaches if breach.rule == "link-broken"]
    assert link_text.startswith("answers 404, linked from /")
    assert link_text.endswith(" and 2 other pages")


async def test_sitemap_only_follows_no_links():
    change = text("/about", 'href="/shop"', 'href="/nothing"')
    assert await audited_breaches(change, sitemap_only=True) == set()


async def test_a_closed_site_is_not_audited():
    with pytest.raises(SiteDown, match="ROBOTS=open"):
        await audited_breaches(lambda answers: answers.update({ROBOTS: Answer(200, "User-agent: *\nDisallow: /\n")}))


async def test_an_unavailable_site_is_not_audited():
    with pytest.raises(SiteDown, match="does not respond"):
        await audit(Options("http://127.0.0.1:9"), Report(lambda _breach: None), Progress())


@pytest.mark.parametrize(
    ("words", "decimals", "minor"),
    [
        ("$1,299.00", 2, 129_900),
        ("1.299,00\u00a0€", 2, 129_900),
        ("1\u202f299,50 €", 2, 129_950),
        ("$1,299", 2, 129_900),
        ("¥1,299", 0, 1_299),
        ("KWD\u00a01,299.500", 3, 1_299_500),
        ("Free", 2, 0),
        ("Free", 0, 0),
        ("$0.99", 2, 99),
        ("", 2, None),
    ],
)
def test_a_formatted_price_is_parsed(words, decimals, minor):
    assert amount_in(words, decimals) == minor


def test_robots_rules_are_applied_as_crawlers_do():
    rules = parse_robots(
        "User-agent: a\nUser-agent: *\nDisallow: /x # why\nAllow: /x/y\nDisallow:\n\nUser-agent: b\nDisallow: /\n"
        "Disallow: /*.pdf$\n"
    )
    assert [rules.allows(path) for path in ("/", "/x", "/x/y", "/xz", "/a.pdf")] == [True, False, True, False, True]
    assert [parse_robots("User-agent: *\nDisallow: /*.pdf$").allows(path) for path in ("/a.pdf", "/a.pdf?x")] == [
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
        status, output = await asyncio.to_thread(run, base, capsys, "--jobs", "2")
    assert status == expected
    assert re.search(r"^8 pages in \d+ s, \d+ pages/s: \d breaches\.$", output.out, re.MULTILINE)


@pytest.mark.parametrize("words", [["--url", "shop"], ["--jobs", "0"], ["--jobs", "many"]])
def test_invalid_arguments_are_refused(words, capsys):
    parser = argparse.ArgumentParser()
    seo_audit.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(words)
