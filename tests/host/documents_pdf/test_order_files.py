"""Who may download the files of an order: its owner, once it is paid, and nobody can tell whether they exist."""

from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from sqlalchemy import select

from domain.learning import files
from domain.tables import File, ItemFile, Order, OrderLine, ShopItem
from tests.host.signing import learner
from tests.support import order_rows

CODE = "BADECUFIGOHAKELIMONU"
PATH = f"/order-files/{CODE}/2/1"
CONTENT = b"%PDF-1.4 a study sheet"
NAME = 'Blätter "2".pdf'


def order_with_file(site, learner_id: int, **about: object) -> None:
    """A course, and a book whose only file is stored."""
    with site.db.write_session() as session:
        order = order_rows.order(session, learner_id, CODE, **about)
        order_rows.order_line(session, order.id, 1, product_id=site.id_of("vat-basics"))
        item_id = site.id_of("tax-tables")
        session.get_one(ShopItem, item_id).fulfilment = "download"
        order_rows.order_line(session, order.id, 2, product_id=item_id, fulfilment="download")
        sha256 = files.write_content(site.settings.files_folder, CONTENT)
        file = File(sha256=sha256, name=NAME, media_type="application/pdf", bytes=len(CONTENT), kind="download")
        file.created_at = datetime.now(UTC)
        session.add(file)
        session.flush()
        session.add(ItemFile(item_id=item_id, file_id=file.id))


async def test_an_epub_is_sent_as_an_attachment_of_its_own_type(own_site):
    ada = learner(own_site)
    order_with_file(own_site, ada.id)
    with own_site.db.write_session() as session:
        file = session.scalars(select(File)).one()
        file.name, file.media_type = "book.epub", "application/epub+zip"
    answer = await own_site.get(PATH, **ada.headers)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/epub+zip")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="book.epub"')


async def test_the_owner_gets_the_file_whole_or_in_parts_under_its_name(own_site):
    ada = learner(own_site)
    order_with_file(own_site, ada.id)
    whole = await own_site.get(PATH.replace(CODE, CODE.lower()), **ada.headers)
    assert (whole.status, whole.content_type, await whole.read()) == (200, "application/pdf", CONTENT)
    assert whole.headers["Content-Disposition"] == (
        f"attachment; filename=\"Bl_tter _2_.pdf\"; filename*=UTF-8''{quote(NAME, safe='')}"
    )
    assert (whole.headers["Cache-Control"], whole.headers["X-Robots-Tag"]) == ("private, no-store", "noindex")
    part = await own_site.get(PATH, **ada.headers, Range="bytes=1-3")
    assert (part.status, await part.read()) == (206, b"PDF")
    for ranges in ("bytes=0-1,5-6", "lines=1-2"):
        answer = await own_site.get(PATH, **ada.headers, Range=ranges)
        assert (answer.status, await answer.read()) == (200, CONTENT)
    head = await own_site.get(PATH, "HEAD", **ada.headers)
    assert (head.status, head.content_length) == (200, len(CONTENT))
    unchanged = await own_site.get(PATH, **ada.headers, If_None_Match=whole.headers["ETag"])
    assert unchanged.status == 304


NOT_THERE = {
    "another line": f"/order-files/{CODE}/1/1",
    "an unknown line": f"/order-files/{CODE}/3/1",
    "another file": f"/order-files/{CODE}/2/2",
    "another order": "/order-files/BADECUFIGOHAKELIMONA/2/1",
    "a path": f"/order-files/{CODE}/2/..%2F1",
    "a zero in front": f"/order-files/{CODE}/2/01",
}


@pytest.mark.parametrize("path", NOT_THERE.values(), ids=NOT_THERE)
async def test_what_the_order_does_not_give_is_not_there(own_site, path):
    ada = learner(own_site)
    order_with_file(own_site, ada.id)
    assert (await own_site.get(path, **ada.headers)).status == 404


async def test_everybody_else_gets_the_answer_of_an_unknown_order(own_site):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    order_with_file(own_site, ada.id)
    unknown = PATH.replace(CODE, "BADECUFIGOHAKELIMONA")
    expected = await (await own_site.get(unknown, **ada.headers)).text()
    for headers in ({}, eve.headers, ada.bearer, ada.cookie, {**eve.bearer, **ada.cookie}):
        own_site.client.session.cookie_jar.clear()
        answer = await own_site.get(PATH, **headers)
        assert (answer.status, (await answer.text()).replace(PATH, unknown)) == (404, expected)


ENDED = {
    "not paid": ({"state": "placed", "paid_at": None}, {}),
    "refunded": ({"state": "refunded"}, {}),
    "taken back": ({}, {"ended_at": datetime(2026, 1, 1, tzinfo=UTC)}),
    "a gift": ({}, {"gift": {"recipient_email": "grace@example.test"}}),
}


@pytest.mark.parametrize(("order", "line"), ENDED.values(), ids=ENDED)
async def test_only_a_line_that_is_paid_and_ones_own_gives_files(own_site, order, line):
    ada = learner(own_site)
    order_with_file(own_site, ada.id)
    with own_site.db.write_session() as session:
        for row, values in ((Order, order), (OrderLine, line)):
            for found in session.query(row):
                for name, value in values.items():
                    setattr(found, name, value)
    assert (await own_site.get(PATH, **ada.headers)).status == 404


async def test_a_file_that_is_not_on_the_disk_is_not_there(own_site):
    ada = learner(own_site)
    order_with_file(own_site, ada.id)
    (file,) = [path for path in own_site.settings.files_folder.rglob("*") if path.is_file()]
    file.unlink()
    assert (await own_site.get(PATH, **ada.headers)).status == 404


@pytest.mark.parametrize("digest", ["", "../../coursefront.db", "A" * 64, "0" * 63])
def test_only_a_digest_names_a_file(tmp_path, digest):
    with pytest.raises(ValueError, match="SHA-256"):
        files.path_of(tmp_path, digest)
