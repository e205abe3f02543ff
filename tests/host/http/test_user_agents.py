"""Who visits, by what the User-Agent header says: people, previews of links, assistants, crawlers and programs."""

import crawleruseragents
import pytest

from domain.crawlers.operators import assistant_agents
from host.http.user_agents import browser_family, visitor_class
from tests.support.agreement_cases import cases

FILE = "user_agents.json"
# The public list calls these browsers of people crawlers: the windows of an editor and of Facebook, a browser for one
# site, and telephones with a build of Android (findings/crawler_list_people.sh).
PEOPLE_IN_THE_LIST = {r"Code\/1\.", "MetaIAB Facebook", "Fluid", r"AP3A\.240617\.008"}


@pytest.mark.parametrize("case", cases(FILE, "people"))
def test_whoever_looks_through_a_browser_is_a_person(case):
    assert visitor_class(case["agent"]) == "human", case["source"]


@pytest.mark.parametrize("case", [*cases(FILE, "previews"), *cases(FILE, "crawlers")])
def test_previews_of_links_and_robots_are_crawlers(case):
    assert visitor_class(case["agent"]) == "crawler", case["source"]
    assert browser_family(case["agent"]) not in assistant_agents()


@pytest.mark.parametrize("case", cases(FILE, "assistants"))
def test_an_assistant_is_a_crawler_under_its_own_name(case):
    assert (visitor_class(case["agent"]), browser_family(case["agent"])) == ("crawler", case["family"]), case["source"]


@pytest.mark.parametrize("case", cases(FILE, "programs"))
def test_libraries_and_driven_browsers_are_suspected(case):
    assert visitor_class(case["agent"]) == "suspected", case["source"]


def test_no_header_of_the_public_list_is_taken_for_a_person_but_those_of_people():
    rows = crawleruseragents.CRAWLER_USER_AGENTS_DATA
    taken = {row["pattern"] for row in rows for agent in row["instances"] if visitor_class(agent) == "human"}
    assert taken == PEOPLE_IN_THE_LIST
