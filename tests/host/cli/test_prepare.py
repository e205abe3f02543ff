"""`python -m host prepare`, run as a process of its own: a new database, and one of an earlier build."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from sqlalchemy import func, select

from domain.database.database import Database, database_url
from domain.learning.files import path_of
from domain.migrations import runner
from domain.seed.lessons import lesson_files
from domain.tables import Coupon, File, Product, Visit
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).resolve().parents[3]
OLD_SCHEMA = ROOT / "tests/data/database_0006.sql"


def prepare(var_dir: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    settings = {"VAR_DIR": str(var_dir), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **more}
    command = [sys.executable, "-m", "host", "prepare", *words]
    return subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def test_a_new_database_gets_its_tables_and_the_demo_shop(tmp_path):
    assert prepare(tmp_path / "var").returncode == 0
    database = Database(database_url(None, tmp_path / "var"))
    assert runner.is_current(database.engine)
    with database.read_session() as session:
        counts = [session.scalar(select(func.count()).select_from(table)) for table in (Coupon, Visit)]
        files = [
            (path_of(tmp_path / "var" / "files", file.sha256), file.bytes) for file in session.scalars(select(File))
        ]
    database.engine.dispose()
    assert all(counts)
    assert len(files) == 6 + len(lesson_files.paths())
    assert [path.stat().st_size for path, _ in files] == [size for _, size in files]


def test_without_the_demo_shop_a_new_database_stays_empty(tmp_path):
    assert prepare(tmp_path, DEMO_SHOP="off").returncode == 0
    database = Database(database_url(None, tmp_path))
    with database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Product)) == 0
    database.engine.dispose()


def test_a_database_of_an_earlier_build_is_refused_with_one_sentence_and_left_as_it_is(tmp_path):
    file = tmp_path / "coursefront.db"
    old = sqlite3.connect(file)
    old.executescript(OLD_SCHEMA.read_text("utf-8"))
    old.close()
    before = file.read_bytes()
    result = prepare(tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "The database was made by an earlier build (revision 0006) and cannot be upgraded: delete var/ or point "
        "DATABASE_URL at an empty database, then start again.\n"
    )
    assert file.read_bytes() == before


def test_a_release_is_rolled_back_to_the_revision_of_the_one_before_and_forward_again(tmp_path):
    for revision in ("0002_outbox", "0001_baseline", "0002_outbox"):
        result = prepare(tmp_path, "--to", revision)
        assert (result.returncode, result.stdout) == (0, f"The database is at revision {revision}.\n")
        with sqlite3.connect(tmp_path / "coursefront.db") as database:
            assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (revision,)
    assert prepare(tmp_path, "--no-demo").returncode == 0


def test_a_revision_that_does_not_exist_is_named_with_those_that_do(tmp_path):
    result = prepare(tmp_path, "--to", "0099_later")
    assert result.returncode == 1
    assert result.stderr.startswith("There is no revision '0099_later'; this build knows 0001_baseline, 0002_outbox, ")
