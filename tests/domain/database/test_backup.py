"""scripts/backup and scripts/restore: a copy of a filled shop becomes a working database elsewhere."""

import gzip
import os
import shutil
import subprocess

import pytest
from sqlalchemy import create_engine, make_url, text

from config.settings import ROOT
from domain.checkout.priced import RequestedItem
from tests.domain.orders import selling
from tests.support import databases, factories
from tests.support.servers import new_schema
from tests.support.waiting import LIMIT_S

pytestmark = pytest.mark.mariadb


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


def checksums(url):
    """Table -> checksum of its rows."""
    engine = create_engine(make_url(url).set(drivername="mysql+pymysql"))
    with engine.connect() as connection:
        tables = [row[0] for row in connection.execute(text("SHOW TABLES"))]
        sums = {table: connection.execute(text(f"CHECKSUM TABLE {table}")).one()[1] for table in sorted(tables)}
    engine.dispose()
    return sums


@pytest.fixture(scope="module")
def shop(mariadb_server):
    """A shop with rows of many kinds, which no test changes."""
    db = databases.migrated_schema(mariadb_server)
    with db.write_session() as session:
        world = selling.fill(session, stock=3)
        selling.pay(session, selling.buy(session, world.learner, RequestedItem(world.course)))
        factories.learner(session, "\U0001f600 O'Neill \\ %s", email="odd@example.test")
    yield db.url
    db.engine.dispose()


@pytest.fixture(scope="module")
def copy(shop, tmp_path_factory):
    """A file that the script has written."""
    folder = tmp_path_factory.mktemp("copies")
    assert run("backup", folder, url=shop).returncode == 0
    (file,) = folder.glob("*.sql.gz")
    return file


def test_a_restored_copy_holds_every_row(shop, copy, mariadb_server):
    target = new_schema(mariadb_server)
    restored = run("restore", copy, url=target)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert checksums(target) == checksums(shop)
    assert "alembic_version" in checksums(target)


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
