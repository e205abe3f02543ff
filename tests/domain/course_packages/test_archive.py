"""What may be in a package, and what is refused before anything of it is used."""

import gzip
import io
import stat
import tarfile
import zipfile

import pytest

from domain.course_packages import archive
from domain.course_packages.archive import PackageRefused, open_archive, read_xml
from tests.domain.course_packages.packages import tarred, zipped

TWO = {"a/one.txt": "one", "two.txt": "two"}


def opened(folder, content):
    path = folder / "package"
    path.write_bytes(content)
    return open_archive(path)


def read_all(folder, content):
    with opened(folder, content) as package:
        return [package.text(name) for name in package.sizes]


def refusal(folder, content):
    with pytest.raises(PackageRefused) as raised:
        read_all(folder, content)
    return str(raised.value)


@pytest.mark.parametrize("made", [zipped, tarred])
def test_both_forms_give_names_sizes_and_contents(tmp_path, made):
    with opened(tmp_path, made(TWO)) as package:
        assert package.sizes == {"a/one.txt": 3, "two.txt": 3}
        assert (package.text("a/one.txt"), package.head("two.txt", 2), "three" in package) == (b"one", b"tw", False)


def test_a_tar_with_dots_before_its_names_has_the_names_without(tmp_path):
    with opened(tmp_path, tarred({"./course/course.xml": "<course/>"})) as package:
        assert package.text("course/course.xml") == b"<course/>"


NAMES = {
    "up": "../x",
    "up later": "a/../../x",
    "from the root": "/etc/x",
    "a drive": "c:/x",
    "a backslash": "a\\..\\x",
    "no name": "a//x",
    "too long": "a" * 501,
    "too deep": "a/" * 20 + "x",
}


@pytest.mark.parametrize("made", [zipped, tarred])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_name_that_leads_elsewhere_is_refused(tmp_path, made, name):
    assert "“" in refusal(tmp_path, made({name: "x"}))


def test_a_name_that_is_there_twice_is_refused(tmp_path):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            package.writestr("a", "2")
    assert refusal(tmp_path, target.getvalue()) == "“a” is in this package twice."


def test_links_are_refused(tmp_path):
    info = zipfile.ZipInfo("a")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr(info, "/etc/passwd")
    assert refusal(tmp_path, target.getvalue()) == "“a” is a link. Send a package of files alone."
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE):
        link = tarfile.TarInfo("a")
        link.type, link.linkname = kind, "/etc/passwd"
        target = io.BytesIO()
        with tarfile.open(fileobj=target, mode="w") as tar:
            tar.addfile(link)
        reason = refusal(tmp_path, gzip.compress(target.getvalue()))
        assert reason == "“a” is a link or a device. Send a package of files alone."


def test_too_many_files_and_too_many_bytes_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_ENTRIES", 1)
    assert refusal(tmp_path, zipped(TWO)) == "This package has more than 1 files."
    monkeypatch.setattr(archive, "MAX_ENTRIES", 2)
    monkeypatch.setattr(archive, "MAX_BYTES", 5)
    assert refusal(tmp_path, zipped(TWO)) == "Unpacked, this package has more than 0 MiB."
    assert refusal(tmp_path, tarred(TWO)) == "Unpacked, this package has more than 0 MiB."


def test_a_file_with_more_bytes_than_it_says_is_refused_while_it_is_read(tmp_path):
    content = bytearray(zipped({"a.txt": "x" * 10_000}))
    # The size in the local header and in the directory at the end.
    size = (10_000).to_bytes(4, "little")
    assert content.count(size) == 2
    content = content.replace(size, (10).to_bytes(4, "little"))
    assert "a.txt" in refusal(tmp_path, bytes(content)).casefold()


def test_texts_are_limited_one_by_one_and_together(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_TEXT_BYTES", 2)
    assert refusal(tmp_path, zipped(TWO)) == "“a/one.txt” has more than 0 MiB of text."
    monkeypatch.setattr(archive, "MAX_TEXT_BYTES", 3)
    monkeypatch.setattr(archive, "MAX_TEXTS_BYTES", 5)
    assert refusal(tmp_path, zipped(TWO)) == "The texts of this package have more than 0 MiB."


BROKEN = {
    "neither": (b"GIF89a", "This is neither a ZIP nor a tar.gz. Send the file that the other system exported."),
    "half a ZIP": (zipped(TWO)[:-20], "The ZIP is broken"),
    "half a gzip": (tarred(TWO)[:-20], "The tar.gz is broken"),
    "a gzip of no tar": (gzip.compress(b"x" * 600), "The tar is broken"),
    "an empty file": (b"", "This is neither a ZIP nor a tar.gz."),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_says_so(tmp_path, name):
    content, reason = BROKEN[name]
    assert refusal(tmp_path, content).startswith(reason)


def test_an_encrypted_zip_says_so(tmp_path):
    content = bytearray(zipped({"a": "x"}))
    # The flag of encryption in the directory.
    at = content.index(b"PK\x01\x02") + 8
    content[at] |= 1
    assert refusal(tmp_path, bytes(content)) == "A is encrypted. Export it without a password."


XML = {
    "a document type": ("<!DOCTYPE a><a/>", "“x” has a document type, which no course package needs."),
    "entities": ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "“x” has a document type, which no course package needs."),
    "no XML": ("<a>", "“x” is not valid XML: "),
    "an unknown encoding": ('<?xml version="1.0" encoding="klingon"?><a/>', "“x” is not valid XML: "),
    "too deep": ("<a>" * 101 + "</a>" * 101, "“x” has elements nested more than 100 deep."),
}


@pytest.mark.parametrize("name", XML)
def test_xml_that_is_refused(name):
    content, reason = XML[name]
    with pytest.raises(PackageRefused) as raised:
        read_xml(content.encode(), "x")
    assert str(raised.value).startswith(reason)


def test_elements_are_named_without_their_namespaces():
    root = read_xml(b'<a xmlns="urn:x" xmlns:b="urn:y"><!-- c --><b:d/></a>', "x")
    assert [element.tag for element in root.iter()] == ["a", "d"]
