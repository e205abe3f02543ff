"""Courses by the calls and pages of the area: two editors at once, prices, and who may do what."""

import csv
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from sqlalchemy import select

from domain.permissions import SystemActor
from domain.publishing.editing import publication
from domain.tables import Category, Product
from tests.host.page_props import page_props
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by


@pytest.fixture
def finance(bare_site) -> Learner:
    return learner(bare_site, "Fina Finance", area="admin", roles=["finance"])


async def props(person: Learner, path: str) -> Any:
    return await page_props(person, f"/admin/courses/{path}")


async def save(person: Learner, course_id: int, page: Any, **changes: Any) -> tuple[int, Any]:
    return await send(person, f"{course_id}/texts", body_of(page["form"], **changes), method="PUT")


async def send(person: Learner, name: str, body: dict[str, Any], method: str = "POST") -> tuple[int, Any]:
    """A body with a field `name`, which `Learner.call` cannot take."""
    return await person.site.call(f"admin/courses{name and f'/{name}'}", body, person.headers, method=method)


async def test_of_two_editors_the_second_learns_who_changed_what_and_loses_nothing(bare_site, editor):
    other = learner(bare_site, "Otto Other", area="admin", roles=["editor"])
    course_id = bare_site.id_of("vat-basics")
    page = await props(editor, f"{course_id}")
    fields, version = body_of(page["form"]), page["form"].pop("version")
    assert (await save(other, course_id, page, version=version, subtitle="Theirs"))[0] == 200
    status, answer = await save(editor, course_id, page, version=version, subtitle="Mine")
    assert (status, answer["conflict"]["changedBy"], answer["conflict"]["version"]) == (409, "Otto Other", version + 1)
    theirs = answer["conflict"]["values"]
    # With their names, as the form shows them.
    instructors = [one["value"] for one in theirs["instructors"]]
    assert {**theirs, "instructors": instructors, "version": version} == {**fields, "subtitle": "Theirs"}
    assert body_of((await props(editor, f"{course_id}"))["form"])["subtitle"] == "Theirs"
    assert (await save(editor, course_id, page, version=version + 1, subtitle="Mine"))[0] == 200
    assert body_of((await props(editor, f"{course_id}"))["form"])["subtitle"] == "Mine"


async def test_a_course_is_created_written_priced_and_published(bare_site, editor):
    status, new = await send(editor, "", {"name": "Payroll from Nothing", "category": "tax"})
    assert (status, new["version"]) == (201, 1)
    page = await props(editor, f"{new['id']}")
    assert page["frame"]["missing"] == [
        "it has no subtitle and no description",
        "it has neither a duration nor timed lessons",
    ]
    texts = {"description": "Read **it**.", "durationMinutes": 90}
    _, preview = await send(editor, f"{new['id']}/texts/preview", body_of(page["form"], **texts))
    assert (preview["html"], preview["lacks"]) == ({"description": "<p>Read <strong>it</strong>.</p>"}, [])
    _, saved = await save(editor, new["id"], page, **texts)
    price = {"version": saved["version"], "listPrice": 4900}
    _, priced = await editor.call(f"admin/products/{new['id']}/draft-price", method="PUT", **price)
    assert (await bare_site.get("/data/course-details?course=payroll-from-nothing")).status == 404
    publication = {"version": priced["version"], "startsAt": None}
    # It has no lessons of its own: whoever publishes it says that they mean it.
    assert await fields_of(editor, new["id"], "publish") == ["isOutlineMeant"]
    status, refusal = await send(editor, f"{new['id']}/publish", publication)
    assert (status, refusal["detail"].partition(":")[0]) == (403, "This course has no lessons of its own")
    status, _ = await send(editor, f"{new['id']}/publish", {**publication, "isOutlineMeant": True})
    assert status == 200
    assert await fields_of(editor, new["id"], "retire") == ["successor", "reason"]
    shown = await (await bare_site.get("/data/course-details?course=payroll-from-nothing")).json()
    assert (shown["status"], shown["props"]["listPrice"]) == (200, 4900)
    price["version"] = 4
    status, refusal = await editor.call(f"admin/products/{new['id']}/draft-price", method="PUT", **price)
    assert (status, refusal["detail"].partition(".")[0]) == (403, "Editors price drafts")


async def fields_of(person: Learner, course_id: int, action: str) -> list[str]:
    """The fields of a form of the tab about publication."""
    actions = (await props(person, f"{course_id}/publication"))["actions"]
    return [field["name"] for form in actions if form["id"] == action for field in form["fields"]]


async def test_a_price_says_what_it_changes_before_it_is_confirmed_and_changes_nothing(bare_site, finance):
    course_id, buyer = bare_site.id_of("course-01"), learner(bare_site, "Berta Buyer")
    await buyer.add("course-01")
    page = await props(finance, f"{course_id}/price")
    path, before = page["form"]["preview"]["call"].removeprefix("/"), await seen_prices(bare_site, buyer)
    price = body_of(page["form"], listPrice=12300, salePrice=9900, endsAt="2031-05-01T10:30:00Z")
    status, said = await finance.call(path, **price)
    assert (status, said["effects"]) == (
        200,
        [
            f"Buyers pay $99.00 at once, instead of ${page['now'] / 100:.2f}.",
            "The sale ends on May 1, 2031 at 10:30\N{NO-BREAK SPACE}AM UTC: then they pay $123.00.",
            "1 cart holds it and shows the new price.",
        ],
    )
    assert await seen_prices(bare_site, buyer) == before
    status, refusal = await finance.call(path, **{**price, "endsAt": "2001-01-01T00:00:00Z"})
    assert (status, [*refusal["errors"]]) == (422, ["endsAt"])


