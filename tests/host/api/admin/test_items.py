"""Shop items by the calls and pages of the area: from nothing to sold, their stock, and their picture."""

from typing import Any

import pytest

from domain.learning import bundles
from domain.tables import File
from tests.host.page_props import page_props
from tests.host.signing import Learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by
from tests.support.factories import NOON

NEW = {"name": "Ledger Paper", "category": "tax", "itemKind": "physical", "sku": "LP-1"}


async def props(person: Learner, path: str) -> Any:
    return await page_props(person, f"/admin/items/{path}")


async def send(person: Learner, path: str, body: dict[str, Any], method: str = "POST") -> tuple[int, Any]:
    return await person.site.call(f"admin/{path}", body, person.headers, method=method)


@pytest.fixture
async def item(editor) -> int:
    status, new = await send(editor, "items", NEW)
    assert (status, new["version"]) == (201, 1)
    return int(new["id"])


async def test_an_item_from_nothing_is_written_priced_and_published(bare_site, editor, item):
    page = await props(editor, f"{item}")
    assert page["frame"]["missing"] == ["it has no subtitle and no description", "a shop item must cost something"]
    texts = body_of(page["form"], description="**Ruled**.")
    status, saved = await send(editor, f"items/{item}/texts", texts, "PUT")
    assert (status, saved["version"]) == (200, 2)
    price = {"version": 2, "listPrice": 900}
    _, priced = await send(editor, f"products/{item}/draft-price", price, "PUT")
    assert (await bare_site.get(f"/data/shop-details/{item}")).status == 404
    state = {"version": priced["version"], "startsAt": None}
    assert (await send(editor, f"items/{item}/publish", state))[0] == 200
    shown = await (await bare_site.get(f"/data/shop-details/{item}")).json()
    assert (shown["status"], shown["props"]["descriptionHtml"]) == (200, "<p><strong>Ruled</strong>.</p>")
    for tab in ("price", "publication", "snippet", "history"):
        assert (await props(editor, f"{item}/{tab}"))["frame"]["kind"] == "item"


async def test_a_draft_has_a_preview_that_visitors_cannot_open(bare_site, editor, item):
    page = await props(editor, f"{item}")
    await send(editor, f"items/{item}/texts", body_of(page["form"], description="**Ruled**."), "PUT")
    preview = await props(editor, f"{item}/preview")
    shown = preview["item"]["name"], preview["item"]["descriptionHtml"], preview["note"]
    assert shown == ("Ledger Paper", "<p><strong>Ruled</strong>.</p>", "Visitors cannot open this page yet.")
    assert (await bare_site.get(f"/data/shop-details/{item}")).status == 404


async def test_the_preview_of_a_published_item_is_its_page(bare_site, editor):
    key = bare_site.id_of("tax-tables")
    preview = await props(editor, f"{key}/preview")
    public = await (await bare_site.get(f"/data/shop-details/{key}")).json()
    assert preview["note"] == "The shop shows the same page."
    assert preview["item"] == {name: public["props"][name] for name in preview["item"]}


async def test_there_is_no_preview_of_a_course_as_an_item(bare_site, editor):
    for key in (bare_site.id_of("vat-basics"), 999_999, "x"):
        answer = await bare_site.get(f"/data/admin/items/{key}/preview", **sent_by(editor))
        assert (await answer.json())["status"] == 404


async def test_a_stock_number_of_another_item_is_refused_at_its_field(editor, item):
    status, answer = await send(editor, "items", {**NEW, "name": "Other Paper"})
    assert (status, [*answer["errors"]]) == (422, ["sku"])
    status, answer = await send(editor, "items", {**NEW, "sku": "LP-2"})
    assert (status, [*answer["errors"]]) == (422, ["name"])


async def test_two_who_change_the_stock_lose_nothing(bare_site, editor, item):
    body = body_of((await props(editor, f"{item}/delivery"))["form"], stock=7)
    assert (await send(editor, f"items/{item}/delivery", body, "PUT"))[0] == 200
    status, answer = await send(editor, f"items/{item}/delivery", {**body, "stock": 9}, "PUT")
    assert (status, answer["conflict"]["values"]["stock"], answer["conflict"]["version"]) == (409, 7, 2)
    assert body_of((await props(editor, f"{item}/delivery"))["form"])["stock"] == 7


STATES = {"publish": {"startsAt": None}, "withdraw": {}, "retire": {"reason": "x"}}


@pytest.mark.parametrize("name", STATES)
async def test_calls_about_courses_know_no_items_and_those_about_items_no_courses(bare_site, editor, item, name):
    course, body = bare_site.id_of("vat-basics"), {"version": 1, **STATES[name]}
    for kind, wrong in (("course", item), ("item", course)):
        status, answer = await send(editor, f"{kind}s/{wrong}/{name}", body)
        unknown = await send(editor, f"{kind}s/999999/{name}", body)
        assert (status, answer["detail"], unknown[0]) == (404, f"There is no such {kind}.", 404)
        assert unknown[1]["detail"] == answer["detail"]


async def test_an_item_has_no_address_that_a_call_about_courses_changes(editor, item):
    status, _ = await send(editor, f"courses/{item}/rename", {"slug": "other-paper"})
    assert status == 404


