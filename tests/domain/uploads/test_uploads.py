"""Files in parts: sizes, owners, what is missing, and what a file is by its first bytes. SQLite and MariaDB."""

from datetime import timedelta
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest

from domain.errors import InvalidInput, NotFound, Refused
from domain.seed import book_files
from domain.uploads import contents, upload_rows
from domain.uploads.contents import content_problem
from domain.uploads.upload_rows import PART_BYTES, NewUpload, OtherFile, WholeFile, WholePart
from tests.support import factories
from tests.support.factories import NOON

DIGEST = bytes(32)
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
JPEG, WEBP = b"\xff\xd8\xff\xe0", b"RIFF\x10\x00\x00\x00WEBPVP8 "
MP4, WEBM, PDF = b"\0\0\0\x20ftypisom", b"\x1aE\xdf\xa3", b"%PDF-1.7"


@pytest.fixture
def owner(session):
    return factories.learner(session).id


def begin(session, owner, size=2 * PART_BYTES + 5, purpose="import"):
    return upload_rows.begin(session, NewUpload("courses.csv", size, purpose, owner), NOON)


def take(session, upload_id, owner, number, at=NOON, *, place=lambda: None):
    return upload_rows.take_part(session, upload_id, owner, WholePart(number, place), at)


def complete(session, upload_id, owner, size, digest=DIGEST):
    file = WholeFile(digest, lambda: (size, DIGEST), lambda: None)
    return upload_rows.complete(session, upload_id, owner, file, NOON)


@pytest.mark.each_database
def test_a_file_is_complete_once_all_its_parts_are_there(session, owner):
    upload = begin(session, owner)
    assert (upload.parts, upload.missing, upload.is_complete) == (3, (0, 1, 2), False)
    assert [upload.part_bytes(number) for number in range(3)] == [PART_BYTES, PART_BYTES, 5]
    for number in (2, 0, 0):
        upload = take(session, upload.id, owner, number)
    assert upload.missing == (1,)
    with pytest.raises(Refused, match="1 of 3 parts are missing"):
        complete(session, upload.id, owner, upload.bytes)
    take(session, upload.id, owner, 1)
    assert complete(session, upload.id, owner, upload.bytes).is_complete
    assert complete(session, upload.id, owner, upload.bytes).is_complete
    with pytest.raises(Refused, match="complete"):
        take(session, upload.id, owner, 1)


@pytest.mark.parametrize(("purpose", "most"), [("import", 256 * 2**20), ("image", 8 * 2**20), ("lesson", 2**31)])
def test_each_purpose_has_a_largest_size(session, owner, purpose, most):
    assert begin(session, owner, most, purpose).bytes == most
    for size in (0, most + 1):
        with pytest.raises(InvalidInput, match="A file for this has 1 byte to"):
            begin(session, owner, size, purpose)


def test_an_upload_is_its_senders_alone_and_ends_a_day_after_its_last_part(session, owner):
    upload = begin(session, owner)
    stranger = factories.learner(session, "Grace").id
    hours = timedelta(hours=1)
    with pytest.raises(NotFound):
        upload_rows.own_upload(session, upload.id, stranger, NOON)
    with pytest.raises(NotFound):
        take(session, upload.id, stranger, 0)
    with pytest.raises(NotFound):
        take(session, upload.id, owner, 3)
    take(session, upload.id, owner, 0, NOON + 20 * hours)
    assert upload_rows.own_upload(session, upload.id, owner, NOON + 43 * hours).missing == (1, 2)
    with pytest.raises(NotFound):
        upload_rows.own_upload(session, upload.id, owner, NOON + 44 * hours)
    assert list(upload_rows.expired(session, NOON + 43 * hours)) == []
    assert list(upload_rows.expired(session, NOON + 44 * hours)) == [upload.id]
    assert upload_rows.forget(session, [upload.id], NOON + 43 * hours) == 0
    assert upload_rows.forget(session, [upload.id], NOON + 44 * hours) == 1


@pytest.mark.each_database
def test_unfinished_uploads_of_one_person_are_limited(session, owner, monkeypatch):
    monkeypatch.setattr(upload_rows, "MAX_OPEN", 2)
    begin(session, owner)
    begin(session, owner)
    with pytest.raises(Refused, match="2 unfinished uploads"):
        begin(session, owner)


def test_a_part_that_is_there_is_not_placed_again_and_nothing_once_the_file_is_complete(session, owner):
    placed = []
    upload = begin(session, owner, 5)
    take(session, upload.id, owner, 0, place=lambda: placed.append("first"))
    take(session, upload.id, owner, 0, place=lambda: placed.append("second"))
    complete(session, upload.id, owner, 5)
    with pytest.raises(Refused, match="complete"):
        take(session, upload.id, owner, 0, place=lambda: placed.append("third"))
    assert placed == ["first"]


def test_a_file_of_another_size_than_its_parts_is_not_complete(session, owner):
    upload = begin(session, owner, 1000)
    take(session, upload.id, owner, 0)
    with pytest.raises(Refused, match="not whole on our side"):
        complete(session, upload.id, owner, 9)
    assert not upload_rows.own_upload(session, upload.id, owner, NOON).is_complete


