"""Pictures as rows and files: what is shown in public, and what is not."""

import pytest
from sqlalchemy import select

from adapters.images import process
from adapters.images.process import convert
from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain.errors import InvalidInput, NotFound
from domain.images import image_rows, job
from domain.images.image_rows import NewImage
from domain.images.job import ImageInput
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.learning import files
from domain.learning.files import FileFacts
from domain.permissions import SystemActor
from domain.publishing import product_images
from domain.tables import CatalogueVersion, Image, Product
from domain.uploads import upload_rows
from tests.adapters.images.pictures import encoded, plain, write
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD


@pytest.fixture
def image(session, tmp_path):
    """1000 by 500 pixels, described as two halves."""
    renditions = convert(write(tmp_path, encoded(plain(), "PNG")), tmp_path)
    new = NewImage("halves.png", "Two halves", factories.learner(session).id)
    return image_rows.store(session, tmp_path / "files", renditions, new, NOON)


def digest(image):
    return image.src.removeprefix("/files/").removesuffix(".webp")


def test_a_picture_is_public_in_its_widths_and_in_no_other(session, image, tmp_path):
    assert (image.width, image.height, image.alt) == (1000, 500, "Two halves")
    assert image_rows.public_file(session, digest(image), None) == digest(image)
    assert image_rows.smaller_widths(image.src, image.width) == [400, 800]
    for width in image_rows.smaller_widths(image.src, image.width):
        assert files.path_of(tmp_path / "files", image_rows.public_file(session, digest(image), width)).is_file()
    assert image_rows.public_file(session, digest(image), 401) is None


def test_a_file_of_a_lesson_is_no_public_picture(session, tmp_path):
    row = files.store(session, tmp_path, b"secret", FileFacts("a.webp", "image/webp", "lesson"), NOON)
    assert image_rows.public_file(session, row.sha256, None) is None


@pytest.mark.parametrize("src", ["/pictures/course/tax/vat/0.svg", "https://x.example/files/a.webp", ""])
def test_a_picture_that_staff_did_not_send_has_one_size(src):
    assert image_rows.smaller_widths(src, 1600) == []


@pytest.mark.each_database
def test_a_job_stores_a_picture_once_and_a_broken_one_never(database, tmp_path):
    for upload_id, content in ((1, encoded(plain(), "PNG")), (2, b"\x89PNG\r\n\x1a\nbroken")):
        path = upload_rows.path_of(tmp_path, upload_id)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    with database.write_session() as session:
        learner_id = factories.learner(session).id
        inputs = [ImageInput(number, "a.png", "A", learner_id).as_json() for number in (1, 2, 3)]
        ids = [
            job_rows.start(session, NewJob(job.KIND, about, f"key {n}", learner_id), NOON)
            for n, about in enumerate(inputs)
        ]
    runner = JobRunner(database, kinds(tmp_path, USD))
    while runner.run_slice():
        pass
    with database.read_session() as session:
        views = [job_rows.job_view(session, job_id, [job.KIND]) for job_id in ids]
        assert len(session.scalars(select(Image.id)).all()) == 1
    assert [view.state for view in views] == ["done", "failed", "failed"]
    assert [view.report.get("error", "")[:27] for view in views] == [
        "",
        process.BROKEN[:27],
        "The picture is no longer he",
    ]


def test_a_product_shows_a_picture_described_by_a_person(database, tmp_path):
    with database.write_session() as session:
        course_id = factories.course(session, factories.category(session).id).id
        renditions = convert(write(tmp_path, encoded(plain(), "PNG")), tmp_path)
        new = NewImage("halves.png", "Two halves", factories.learner(session).id)
        image = image_rows.store(session, tmp_path / "files", renditions, new, NOON)
        version = session.scalar(select(CatalogueVersion.number)) or 0

    def change(alt, image_id=image.id):
        database.write_as_sync(SystemActor("command", NOON), product_images.set_image, course_id, image_id, alt, NOON)

    with pytest.raises(InvalidInput):
        change(" ")
    with pytest.raises(NotFound):
        change("A", image.id + 1)
    change("A desk")
    change("A desk")
    with database.read_session() as session:
        product = session.get_one(Product, course_id)
        assert (product.image, product.image_width, product.image_alt) == (image.src, 1000, "A desk")
        assert session.scalar(select(CatalogueVersion.number)) == version + 1
