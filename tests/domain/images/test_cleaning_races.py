"""A picture that one person takes away while another shows it: it stays, or whoever is late is told that it is gone.

SQLite has one writer at a time: there nothing happens meanwhile. A control reads before its locks at the level of a
snapshot (`keep_first_state`): at the level of writes that is no fault.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.errors import NotFound
from domain.images import image_rows, unused_files
from domain.images.image_rows import NewImage, Rendition, StoredImage
from domain.learning import files
from domain.organisations import profile
from domain.permissions import SystemActor, Tenant
from domain.publishing import product_images
from domain.publishing.entries import category_edits, entry_images
from domain.publishing.entries.category_edits import CATEGORY
from domain.publishing.entries.entry_images import ImageChoice
from domain.tables import Category, File, Image, Organisation, Product
from tests.support import factories, waiting
from tests.support.factories import NOON
from tests.support.snapshots import keep_first_state

pytestmark = pytest.mark.mariadb

STAFF = SystemActor("command", NOON)
ENTRY = category_edits.entry


class World:
    """A category that shows a picture, which a course or an organisation is about to show too."""

    def __init__(self, database: Database, folder: Path):
        self.db, self.files = database, folder / "files"
        path = folder / "a.webp"
        path.write_bytes(b"a picture")
        with database.write_session() as session:
            sender = factories.learner(session).id
            new = NewImage("a.png", "A", sender)
            self.image = image_rows.store(session, self.files, [Rendition(path, 400, 300)], new, NOON)
            self.category = factories.category(session).id
            self.course = factories.course(session, self.category).id
            self.tenant = Tenant(factories.organisation(session).id)
        self.choose(self.image.id)

    def choose(self, image_id: int | None) -> None:
        choice = ImageChoice(image_id, "A")
        self.db.write_as_sync(STAFF, entry_images.set_image, CATEGORY, self.category, choice)

    def take_away(self) -> None:
        self.choose(None)

    def on_course(self, session: Session) -> None:
        product_images.set_image(session, self.course, self.image.id, "A", NOON)

    def as_logo(self, session: Session) -> None:
        profile.put_logo(session, self.tenant, self.image.src)

    def unused(self) -> list[str]:
        with self.db.read_session() as session:
            return unused_files.find(session)

    def delete_files(self, digests: list[str]) -> None:
        self.db.write_sync(unused_files.delete, digests, self.files)

    def unlocked_picture(self, _session: Session, _image_id: int) -> StoredImage:
        """A negative control: as it was, read before the other's deletion."""
        return self.image

    def unlocked_address(self, _session: Session, _src: str) -> None:
        """A negative control: as it was."""

    def shown_and_there(self) -> tuple[int, int]:
        """How many show the picture, and how many rows it has."""
        with self.db.read_session() as session:
            columns = (Product.image, Organisation.logo)
            shown = [session.scalar(select(func.count()).where(column == self.image.src)) or 0 for column in columns]
            return sum(shown), session.scalar(select(func.count()).select_from(Image)) or 0


@pytest.fixture
def world(mariadb_database: Database, tmp_path: Path) -> World:
    return World(mariadb_database, tmp_path)


LATE = [
    (World.on_course, {}, True),
    (World.on_course, {"to_show": World.unlocked_picture}, False),
    (World.as_logo, {}, True),
    (World.as_logo, {"require_address": World.unlocked_address}, False),
]


@pytest.mark.parametrize(("show", "controls", "is_told"), LATE)
def test_whoever_shows_a_picture_while_it_is_deleted_is_told(world, monkeypatch, show, controls, is_told):
    for name, function in controls.items():
        monkeypatch.setattr(image_rows, name, partial(function, world))
    work: list[Future[None]] = []
    with ThreadPoolExecutor(1) as thread:

        def begin() -> None:
            work.append(thread.submit(world.db.write_as_sync, STAFF, lambda session: show(world, session)))
            waiting.until_blocked(world.db, work[0])

        once_before(world.db, "DELETE FROM images", begin, world.take_away)
    assert isinstance(work[0].exception(), NotFound) == is_told
    assert world.shown_and_there() == ((0, 0) if is_told else (1, 0))


