"""Crawlers and their operators: names in headers, and ways to check them."""

from urllib.parse import urlsplit

import pytest

from domain.crawlers import operators
from domain.crawlers.operators import (
    crawlers,
    hosting_lists,
    kind_of,
    lists_without_people,
    name_in,
    published_lists,
)
from domain.visits.days.channels import lists


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot"),
        ("Googlebot-Image/1.0", "Googlebot-Image"),
        ("Mozilla/5.0 (compatible; BINGBOT/2.0)", "bingbot"),
        ("Mozilla/5.0 (compatible; evilgooglebot.com)", ""),
        ("Mozilla/5.0 (compatible; Googlebot-Unknown/1.0)", ""),
        ("Mozilla/5.0 (compatible; not-googlebot/1.0)", ""),
        ("Mozilla/5.0 AppleWebKit/537.36 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)", "ChatGPT-User"),
        ("facebookexternalhit/1.1 Facebot Twitterbot/1.0", "facebookexternalhit"),
        ("", ""),
    ],
)
def test_a_crawler_is_known_by_a_whole_word_of_its_header(agent, name):
    assert name_in(agent) == name


def test_names_are_written_once_whatever_their_capitals():
    rows = [
        agent for operator in operators._file()["operators"] for row in operator["crawlers"] for agent in row["agents"]
    ]
    assert len({name.lower() for name in rows}) == len(rows) == len(crawlers())


def test_every_way_is_one_that_can_be_used():
    used = {name for crawler in crawlers().values() for name in crawler.lists}
    assert used == set(published_lists()) - hosting_lists()
    assert lists_without_people() < used
    assert "google-common" in lists_without_people()
    assert not {"openai-users", "google-agents", "anthropic"} & lists_without_people()
    assert {urlsplit(address).scheme for address in published_lists().values()} == {"https"}
    assert len(set(published_lists().values())) == len(published_lists())
    suffixes = {suffix for crawler in crawlers().values() for suffix in crawler.suffixes}
    assert all("." in suffix and suffix == suffix.lower().strip(".") for suffix in suffixes)
    # Every customer of Google's cloud has such a name.
    assert not any(suffix.endswith("googleusercontent.com") for suffix in suffixes)


def test_a_crawler_that_fetches_for_people_has_an_assistant_and_no_other_has():
    assert {crawler.kind for crawler in crawlers().values()} == {"search", "assistant", "seo", "other"}
    assert all((crawler.kind == "assistant") == bool(crawler.assistant) for crawler in crawlers().values())
    without_a_site = {"Alexa", "Devin", "DuckAssist", "Kagi"}
    assert {crawler.assistant for crawler in crawlers().values()} - {""} - set(lists()["assistants"]) == without_a_site


def test_a_crawler_that_nobody_knows_is_another_one():
    assert (kind_of("Googlebot"), kind_of("AhrefsBot"), kind_of("Applebot"), kind_of("FooBot")) == (
        *("search", "seo", "search"),
        "other",
    )
