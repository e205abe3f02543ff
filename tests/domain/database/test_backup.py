"""scripts/backup and scripts/restore: a copy of a filled shop becomes a working database, with its files, elsewhere."""

import gzip
import hashlib
import os
import shutil
import subprocess
from datetime import UTC, datetime
from functools import partial

import pytest
from sqlalchemy import create_engine, make_url, text

from config.settings import ROOT
from domain.checkout.priced import RequestedItem
from domain.learning import files
from domain.learning.files import FileFacts, write_content
from tests.domain.orders import selling
from tests.support import databases, factories
from tests.support.servers import new_schema
from tests.support.waiting import LIMIT_S

pytestmark = pytest.mark.mariadb
LESSON = b"%PDF-1.7 a lesson"
_DIGEST = hashlib.sha256(LESSON).hexdigest()
LESSON_NAME = f"{_DIGEST[:2]}/{_DIGEST}"


def run(script, *words, url, **variables):
    """Runs a script for the database at `url`; the completed process."""
    parts = make_url(url)
    variables |= {
        "DB_HOST": parts.host,
        "DB_PORT": str(parts.port),
        "DB_USER": parts.username,
        "DB_NAME": parts.database,
    }
    command = [str(ROOT / "scripts" / script), *map(str, words)]
    environment = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def contents(folder):
    """Path in the folder -> bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def checksums(url):
    """Table -> checksum of its rows, but for the one in which a copy notes itself afterwards."""
    engine = create_engine(make_url(url).set(drivername="mysql+pymysql"))
    with engine.connect() as connection:
        tables = [row[0] for row in connection.execute(text("SHOW TABLES")) if row[0] != "upkeep"]
        sums = {table: connection.execute(text(f"CHECKSUM TABLE {table}")).one()[1] for table in sorted(tables)}
    engine.dispose()
    return sums


@pytest.fixture(scope="module")
def files_dir(tmp_path_factory):
    """The folder of the shop's files."""
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def shop(mariadb_server, files_dir):
    """A shop with rows of many kinds and a file of a lesson, which no test changes."""
    db = databases.migrated_schema(mariadb_server)
    with db.write_session() as session:
        files.store(session, files_dir, LESSON, FileFacts("lesson.pdf", "application/pdf", "lesson"), datetime.now(UTC))
        world = selling.fill(session, stock=3)
        selling.pay(session, selling.buy(session, world.learner, RequestedItem(world.course)))
        factories.learner(session, "\U0001f600 O'Neill \\ %s", email="odd@example.test")
    yield db.url
    db.engine.dispose()


@pytest.fixture(scope="module")
def copy(shop, files_dir, tmp_path_factory):
    """A copy that the script has written. An upload that is not finished is no file of the shop."""
    folder = tmp_path_factory.mktemp("copies")
    (files_dir / "uploads").mkdir()
    (files_dir / "uploads" / "1").write_bytes(b"half")
    assert run("backup", folder, url=shop, FILES_DIR=str(files_dir)).returncode == 0
    (file,) = folder.glob("*.sql.gz")
    return file


def test_a_restored_copy_holds_every_row_and_every_file(shop, copy, mariadb_server, tmp_path):
    target = new_schema(mariadb_server)
    restored = run("restore", copy, url=target, FILES_DIR=str(tmp_path / "files"))
    assert (restored.returncode, restored.stderr) == (0, "")
    assert checksums(target) == checksums(shop)
    assert "alembic_version" in checksums(target)
    assert f"files of the database in {tmp_path}/files: 1; missing: 0\n" in restored.stdout
    assert contents(tmp_path / "files") == {LESSON_NAME: LESSON}


def test_a_copy_notes_its_time_and_size_and_a_later_one_replaces_them(shop, copy, tmp_path):
    def noted():
        engine = create_engine(make_url(shop).set(drivername="mysql+pymysql"))
        with engine.connect() as connection:
            query = "SELECT UNIX_TIMESTAMP(at), JSON_VALUE(facts, '$.bytes') FROM upkeep WHERE name = 'backup'"
            rows = connection.execute(text("SET time_zone = '+00:00'")) and connection.execute(text(query)).all()
        engine.dispose()
        return [(float(at), int(size)) for at, size in rows]

    begun = datetime.now(UTC).timestamp()
    assert run("backup", tmp_path, url=shop).returncode == 0
    (file,) = tmp_path.glob("*.sql.gz")
    [(at, size)] = noted()
    assert int(begun) <= at <= datetime.now(UTC).timestamp()
    assert size == file.stat().st_size


def test_a_database_of_an_older_release_is_copied_all_the_same(mariadb_server, tmp_path):
    older = new_schema(mariadb_server)
    copied = run("backup", tmp_path, url=older)
    assert (copied.returncode, len(list(tmp_path.glob("*.sql.gz")))) == (0, 1)
    assert "the table upkeep could not be written" in copied.stderr


