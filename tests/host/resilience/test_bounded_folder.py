"""BoundedFolder: bounded also when several processes write to it, and files that are replaced count once."""

import os

import pytest

from host.resilience.bounded_folder import BoundedFolder

MAX_BYTES = 10_000


@pytest.fixture
def open_folder(tmp_path):
    """`open_folder()`: the folder as one more process sees it."""
    return lambda: BoundedFolder(tmp_path, ".page", MAX_BYTES)


def size_of(folder):
    return sum(path.stat().st_size for path in folder.glob("*.page"))


def test_processes_that_share_a_folder_exceed_its_limit_by_a_twentieth_each_at_most(open_folder, tmp_path):
    processes = [open_folder() for _ in range(4)]
    for number in range(100):
        for index, process in enumerate(processes):
            process.write(tmp_path / f"{number}-{index}.page", b"x" * 100)
            assert size_of(tmp_path) <= MAX_BYTES * 1.2


def test_a_file_that_is_written_again_and_again_pushes_no_other_out(open_folder, tmp_path):
    folder = open_folder()
    for number in range(90):
        folder.write(tmp_path / f"{number}.page", b"x" * 100)
    for _ in range(1_000):
        folder.write(tmp_path / "0.page", b"x" * 100)
    assert len(list(tmp_path.glob("*.page"))) == 90


def test_a_file_whose_time_was_renewed_stays_the_others_go(open_folder, tmp_path):
    folder = open_folder()
    for number in range(150):
        folder.write(tmp_path / f"{number}.page", b"x" * 100)
        os.utime(tmp_path / f"{number}.page", (number, number))
        os.utime(tmp_path / "0.page", (number, number))
    assert (tmp_path / "0.page").exists()
    assert not (tmp_path / "1.page").exists()
