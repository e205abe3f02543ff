"""Deciding what the page of a retired course answers, by the call and the pages of the area."""

from typing import Any

import pytest

from tests.host.signing import Learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by

PUBLIC = "/course-details?course=old-course"


@pytest.fixture
def key(bare_site) -> int:
    return int(bare_site.id_of("old-course"))


async def page(person: Learner, path: str) -> Any:
    data = await (await person.site.get(f"/data/admin/retired{path}", **sent_by(person))).json()
    return data["props"] if data["status"] == 200 else data["status"]


async def decide(person: Learner, key: int, **body: Any) -> tuple[int, Any]:
    return await person.site.call(f"admin/retired/{key}/decide", {"version": 1, **body}, person.headers)


def facts(props: Any) -> dict[str, Any]:
    cells = {fact["label"]: fact["cell"] for fact in props["facts"]}
    return {label: cell and cell.get("text") for label, cell in cells.items()}


async def test_a_decision_reaches_the_public_page_and_the_rule_takes_it_back(bare_site, editor, key):
    assert (await bare_site.get(PUBLIC)).status == 200
    status, answer = await decide(editor, key, choice="gone", reason="The law changed")
    assert (status, answer) == (200, {"text": "Its page answers that it is gone.", "href": None})
    assert (await bare_site.get(PUBLIC)).status == 410
    shown = await page(editor, f"/{key}")
    assert facts(shown)["Its page"] == "Gone (410)"
    assert facts(shown)["Reason of the decision"] == "The law changed"
    events = next(table for table in shown["tables"] if table["id"] == "events")
    assert {"Page: As the rule says → Gone", "The law changed"} <= {
        cell["text"] for cell in events["rows"][0] if "text" in cell
    }
    assert (await decide(editor, key, version=2, choice="auto"))[0] == 200
    assert (await bare_site.get(PUBLIC)).status == 200


async def test_the_page_proposes_and_offers_what_is_not_decided_yet(editor, key):
    shown = await page(editor, f"/{key}")
    assert shown["texts"][0]["title"] == "Proposal: landing page"
    assert [action["id"] for action in shown["actions"]] == ["accept", "redirect", "gone"]
    assert (await decide(editor, key, **body_of(shown["actions"][0])))[0] == 200
    shown = await page(editor, f"/{key}")
    assert facts(shown)["Decided"] == "By hand: landing page"
    assert shown["texts"][0]["text"].endswith("It is decided so.")
    assert [action["id"] for action in shown["actions"]] == ["auto", "redirect", "gone"]


async def test_visits_are_a_line_over_twelve_months(editor, key):
    visits = (await page(editor, f"/{key}"))["visits"]
    assert (visits["kind"], len(visits["points"]["labels"]), visits["unfinishedFrom"]) == ("line", 12, 11)


async def test_who_decides_by_an_older_version_is_told_what_is_stored(editor, key):
    await decide(editor, key, choice="landing", reason="A classic")
    status, answer = await decide(editor, key, choice="gone", reason="x")
    assert (status, answer["conflict"]["values"]) == (409, {"choice": "landing", "reason": "A classic"})
    assert answer["conflict"]["changedBy"] == "Edda Editor"


@pytest.mark.parametrize(
    ("slug", "body", "status"),
    [
        ("old-course", {"choice": "gone"}, 422),
        ("old-course", {"choice": "unlisted", "reason": "x"}, 422),
        ("old-course", {"choice": "gone", "reason": "x", "version": "one"}, 422),
        ("ended-course", {"choice": "redirect", "reason": "x"}, 422),
        ("old-item", {"choice": "landing", "reason": "x"}, 403),
        ("vat-basics", {"choice": "gone", "reason": "x"}, 403),
        ("draft-course", {"choice": "gone", "reason": "x"}, 403),
    ],
)
async def test_what_cannot_be_decided_is_refused(bare_site, editor, slug, body, status):
    assert (await decide(editor, bare_site.id_of(slug), **body))[0] == status


async def test_of_what_is_unknown_or_on_sale_there_is_no_such_page(bare_site, editor):
    assert (await decide(editor, 999_999, choice="gone", reason="x"))[0] == 404
    for name in (bare_site.id_of("vat-basics"), 999_999, "x"):
        assert await page(editor, f"/{name}") == 404


async def test_the_list_and_its_file_say_what_each_page_answers(bare_site, editor, key):
    await decide(editor, key, choice="redirect", reason="Replaced")
    props = await page(editor, "?decided=redirect")
    assert [row["cells"][0]["text"] for row in props["table"]["rows"]] == ["Old Course"]
    file = await (await bare_site.get("/csv/admin/retired?kind=course", **sent_by(editor))).text()
    assert "Redirect (301)" in file
    assert "By hand: redirect" in file
