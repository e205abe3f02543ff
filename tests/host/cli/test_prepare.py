"""`python -m host prepare`: a new database, an empty one, and one of an earlier build."""

import os
import sqlite3
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import func, select

from config.settings import ROOT, Settings
from domain.database.database import Database, database_url
from domain.learning.files import path_of
from domain.migrations import runner
from domain.seed.lessons import lesson_files
from domain.tables import Coupon, File, Product, Visit
from host.cli import prepare as command
from tests.support import factories
from tests.support.waiting import LIMIT_S


def prepare(var_dir: Path, *words: str, **more: str) -> int:
    parser = ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words), Settings.from_environment({"VAR_DIR": str(var_dir), **more}))


def products(database: Database) -> int:
    with database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Product)) or 0


@contextmanager
def opened(folder: Path) -> Iterator[Database]:
    database = Database(database_url(None, folder))
    yield database
    database.engine.dispose()


def test_a_new_database_gets_its_tables_and_the_demo_shop(tmp_path):
    assert prepare(tmp_path / "var") == 0
    with opened(tmp_path / "var") as database:
        assert runner.is_current(database.engine)
        with database.read_session() as session:
            counts = [session.scalar(select(func.count()).select_from(table)) for table in (Coupon, Visit)]
            files = [
                (path_of(tmp_path / "var" / "files", file.sha256), file.bytes) for file in session.scalars(select(File))
            ]
    assert all(counts)
    assert len(files) == 6 + len(lesson_files.paths())
    assert [path.stat().st_size for path, _ in files] == [size for _, size in files]


def test_a_release_is_rolled_back_to_the_revision_of_the_one_before(tmp_path, capsys):
    newest = runner.newest()
    assert prepare(tmp_path, "--to", newest) == 0
    assert capsys.readouterr().out == f"The database is at revision {newest}.\n"
    with closing(sqlite3.connect(tmp_path / "coursefront.db")) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (newest,)
    assert prepare(tmp_path, "--no-demo") == 0
    with opened(tmp_path) as database:
        assert (runner.is_current(database.engine), products(database)) == (True, 0)


def test_a_shop_with_products_gets_no_demo_data(tmp_path):
    assert prepare(tmp_path, "--no-demo") == 0
    with opened(tmp_path) as database:
        with database.write_session() as session:
            factories.course(session, factories.category(session).id)
        assert prepare(tmp_path) == 0
        with database.read_session() as session:
            counts = [session.scalar(select(func.count()).select_from(table)) for table in (Product, Coupon)]
    assert counts == [1, 0]


def test_a_start_that_migrates_nothing_loads_neither_alembic_nor_the_demo_shop(tmp_path):
    """As a process of its own: tests have loaded both."""
    assert prepare(tmp_path, "--no-demo") == 0
    code = "import sys; sys.argv = ['host', 'prepare', '--no-demo']; from host.__main__ import main; main(); "
    code += "print(sorted({'alembic', 'domain.seed.demo_shop', 'reportlab'} & {*sys.modules}))"
    settings = {"VAR_DIR": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", code]
    result = subprocess.run(words, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=LIMIT_S, check=True)
    assert result.stdout == "[]\n"


def test_without_the_demo_shop_an_empty_database_stays_empty(sqlite_database, tmp_path):
    assert prepare(tmp_path, DEMO_SHOP="off") == 0
    assert products(sqlite_database) == 0


def test_a_database_of_an_earlier_build_is_refused_with_one_sentence_and_left_as_it_is(tmp_path):
    """As a process of its own: its status and its output."""
    file = tmp_path / "coursefront.db"
    with closing(sqlite3.connect(file)) as old:
        old.execute("PRAGMA journal_mode=WAL")
        old.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        old.execute("INSERT INTO alembic_version VALUES ('0060_names')")
        old.commit()
    before = file.read_bytes()
    settings = {"VAR_DIR": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "host", "prepare"]
    result = subprocess.run(words, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "The database was made by an earlier build (revision 0060_names) and cannot be upgraded: delete var/ or "
        "point DATABASE_URL at an empty database, then start again.\n"
    )
    assert file.read_bytes() == before


def test_a_revision_that_does_not_exist_is_named_with_those_that_do(tmp_path, capsys):
    assert prepare(tmp_path, "--to", "0199_later") == 1
    said = "There is no revision '0199_later'; this build knows 0100_baseline"
    assert capsys.readouterr().err.startswith(said)
