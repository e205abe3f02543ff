"""A picture from its upload to the page of a course."""

import pytest
from sqlalchemy import select

from domain.tables import Product
from tests.adapters.images.pictures import photo
from tests.host.api.admin.test_uploads_and_imports import complete, send
from tests.host.signing import ended_job, learner
from tests.host.test_area_matrix import sent_by

KEY = "k" * 16


@pytest.fixture
async def editor(bare_site):
    return learner(bare_site, "Ed Editor", area="admin", roles=["editor"])


async def convert(editor, content):
    upload_id = await send(editor, content, "image")
    assert (await complete(editor, upload_id, content))[0] == 200
    request = {"uploadId": upload_id, "alt": "A desk", "idempotencyKey": KEY}
    started = [await editor.call("admin/images", **request) for _ in range(2)]
    assert [status for status, _ in started] == [201, 201]
    assert started[0][1]["id"] == started[1][1]["id"]
    return await ended_job(editor, f"admin/images/{started[0][1]['id']}")


async def test_a_picture_is_shown_at_a_course_to_everyone_for_good(editor):
    image = (await convert(editor, photo()))["image"]
    assert (image["width"], image["height"], image["alt"]) == (500, 1000, "A desk")
    with editor.site.db.read_session() as session:
        product_id = session.scalars(select(Product.id).where(Product.kind == "course").limit(1)).one()
    path = f"admin/products/{product_id}/image"
    assert (await editor.call(path, imageId=image["id"], alt=""))[0] == 422
    assert (await editor.call(path, imageId=999, alt="A desk"))[0] == 404
    assert (await editor.call(path, imageId=image["id"], alt="A desk"))[0] == 200
    with editor.site.db.read_session() as session:
        assert session.get_one(Product, product_id).image == image["src"]
    smaller = image["src"].replace(".webp", "-400.webp")
    for address in (image["src"], smaller):
        answer = await editor.site.client.get(address)
        assert (answer.status, answer.content_type) == (200, "image/webp")
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert (await answer.read())[8:12] == b"WEBP"
    assert (await editor.site.client.get(image["src"].replace(".webp", "-800.webp"))).status == 404
    assert (await editor.site.client.get(f"/files/{'0' * 64}.webp")).status == 404


async def test_a_picture_that_cannot_be_used_says_why(editor):
    failed = await convert(editor, photo()[:400])
    assert (failed["state"], failed["image"]) == ("failed", None)
    assert failed["error"] == "The picture cannot be read. Save it anew as PNG, JPEG or WebP."


async def test_a_picture_needs_a_description_a_complete_file_and_an_editor(editor):
    content = photo()
    upload_id = await send(editor, content, "image")
    request = {"uploadId": upload_id, "idempotencyKey": KEY}
    assert (await editor.call("admin/images", **request, alt="A desk"))[0] == 403
    assert (await complete(editor, upload_id, content))[0] == 200
    status, body = await editor.call("admin/images", **request, alt="  ")
    assert (status, list(body["errors"])) == (422, ["alt"])
    other = learner(editor.site, "Eve", area="admin", roles=["editor"])
    assert (await other.call("admin/images", **request, alt="A desk"))[0] == 404
    support = learner(editor.site, "Sue", area="admin", roles=["support"])
    assert (await support.call("admin/images", **request, alt="A desk"))[0] == 403
    assert (await support.get("admin/images/1"))[0] == 403


async def test_a_picture_is_on_the_public_page_in_lists_and_where_its_address_is_shared(editor):
    site = editor.site
    course_id = site.id_of("vat-basics")
    page = "/course-details?course=vat-basics"
    before = (await (await site.get(f"/data{page}")).json())["props"]["picture"]["src"]
    image = (await convert(editor, photo()))["image"]
    with site.db.read_session() as session:
        version = session.get_one(Product, course_id).version
    assert (await editor.call(f"admin/products/{course_id}/image", imageId=image["id"], alt="A desk"))[0] == 200
    with site.db.read_session() as session:
        assert session.get_one(Product, course_id).version == version + 1
    data = await (await site.get(f"/data{page}")).json()
    picture = {"src": image["src"], "width": 500, "height": 1000, "alt": "A desk"}
    assert (before.startswith("/pictures/"), data["props"]["picture"]) == (True, picture)
    html = await (await site.get(page)).text()
    assert f'<meta property="og:image" content="{site.settings.site_origin}{image["src"]}">' in html
    assert '<meta property="og:image:width" content="500">' in html
    cards = (await (await site.get("/data/shop?category=tax")).json())["props"]["cards"]
    assert image["src"] in [card["picture"]["src"] for card in cards]


@pytest.mark.parametrize("kind", ["categories", "instructors"])
async def test_a_picture_of_a_category_or_an_instructor_is_shown_until_it_is_taken_away(editor, kind):
    _, created = await editor.site.call(f"admin/{kind}", {"name": "Ada Lovelace"}, editor.headers)
    page, path = f"/data/admin/{kind}/{created['id']}", f"admin/{kind}/{created['id']}/image"
    image = (await convert(editor, photo()))["image"]

    async def shown():
        return (await (await editor.site.get(page, **sent_by(editor))).json())["props"]["picture"]

    assert (await editor.call(path, imageId=image["id"], alt=" "))[0] == 422
    assert (await editor.call(path, imageId=image["id"], alt="At a desk"))[0] == 200
    assert await shown() == {"src": image["src"], "width": 500, "height": 1000, "alt": "At a desk"}
    assert (await editor.site.client.get(image["src"])).status == 200
    support = learner(editor.site, "Sue", area="admin", roles=["support"])
    assert (await support.call(path, imageId=None))[0] == 403
    assert (await editor.call(path, imageId=None))[1]["text"] == "There is no picture any more."
    assert (await shown(), (await editor.site.client.get(image["src"])).status) == (None, 404)