async def test_an_item_is_no_course(bare_site, editor, item):
    answer = await bare_site.get(f"/data/admin/courses/{item}", **sent_by(editor))
    assert (await answer.json())["status"] == 404
    answer = await bare_site.get(f"/data/admin/items/{bare_site.id_of('vat-basics')}", **sent_by(editor))
    assert (await answer.json())["status"] == 404


async def made(editor: Learner, fulfilment: str, kind: str) -> int:
    """A complete draft that reaches its buyer this way."""
    _, new = await send(editor, "items", {**NEW, "name": f"The {kind}", "itemKind": kind, "sku": f"S-{kind}"})
    key = int(new["id"])
    delivery = body_of((await props(editor, f"{key}/delivery"))["form"], fulfilment=fulfilment)
    _, saved = await send(editor, f"items/{key}/delivery", delivery, "PUT")
    texts = body_of((await props(editor, f"{key}"))["form"], description="Good.", version=saved["version"])
    _, saved = await send(editor, f"items/{key}/texts", texts, "PUT")
    await send(editor, f"products/{key}/draft-price", {"version": saved["version"], "listPrice": 900}, "PUT")
    return key


async def version_of(editor: Learner, key: int) -> int:
    return int((await props(editor, f"{key}/delivery"))["frame"]["version"])


async def test_a_bundle_is_sold_once_its_courses_are_chosen_and_opens_them_in_their_order(bare_site, editor):
    key = await made(editor, "courses", "bundle")
    version = await version_of(editor, key)
    status, answer = await send(editor, f"items/{key}/publish", {"version": version, "startsAt": None})
    assert (status, answer["detail"]) == (
        403,
        "This bundle opens no course yet: choose its courses under Stock and delivery.",
    )
    form = (await props(editor, f"{key}/delivery"))["courses"]
    assert (form["fields"][0]["kind"], form["fields"][0]["picked"]) == ("picks", [])
    path = form["call"].removeprefix("/admin/")
    for wrong in ([], ["tax-tables"], ["no-such-course"]):
        assert (await send(editor, path, {"version": version, "courses": wrong}, "PUT"))[0] == 422
    wanted = {"version": version, "courses": ["vat-basics", "course-01", "vat-basics"]}
    status, saved = await send(editor, path, wanted, "PUT")
    assert (status, saved["version"]) == (200, version + 1)
    assert (await send(editor, path, wanted, "PUT"))[0] == 409
    assert (await send(editor, path, {**wanted, "version": saved["version"]}, "PUT"))[1]["version"] == saved["version"]
    picked = (await props(editor, f"{key}/delivery"))["courses"]["fields"][0]["picked"]
    assert [one["value"] for one in picked] == ["vat-basics", "course-01"]
    with bare_site.db.read_session() as session:
        ids = [bare_site.id_of(slug) for slug in ("vat-basics", "course-01")]
        assert bundles.course_ids(session, key) == tuple(ids)
    assert (await send(editor, f"items/{key}/publish", {"version": saved["version"], "startsAt": None}))[0] == 200


async def test_a_download_is_sold_once_it_has_files_which_its_buyers_then_have(bare_site, editor):
    key = await made(editor, "download", "book")
    version = await version_of(editor, key)
    status, answer = await send(editor, f"items/{key}/publish", {"version": version, "startsAt": None})
    assert (status, answer["detail"][:27]) == (403, "This item has no file yet: ")
    with bare_site.db.write_session() as session:
        for digest, name in (("a" * 64, "one.pdf"), ("b" * 64, "two.pdf")):
            about = {"name": name, "media_type": "application/pdf", "kind": "lesson", "bytes": 9, "created_at": NOON}
            session.add(File(sha256=digest, **about))
    path, both = f"items/{key}/files", ["b" * 64, "a" * 64]
    assert (await send(editor, path, {"version": version, "files": ["c" * 64]}, "PUT"))[0] == 422
    assert (await send(editor, path, {"version": version, "files": ["../etc"]}, "PUT"))[0] == 422
    status, saved = await send(editor, path, {"version": version, "files": both}, "PUT")
    assert (status, saved["version"]) == (200, version + 1)
    assert [file["name"] for file in (await props(editor, f"{key}/delivery"))["files"]] == ["two.pdf", "one.pdf"]
    assert (await send(editor, path, {"version": saved["version"], "files": both[1:]}, "PUT"))[0] == 200
    assert [file["name"] for file in (await props(editor, f"{key}/delivery"))["files"]] == ["one.pdf"]
    state = {"version": await version_of(editor, key), "startsAt": None}
    assert (await send(editor, f"items/{key}/publish", state))[0] == 200


async def test_what_an_item_does_not_give_cannot_be_changed(editor, item):
    version = await version_of(editor, item)
    shown = await props(editor, f"{item}/delivery")
    assert (shown["courses"], shown["files"]) == (None, None)
    assert (await send(editor, f"items/{item}/courses", {"version": version, "courses": ["vat-basics"]}, "PUT"))[
        0
    ] == 403
    assert (await send(editor, f"items/{item}/files", {"version": version, "files": []}, "PUT"))[0] == 403
    assert await version_of(editor, item) == version
