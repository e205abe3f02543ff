"""Copies of a shop's files: each has its SHA-256 as its name, and never changes, so that it is copied once."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from domain.backups.database_copies import ShowProgress
from domain.learning import files

FILES, DELETED = "files", "deleted-files"
_UNFINISHED = ".unfinished"
_FOLDER = re.compile(r"[0-9a-f]{2}")


@dataclass
class RestoredFiles:
    """`present`: files that the database names and the shop now has; `missing`: digests of the others; `damaged`:
    copies with other contents than their names say."""

    present: int = 0
    missing: list[str] = field(default_factory=list)
    damaged: list[Path] = field(default_factory=list)


def copy_new_files(files_dir: Path, folder: Path, show: ShowProgress) -> int:
    """Copy the files that this folder lacks; returns their number. What the shop has deleted is moved to
    `deleted-files`, as long as the copies that may name it. Raises OSError, also for files that cannot be read: they
    would count as deleted."""
    in_shop, copies = list_files(files_dir), folder / FILES
    copies.mkdir(parents=True, exist_ok=True)
    copied = list_files(copies)
    new = sorted(in_shop - copied)
    for number, sha256 in enumerate(new, 1):
        _copy_from_shop(files.path_of(files_dir, sha256), files.path_of(copies, sha256), copies / _UNFINISHED)
        show(number, len(new))
    for sha256 in sorted(copied - in_shop):
        (folder / DELETED).mkdir(exist_ok=True)
        path = files.path_of(copies, sha256)
        # Its time says since when it is deleted.
        os.utime(path)
        path.replace(folder / DELETED / sha256)
    return len(new)


def restore_files(digests: Iterable[str], folder: Path, files_dir: Path, show: ShowProgress) -> RestoredFiles:
    """Bring back the files with these digests, of which each copy is compared with its name. A file that is there
    already is left as it is."""
    wanted, restored = list(digests), RestoredFiles()
    files_dir.mkdir(parents=True, exist_ok=True)
    for number, sha256 in enumerate(wanted, 1):
        target = files.path_of(files_dir, sha256)
        if not target.is_file():
            _restore(sha256, folder, target, restored)
        if target.is_file():
            restored.present += 1
        else:
            restored.missing.append(sha256)
        show(number, len(wanted))
    return restored


def list_files(folder: Path) -> set[str]:
    """The digests of the files in a folder like that of a shop; uploads and unfinished files are none."""
    found = (path for part in folder.iterdir() if _FOLDER.fullmatch(part.name) for path in part.iterdir())
    return {path.name for path in found if files.is_digest(path.name)}


def _copy_from_shop(source: Path, target: Path, unfinished: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    try:
        shutil.copyfile(source, unfinished)
    except FileNotFoundError:
        # The shop has deleted it since the folder was listed.
        return
    unfinished.replace(target)


def _restore(sha256: str, folder: Path, target: Path, restored: RestoredFiles) -> None:
    for path in (files.path_of(folder / FILES, sha256), folder / DELETED / sha256):
        if not path.is_file():
            continue
        target.parent.mkdir(exist_ok=True)
        unfinished = target.with_name(sha256 + _UNFINISHED)
        shutil.copyfile(path, unfinished)
        with unfinished.open("rb") as file:
            is_whole = hashlib.file_digest(file, "sha256").hexdigest() == sha256
        if is_whole:
            unfinished.replace(target)
            return
        unfinished.unlink()
        restored.damaged.append(path)
