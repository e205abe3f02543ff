"""The spool: durable, oldest batch first, bounded, without unfinished files."""

import os
from pathlib import Path

import pytest

from host.messaging.spool import Spool, SpoolFull

MANY = 2**20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "spool"


def drained(spool: Spool) -> list:
    rows = []
    for path in spool.pending():
        rows += spool.read(path)
        spool.remove(path)
    return rows


def test_a_written_batch_can_be_read(folder):
    spool = Spool(folder, MANY)
    spool.write([{"n": 1, "url": "/é📚"}])
    assert drained(spool) == [{"n": 1, "url": "/é📚"}]
    assert drained(spool) == []


def test_the_oldest_batch_comes_first(folder):
    spool = Spool(folder, MANY)
    for number in range(10):
        spool.write([{"n": number}])
    for path in spool.pending():
        (row,) = spool.read(path)
        os.utime(path, ns=(0, (100 - row["n"]) * 10**9))
    assert [row["n"] for row in drained(spool)] == list(range(9, -1, -1))


def test_a_batch_is_synced_file_and_folder_before_it_counts(folder, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(Path(os.readlink(f"/proc/self/fd/{handle}")).suffix))
    Spool(folder, MANY).write([{"n": 1}])
    assert synced == [".part", ""]


def test_an_unfinished_file_is_not_sent(folder):
    spool = Spool(folder, MANY)
    (folder / "torn.part").write_bytes(b'[{"n": 1')
    assert spool.pending() == []


def test_a_full_spool_refuses_and_keeps_its_batches(folder):
    spool = Spool(folder, 40)
    spool.write([{"n": 1}])
    with pytest.raises(SpoolFull, match="reached its limit"):
        spool.write([{"n": 22222222}])
    assert drained(spool) == [{"n": 1}]
    spool.write([{"n": 2}])


def test_files_of_an_earlier_process_count_towards_the_limit(folder):
    Spool(folder, MANY).write([{"n": 1}])
    with pytest.raises(SpoolFull):
        Spool(folder, 30).write([{"n": 2}])


def test_a_failing_disk_leaves_no_unfinished_file(folder, monkeypatch):
    def full(_handle) -> None:
        raise OSError(28, "No space left on device")

    spool = Spool(folder, MANY)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SpoolFull, match="No space left"):
            spool.write([{"n": 1}])
    assert list(folder.iterdir()) == []
    spool.write([{"n": 2}])
    assert drained(spool) == [{"n": 2}]


@pytest.mark.parametrize("text", [b"", b"[{", b"\xff", b"nonsense"])
def test_a_malformed_file_is_renamed_to_broken(folder, text, caplog):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(text)
    assert drained(spool) == []
    assert [path.name for path in folder.iterdir()] == ["a.broken"]
    assert "renamed to .broken" in caplog.text


@pytest.mark.parametrize("text", [b"{}", b"7", b'"x"', b"null", b"[1]"])
def test_a_file_without_rows_is_renamed_too(folder, text):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(text)
    assert drained(spool) == []
    assert [path.name for path in folder.iterdir()] == ["a.broken"]


def test_a_file_of_a_newer_build_stays_for_it(folder, caplog):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_text('{"v": 2, "rows": {"packed": "?"}}')
    assert [spool.read(path) for path in [*spool.pending(), *spool.pending()]] == [None, None]
    assert [path.name for path in folder.iterdir()] == ["a.json"]
    assert [record.message for record in caplog.records] == [
        "spooled batch a.json waits for a newer host: VisitBatch has version 2, which only a newer build can read"
    ]


def test_a_file_that_another_build_could_not_read_is_sent_again_by_one_that_can(folder):
    Spool(folder, MANY).write([{"n": 1}])
    (path,) = folder.iterdir()
    path.rename(path.with_suffix(".broken"))
    (folder / "torn.broken").write_bytes(b"[{")
    assert drained(Spool(folder, MANY)) == [{"n": 1}]
    assert [path.name for path in folder.iterdir()] == ["torn.broken"]


def test_a_batch_that_another_process_has_sent_is_skipped(folder):
    one, other = Spool(folder, MANY), Spool(folder, MANY)
    one.write([{"n": 1}])
    (path,) = other.pending()
    assert drained(one) == [{"n": 1}]
    assert other.read(path) == []
    other.remove(path)
