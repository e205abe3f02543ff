"""`python -m host backup` and `restore`: a shop on SQLite is copied while it is written to, and restored elsewhere."""

import gzip
import os
import shutil
import sqlite3
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.backups import copies, database_copies, file_copies
from domain.backups.database_copies import check_copy, copy_database
from domain.database.database import Database, database_url
from domain.errors import Refused
from domain.learning.files import FileFacts, path_of, store, write_content
from domain.tables import Upkeep
from host.cli.care import backup, restore
from tests.host.cli import running
from tests.support import factories

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
LESSON = b"%PDF-1.7 a lesson"


def run(command, *words, var_dir, **more):
    settings = Settings.from_environment({"VAR_DIR": str(var_dir), **more})
    return running.run(command, settings, *words)


@contextmanager
def opened(var_dir):
    database = Database(database_url(None, var_dir), deadline_s=10)
    yield database
    database.engine.dispose()


def table_rows(path):
    """Table -> its rows, but for the one in which a copy notes itself afterwards."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in names if name != "upkeep"
        }


def contents(folder):
    """Path in the folder -> bytes, of whole files alone."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture(name="shop")
def fixture_shop(sqlite_template, tmp_path):
    """The folder of a shop with a learner and a file of a lesson; its database is open, so that its log is there."""
    var_dir = tmp_path / "shop"
    var_dir.mkdir()
    shutil.copy(sqlite_template, var_dir / "coursefront.db")
    with opened(var_dir) as database:
        with database.write_session() as session:
            store(session, var_dir / "files", LESSON, FileFacts("lesson.pdf", "application/pdf", "lesson"), NOON)
            factories.learner(session, "\U0001f600 O'Neill", email="odd@example.test")
        yield var_dir


@pytest.fixture(name="copy")
def fixture_copy(shop, tmp_path):
    assert run(backup, tmp_path / "copies", var_dir=shop) == 0
    return newest(tmp_path / "copies")


def newest(folder):
    return max(folder.glob("*.db.gz"))


def test_a_restored_copy_holds_every_row_and_every_file(shop, copy, tmp_path, capsys):
    new = tmp_path / "new"
    assert run(restore, copy, var_dir=new) == 0
    assert table_rows(new / "coursefront.db") == table_rows(shop / "coursefront.db")
    assert contents(new / "files") == contents(shop / "files")
    assert len(contents(new / "files")) == 1
    assert f"files of the database in {new}/files: 1; missing: 0\n" in capsys.readouterr().out
    # A copy has personal data.
    assert [path.stat().st_mode & 0o777 for path in (copy, new / "coursefront.db")] == [0o600, 0o600]


def test_what_is_committed_while_the_database_is_copied_is_not_in_the_copy(shop, tmp_path, monkeypatch):
    """The copy takes one page at a time: each commit would make a copy without a transaction of its own begin anew."""
    monkeypatch.setattr(database_copies, "PAGES_AT_ONCE", 1)
    before, writes = table_rows(shop / "coursefront.db"), 0
    with opened(shop) as database:

        def write(done, total):
            nonlocal writes
            if done < total and writes < 20:
                writes += 1
                with database.write_session() as session:
                    factories.learner(session, f"late {writes}", email=f"late{writes}@example.test")

        copy_database(shop / "coursefront.db", tmp_path / "copy.db", write)
    check_copy(tmp_path / "copy.db")
    assert writes == 20
    assert table_rows(tmp_path / "copy.db") == before
    assert len(table_rows(shop / "coursefront.db")["learners"]) == 21


def test_a_copy_notes_its_time_and_size(shop, copy):
    with opened(shop) as database, database.read_session() as session:
        row = session.scalars(select(Upkeep).where(Upkeep.name == "backup")).one()
    assert row.facts == {"bytes": copy.stat().st_size}


