"""One change of many courses or items by the calls and pages of the area, and the list of what is retired."""

from typing import Any

import pytest

from adapters.jobs import JobRunner
from domain.publishing.bulk import job as bulk_job
from domain.publishing.bulk.job import KIND
from tests.host.signing import Learner, learner
from tests.host.test_area_matrix import sent_by
from tests.support.factories import NOON

pytestmark = pytest.mark.usefixtures("jobs_by_the_test")


@pytest.fixture
def editor(bare_site) -> Learner:
    return learner(bare_site, "Edda Editor", area="admin", roles=["editor"])


async def props(person: Learner, path: str) -> Any:
    answer = await person.site.get(f"/data/admin/{path}", **sent_by(person))
    data = await answer.json()
    assert data["status"] == 200, data
    return data["props"]


async def send(person: Learner, path: str, body: Any) -> tuple[int, Any]:
    return await person.site.call(f"admin/bulk{path}", body, person.headers)


async def chosen(person: Learner, *slugs: str) -> int:
    ids = [person.site.id_of(slug) for slug in slugs]
    status, answer = await send(person, "", {"kind": "course", "ids": ids})
    assert status == 201, answer
    return int(answer["id"])


def carry_out(person: Learner) -> None:
    JobRunner(person.site.db, {KIND: lambda claim: bulk_job.steps(claim, lambda: NOON)}).run_slice()


def facts(page: Any) -> dict[str, Any]:
    cells = {fact["label"]: fact["cell"] for fact in page["facts"]}
    return {label: cell.get("value", cell.get("text")) for label, cell in cells.items() if cell}


def titles(page: Any) -> list[str]:
    return [action["title"] for action in page["actions"]]


async def test_what_is_chosen_has_a_page_that_offers_what_can_be_done_and_then_says_what_came_of_it(editor):
    change = await chosen(editor, "vat-basics")
    before = await props(editor, f"bulk/{change}")
    assert (before["heading"], titles(before)) == ("Change 1 course", ["Category", "Publish", "Retire"])
    assert (await send(editor, f"/{change}/retire", {"reason": "Out of date"}))[0] == 200
    running = await props(editor, f"bulk/{change}")
    assert (running["isRunning"], titles(running)) == (True, ["Stop"])
    carry_out(editor)
    after = await props(editor, f"bulk/{change}")
    assert (after["heading"], titles(after), facts(after)["Changed"]) == ("Retire 1 course", ["Undo"], 1)
    assert [row["cells"][1]["text"] for row in after["table"]["rows"]] == ["Changed"]
    listed = (await props(editor, "bulk"))["table"]["rows"]
    assert listed[0]["cells"][0] == {"kind": "link", "text": "Retire 1 course", "href": f"/admin/bulk/{change}"}


async def test_the_rest_of_a_change_that_was_stopped_is_chosen_and_changed(editor):
    change = await chosen(editor, "vat-basics")
    await send(editor, f"/{change}/category", {"category": "tax"})
    assert (await send(editor, f"/{change}/choose-rest", {}))[0] == 403
    await send(editor, f"/{change}/stop", {})
    stopped = (await props(editor, f"bulk/{change}"))["actions"]
    assert [(action["title"], action["text"]) for action in stopped] == [
        ("The rest", "1 course was not changed. Choose what is done about it.")
    ]
    status, answer = await send(editor, f"/{change}/choose-rest", {})
    rest = await props(editor, answer["href"].removeprefix("/admin/"))
    assert (status, rest["heading"], titles(rest)) == (200, "Change 1 course", ["Category", "Publish", "Retire"])


async def test_a_retired_course_is_listed_with_its_reason_and_no_longer_once_that_is_undone(editor):
    change = await chosen(editor, "vat-basics")
    await send(editor, f"/{change}/retire", {"reason": "Out of date"})
    carry_out(editor)
    row = (await props(editor, "retired?q=vat&columns=name&columns=kind&columns=reason"))["table"]["rows"][0]["cells"]
    assert [cell["text"] for cell in row[1:]] == ["Course", "Out of date"]
    status, answer = await send(editor, f"/{change}/undo", {})
    carry_out(editor)
    assert (status, (await props(editor, "retired?q=vat"))["table"]["rows"]) == (200, [])
    undo = await props(editor, answer["href"].removeprefix("/admin/"))
    assert (undo["heading"], titles(undo)) == ("Undo the change of 1 course", [])


async def test_everything_that_matches_the_filters_is_chosen(editor):
    listed = (await props(editor, "courses?status=published"))["table"]["total"]["count"]
    _, answer = await send(editor, "", {"kind": "course", "filters": {"status": "published"}})
    assert facts(await props(editor, f"bulk/{answer['id']}"))["Chosen"] == listed


@pytest.mark.parametrize("body", [{"kind": "course"}, {"kind": "course", "ids": [1], "filters": {}}])
async def test_rows_or_filters_are_chosen_and_not_both(editor, body):
    assert (await send(editor, "", body))[0] == 422


async def test_a_stopped_change_leaves_the_rest_and_is_stopped_once(editor):
    change = await chosen(editor, "vat-basics")
    await send(editor, f"/{change}/category", {"category": "tax"})
    assert (await send(editor, f"/{change}/stop", {}))[1]["text"] == "No more rows are changed."
    assert (await send(editor, f"/{change}/stop", {}))[1]["text"] == "It had ended before."


async def test_the_rows_are_a_file_with_each_result(editor):
    change = await chosen(editor, "vat-basics")
    answer = await editor.site.get(f"/csv/admin/bulk/{change}", **sent_by(editor))
    lines = (await answer.text()).splitlines()
    assert (answer.status, len(lines), "Chosen" in lines[1]) == (200, 2, True)


@pytest.mark.parametrize("path", ["bulk/999999", "bulk/x"])
async def test_there_is_no_page_of_an_unknown_change(editor, path):
    answer = await editor.site.get(f"/data/admin/{path}", **sent_by(editor))
    assert (await answer.json())["status"] == 404


async def test_only_who_may_write_the_catalogue_can_select_rows(editor):
    support = learner(editor.site, "Susi Support", area="admin", roles=["support"])
    for person, ids in ((editor, ["change"]), (support, [])):
        for path in ("courses", "items"):
            assert [entry["id"] for entry in (await props(person, path))["table"]["bulkActions"]] == ids