@pytest.mark.parametrize("is_damaged", [False, True], ids=["missing", "damaged"])
def test_a_file_that_no_copy_has_whole_is_counted_and_not_restored(copy, mariadb_server, tmp_path, is_damaged):
    other = tmp_path / copy.name
    shutil.copy(copy, other)
    if is_damaged:
        stored = other.parent / "files" / LESSON_NAME
        stored.parent.mkdir(parents=True)
        stored.write_bytes(LESSON[:-1])
    restored = run("restore", other, url=new_schema(mariadb_server), FILES_DIR=str(tmp_path / "new"))
    assert (restored.returncode, contents(tmp_path / "new")) == (1, {})
    assert f"files of the database in {tmp_path}/new: 0; missing: 1\n" in restored.stdout
    assert ("damaged: " in restored.stderr) == is_damaged


def test_files_are_copied_once_and_a_deleted_one_stays_as_long_as_the_copies_that_name_it(shop, tmp_path):
    source, folder = tmp_path / "shop", tmp_path / "copies"
    one, two = (write_content(source, text) for text in (b"one", b"two"))
    backup = partial(run, "backup", folder, url=shop, FILES_DIR=str(source))
    assert backup().returncode == 0
    first = files.path_of(folder / "files", two).stat().st_mtime_ns
    files.path_of(source, one).unlink()
    assert backup().returncode == 0
    assert contents(folder / "files") == {f"{two[:2]}/{two}": b"two"}
    assert files.path_of(folder / "files", two).stat().st_mtime_ns == first
    assert contents(folder / "deleted-files") == {one: b"one"}
    os.utime(folder / "deleted-files" / one, (0, 0))
    assert backup().returncode == 0
    assert contents(folder / "deleted-files") == {}


def test_a_file_that_is_deleted_after_the_dump_was_begun_is_in_the_copy(shop, tmp_path):
    """As the cleaning of unused pictures does: with its row, which the copy has."""
    source, folder, programs = tmp_path / "shop", tmp_path / "copies", tmp_path / "bin"
    one = write_content(source, b"one")
    programs.mkdir()
    deleting = programs / "mariadb-dump"
    deleting.write_text(f'#!/bin/sh\n{shutil.which("mariadb-dump")} "$@" && rm {files.path_of(source, one)}\n')
    deleting.chmod(0o755)
    copied = run("backup", folder, url=shop, FILES_DIR=str(source), PATH=f"{programs}:{os.environ['PATH']}")
    assert (copied.returncode, contents(folder / "deleted-files")) == (0, {one: b"one"})


def test_the_folder_of_the_shop_itself_is_refused(shop, tmp_path):
    """Its files would be there already, and copied nowhere."""
    write_content(tmp_path / "files", b"one")
    failed = run("backup", tmp_path, url=shop, FILES_DIR=str(tmp_path / "files"))
    assert (failed.returncode, list(tmp_path.glob("*.gz"))) == (1, [])
    assert "has the shop's own files, which would not be copied" in failed.stderr


def test_files_that_cannot_be_read_do_not_count_as_deleted(shop, tmp_path):
    source, folder = tmp_path / "shop", tmp_path / "copies"
    one = write_content(source, b"one")
    assert run("backup", folder, url=shop, FILES_DIR=str(source)).returncode == 0
    copies = list(folder.glob("*.sql.gz"))
    failed = run("backup", folder, url=shop, FILES_DIR=str(tmp_path / "elsewhere"))
    assert (failed.returncode, failed.stderr.splitlines()[-1]) == (1, "backup failed: the files could not be copied")
    assert (contents(folder / "files"), list(folder.glob("*.sql.gz"))) == ({f"{one[:2]}/{one}": b"one"}, copies)


def test_a_database_with_tables_is_not_overwritten(shop, copy):
    before = checksums(shop)
    refused = run("restore", copy, url=shop)
    assert (refused.returncode, checksums(shop)) == (1, before)
    assert "name an empty one in DB_NAME" in refused.stderr


def test_a_damaged_copy_is_refused(mariadb_server, tmp_path):
    damaged = tmp_path / "shop.sql.gz"
    damaged.write_bytes(gzip.compress(b"CREATE TABLE products (id INT);")[:-4])
    target = new_schema(mariadb_server)
    assert run("restore", damaged, url=target).returncode == 1
    assert checksums(target) == {}


def test_an_interrupted_copy_leaves_no_file_and_keeps_the_old_ones(shop, tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    interrupted = programs / "mariadb-dump"
    interrupted.write_text("#!/bin/sh\necho 'CREATE TABLE products (id INT);'\n")
    interrupted.chmod(0o755)
    old = tmp_path / f"{make_url(shop).database}-20200101T000000Z.sql.gz"
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    failed = run("backup", tmp_path, url=shop, PATH=f"{programs}:{os.environ['PATH']}")
    assert (failed.returncode, failed.stderr) == (1, "backup failed: the copy is incomplete\n")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [old.name]


@pytest.mark.parametrize(("days", "is_kept"), [("14", False), ("0", True)])
def test_copies_that_are_too_old_are_deleted_after_a_new_one(shop, tmp_path, days, is_kept):
    old = tmp_path / f"{make_url(shop).database}-20200101T000000Z.sql.gz"
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    assert run("backup", tmp_path, url=shop, BACKUP_KEEP_DAYS=days).returncode == 0
    assert old.exists() == is_kept


def test_the_scripts_need_the_client_programs_only():
    assert [name for name in ("mariadb-dump", "mariadb", "gzip") if shutil.which(name) is None] == []
