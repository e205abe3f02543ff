"""The written pages by calls and pages of the area: publishing reaches the public pages, and orders."""

from typing import Any

import pytest

from host import content
from host.checkout import order_terms
from host.site_state import SITE
from tests.host.signing import Learner, learner
from tests.host.site import ORIGIN
from tests.host.test_area_matrix import sent_by

PATH = "/admin/content"
PAGE = {"version": 0, "title": "Who we are", "description": "About us.", "body": "x"}
PUBLISHED = {"text": "The page is published.", "href": None}


@pytest.fixture
def editor(each_site) -> Learner:
    return learner(each_site, "Edda Editor", area="admin", roles=["editor"])


async def data(person: Learner, path: str) -> Any:
    answer = await person.site.get(f"/data{path}", **sent_by(person))
    return await answer.json()


async def publish(person: Learner, slug: str, **changed: Any) -> tuple[int, Any]:
    props = (await data(person, f"{PATH}/{slug}"))["props"]
    fields = {field["name"]: field["value"] for field in props["form"]["fields"]}
    days = {name.partition(".")[2]: int(value) for name, value in fields.items() if name.startswith("refundDays.")}
    texts = {name: value for name, value in fields.items() if not name.startswith("refundDays.")}
    body = {**texts, "refundDays": days, "version": props["version"], **changed}
    return await person.site.call(f"admin/content/{slug}", body, person.headers, method="PUT")


@pytest.mark.each_database
async def test_a_published_text_is_the_page_at_once_and_has_its_day(each_site, editor):
    assert await publish(editor, "about", title="Who we are", body="We **teach**.") == (200, PUBLISHED | {"version": 2})
    shown = await data(editor, "/about")
    assert (shown["props"]["title"], shown["props"]["html"]) == ("Who we are", "<p>We <strong>teach</strong>.</p>")
    assert (await data(editor, "/contact"))["props"]["title"] == content.read("contact").title
    pages = (await data(editor, PATH))["props"]["tables"][0]["rows"]
    assert [row[2]["value"] for row in pages] == [2, 1, 1, 0, 0, 0, 0]
    props = (await data(editor, f"{PATH}/about?version=1"))["props"]
    assert (props["version"], props["shownVersion"]) == (2, 1)
    assert props["form"]["fields"][0]["value"] == content.read("about").title
    assert len(props["versions"]["rows"]) == 2


@pytest.mark.each_database
async def test_a_legal_page_is_there_and_linked_once_the_shop_has_written_it(each_site, editor):
    async def listed() -> bool:
        return "/imprint<" in await (await each_site.get("/sitemaps/pages.xml")).text()

    assert (await each_site.document("/imprint")).status == 404
    assert (each_site.app[SITE].state.props["legal"], await listed()) == ([], False)
    about = {"title": "Imprint of Harbour", "description": "Who we are.", "body": "Harbour *Ltd*."}
    assert await publish(editor, "imprint", **about) == (200, PUBLISHED | {"version": 1})
    page = await each_site.document("/imprint")
    assert (page.status, page.title.partition(" ")[0], page.canonical) == (200, "Imprint", f"{ORIGIN}/imprint")
    assert page.state["props"]["html"] == "<p>Harbour <em>Ltd</em>.</p>"
    assert page.state["site"]["legal"] == [{"href": "/imprint", "text": "Imprint of Harbour"}]
    assert await listed()
    assert await publish(editor, "imprint", body="Harbour Limited.") == (200, PUBLISHED | {"version": 2})
    versions = (await data(editor, f"{PATH}/imprint"))["props"]["versions"]["rows"]
    assert [row[0]["text"] for row in versions] == ["Version 2", "Version 1"]
    assert (await each_site.document("/terms")).status == 404


async def test_new_refund_days_reach_the_policy_and_the_terms_of_the_next_order(each_site, editor):
    site = each_site.app[SITE]
    days = content.content_pages.days_of(content.refund_terms())
    before = site.state.content(content.POLICY)
    status, _ = await publish(editor, content.POLICY, refundDays=dict.fromkeys(days, 30))
    policy = site.state.content(content.POLICY)
    assert (status, policy.refund_days) == (200, 30)
    assert (await data(editor, f"/{content.POLICY}"))["props"]["refundDays"] == 30
    settings = order_terms.placing_settings(each_site.settings, policy)
    assert settings.refund_terms["goods"] == {"days": 30, "from": "delivery", "confirm": "returned"}
    agreed = [order_terms.terms(each_site.settings, terms).date for terms in (before, policy)]
    assert agreed == [before.updated, f"{policy.updated}.2"]


@pytest.mark.each_database
async def test_who_publishes_an_older_version_is_told_what_the_newer_says(each_site, editor):
    await publish(editor, "contact", body="Theirs")
    status, answer = await publish(editor, "contact", body="Mine", version=1)
    conflict = answer["conflict"]
    assert (status, conflict["version"], conflict["changedBy"]) == (409, 2, "Edda Editor")
    assert conflict["values"]["body"] == "Theirs"


async def test_a_preview_is_the_html_of_the_shop_without_scripts(each_site, editor):
    body = PAGE | {"body": "**Hi**<script>alert(1)</script>"}
    status, answer = await each_site.call("admin/content/about/preview", body, editor.headers)
    shown = answer["html"]["body"]
    assert (status, shown.startswith("<p><strong>Hi</strong>"), "<script" in shown) == (200, True, False)


async def test_other_pages_and_versions_are_not_found(each_site, editor):
    for path in (f"{PATH}/shop", f"{PATH}/about?version=9", f"{PATH}/about?version=x"):
        assert (await data(editor, path))["status"] == 404
    assert (await each_site.call("admin/content/shop/preview", PAGE, editor.headers))[0] == 404


@pytest.mark.parametrize("role", ["marketer", "support", "finance"])
async def test_other_roles_may_not_write_pages(each_site, role):
    person = learner(each_site, area="admin", roles=[role])
    assert (await data(person, PATH))["status"] == 403
    assert (await each_site.call("admin/content/about/preview", {"body": "x"}, person.headers))[0] == 403