def test_a_file_that_is_deleted_after_the_snapshot_is_in_the_copy(shop, tmp_path, monkeypatch):
    """As the cleaning of unused pictures does: with its row, which the copy has."""
    sha256 = write_content(shop / "files", LESSON)
    copied = database_copies.copy_database

    def copy_then_delete(source, target, show):
        copied(source, target, show)
        path_of(shop / "files", sha256).unlink()

    monkeypatch.setattr(copies, "copy_database", copy_then_delete)
    assert run(backup, tmp_path / "copies", var_dir=shop) == 0
    assert contents(tmp_path / "copies" / "deleted-files") == {sha256: LESSON}
    assert run(restore, newest(tmp_path / "copies"), var_dir=tmp_path / "new") == 0
    assert path_of(tmp_path / "new" / "files", sha256).read_bytes() == LESSON


@pytest.mark.parametrize("is_damaged", [False, True], ids=["missing", "damaged"])
def test_a_file_that_no_copy_has_whole_is_named_and_not_restored(shop, copy, tmp_path, capsys, is_damaged):
    stored = path_of(copy.parent / "files", write_content(shop / "files", LESSON))
    if is_damaged:
        stored.write_bytes(LESSON[:-1])
    else:
        stored.unlink()
    assert run(restore, copy, var_dir=tmp_path / "new") == 1
    said = capsys.readouterr()
    assert "0; missing: 1\n" in said.out
    assert f"missing: {stored.name}\n" in said.err
    assert (f"damaged: {stored}\n" in said.err) == is_damaged
    assert contents(tmp_path / "new" / "files") == {}


def test_files_are_copied_once_and_a_deleted_one_stays_as_long_as_the_copies_that_may_name_it(tmp_path):
    source, folder = tmp_path / "files", tmp_path / "copies"
    one, two = (write_content(source, text) for text in (b"one", b"two"))
    (source / "uploads").mkdir()
    (source / "uploads" / "1").write_bytes(b"half")
    assert file_copies.copy_new_files(source, folder, lambda *_: None) == 2
    path_of(source, one).unlink()
    assert file_copies.copy_new_files(source, folder, lambda *_: None) == 0
    assert contents(folder) == {f"files/{two[:2]}/{two}": b"two", f"deleted-files/{one}": b"one"}
    os.utime(folder / "deleted-files" / one, (0, 0))
    assert copies.delete_old(folder, 14, NOON) == 1
    assert contents(folder) == {f"files/{two[:2]}/{two}": b"two"}


@pytest.mark.parametrize(("days", "is_kept"), [("14", False), ("0", True)])
def test_copies_that_are_too_old_are_deleted_after_a_new_one(shop, tmp_path, days, is_kept):
    folder = tmp_path / "copies"
    folder.mkdir()
    old = folder / "coursefront-20200101T000000Z.db.gz"
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    assert run(backup, folder, "--keep-days", days, var_dir=shop) == 0
    assert old.exists() == is_kept


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_nothing_is_overwritten_by_a_restore(copy, tmp_path, capsys, ending):
    new = tmp_path / "new"
    new.mkdir()
    (new / f"coursefront.db{ending}").write_bytes(b"mine")
    assert run(restore, copy, var_dir=new) == 1
    assert contents(new) == {f"coursefront.db{ending}": b"mine"}
    assert "is there already, and nothing is overwritten" in capsys.readouterr().err


def _empty(copy):
    with closing(sqlite3.connect(copy.with_name("empty.db"))) as database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
    return gzip.compress(copy.with_name("empty.db").read_bytes())


def _with_a_broken_page(copy):
    content = bytearray(gzip.decompress(copy.read_bytes()))
    content[4096 * 3 : 4096 * 5] = b"\xff" * 8192
    return gzip.compress(bytes(content))