def test_a_file_whose_sender_has_another_one_is_not_complete_and_begins_again(session, owner):
    upload = begin(session, owner, 5)
    take(session, upload.id, owner, 0)
    with pytest.raises(OtherFile):
        complete(session, upload.id, owner, 5, b"x" * 32)
    upload_rows.begin_again(session, upload.id, owner, NOON)
    assert upload_rows.own_upload(session, upload.id, owner, NOON).missing == (0,)
    take(session, upload.id, owner, 0)
    complete(session, upload.id, owner, 5)
    upload_rows.begin_again(session, upload.id, owner, NOON)
    assert upload_rows.own_upload(session, upload.id, owner, NOON).is_complete


@pytest.mark.parametrize("limit", ["MAX_BYTES_EACH", "MAX_BYTES_ALL"])
def test_the_files_that_are_kept_are_limited_in_bytes_also_finished_ones(session, owner, monkeypatch, limit):
    monkeypatch.setattr(upload_rows, limit, 10)
    upload = begin(session, owner, 6)
    take(session, upload.id, owner, 0)
    complete(session, upload.id, owner, 6)
    with pytest.raises(Refused, match="of the last day would have more than" if "EACH" in limit else "All files"):
        begin(session, owner, 5)
    other = factories.learner(session, "Grace").id
    if limit == "MAX_BYTES_EACH":
        assert begin(session, other, 5).bytes == 5
    assert upload_rows.begin(session, NewUpload("b.csv", 5, "import", owner), NOON + timedelta(days=1)).bytes == 5


@pytest.mark.parametrize(
    ("purpose", "head", "is_accepted"),
    [
        ("import", b"id,title\n1,A\n", True),
        ("import", b"\xef\xbb\xbfid,title\n", True),
        ("import", b'[{"id": 1}]', True),
        ("import", "título;área\n".encode(), True),
        ("import", b"PK\x03\x04", False),
        ("import", b"a\0b", False),
        ("import", "id".encode("utf-16"), False),
        ("import", PNG, False),
        ("image", PNG, True),
        ("image", JPEG, True),
        ("image", WEBP, True),
        ("image", b"<svg xmlns='http://www.w3.org/2000/svg'/>", False),
        ("image", b"<?xml version='1.0'?><svg/>", False),
        ("image", b"GIF89a", False),
        ("image", PDF, False),
        ("image", b"<html>" + PNG, False),
        ("lesson", MP4, True),
        ("lesson", WEBM, True),
        ("lesson", PDF, True),
        ("lesson", PNG, True),
        ("lesson", b"ID3\x04\x00\x00", True),
        ("lesson", b"\xff\xfb\x90\x44", True),
        ("lesson", b"\x00\x00\x00\x20ftypM4A \x00", True),
        ("lesson", b"WEBVTT\n\n00:00.000 --> 00:01.000\nHello", True),
        ("lesson", b"\xef\xbb\xbfWEBVTT - in English\r\n", True),
        ("lesson", b"WEBVTTX", False),
        ("image", b"ID3\x04\x00\x00", False),
        ("lesson", b"#!/bin/sh", False),
    ],
)
def test_a_file_is_what_its_first_bytes_say(purpose, head, is_accepted):
    assert (content_problem(purpose, head) is None) is is_accepted


def zipped(*entries, method=ZIP_STORED, extra=b""):
    target = BytesIO()
    with ZipFile(target, "w", method) as archive:
        for name, text in entries:
            info = ZipInfo(name)
            info.extra, info.compress_type = extra, method
            archive.writestr(info, text)
    return target.getvalue()


MIMETYPE = ("mimetype", contents.EPUB)
CHAPTER = ("text.xhtml", "<p>Hello</p>")
NO_EPUBS = {
    "a ZIP": zipped(CHAPTER),
    "another first entry": zipped(CHAPTER, MIMETYPE),
    "a compressed mimetype": zipped(MIMETYPE, CHAPTER, method=ZIP_DEFLATED),
    "an extra field": zipped(MIMETYPE, CHAPTER, extra=b"\x01\x00\x00\x00"),
    "another type": zipped(("mimetype", "application/vnd.oasis.opendocument.text"), CHAPTER),
    "a longer type": zipped(("mimetype", contents.EPUB + "x"), CHAPTER),
    "a line break behind the type": zipped(("mimetype", contents.EPUB + "\n"), CHAPTER),
    "an encrypted entry": book_files.epub("A", "b").replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01", 1),
    "the half of a head": zipped(MIMETYPE)[:40],
}


def test_an_epub_is_known_by_its_first_entry():
    for book in (book_files.epub("A book", "Text."), zipped(MIMETYPE, CHAPTER)):
        assert (contents.file_type(book[: contents.HEAD_BYTES]), contents.media_type(book)) == (contents.EPUB, None)
    assert (contents.file_type(PDF), contents.file_type(MP4)) == ("application/pdf", "video/mp4")


@pytest.mark.parametrize("head", NO_EPUBS.values(), ids=NO_EPUBS)
def test_another_zip_is_no_epub_and_is_told_what_one_has(head):
    assert (contents.file_type(head), contents.file_problem(head)) == (None, contents.NO_EPUB)


def test_what_is_no_zip_is_told_what_may_be_sent():
    assert contents.file_problem(b"#!/bin/sh") == contents.NO_LESSON_FILE


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"ID3\x03\x00", "audio/mpeg"),
        (b"\xff\xf3\x44", "audio/mpeg"),
        (b"\x00\x00\x00\x20ftypM4A ", "audio/mp4"),
        (MP4, "video/mp4"),
        (JPEG, "image/jpeg"),
        (b"WEBVTT", "text/vtt"),
    ],
)
def test_sound_and_captions_are_told_from_films_and_pictures(head, kind):
    assert contents.media_type(head) == kind
