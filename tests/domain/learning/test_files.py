"""Files of lessons: contents that are sent twice at the same time."""

import shutil

from domain.learning import files


def test_the_same_file_sent_again_while_it_is_copied_disturbs_nothing(tmp_path, monkeypatch):
    source, folder, copied = tmp_path / "upload", tmp_path / "files", []
    source.write_bytes(b"A film.")
    copy = shutil.copyfile

    def copy_while_another_does(from_, to):
        copied.append(to)
        if len(copied) == 1:
            files.adopt_content(folder, source)
        return copy(from_, to)

    monkeypatch.setattr(shutil, "copyfile", copy_while_another_does)
    sha256 = files.adopt_content(folder, source)
    assert len({*copied}) == 2
    assert [path.read_bytes() for path in folder.rglob("*") if path.is_file()] == [b"A film."]
    assert files.path_of(folder, sha256).is_file()
