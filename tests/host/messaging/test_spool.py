"""The spool: durable, oldest batch first, bounded, without unfinished files."""

import json
import os
from pathlib import Path

import pytest

from host.messaging.spool import Spool, SpoolFull

MANY = 2**20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "spool"


def batch(*values: object) -> bytes:
    """A batch of one row."""
    return json.dumps({"v": 2, "columns": ["n"], "rows": [values]}).encode()


def drained(spool: Spool) -> list[bytes]:
    batches = []
    for path in spool.pending():
        payload = spool.read(path)
        if payload is not None:
            batches.append(payload)
            spool.remove(path)
    return batches


def test_a_written_batch_can_be_read(folder):
    spool = Spool(folder, MANY)
    spool.write(batch(1, "/é📚"))
    assert drained(spool) == [batch(1, "/é📚")]
    assert drained(spool) == []


def test_the_oldest_batch_comes_first(folder):
    spool = Spool(folder, MANY)
    for number in range(10):
        spool.write(batch(number))
    for path in spool.pending():
        payload = spool.read(path)
        assert payload is not None
        os.utime(path, ns=(0, (100 - json.loads(payload)["rows"][0][0]) * 10**9))
    assert drained(spool) == [batch(number) for number in range(9, -1, -1)]


def test_a_batch_is_synced_file_and_folder_before_it_counts(folder, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(Path(os.readlink(f"/proc/self/fd/{handle}")).suffix))
    Spool(folder, MANY).write(batch(1))
    assert synced == [".part", ""]


def test_an_unfinished_file_is_not_sent(folder):
    spool = Spool(folder, MANY)
    (folder / "torn.part").write_bytes(b'[{"n": 1')
    assert spool.pending() == []


def test_a_full_spool_refuses_and_keeps_its_batches(folder):
    spool = Spool(folder, len(batch(1)))
    spool.write(batch(1))
    with pytest.raises(SpoolFull, match="reached its limit"):
        spool.write(batch(22222222))
    assert drained(spool) == [batch(1)]
    spool.write(batch(2))


def test_files_of_an_earlier_process_count_towards_the_limit(folder):
    Spool(folder, MANY).write(batch(1))
    with pytest.raises(SpoolFull):
        Spool(folder, len(batch(1))).write(batch(2))


def test_what_another_process_sent_makes_room_again(folder):
    spool = Spool(folder, len(batch(1)))
    spool.write(batch(1))
    (path,) = Spool(folder, MANY).pending()
    path.unlink()
    with pytest.raises(SpoolFull):
        spool.write(batch(2))
    assert spool.pending() == []
    spool.write(batch(2))


def test_a_failing_disk_leaves_no_unfinished_file(folder, monkeypatch):
    def full(_handle) -> None:
        raise OSError(28, "No space left on device")

    spool = Spool(folder, MANY)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SpoolFull, match="No space left"):
            spool.write(batch(1))
    assert list(folder.iterdir()) == []
    spool.write(batch(2))
    assert drained(spool) == [batch(2)]


def test_a_batch_whose_folder_cannot_be_synced_is_refused_and_not_sent(folder, monkeypatch):
    def fail(_spool) -> None:
        raise OSError(5, "Input/output error")

    spool = Spool(folder, MANY)
    with monkeypatch.context() as patch:
        patch.setattr(Spool, "_sync_folder", fail)
        with pytest.raises(SpoolFull, match="Input/output error"):
            spool.write(batch(1))
    assert list(folder.iterdir()) == []
    spool.write(batch(2))
    assert drained(spool) == [batch(2)]


def test_a_file_that_cannot_be_read_stays_and_is_counted(folder, caplog):
    """In its place is a folder, or a link to itself."""
    spool = Spool(folder, MANY)
    (folder / "a.json").mkdir()
    (folder / "b.json").symlink_to("b.json")
    spool.write(batch(1))
    assert (drained(spool), drained(spool), spool.broken()) == ([batch(1)], [], 2)
    assert len([record for record in caplog.records if "cannot be read" in record.message]) == 2
    assert len(list(folder.iterdir())) == 2
    Spool(folder, MANY)
    (folder / "a.json").rmdir()
    assert (drained(spool), spool.broken()) == ([], 1)


def test_malformed_files_are_counted(folder):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(b"[{")
    assert (drained(spool), spool.broken()) == ([], 1)


@pytest.mark.parametrize("text", [b"", b"[{", b"\xff", b"nonsense"])
def test_a_malformed_file_is_renamed_to_broken(folder, text, caplog):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(text)
    assert drained(spool) == []
    assert [path.name for path in folder.iterdir()] == ["a.broken"]
    assert "renamed to .broken" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b"7",
        b'"x"',
        b"null",
        b"[1]",
        b'{"v": 2, "rows": [[1]]}',
        b'{"v": 2, "columns": ["n"], "rows": [{"n": 1}]}',
    ],
)
def test_a_file_without_rows_is_renamed_too(folder, text):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(text)
    assert drained(spool) == []
    assert [path.name for path in folder.iterdir()] == ["a.broken"]


def test_a_file_of_a_newer_build_stays_for_it(folder, caplog):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_text('{"v": 3, "rows": {"packed": "?"}}')
    assert [spool.read(path) for path in [*spool.pending(), *spool.pending()]] == [None, None]
    assert [path.name for path in folder.iterdir()] == ["a.json"]
    assert [record.message for record in caplog.records] == [
        "spooled batch a.json waits for a newer host: VisitBatch has version 3, which only a newer build can read"
    ]


def test_a_file_that_another_build_could_not_read_is_sent_again_by_one_that_can(folder):
    Spool(folder, MANY).write(batch(1))
    (path,) = folder.iterdir()
    path.rename(path.with_suffix(".broken"))
    (folder / "torn.broken").write_bytes(b"[{")
    assert drained(Spool(folder, MANY)) == [batch(1)]
    assert [path.name for path in folder.iterdir()] == ["torn.broken"]


def test_a_batch_that_another_process_has_sent_is_skipped(folder):
    one, other = Spool(folder, MANY), Spool(folder, MANY)
    one.write(batch(1))
    (path,) = other.pending()
    assert drained(one) == [batch(1)]
    assert other.read(path) is None
    other.remove(path)
