"""Files of lessons: shown by links that this site made, to their learner, for four hours."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.errors import InvalidInput
from domain.learning import files
from domain.learning.files import FileFacts
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from host.auth.file_links import FILE_LINKS
from tests.host.learning.studies import COURSE, enrol
from tests.host.signing import learner
from tests.host.site import Site

NOW = datetime.now(UTC)
VIDEO, CAPTIONS = b"\x00\x00\x00\x18ftypmp42" + bytes(2000), b"WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n"
PICTURE, SHEET = b"\x89PNG\r\n\x1a\n" + bytes(50), b"%PDF-1.4 a sheet"
KINDS = {"video/mp4": VIDEO, "text/vtt": CAPTIONS, "image/png": PICTURE, "application/pdf": SHEET}
NAMES = {"video/mp4": "film.mp4", "text/vtt": "en.vtt", "image/png": "a.png", "application/pdf": 'Blätter "2".pdf'}


def stored(site: Site) -> dict[str, str]:
    """Media type -> SHA-256 of a stored file of it."""
    with site.db.write_session() as session:
        return {
            kind: files.store(
                session, site.settings.files_folder, content, FileFacts(NAMES[kind], kind, "lesson"), NOW
            ).sha256
            for kind, content in KINDS.items()
        }


def video(digests: dict[str, str]) -> dict:
    return {
        "text": "Watch it.",
        "files": [{"sha256": digests["video/mp4"], "media_type": "video/mp4"}],
        "captions": [{"sha256": digests["text/vtt"], "language": "en", "label": "English"}],
        "poster": digests["image/png"],
        "transcript": [{"start": 0, "end": 2.5, "text": "Hello."}],
    }


def put(site: Site, *records: LessonRecord) -> None:
    with site.db.write_session() as session:
        publishing_lessons.put_lessons(session, site.id_of(COURSE), (SectionRecord("All", records),), NOW)


@pytest.fixture
async def world(own_site):
    """A site with a video, a file and a text with a picture, and the bodies of these lessons as Ada gets them."""
    ada = learner(own_site)
    digests = stored(own_site)
    text = (
        f"See ![a & b](/files/{digests['image/png']}) and ![gone](/files/{'0' * 64}) ![other](https://evil.example/x)"
    )
    put(
        own_site,
        LessonRecord("Film", 5, kind="video", body=video(digests)),
        LessonRecord("Sheet", 5, kind="file", body={"text": "Fill it in.", "sha256": digests["application/pdf"]}),
        LessonRecord("Text", 5, body={"text": text}),
    )
    enrol(own_site, ada)
    _, course = await ada.get(f"learning/courses/{own_site.id_of(COURSE)}")
    ids = [lesson["id"] for lesson in course["sections"][0]["lessons"]]
    lessons = [(await ada.get(f"learning/lessons/{lesson}"))[1] for lesson in ids]
    return own_site, ada, {lesson["title"]: lesson["body"] for lesson in lessons}


async def test_a_video_has_its_files_captions_and_transcript(world):
    site, _, bodies = world
    film = bodies["Film"]
    assert (film["kind"], film["transcript"], film["embed"]) == (
        "video",
        [{"start": 0.0, "end": 2.5, "text": "Hello."}],
        None,
    )
    [source], [track] = film["sources"], film["captions"]
    answer = await site.get(source["src"])
    assert (answer.status, answer.content_type, await answer.read()) == (200, "video/mp4", VIDEO)
    assert (await site.get(track["src"])).content_type == "text/vtt"
    assert (await site.get(film["poster"])).content_type == "image/png"


async def test_a_part_of_a_file_can_be_fetched(world):
    site, _, bodies = world
    answer = await site.get(bodies["Film"]["sources"][0]["src"], Range="bytes=4-7")
    assert (answer.status, await answer.read()) == (206, b"ftyp")
    assert answer.headers["Content-Range"] == f"bytes 4-7/{len(VIDEO)}"


async def test_a_document_is_saved_and_nothing_of_it_runs(world):
    site, _, bodies = world
    sheet = bodies["Sheet"]
    assert (sheet["name"], sheet["bytes"], sheet["mediaType"]) == (
        NAMES["application/pdf"],
        len(SHEET),
        "application/pdf",
    )
    answer = await site.get(sheet["href"])
    assert (answer.status, answer.content_type, await answer.read()) == (200, "application/pdf", SHEET)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"].startswith("private")


async def test_a_text_shows_its_own_pictures_and_no_others(world):
    site, _, bodies = world
    html = bodies["Text"]["html"]
    assert html.count("<img") == 1
    address = html.partition('src="')[2].partition('"')[0].replace("&amp;", "&")
    assert (await site.get(address)).status == 200
    assert "evil.example" not in html


async def test_a_link_of_another_file_learner_or_time_is_unknown(world):
    site, ada, bodies = world
    good = bodies["Sheet"]["href"]
    assert (await site.get(good)).status == 200
    path, _, query = good.partition("?")
    number = int(path.split("/")[3])
    for bad in (
        path,
        good.replace(f"/{number}/", f"/{number - 1}/"),
        good.replace(f"u={ada.id}", f"u={ada.id + 1}"),
        good.replace("until=", "until=9"),
        f"{good}x",
        f"{path}?{query.replace('sig=', 'sig=é')}",
        f"{path}?u=1&until=99999999999&sig=",
    ):
        assert (bad, (await site.get(bad)).status) == (bad, 404)


async def test_a_link_ends_after_four_hours(world):
    site, ada, _ = world
    with site.db.read_session() as session:
        [file] = [
            row for row in files.by_digests(session, list(stored(site).values())).values() if row.name == "en.vtt"
        ]
    links, now = site.app[FILE_LINKS], datetime.now(UTC)
    # The end is rounded down to ten minutes.
    assert (await site.get(links.href(file, ada.id, now - timedelta(hours=3, minutes=30)))).status == 200
    assert (await site.get(links.href(file, ada.id, now - timedelta(hours=4)))).status == 404


async def test_a_lesson_whose_file_is_gone_says_so_with_its_reference_and_is_counted(world, caplog):
    site, ada, _ = world
    for path in site.settings.files_folder.rglob("*"):
        if path.is_file():
            path.unlink()
    _, course = await ada.get(f"learning/courses/{site.id_of(COURSE)}")
    film = course["sections"][0]["lessons"][0]["id"]
    status, lesson = await ada.get(f"learning/lessons/{film}")
    assert (status, lesson["body"]) == (200, {"kind": "missing", "reference": f"L{film}-1"})
    assert f"L{film}-1" in caplog.text
    page = await site.get(f"/data/user-dashboard?course={COURSE}&lesson={film}", **ada.headers)
    assert (await page.json())["props"]["learning"]["lesson"]["body"]["kind"] == "missing"
    assert (await (await site.get("/readyz")).json())["counts"]["lessons_unshown"] == 2


MISSING = {"captions": ([], "captions"), "transcript": ([], "transcript"), "files": ([], "files")}


@pytest.mark.parametrize(("name", "refused"), MISSING.items(), ids=MISSING)
async def test_a_video_without_its_parts_is_refused(own_site, name, refused):
    value, field = refused
    body = {**video(stored(own_site)), name: value}
    with pytest.raises(InvalidInput) as raised:
        put(own_site, LessonRecord("Film", 5, kind="video", body=body))
    assert field in raised.value.errors