async def test_a_retirement_says_who_keeps_the_course_before_it_is_confirmed(bare_site, editor):
    course_id = bare_site.id_of("course-01")
    (form,) = [form for form in (await props(editor, f"{course_id}/publication"))["actions"] if form["id"] == "retire"]
    _, said = await send(editor, f"{course_id}/retire/preview", body_of(form, successor="vat-basics", reason="x"))
    assert said["effects"] == [
        "Nobody can buy it any more, and carts lose it.",
        "0 learners own it and keep it.",
        "Nobody has bought it within the last 60 days.",
        "Its page leads to the course vat-basics.",
    ]
    status, refusal = await send(editor, f"{course_id}/retire/preview", body_of(form, successor="course-01"))
    assert (status, [*refusal["errors"]]) == (422, ["successor"])


def in_category(site: Site, noun: str, slug: str) -> set[str]:
    with site.db.read_session() as session:
        of_kind = select(Product.name).join(Category, Category.id == Product.category_id)
        names = session.scalars(of_kind.where(Product.kind == noun.removesuffix("s"), Category.slug == slug))
        return set(names.all())


async def test_courses_and_items_are_filtered_by_category_also_in_the_file(bare_site, editor):
    for noun in ("courses", "items"):
        data = await (await bare_site.get(f"/data/admin/{noun}?category=tax", **sent_by(editor))).json()
        table = data["props"]["table"]
        shown = {row["cells"][0]["text"] for row in table["rows"]}
        category = next(entry for entry in table["filters"] if entry["name"] == "category")
        assert [option["label"] for option in category["options"]] == ["Tax", "Data", "Law"]
        assert shown == in_category(bare_site, noun, "tax")
        file = await (await bare_site.get(f"/csv/admin/{noun}?category=tax&columns=name", **sent_by(editor))).text()
        assert {row[0] for row in list(csv.reader(StringIO(file)))[1:]} == shown
    assert (await bare_site.get("/csv/admin/courses?category=nowhere", **sent_by(editor))).status == 422


async def test_a_planned_price_reaches_page_structured_data_and_cart_together(bare_site, finance):
    course_id, buyer = bare_site.id_of("course-01"), learner(bare_site, "Berta Buyer")
    await buyer.add("course-01")
    at = datetime.now(UTC)
    page = await props(finance, f"{course_id}/price")
    plan = {"version": page["frame"]["version"], "startsAt": (at + timedelta(hours=1)).isoformat(), "listPrice": 12300}
    assert (await finance.call(f"admin/products/{course_id}/price", method="PUT", **plan))[0] == 200
    before = await seen_prices(bare_site, buyer)
    assert before == (page["now"],) * 3
    (row,) = bare_site.db.write_sync(publication.due_prices, at + timedelta(hours=1))
    bare_site.db.write_as_sync(SystemActor("system", at), publication.apply_due_price, row, at + timedelta(hours=1))
    assert await seen_prices(bare_site, buyer) == (12300,) * 3


async def seen_prices(site: Any, buyer: Learner) -> tuple[int, int, int]:
    """In minor units: on the page, in its structured data, and in the buyer's cart."""
    data = await (await site.get("/data/course-details?course=course-01")).json()
    document = await site.document("/course-details?course=course-01")
    offer = Decimal(document.json_ld_of("Course")["offers"]["price"])
    _, cart = await buyer.get("cart")
    return data["props"]["price"], int(offer * 100), cart["lines"][0]["unitPrice"]


REFUSED = {
    "publish": {"version": 1, "startsAt": None},
    "rename": {"slug": "other"},
    "duplicate": {},
}


@pytest.mark.parametrize("action", REFUSED)
async def test_finance_neither_writes_nor_publishes(bare_site, finance, action):
    course_id = bare_site.id_of("vat-basics")
    status, _ = await finance.call(f"admin/courses/{course_id}/{action}", **REFUSED[action])
    assert (status, bare_site.id_of("vat-basics")) == (403, course_id)


async def test_a_draft_has_a_preview_that_visitors_cannot_open(bare_site, editor):
    _, new = await send(editor, "", {"name": "Payroll from Nothing", "category": "tax"})
    page = await props(editor, f"{new['id']}")
    await save(editor, new["id"], page, description="**Wages**.")
    preview = await props(editor, f"{new['id']}/preview")
    course = preview["course"]
    assert (course["name"], course["descriptionHtml"]) == ("Payroll from Nothing", "<p><strong>Wages</strong>.</p>")
    assert (preview["note"], preview["reviews"]["items"]) == ("Visitors cannot open this page yet.", [])
    assert (await bare_site.get("/course-details?course=payroll-from-nothing")).status == 404


async def test_the_preview_of_a_published_course_is_its_page(bare_site, editor):
    preview = await props(editor, f"{bare_site.id_of('vat-basics')}/preview")
    public = await (await bare_site.get("/data/course-details?course=vat-basics")).json()
    assert preview["note"] == "The shop shows the same page."
    assert preview["course"] == {name: public["props"][name] for name in preview["course"]}


async def test_there_is_no_preview_of_an_item_or_of_nothing(bare_site, editor):
    for key in (bare_site.id_of("tax-tables"), 999_999, "x"):
        answer = await bare_site.get(f"/data/admin/courses/{key}/preview", **sent_by(editor))
        assert (await answer.json())["status"] == 404
