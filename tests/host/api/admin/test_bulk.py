"""One change of many courses or items by the calls and pages of the area, and the list of what is retired."""

from typing import Any

import pytest
from sqlalchemy import select

from adapters.jobs import JobRunner
from domain.publishing.bulk import job as bulk_job
from domain.publishing.bulk.job import KIND
from domain.tables import AuditEvent
from tests.host.page_props import page_props
from tests.host.signing import Learner, learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by
from tests.support.factories import NOON
from tests.support.shops import USD

REFUSALS = ("call.refuse", "page.refuse")
pytestmark = pytest.mark.usefixtures("jobs_by_the_test")


async def props(person: Learner, path: str) -> Any:
    return await page_props(person, f"/admin/{path}")


async def send(person: Learner, path: str, body: Any) -> tuple[int, Any]:
    return await person.site.call(f"admin/bulk{path}", body, person.headers)


async def chosen(person: Learner, *slugs: str) -> int:
    ids = [person.site.id_of(slug) for slug in slugs]
    status, answer = await send(person, "", {"kind": "course", "ids": ids})
    assert status == 201, answer
    return int(answer["id"])


def carry_out(person: Learner) -> None:
    JobRunner(person.site.db, {KIND: lambda claim: bulk_job.steps(claim, lambda: NOON, USD)}).run_slice()


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


async def test_rows_are_selected_for_what_a_person_may_do_with_them(editor):
    support = learner(editor.site, "Susi Support", area="admin", roles=["support"])
    finance = learner(editor.site, "Finn Finance", area="admin", roles=["finance"])
    for person, ids in ((editor, ["catalogue"]), (finance, ["prices"]), (support, [])):
        for path in ("courses", "items"):
            assert [entry["id"] for entry in (await props(person, path))["table"]["bulkActions"]] == ids


@pytest.fixture
def finance(bare_site) -> Learner:
    return learner(bare_site, "Finn Finance", area="admin", roles=["finance"])


async def chosen_prices(person: Learner, *slugs: str) -> int:
    ids = [person.site.id_of(slug) for slug in slugs]
    status, answer = await send(person, "", {"kind": "course", "ids": ids, "purpose": "prices"})
    assert status == 201, answer
    return int(answer["id"])


def cells_of(page: Any) -> list[Any]:
    """What would happen with the first course, and its price before and after."""
    texts = [cell and cell.get("text") for cell in page["table"]["rows"][0]["cells"]]
    return [texts[1], *texts[3:5]]


async def test_prices_are_previewed_changed_and_undone_each_by_the_form_of_its_page(finance):
    change = await chosen_prices(finance, "vat-basics")
    before = await props(finance, f"bulk/{change}")
    assert (titles(before), before["actions"][0]["call"]) == (["New prices"], f"/admin/bulk/{change}/prices")
    rule = {**body_of(before["actions"][0]), "change": "raise", "percent": "10", "rounding": "nines"}
    assert (await send(finance, f"/{change}/prices", rule))[0] == 200
    shown = await props(finance, f"bulk/{change}")
    assert (titles(shown), facts(shown)["Would change"]) == (["Change the prices", "New prices"], 1)
    assert cells_of(shown) == ["Would change", "$80.00 instead of $100.00", "$80.00 instead of $109.99"]
    begin = body_of(shown["actions"][0])
    assert (begin, shown["actions"][0]["question"].split(".")[0]) == (
        {"version": 1},
        "Raise the price of 1 course by 10%",
    )
    assert (await send(finance, f"/{change}/price", {"version": 2}))[0] == 403
    assert (await send(finance, f"/{change}/price", begin))[0] == 200
    carry_out(finance)
    after = await props(finance, f"bulk/{change}")
    assert (titles(after), "This is possible until" in after["actions"][0]["text"]) == (["Undo"], True)
    assert facts(after)["New prices"] == "Raise the price of each by 10%"
    status, answer = await send(finance, f"/{change}/undo", {})
    carry_out(finance)
    undone = await props(finance, answer["href"].removeprefix("/admin/"))
    assert (status, cells_of(undone)) == (
        200,
        ["Changed", "$80.00 instead of $109.99", "$80.00 instead of $100.00"],
    )


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"change": "set"}, "amount"),
        ({"change": "raise", "percent": "much"}, "percent"),
        ({"change": "lower", "percent": "100"}, "percent"),
        ({"change": "sale", "amount": 9000, "endsAt": "2020-01-01T00:00:00Z"}, "endsAt"),
    ],
)
async def test_a_rule_that_lacks_something_is_refused_at_its_field(finance, more, field):
    change = await chosen_prices(finance, "vat-basics")
    status, answer = await send(finance, f"/{change}/prices", more)
    assert (status, [*answer["errors"]]) == (422, [field])
    assert titles(await props(finance, f"bulk/{change}")) == ["New prices"]


async def test_the_prices_before_and_after_are_in_the_file_as_numbers(finance):
    change = await chosen_prices(finance, "vat-basics")
    await send(finance, f"/{change}/prices", {"change": "sale", "amount": 7500})
    columns = "&columns=".join(["name", "lowest-amount", "list-before", "list-after", "sale-after"])
    answer = await finance.site.get(f"/csv/admin/bulk/{change}?columns={columns}", **sent_by(finance))
    line = (await answer.text()).splitlines()[1]
    assert (answer.status, line.split(",")[1:]) == (200, ["80.00", "100.00", "100.00", "75.00"])


async def test_a_change_is_seen_and_carried_on_with_by_those_alone_who_may_do_what_it_does(editor, finance):
    texts, prices = await chosen(editor, "vat-basics"), await chosen_prices(finance, "vat-basics")
    await send(editor, f"/{texts}/retire", {"reason": "Old"})
    for person, path, permission in ((editor, prices, "prices.write"), (finance, texts, "catalogue.publish")):
        for file in ("data", "csv"):
            answer = await person.site.get(f"/{file}/admin/bulk/{path}", **sent_by(person))
            status = (await answer.json())["status"] if file == "data" or answer.status != 403 else answer.status
            assert status == 403, (path, file)
        for action in ("undo", "stop", "choose-rest"):
            status, answer = await send(person, f"/{path}/{action}", {})
            assert (status, permission in answer["detail"]) == (403, True)
    assert (await send(finance, "", {"kind": "course", "ids": [person.site.id_of("vat-basics")]}))[0] == 403
    assert (await send(editor, f"/{prices}/prices", {"change": "raise", "percent": "10"}))[0] == 403
    listed = [(await props(person, "bulk"))["table"]["total"]["count"] for person in (editor, finance)]
    assert listed == [1, 0]
    with editor.site.db.read_session() as session:
        refused = session.scalars(select(AuditEvent.actor_id).where(AuditEvent.action.in_(REFUSALS))).all()
    assert {*refused} == {editor.id, finance.id}
