"""A ZIP or a tar.gz as it may be trusted: names without tricks, no links, and no more bytes than it may have."""

import gzip
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, cast
from xml.etree.ElementTree import Element, ParseError

from domain.text_direction import isolated

MIB = 2**20
MAX_ENTRIES = 20_000
MAX_NAME_LENGTH = 500
MAX_DEPTH = 20
# What all of it has unpacked, and the largest file of texts, of which all together are read.
MAX_BYTES = 1024 * MIB
MAX_TEXT_BYTES = 4 * MIB
MAX_TEXTS_BYTES = 32 * MIB
# Elements within one another.
MAX_XML_DEPTH = 100
_CHUNK = 256 * 1024
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, gzip.BadGzipFile)


class PackageRefused(Exception):
    """Why a file is not taken as a course package, in a sentence for staff."""


class _Files(Protocol):
    """What ZIP and tar have in common."""

    def entries(self) -> Iterator[tuple[str, int]]: ...

    def open(self, name: str) -> IO[bytes]: ...


@dataclass
class Archive:
    """The files of a package by their names. Reading raises PackageRefused for what is broken or too large."""

    sizes: dict[str, int]
    _files: _Files
    _text_bytes: int = 0

    def __contains__(self, name: str) -> bool:
        return name in self.sizes

    def text(self, name: str) -> bytes:
        """A file of text, HTML or XML. Raises KeyError for one that is not there."""
        if self.sizes[name] > MAX_TEXT_BYTES:
            raise PackageRefused(f"“{isolated(name)}” has more than {MAX_TEXT_BYTES // MIB} MiB of text.")
        content = b"".join(self.chunks(name))
        self._text_bytes += len(content)
        if self._text_bytes > MAX_TEXTS_BYTES:
            raise PackageRefused(f"The texts of this package have more than {MAX_TEXTS_BYTES // MIB} MiB.")
        return content

    def xml(self, name: str) -> Element:
        """An XML file, its elements by their names without namespaces. Raises KeyError."""
        return read_xml(self.text(name), name)

    def head(self, name: str, size: int) -> bytes:
        """Its first bytes."""
        with _reading(name), self._files.open(name) as file:
            return file.read(size)

    def chunks(self, name: str) -> Iterator[bytes]:
        """A file in parts; never more than it says it has."""
        left = self.sizes[name]
        with _reading(name), self._files.open(name) as file:
            while part := file.read(_CHUNK):
                left -= len(part)
                if left < 0:
                    raise PackageRefused(f"“{isolated(name)}” has more bytes than the package says.")
                yield part


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Raises PackageRefused."""
    with path.open("rb") as file:
        head = file.read(4)
    if head.startswith(b"PK"):
        with _reading("the ZIP"), zipfile.ZipFile(path) as zipped:
            yield _checked(_Zip(zipped))
    elif head.startswith(b"\x1f\x8b"):
        with tempfile.TemporaryFile(dir=path.parent) as unpacked:
            _gunzip(path, cast("IO[bytes]", unpacked))
            with _reading("the tar"), tarfile.open(fileobj=unpacked, mode="r:") as tar:
                yield _checked(_Tar(tar))
    else:
        raise PackageRefused("This is neither a ZIP nor a tar.gz. Send the file that the other system exported.")


def read_xml(content: bytes, name: str) -> Element:
    """Elements by their names without namespaces. Raises PackageRefused for what is no XML, and for a document type:
    nothing of these formats needs one, and entities can grow without end."""
    # Most requests read no XML.
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(content, forbid_dtd=True)
    except DefusedXmlException as error:
        raise PackageRefused(f"“{isolated(name)}” has a document type, which no course package needs.") from error
    except (ParseError, ValueError, LookupError) as error:
        raise PackageRefused(f"“{isolated(name)}” is not valid XML: {error}.") from error
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MAX_XML_DEPTH:
            raise PackageRefused(f"“{isolated(name)}” has elements nested more than {MAX_XML_DEPTH} deep.")
        for element in level:
            element.tag = local_name(element.tag)
        level = [child for element in level for child in element]
    return root


def local_name(tag: object) -> str:
    """The last part of `{namespace}name`; "" for comments."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise PackageRefused(f"{name[:1].upper()}{name[1:]} is broken: {error}. Export it again.") from error
    except RuntimeError as error:
        # zipfile's error for a password.
        raise PackageRefused(f"{name[:1].upper()}{name[1:]} is encrypted. Export it without a password.") from error


def _checked(files: _Files) -> Archive:
    """Raises PackageRefused."""
    sizes: dict[str, int] = {}
    for number, (name, size) in enumerate(files.entries(), start=1):
        if number > MAX_ENTRIES:
            raise PackageRefused(f"This package has more than {MAX_ENTRIES} files.")
        if (problem := _name_problem(name)) is not None:
            raise PackageRefused(problem)
        if name in sizes:
            raise PackageRefused(f"“{isolated(name)}” is in this package twice.")
        sizes[name] = size
    if sum(sizes.values()) > MAX_BYTES:
        raise PackageRefused(f"Unpacked, this package has more than {MAX_BYTES // MIB} MiB.")
    return Archive(sizes, files)


def _name_problem(name: str) -> str | None:
    parts = name.split("/")
    if len(name) > MAX_NAME_LENGTH or len(parts) > MAX_DEPTH:
        return f"“{name[:60]}” is too long or too deep in folders."
    if name.startswith("/") or "\\" in name or "\0" in name or ":" in parts[0] or {"", ".", ".."} & {*parts}:
        return f"“{name[:60]}” is not a name that a file of a package may have."
    return None


@dataclass
class _Zip:
    zipped: zipfile.ZipFile

    def entries(self) -> Iterator[tuple[str, int]]:
        for info in self.zipped.infolist():
            if stat.S_ISLNK(info.external_attr >> 16):
                raise PackageRefused(f"“{info.filename[:60]}” is a link. Send a package of files alone.")
            if not info.is_dir():
                yield info.filename, info.file_size

    def open(self, name: str) -> IO[bytes]:
        return self.zipped.open(name)


@dataclass
class _Tar:
    tar: tarfile.TarFile

    def entries(self) -> Iterator[tuple[str, int]]:
        for member in self.tar:
            if not member.isfile() and not member.isdir():
                raise PackageRefused(f"“{member.name[:60]}” is a link or a device. Send a package of files alone.")
            if member.isfile():
                yield member.name.removeprefix("./"), member.size

    def open(self, name: str) -> IO[bytes]:
        try:
            file = self.tar.extractfile(name)
        except KeyError:
            file = self.tar.extractfile(f"./{name}")
        return cast("IO[bytes]", file)


def _gunzip(path: Path, target: IO[bytes]) -> None:
    """Raises PackageRefused as soon as it becomes too large."""
    size = 0
    with _reading("the tar.gz"), gzip.open(path) as source:
        while part := source.read(_CHUNK):
            size += len(part)
            if size > MAX_BYTES:
                raise PackageRefused(f"Unpacked, this package has more than {MAX_BYTES // MIB} MiB.")
            target.write(part)
    target.seek(0)