def entry_after_reading(session: Session, *about: Any, **options: Any) -> Any:
    """The negative control: a plain SELECT before the locks."""
    session.scalars(select(Category.id)).all()
    return ENTRY(session, *about, **options)


EARLY = [(ENTRY, 1), (entry_after_reading, 0)]


@pytest.mark.parametrize("show", [World.on_course, World.as_logo])
@pytest.mark.parametrize(("entry", "there"), EARLY)
def test_a_picture_that_is_taken_away_while_another_shows_it_stays(world, monkeypatch, show, entry, there):
    keep_first_state(monkeypatch, world.db)
    monkeypatch.setattr(entry_images, "entry", entry)
    with ThreadPoolExecutor(1) as thread:

        def take_away_meanwhile(session: Session) -> None:
            show(world, session)
            session.flush()
            waiting.until_blocked(world.db, thread.submit(world.take_away))

        world.db.write_as_sync(STAFF, take_away_meanwhile)
    assert world.shown_and_there() == (1, there)


def store_again(session: Session, folder: Path) -> None:
    new = NewImage("a.png", "A", None)
    image_rows.store(session, folder / "files", [Rendition(folder / "a.webp", 400, 300)], new, NOON)


def written_first_alone(session: Session, folder: Path, content: bytes, *about: Any) -> File:
    """The negative control: as it was."""
    return files.add_row(session, files.write_content(folder, content), len(content), *about)


@pytest.mark.parametrize(("store", "has_contents"), [(files.store, True), (written_first_alone, False)])
def test_a_picture_that_is_stored_while_its_files_are_deleted_has_its_contents(
    world, tmp_path, monkeypatch, store, has_contents
):
    monkeypatch.setattr(files, "store", store)
    world.take_away()
    [digest] = world.unused()
    path = files.path_of(tmp_path / "files", digest)
    work: list[Future[None]] = []
    with ThreadPoolExecutor(1) as thread:

        def begin() -> None:
            work.append(thread.submit(world.db.write_sync, store_again, tmp_path))
            waiting.until_blocked(world.db, work[0])

        # The row is locked, and the contents are there: the first writing finds them.
        once_before(world.db, "SELECT images.sizes", begin, lambda: world.delete_files([digest]))
    work[0].result()
    assert (world.unused(), path.is_file()) == ([], has_contents)


def delete_after_reading(session: Session, *about: Any) -> int:
    """The negative control: a plain SELECT before the locks."""
    session.scalars(select(Category.id)).all()
    return unused_files.delete(session, *about)


@pytest.mark.parametrize(("delete_files", "is_there"), [(unused_files.delete, True), (delete_after_reading, False)])
def test_the_files_of_a_picture_that_is_being_stored_stay(world, tmp_path, monkeypatch, delete_files, is_there):
    keep_first_state(monkeypatch, world.db)
    world.take_away()
    [digest] = world.unused()
    with ThreadPoolExecutor(1) as thread:

        def store_meanwhile(session: Session) -> None:
            store_again(session, tmp_path)
            work = thread.submit(world.db.write_sync, delete_files, [digest], tmp_path / "files")
            waiting.until_blocked(world.db, work)

        world.db.write_sync(store_meanwhile)
    assert files.path_of(tmp_path / "files", digest).is_file() == is_there


def once_before(database: Database, statement: str, act: Callable[[], None], work: Callable[[], None]) -> None:
    """Do the work, and `act` immediately before its first such statement."""
    pending = [act]

    def hook(_connection: Any, _cursor: Any, text: str, *_about: Any) -> None:
        if text.startswith(statement) and pending:
            pending.pop()()

    event.listen(database.engine, "before_cursor_execute", hook)
    try:
        work()
    finally:
        event.remove(database.engine, "before_cursor_execute", hook)
    assert not pending