DAMAGED = {
    "a truncated file": (lambda copy: copy.read_bytes()[:-100], "is damaged: Compressed file ended before"),
    "a changed byte": (lambda copy: copy.read_bytes()[:-5] + b"x" + copy.read_bytes()[-4:], "is damaged: "),
    "text": (lambda copy: b"no copy", "is damaged: Not a gzipped file"),
    "a compressed text": (lambda copy: gzip.compress(b"no database" * 1000), "The copy is damaged: file is not a data"),
    "a broken page": (_with_a_broken_page, "The copy is damaged: "),
    "another database": (_empty, "This is no database of a shop: it has no table files."),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_copy_that_is_not_whole_is_refused_and_leaves_nothing(copy, tmp_path, capsys, name):
    change, text = DAMAGED[name]
    copy.write_bytes(change(copy))
    assert run(restore, copy, var_dir=tmp_path / "new") == 1
    assert text in capsys.readouterr().err
    assert contents(tmp_path / "new") == {}


REFUSED_RESTORES = {
    "no file": ("nowhere.db.gz", {}, "There is no copy "),
    "a copy of MariaDB": ("shop.sql.gz", {}, "is a copy of MariaDB: scripts/restore restores it"),
    "MariaDB": ("nowhere.db.gz", {"DATABASE_URL": "mysql://root@127.0.0.1/shop"}, "DATABASE_URL names MariaDB"),
}


@pytest.mark.parametrize("name", REFUSED_RESTORES)
def test_what_cannot_be_restored_is_said(tmp_path, capsys, name):
    file, settings, text = REFUSED_RESTORES[name]
    assert run(restore, tmp_path / file, var_dir=tmp_path / "new", **settings) == 1
    assert text in capsys.readouterr().err


def _no_database(shop, _folder, _monkeypatch):
    for path in shop.glob("coursefront.db*"):
        path.unlink()


def _no_files(shop, _folder, _monkeypatch):
    shutil.rmtree(shop / "files")


def _broken(shop, _folder, _monkeypatch):
    for path in shop.glob("coursefront.db*"):
        path.unlink()
    (shop / "coursefront.db").write_bytes(b"no database" * 1000)


def _file_in_the_way(_shop, folder, _monkeypatch):
    folder.write_bytes(b"")


def _no_space(_shop, _folder, monkeypatch):
    monkeypatch.setattr(copies.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1 << 40, 1 << 40, 5 << 20))


FAILED_COPIES = {
    "no database": (_no_database, "There is no database "),
    "no files": (_no_files, "and the database names files: see FILES_DIR"),
    "no database but another file": (_broken, "file is not a database"),
    "a file where the folder should be": (_file_in_the_way, "File exists"),
    "a full disk": (_no_space, "has 5 MB free, and a copy needs up to "),
}


@pytest.mark.parametrize("name", FAILED_COPIES)
def test_a_copy_that_fails_says_why_and_leaves_the_old_ones(shop, tmp_path, monkeypatch, capsys, name):
    breaks, text = FAILED_COPIES[name]
    breaks(shop, tmp_path / "copies", monkeypatch)
    assert run(backup, tmp_path / "copies", var_dir=shop) == 1
    assert text in capsys.readouterr().err
    assert list((tmp_path / "copies").glob("*.gz")) == list((tmp_path / "copies").glob(".unfinished*")) == []


def test_the_folder_of_the_shop_itself_is_refused(shop, capsys):
    """Its files would be there already, and copied nowhere."""
    assert run(backup, shop, var_dir=shop) == 1
    assert "has the shop's own files, which would not be copied" in capsys.readouterr().err


def test_two_copies_are_not_written_into_a_folder_at_once(shop, copy, capsys):
    with copies._alone_in(copy.parent):
        assert run(backup, copy.parent, var_dir=shop) == 1
    assert "Another process is writing a copy into" in capsys.readouterr().err
    assert len(list(copy.parent.glob("*.db.gz"))) == 1


def test_a_restore_that_was_ended_may_be_begun_again(copy, tmp_path, monkeypatch):
    def ended(*_):
        raise KeyboardInterrupt

    new = tmp_path / "new"
    with monkeypatch.context() as broken:
        broken.setattr(copies, "restore_files", ended)
        with pytest.raises(KeyboardInterrupt):
            run(restore, copy, var_dir=new)
    assert contents(new) == {}
    assert run(restore, copy, var_dir=new) == 0


def test_a_shop_on_mariadb_is_told_of_its_script(tmp_path, capsys):
    assert run(backup, tmp_path, var_dir=tmp_path, DATABASE_URL="mysql://root@127.0.0.1/shop") == 1
    assert "scripts/backup copies it" in capsys.readouterr().err


def test_a_database_that_is_no_shop_is_not_copied(tmp_path):
    with closing(sqlite3.connect(tmp_path / "other.db")) as database:
        database.execute("CREATE TABLE other (id INTEGER)")
    with pytest.raises(Refused, match="no database of a shop: it has no table alembic_version"):
        check_copy(Path(tmp_path / "other.db"))
