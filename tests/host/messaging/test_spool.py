"""The spool: durable when it says so, oldest first, bounded, and never half written."""

import os
from pathlib import Path

import pytest

from host.spool import Spool, SpoolFull

MANY = 2**20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "spool"


def drained(spool: Spool) -> list:
    found = []
    for path in spool.waiting():
        found += spool.read(path)
        spool.done(path)
    return found


def test_what_was_put_is_read_again(folder):
    spool = Spool(folder, MANY)
    spool.put([{"n": 1, "url": "/é📚"}])
    assert drained(spool) == [{"n": 1, "url": "/é📚"}]
    assert drained(spool) == []


def test_the_oldest_batch_comes_first(folder):
    spool = Spool(folder, MANY)
    for number in range(10):
        spool.put([{"n": number}])
    for path in spool.waiting():
        (row,) = spool.read(path)
        os.utime(path, ns=(0, (100 - row["n"]) * 10**9))
    assert [row["n"] for row in drained(spool)] == list(range(9, -1, -1))


def test_what_is_put_is_synced_file_and_folder_before_it_counts(folder, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(Path(os.readlink(f"/proc/self/fd/{handle}")).suffix))
    Spool(folder, MANY).put([{"n": 1}])
    assert synced == [".part", ""]


def test_what_was_only_half_written_is_not_sent(folder):
    spool = Spool(folder, MANY)
    (folder / "torn.part").write_bytes(b'[{"n": 1')
    assert spool.waiting() == []


def test_a_full_spool_says_so_and_keeps_what_it_has(folder):
    spool = Spool(folder, 20)
    spool.put([{"n": 1}])
    with pytest.raises(SpoolFull, match="reached its limit"):
        spool.put([{"n": 22222222}])
    assert drained(spool) == [{"n": 1}]
    spool.put([{"n": 2}])


def test_what_an_earlier_process_left_counts_towards_the_limit(folder):
    Spool(folder, MANY).put([{"n": 1}])
    with pytest.raises(SpoolFull):
        Spool(folder, 10).put([{"n": 2}])


def test_a_disk_that_fails_leaves_nothing_half_written(folder, monkeypatch):
    def full(_handle) -> None:
        raise OSError(28, "No space left on device")

    spool = Spool(folder, MANY)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SpoolFull, match="No space left"):
            spool.put([{"n": 1}])
    assert list(folder.iterdir()) == []
    spool.put([{"n": 2}])
    assert drained(spool) == [{"n": 2}]


@pytest.mark.parametrize("text", [b"", b"[{", b"\xff", b"nonsense"])
def test_a_broken_file_is_set_aside_for_a_person(folder, text, caplog):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(text)
    assert drained(spool) == []
    assert [path.name for path in folder.iterdir()] == ["a.broken"]
    assert "kept as .broken" in caplog.text


@pytest.mark.parametrize("text", [b"{}", b"7", b'"x"', b"null", b"[1]"])
def test_a_file_that_holds_no_rows_is_set_aside_as_well(folder, text):
    spool = Spool(folder, MANY)
    (folder / "a.json").write_bytes(text)
    assert drained(spool) == []
    assert [path.name for path in folder.iterdir()] == ["a.broken"]


def test_a_batch_that_another_process_sent_is_none_of_ours(folder):
    one, other = Spool(folder, MANY), Spool(folder, MANY)
    one.put([{"n": 1}])
    (path,) = other.waiting()
    assert drained(one) == [{"n": 1}]
    assert other.read(path) == []
    other.done(path)
